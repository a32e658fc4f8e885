import type { Note } from './entries/note.ts';
import type { EnsureEntry, EnsureTarget, EnsureUnresolvedAbout, SignedRequest } from './entry.ts';
import { assert } from './refusal.ts';

/** What we know of a recipient or account that a run needs. */
export type EnsureState = {
  attempts: number;
  /** When the first attempt became durable, Unix ms; null before. A record that any attempt made is no older. */
  firstIntentAt: number | null;
} & (
  | { state: 'waiting' }
  | ({ state: 'sending' } & LastAttempt)
  | ({ state: 'in_doubt'; reason: Note } & LastAttempt)
  /** Parked: it may have been made, and is not found. */
  | ({ state: 'unresolved'; about: EnsureUnresolvedAbout; reason: Note } & LastAttempt)
  /** Parked: these could be it. `last` is the attempt in doubt, null where none was made. */
  | { state: 'ambiguous'; ids: string[]; last: LastAttempt | null }
  | { state: 'ensured'; id: string; by: 'created' | 'found' }
  | { state: 'rejected'; code: string; message: string }
);

/** The attempt whose outcome is not known. */
export type LastAttempt = { request: SignedRequest; intentAt: number };

export const NOT_ENSURED: EnsureState = Object.freeze({ state: 'waiting', attempts: 0, firstIntentAt: null });

/** Which record an ensure is about, as one text. */
export function ensureKey(target: EnsureTarget, key: string): string {
  return `${target}:${key}`;
}

/** The state after one entry. Throws where the entry cannot follow: a bug, or a journal that somebody edited. */
export function applyToEnsure(before: EnsureState, entry: EnsureEntry, at: number): EnsureState {
  const where = ensureKey(entry.target, entry.key);
  const { attempts, firstIntentAt } = before;
  const isOfLastAttempt = !('attempt' in entry) || entry.kind === 'ensure_intent' || entry.attempt === attempts;
  assert(isOfLastAttempt, `${where}: an outcome of another attempt than the last`);
  const isOver = before.state === 'ensured' || before.state === 'rejected';
  const last = lastAttempt(before);
  switch (entry.kind) {
    case 'ensure_intent':
      assert(last === null && !isOver && entry.attempt === attempts + 1, `${where}: a second open intent`);
      return {
        state: 'sending',
        attempts: entry.attempt,
        firstIntentAt: firstIntentAt ?? at,
        request: entry.request,
        intentAt: at,
      };
    case 'ensure_doubt':
      assert(last !== null, `${where}: a doubt without an intent`);
      return { state: 'in_doubt', attempts, firstIntentAt, reason: entry.reason, ...last };
    case 'ensure_unresolved':
      assert(last !== null, `${where}: unresolved without an intent`);
      return { state: 'unresolved', attempts, firstIntentAt, about: entry.about, reason: entry.reason, ...last };
    case 'ensure_ambiguous':
      assert(!isOver, `${where}: ambiguous after ${before.state}`);
      return { state: 'ambiguous', attempts, firstIntentAt, ids: entry.ids, last };
    case 'ensure_no_effect':
      assert(last !== null, `${where}: an outcome without an intent`);
      return { state: 'waiting', attempts, firstIntentAt };
    case 'ensure_rejected':
      assert(before.state === 'sending', `${where}: rejected without an intent`);
      return { state: 'rejected', attempts, firstIntentAt, code: entry.code, message: entry.message };
    case 'ensured':
      assert(!isOver, `${where}: ensured after ${before.state}`);
      return { state: 'ensured', attempts, firstIntentAt, id: entry.id, by: entry.by };
  }
}

/** The attempt whose outcome is not known, or null where there is none. */
export function lastAttempt(ensure: EnsureState): LastAttempt | null {
  switch (ensure.state) {
    case 'sending':
    case 'in_doubt':
    case 'unresolved':
      return { request: ensure.request, intentAt: ensure.intentAt };
    case 'ambiguous':
      return ensure.last;
    case 'waiting':
    case 'ensured':
    case 'rejected':
      return null;
  }
}
