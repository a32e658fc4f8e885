import { shownProfileOf } from '../../app/people/connection-profile.ts';
import type { Person } from '../../app/people/people.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { either, t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { modeBadge } from '../shell/mode.ts';
import { choice, moment, type Problem } from '../shell/parts.ts';
import type { Web } from '../web.ts';

/** A connection that was added or rotated lately, and that no other administrator has confirmed since. */
export type NewConnection = {
  /** What a tick is about: the connection and its keys. */
  seen: string;
  name: string;
  service: string;
  keyId: string;
  isRehearsal: boolean | null;
  what: 'added' | 'rotated';
  by: { id: string; name: string };
  at: number;
};

/** In an office with one administrator nobody confirms: after so long those who approve have seen it often enough. */
const NEW_MS = 30 * 86_400_000;

/** What approvers have to know of the connection that a plan pays over; null where that is known for long, or confirmed. */
export async function newConnectionOf(web: Web, { header }: Pick<RunState, 'header'>): Promise<NewConnection | null> {
  const connection = header && (await web.connections.ofRun(header));
  const kept = connection?.kept ?? null;
  if (connection === null || kept === null || kept.confirmedAt !== null) return null;
  if (kept.changedAt < web.deps.clock.wallMs() - NEW_MS) return null;
  const { base_url: service, api_key: keyId } = shownProfileOf(kept.profile);
  return {
    seen: `${kept.id} ${kept.revision}`,
    ...{ name: connection.name, service, keyId, isRehearsal: connection.isRehearsal },
    what: kept.revision === 1 ? 'added' : 'rotated',
    by: { id: kept.changedBy, name: await web.people.nameOf(kept.changedBy) },
    at: kept.changedAt,
  };
}

/**
 * Why this person does not approve over it: they decided where the money comes from and goes through. Where they are the only
 * administrator, nobody could confirm it, and the tick has to do.
 */
export async function whyNotOver(web: Web, connection: NewConnection | null, person: Person): Promise<string | null> {
  if (connection === null || connection.by.id !== person.id) return null;
  if (!(await web.audit.hadAdministratorBeside(person.id))) return null;
  return t`you ${either(connection.what === 'added', 'added', 'rotated')} the connection ${connection.name}, and another administrator has not confirmed that yet.`;
}

/** On a plan and above its approval. */
export function newConnectionPart(connection: NewConnection | null): Html | null {
  if (connection === null) return null;
  const { name, service, keyId, isRehearsal, what, by, at } = connection;
  const isAdded = what === 'added';
  return html`<div class="notice care"><p><strong>${either(isAdded, 'A new connection', 'New keys of the connection')}: ${name}</strong> ${modeBadge(isRehearsal)}</p>
<p>${by.name} ${either(isAdded, 'added', 'rotated')} it on ${moment(at, 'sentence')}, and no other administrator has confirmed that. This payment goes over ${service} with the key <span class="id">${keyId}</span>.</p></div>`;
}

/** The tick is about this connection with these keys, so that one for others is none. */
export function connectionField(connection: NewConnection | null, ticked: string): Html | null {
  if (connection === null) return null;
  const words = t`I know that ${connection.by.name} ${either(connection.what === 'added', 'added', 'rotated')} the connection ${connection.name}, and it is the right one`;
  const state = { isTicked: ticked === connection.seen, isRequired: true };
  return html`<fieldset><legend>New connection</legend>${choice('connection_seen', connection.seen, words, state)}</fieldset>`;
}

/** Null where the tick is there, or none is asked for. */
export function connectionNotSeen(connection: NewConnection | null, ticked: string, remedy: string): Problem | null {
  if (connection === null || ticked === connection.seen) return null;
  return { message: t`Tick that you know the connection ${connection.name}. ${remedy}`, remedy: '' };
}
