import { z } from 'zod';
import { assert } from '../../domain/refusal.ts';
import { type Holder, JournalDamaged } from '../journal.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import type { Database, Statement } from './database.ts';

/**
 * A lease that this process took. `epoch` rises with each taking, so no two are alike. `mayHaveCompany`: its last holder did
 * not give it back, and is not proven to have ended.
 */
export type Lease = { run: number; epoch: number; mayHaveCompany: boolean };

export type Taking = { outcome: 'taken'; lease: Lease } | { outcome: 'held'; holder: Holder };

/** Every method is called inside a transaction that holds the write lock, so nothing changes between look and deed. */
export class Leases {
  readonly #holder: string;
  readonly #leaseMs: number;
  readonly #insert: Statement;
  readonly #select: Statement;
  readonly #take: Statement;
  readonly #extend: Statement;
  readonly #release: Statement;

  constructor(database: Database, holder: ProcessIdentity, leaseMs: number) {
    this.#holder = holderText(holder);
    this.#leaseMs = leaseMs;
    this.#insert = database.prepare('INSERT INTO lease (run, epoch, holder, expires_at) VALUES (?, 1, ?, ?)');
    this.#select = database.prepare('SELECT epoch, holder, expires_at FROM lease WHERE run = ?');
    this.#take = database.prepare('UPDATE lease SET epoch = ?, holder = ?, expires_at = ? WHERE run = ?');
    this.#extend = database.prepare('UPDATE lease SET expires_at = ? WHERE run = ?');
    this.#release = database.prepare('UPDATE lease SET holder = NULL, expires_at = 0 WHERE run = ?');
  }

  /** The lease of a run that is being created. */
  create(run: number, now: number): Lease {
    this.#insert.run(run, this.#holder, now + this.#leaseMs);
    return { run, epoch: 1, mayHaveCompany: false };
  }

  /** The holder, where that process may still run and the lease has not run out. */
  living(run: number, now: number, isAlive: (holder: Holder) => boolean): Holder | null {
    const { holder, expiresAt } = this.#read(run);
    if (holder === null || expiresAt <= now) return null;
    const current = parseHolder(holder, expiresAt);
    return isAlive(current) ? current : null;
  }

  /** Takes the lease of a run unless a process that may still run holds it. */
  take(run: number, now: number, isAlive: (holder: Holder) => boolean): Taking {
    const { epoch, holder, expiresAt } = this.#read(run);
    const last = holder === null ? null : parseHolder(holder, expiresAt);
    const mayHaveCompany = last !== null && isAlive(last);
    if (last !== null && mayHaveCompany && expiresAt > now) return { outcome: 'held', holder: last };
    this.#take.run(epoch + 1, this.#holder, now + this.#leaseMs, run);
    return { outcome: 'taken', lease: { run, epoch: epoch + 1, mayHaveCompany } };
  }

  /**
   * Whether `lease` is still the one that stands, and until when. A lease that has run out still stands while nobody
   * took it over: the epoch protects the run, the end of the lease only says when another may raise it. The holder is
   * compared too, because a restored backup can bring an old epoch back.
   */
  check(lease: Lease): { stands: true; expiresAt: number } | { stands: false } {
    const { epoch, holder, expiresAt } = this.#read(lease.run);
    return epoch === lease.epoch && holder === this.#holder ? { stands: true, expiresAt } : { stands: false };
  }

  /** Whether less than two thirds of a lease are left, so that it should be put off with the next commit. */
  isRunningOut(expiresAt: number, now: number): boolean {
    return (expiresAt - now) * 3 < this.#leaseMs * 2;
  }

  extend(lease: Lease, now: number): void {
    this.#extend.run(now + this.#leaseMs, lease.run);
  }

  release(lease: Lease): void {
    this.#release.run(lease.run);
  }

  /** How often the lease of a run was taken. */
  epoch(run: number): number {
    return this.#read(run).epoch;
  }

  /** This process, as `lease_taken` entries name it. */
  get holderText(): string {
    return this.#holder;
  }

  #read(run: number): { epoch: number; holder: string | null; expiresAt: number } {
    const row = this.#select.get(run);
    if (!row) throw new JournalDamaged('a run has no lease');
    const { epoch, holder, expires_at: expiresAt } = row;
    assert(
      typeof epoch === 'number' && (holder === null || typeof holder === 'string') && typeof expiresAt === 'number',
      'a lease has other columns than its schema',
    );
    return { epoch, holder, expiresAt };
  }
}

const identity = z.strictObject({ host: z.string(), boot_id: z.string(), pid: z.int(), started: z.string() });

function holderText({ host, boot_id, pid, started }: ProcessIdentity): string {
  return JSON.stringify({ host, boot_id, pid, started });
}

function parseHolder(text: string, expiresAt: number): Holder {
  try {
    return { ...identity.parse(JSON.parse(text)), expires_at: expiresAt };
  } catch (error) {
    throw new JournalDamaged('the holder of a lease cannot be read', { cause: error });
  }
}
