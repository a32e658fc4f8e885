import { isIP } from 'node:net';
import { z } from 'zod';
import type { Person } from '../people/people.ts';
import type { Web } from '../web.ts';
import type { PendingChallenge, Session } from './sessions.ts';

/** Who is asked, and in which browser. */
export type Asked = { person: Person; session: Session };

/** So long a browser may take to answer. */
export const ANSWER_MS = 5 * 60_000;

export const EXPIRED = 'That took too long, or was answered already. Try again.';
export const UNREADABLE = 'The passkey gave no answer that can be read. Try again.';

export const base64url = z.string().regex(/^[\w-]{0,20000}$/);

/** The host that passkeys belong to; null where the page has an address for a name, which none can belong to. */
export function relyingParty(origin: string): string | null {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : null;
}

/** What was asked for this, and it is forgotten: one answer is all there is. */
export function takeChallenge({ deps }: Web, session: Session, what: string): PendingChallenge | null {
  const asked = session.challenge;
  session.challenge = null;
  return asked !== null && asked.for === what && asked.untilMs >= deps.clock.monotonicMs() ? asked : null;
}

/** What a browser says in JSON; null where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
