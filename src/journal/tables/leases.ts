import type { EntryOf } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { Row } from '../../platform/sqlite.ts';
import { Deposed, JournalDamaged } from '../errors.ts';
import type { Holder } from '../journal.ts';
import { holderIn, type StandingLease } from '../run-record.ts';
import { change, get, type Steps } from './steps.ts';
import type { Store } from './store.ts';
import type { Lease } from './tables.ts';

const LEASE_ID_BYTES = 16;

/** Whatever was sent by way of the other copy of a journal has taken effect so long after this one was first used. */
const COPIED_LATELY_MS = 10 * 60_000;

type TimedLease = StandingLease & { expiresAt: number };

type Taking = { outcome: 'taken'; lease: Lease } | { outcome: 'held'; holder: Holder };

// Those that write are called inside a transaction that holds the lease's lock, so nothing changes between look and deed.

/** The lease of a run that is being created. */
export function* createLease(store: Store, run: number): Steps<Lease> {
  const now = yield* store.dialect.leaseNow();
  const id = newId(store);
  yield* change(
    'INSERT INTO lease (run, epoch, lease_id, holder, expires_at) VALUES (?, 1, ?, ?, ?)',
    ...[run, id, store.holder, now + store.leaseMs],
  );
  return { run, epoch: 1, id, mayHaveCompany: yield* isCopiedLately(store, now), isTakeover: false };
}

/** Takes the lease of a run unless a process that may still run holds it. `lastEntry`: with which the run ends. */
export function* takeLease(store: Store, run: number, lastEntry: number): Steps<Taking> {
  const now = yield* store.dialect.leaseNow();
  const standing = yield* leaseOf(run);
  const { epoch, id } = standing;
  const last = livingIn(store, standing);
  if (last !== null && standing.expiresAt > now) return { outcome: 'held', holder: last };
  const mayHaveCompany = (yield* isCopiedLately(store, now)) || last !== null || store.lost.isBehind(id, lastEntry);
  const isTakeover = standing.holder !== null && standing.holder !== store.holder;
  const lease = { run, epoch: epoch + 1, id: newId(store), mayHaveCompany, isTakeover };
  yield* change(
    'UPDATE lease SET epoch = ?, lease_id = ?, holder = ?, expires_at = ? WHERE run = ?',
    ...[lease.epoch, lease.id, store.holder, now + store.leaseMs, run],
  );
  return { outcome: 'taken', lease };
}

/**
 * Throws `Deposed` where another lease stands than `lease`. One that has run out still stands while nobody took it over: the
 * epoch protects the run, the end of the lease only says when another may raise it. The id is compared too, because a
 * restored backup can bring an old epoch back, and so is the holder, for people who look.
 */
export function* requireLease({ dialect, holder }: Store, runId: string, lease: Lease): Steps<void> {
  const standing = yield* leaseOf(lease.run, dialect.forShare);
  if (standing.epoch === lease.epoch && standing.id === lease.id && standing.holder === holder) return;
  throw deposed(runId, lease);
}

export function deposed(runId: string, { epoch }: Lease): Deposed {
  return new Deposed({ why: 'taken' }, `the lease of run ${runId} was taken from epoch ${epoch} by another process`);
}

export function* extendLease({ dialect, leaseMs }: Store, lease: Lease): Steps<void> {
  const now = yield* dialect.leaseNow();
  yield* change('UPDATE lease SET expires_at = ? WHERE run = ?', now + leaseMs, lease.run);
}

export function* releaseLease(lease: Lease): Steps<void> {
  yield* change('UPDATE lease SET holder = NULL, expires_at = 0 WHERE run = ?', lease.run);
}

/** The holder of a run's lease, where that process may still run and the lease has not run out. */
export function* livingHolder(store: Store, run: number): Steps<Holder | null> {
  const standing = yield* leaseOf(run);
  return standing.expiresAt > (yield* store.dialect.leaseNow()) ? livingIn(store, standing) : null;
}

/** Who may still write with a lease, whether or not it has run out; null where that process is gone, or knows that it may not. */
export function livingIn({ isAlive, lost }: Store, { id, holder, expiresAt }: TimedLease): Holder | null {
  if (holder === null || lost.has(id)) return null;
  const last = holderIn(holder, expiresAt);
  return isAlive(last) ? last : null;
}

/** The lease of a run as it stands. */
export function* leaseOf(run: number, lock = ''): Steps<TimedLease> {
  const row = yield* get(`SELECT epoch, lease_id, holder, expires_at FROM lease WHERE run = ?${lock}`, run);
  if (!row) throw new JournalDamaged({ code: 'no_lease' });
  return leaseIn(row);
}

/** The lease in a row that has all its columns. */
export function leaseIn({ epoch, lease_id: id, holder, expires_at: expiresAt }: Row): TimedLease {
  const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';
  assert(
    typeof epoch === 'number' && isText(id) && isText(holder) && typeof expiresAt === 'number',
    'a lease has other columns than its schema',
  );
  return { epoch, id, holder, expiresAt };
}

/** The entry that notes its taking. */
export function leaseTaken({ holder }: Store, { epoch, id }: Lease): EntryOf<'lease_taken'> {
  return { kind: 'lease_taken', epoch, holder, lease_id: id };
}

/** Whether another copy was this journal a short time ago. */
function* isCopiedLately({ copy }: Store, now: number): Steps<boolean> {
  const { identity, copied_at: copiedAt } = (yield* get('SELECT identity, copied_at FROM journal_file')) ?? {};
  if (typeof identity === 'string' && typeof copiedAt === 'number' && copy.isSame(identity)) {
    return Math.abs(now - copiedAt) < COPIED_LATELY_MS;
  }
  const isCopy = identity !== undefined;
  yield* change(
    `INSERT INTO journal_file (one, identity, copied_at) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET identity = excluded.identity, copied_at = excluded.copied_at`,
    ...[copy.identity, isCopy ? now : 0],
  );
  return isCopy;
}

function newId({ randomness }: Store): string {
  return Buffer.from(randomness.bytes(LEASE_ID_BYTES)).toString('hex');
}
