import type { EntryOf } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { JournalDamaged } from '../errors.ts';
import type { Holder } from '../journal.ts';
import { holderIn, type StandingLease } from '../run-record.ts';
import type { Store } from './store.ts';

/**
 * A lease that this process took. `epoch` rises with each taking; `id` is random, because an older copy of the journal
 * gives the same epoch out again. `mayHaveCompany`: its last holder did not give it back, and is not proven to have ended;
 * or the journal is a copy, and the process that worked on the other one may have sent something a moment ago.
 */
export type Lease = { run: number; epoch: number; id: string; mayHaveCompany: boolean };

const LEASE_ID_BYTES = 16;

/** Whatever was sent by way of the other copy of a journal has taken effect so long after this one was first used. */
const COPIED_LATELY_MS = 10 * 60_000;

type Taking = { outcome: 'taken'; lease: Lease } | { outcome: 'held'; holder: Holder };

// Those that write are called inside a transaction that holds the write lock, so nothing changes between look and deed.

/** The lease of a run that is being created. */
export function createLease(store: Store, run: number, now: number): Lease {
  const id = newId(store);
  store.db.run(
    'INSERT INTO lease (run, epoch, lease_id, holder, expires_at) VALUES (?, 1, ?, ?, ?)',
    ...[run, id, store.holder, now + store.leaseMs],
  );
  return { run, epoch: 1, id, mayHaveCompany: isCopiedLately(store, now) };
}

/** Takes the lease of a run unless a process that may still run holds it. */
export function takeLease(store: Store, run: number, now: number): Taking {
  const { epoch, holder, expiresAt } = leaseOf(store, run);
  const last = holder === null ? null : holderIn(holder, expiresAt);
  const isLastAlive = last !== null && store.isAlive(last);
  if (isLastAlive && expiresAt > now) return { outcome: 'held', holder: last };
  const mayHaveCompany = isCopiedLately(store, now) || isLastAlive;
  const lease = { run, epoch: epoch + 1, id: newId(store), mayHaveCompany };
  store.db.run(
    'UPDATE lease SET epoch = ?, lease_id = ?, holder = ?, expires_at = ? WHERE run = ?',
    ...[lease.epoch, lease.id, store.holder, now + store.leaseMs, run],
  );
  return { outcome: 'taken', lease };
}

/**
 * Until when `lease` stands (Unix ms); null where another one stands. A lease that has run out still stands while nobody
 * took it over: the epoch protects the run, the end of the lease only says when another may raise it. The id is
 * compared too, because a restored backup can bring an old epoch back, and so is the holder, for people who look.
 */
export function standsUntil(store: Store, lease: Lease): number | null {
  const { epoch, id, holder, expiresAt } = leaseOf(store, lease.run);
  return epoch === lease.epoch && id === lease.id && holder === store.holder ? expiresAt : null;
}

/** Whether less than two thirds of a lease are left, so that it should be put off with the next commit. */
export function isRunningOut({ leaseMs }: Store, expiresAt: number, now: number): boolean {
  return (expiresAt - now) * 3 < leaseMs * 2;
}

export function extendLease({ db, leaseMs }: Store, lease: Lease, now: number): void {
  db.run('UPDATE lease SET expires_at = ? WHERE run = ?', now + leaseMs, lease.run);
}

export function releaseLease({ db }: Store, lease: Lease): void {
  db.run('UPDATE lease SET holder = NULL, expires_at = 0 WHERE run = ?', lease.run);
}

/** The holder of a run's lease, where that process may still run and the lease has not run out. */
export function livingHolder(store: Store, run: number): Holder | null {
  const { holder, expiresAt } = leaseOf(store, run);
  if (holder === null || expiresAt <= store.clock.wallMs()) return null;
  const current = holderIn(holder, expiresAt);
  return store.isAlive(current) ? current : null;
}

/** The lease of a run as it stands. */
export function leaseOf({ db }: Store, run: number): StandingLease & { expiresAt: number } {
  const row = db.get('SELECT epoch, lease_id, holder, expires_at FROM lease WHERE run = ?', run);
  if (!row) throw new JournalDamaged({ code: 'no_lease' });
  const { epoch, lease_id: id, holder, expires_at: expiresAt } = row;
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

/** Whether another file was this journal a short time ago. */
function isCopiedLately({ db, files }: Store, now: number): boolean {
  const { identity, copied_at: copiedAt } = db.get('SELECT identity, copied_at FROM journal_file') ?? {};
  if (typeof identity === 'string' && typeof copiedAt === 'number' && files.isFile(identity)) {
    return Math.abs(now - copiedAt) < COPIED_LATELY_MS;
  }
  const isCopy = identity !== undefined;
  db.run('REPLACE INTO journal_file (one, identity, copied_at) VALUES (1, ?, ?)', files.identity, isCopy ? now : 0);
  return isCopy;
}

function newId({ randomness }: Store): string {
  return Buffer.from(randomness.bytes(LEASE_ID_BYTES)).toString('hex');
}
