import type { Person } from '../../app/people/people.ts';
import { MAIN_ENTITY } from '../../domain/run/entity.ts';
import { t, textTable } from '../../messages/translate.ts';
import { OF_JOB, type PageConnection } from '../page-connections.ts';
import { isOf } from '../page-modes.ts';
import { type Html, html } from '../shell/html.ts';
import { modeBadge } from '../shell/mode.ts';
import { type Failure, hiddenField, type Problem } from '../shell/parts.ts';
import type { Web } from '../web.ts';
import type { Upload } from './uploads.ts';

/** Who uploaded a file, and what it is paid over: null where there is nothing to choose. */
export type UploadBy = { name: string; over: PageConnection | null };

export async function uploadBy(web: Web, upload: Pick<Upload, 'personId' | 'connectionId' | 'job'>): Promise<UploadBy> {
  const [name, connection, all] = await Promise.all([
    web.people.nameOf(upload.personId),
    web.connections.ofUpload(upload),
    web.connections.list(),
  ]);
  return { name, over: all.length > 1 || connection?.id === OF_JOB ? connection : null };
}

/** What each page of the file says of it around its body. */
export function pageOver({ over }: UploadBy): { rehearsal?: boolean | null; over?: string } {
  return over === null ? {} : { rehearsal: over.isRehearsal, over: over.name };
}

/** Beside the button that leads on. */
export function overBadge({ over }: UploadBy): Html | null {
  return over && html`<span class="over">${modeBadge(over.isRehearsal)} ${over.name}</span>`;
}

/**
 * The connections this person can use, and the default: the one they used last, and never one of another mode, unless
 * they chose that mode.
 */
export type Choosable = { connections: readonly PageConnection[]; chosen: string | null; hasEntities: boolean };

export async function choosable(web: Web, person: Person): Promise<Choosable> {
  const sight = web.sight.of(person);
  const jobs = [null, ...web.deps.jobs().map(({ name }) => name)];
  const connections: PageConnection[] = [];
  for (const connection of await web.connections.usable())
    for (const job of jobs)
      if (!connections.includes(connection) && (await sight.mayPrepare({ job, connectionId: connection.id })))
        connections.push(connection);
  const hasEntities = new Set(connections.map(({ entity }) => entity.id)).size > 1;
  const { mode } = person;
  const meant = mode === undefined ? connections : connections.filter((one) => isOf(one, mode));
  const last = await web.uploads.lastOf(person.id);
  const used = last && (await web.connections.ofUpload(last));
  const isNew = last === null || (mode !== undefined && used !== null && !isOf(used, mode));
  const [first] = isNew ? meant : meant.filter(({ id }) => id === used?.id);
  return { connections, chosen: first?.id ?? null, hasEntities };
}

/** On the form of a new file; nothing to choose where there is one connection, which is named where nothing else would be. */
export function overField({ connections, chosen, hasEntities }: Choosable): Html | null {
  const [first] = connections;
  if (first === undefined) return null;
  if (connections.length === 1) return hiddenField('connection', first.entity.id === MAIN_ENTITY ? null : first.id);
  const item = ({ id, name, entity, service, isRehearsal }: PageConnection) =>
    html`<label class="choice over"><input type="radio" name="connection" value="${id}" required${id === chosen && html` checked`}> ${modeBadge(isRehearsal)} <span><b>${name}</b> <span class="soft small">${hasEntities && `${entity.name}, `}${name !== service && service}</span></span></label>`;
  return html`<fieldset class="overs"><legend>Pay over</legend>${connections.map(item)}</fieldset>`;
}

const NO_CONNECTION: Failure = textTable({
  status: 422,
  message: 'This connection cannot be paid over. The file was not kept.',
  remedy: 'Choose another one.',
});

/**
 * The connection that somebody named for a new file: null where they named none, so that the job says where it is paid, or what
 * the page was started with is. A job pays for one entity alone.
 */
export async function chosenConnection(
  web: Web,
  person: Person,
  { named, job }: { named: string; job: string | null },
): Promise<{ id: string | null } | Failure> {
  if (named === '') return { id: null };
  const { connections } = await choosable(web, person);
  const connection = connections.find(({ id }) => id === named);
  if (connection === undefined) return NO_CONNECTION;
  const problem = await notOfJob(web, connection, job);
  if (problem === null) return { id: named };
  return { ...NO_CONNECTION, message: t`${problem.message} The file was not kept.`, remedy: problem.remedy };
}

/** A job pays for one entity alone: why a connection cannot be for it; null where it can. */
export async function notOfJob(
  web: Web,
  { name, entity }: PageConnection,
  job: string | null,
): Promise<Problem | null> {
  const wanted = web.deps.jobs().find((one) => one.name === job)?.entity;
  if (wanted === undefined || wanted === entity.id) return null;
  const of = (await web.entities.get(wanted))?.name ?? wanted;
  return {
    message: t`The job ${job} pays for ${of}, and the connection ${name} is of ${entity.name}.`,
    remedy: t`Choose a connection of ${of}.`,
  };
}
