import { assert, Refusal } from '../../domain/refusal.ts';
import type { Row } from '../../platform/sqlite.ts';
import type { Holder } from '../journal.ts';
import { isPostgres } from '../place.ts';
import { holderIn } from '../run-record.ts';
import { livingHolder } from './leases.ts';
import { all, change, get, type Steps } from './steps.ts';
import type { Store } from './store.ts';

/**
 * A journal is moved whole. Its state, and that of the other one, keeps a run from being written in both:
 * `leaving`: its runs are being copied to the journal `other`; `left`: they are all there; `arriving`: they are being copied
 * from there; `kept`: the copying was given up, and it is in use as before. Both journals have the same `id`.
 */
export type Move = {
  state: 'leaving' | 'left' | 'arriving' | 'kept';
  id: string;
  other: string;
  /** The process that copies, and when it counts as gone (Unix ms). */
  holder: string | null;
  expiresAt: number;
};

/** Runs that are named as held; the others are as many as they are. */
const HELD_SHOWN = 20;

export function* moveOf(): Steps<Move | null> {
  const row = yield* get('SELECT state, id, other, holder, expires_at FROM journal_move');
  return row === undefined ? null : moveIn(row);
}

/** Throws a `Refusal` where the journal's runs are in another one, or not all here yet. */
export function* requireHere(): Steps<void> {
  const move = yield* moveOf();
  if (move !== null && move.state !== 'kept') throw notHere(move);
}

/** Why no run may be written where a journal is moved so. */
export function notHere({ state, other }: Move): Refusal {
  if (state === 'left') return new Refusal({ code: 'journal_moved', to: other, isDatabase: isPostgres(other) });
  assert(state !== 'kept', 'a journal that was kept is in use');
  return new Refusal({ code: 'journal_half_moved', state, other });
}

/**
 * Notes how the journal is moved, or that it is not (null), where it still is as in `before`: what was seen is what is
 * changed. Inside a transaction that keeps all others from writing.
 */
export function* noteMove(
  store: Store,
  before: Move | null,
  after: Pick<Move, 'state' | 'id' | 'other'> | null,
): Steps<void> {
  const now = yield* moveOf();
  if (now?.id !== before?.id || now?.state !== before?.state || now?.holder !== before?.holder)
    throw beingMoved(store, now);
  yield* change('DELETE FROM journal_move');
  if (after === null) return;
  const isAtWork = after.state === 'leaving' || after.state === 'arriving';
  const expiresAt = isAtWork ? (yield* store.dialect.leaseNow()) + store.leaseMs : 0;
  yield* change(
    'INSERT INTO journal_move (one, state, id, other, holder, expires_at) VALUES (1, ?, ?, ?, ?, ?)',
    ...[after.state, after.id, after.other, isAtWork ? store.holder : null, expiresAt],
  );
}

/** Puts off the time at which the copying process counts as gone. Throws a `Refusal` where another one has taken over. */
export function* stayAtMove(store: Store, id: string): Steps<void> {
  const expiresAt = (yield* store.dialect.leaseNow()) + store.leaseMs;
  const stayed = yield* change(
    "UPDATE journal_move SET expires_at = ? WHERE id = ? AND holder = ? AND state IN ('leaving', 'arriving')",
    ...[expiresAt, id, store.holder],
  );
  if (stayed !== 1) throw beingMoved(store, yield* moveOf());
}

/** The process that copies stops: another one may go on at once. */
export function* pauseMove(store: Store, id: string): Steps<void> {
  yield* change(
    'UPDATE journal_move SET holder = NULL, expires_at = 0 WHERE id = ? AND holder = ?',
    ...[id, store.holder],
  );
}

/** Throws a `Refusal` where another process that may still run is moving the journal. */
export function* requireMoveFree(store: Store, move: Move | null): Steps<void> {
  if (move === null || move.holder === null || move.holder === store.holder) return;
  if (move.expiresAt <= (yield* store.dialect.leaseNow())) return;
  const holder = holderIn(move.holder, move.expiresAt);
  if (store.isAlive(holder)) throw new Refusal({ code: 'journal_being_moved', holder: processOf(holder) });
}

/**
 * Inside a transaction that keeps all others from writing. Throws a `Refusal` where processes that may still run hold runs; of
 * others that did not give their leases back, these are taken, so that they write nothing when they wake.
 */
export function* closeRuns(store: Store, journal: string): Steps<void> {
  yield* requireNoneHeld(store, journal);
  yield* change('UPDATE lease SET holder = NULL, expires_at = 0 WHERE holder IS NOT NULL');
}

/** Throws a `Refusal` that names the runs which processes that may still run hold, and those that are left to workers. */
export function* requireNoneHeld(store: Store, journal: string): Steps<void> {
  const held: { runId: string; holder: { pid: number; host: string } | null }[] = [];
  for (const record of yield* store.runs.held()) {
    const holder = yield* livingHolder(store, record.run);
    if (holder !== null) held.push({ runId: record.id, holder: processOf(holder) });
    if (held.length === HELD_SHOWN) break;
  }
  if (store.isRemote) for (const runId of yield* queuedRuns()) held.push({ runId, holder: null });
  if (held.length > 0) throw new Refusal({ code: 'journal_in_use', journal, held });
}

/** What workers are to take, which only a journal that they share has. */
function* queuedRuns(): Steps<string[]> {
  const sql = `SELECT run.id FROM queued_run JOIN run ON run.run = queued_run.run JOIN lease ON lease.run = run.run
    WHERE queued_run.due_at IS NOT NULL AND lease.holder IS NULL ORDER BY run.run LIMIT ${HELD_SHOWN}`;
  return (yield* all(sql)).map(({ id }) => id as string);
}

/**
 * Notes that another copy was this journal until now: who takes a run looks for what a process that wrote there may have sent
 * a moment ago.
 */
export function* noteCopied({ copy, dialect }: Store): Steps<void> {
  yield* change(
    `INSERT INTO journal_file (one, identity, copied_at) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET identity = excluded.identity, copied_at = excluded.copied_at`,
    ...[copy.identity, yield* dialect.leaseNow()],
  );
}

function beingMoved(store: Store, move: Move | null): Refusal {
  if (move?.holder != null && move.holder !== store.holder)
    return new Refusal({ code: 'journal_being_moved', holder: processOf(holderIn(move.holder, move.expiresAt)) });
  // Another process was done, or gave up, in between.
  return new Refusal({ code: 'journal_locked' });
}

function processOf({ pid, host }: Holder): { pid: number; host: string } {
  return { pid, host };
}

function moveIn({ state, id, other, holder, expires_at: expiresAt }: Row): Move {
  return { state, id, other, holder, expiresAt } as Move;
}
