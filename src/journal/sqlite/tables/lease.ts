import { z } from 'zod';
import type { Randomness } from '../../../domain/clock.ts';
import { assert } from '../../../domain/refusal.ts';
import type { Database, Statement } from '../../../platform/sqlite.ts';
import { type Holder, JournalDamaged } from '../../journal.ts';
import type { ProcessIdentity } from '../../process-identity.ts';
import type { OpenedFiles } from '../opened-files.ts';

/**
 * A lease that this process took. `epoch` rises with each taking; `id` is random, because an older copy of the journal
 * gives the same epoch out again. `mayHaveCompany`: its last holder did not give it back, and is not proven to have ended;
 * or the journal is a copy, and whoever worked on the other one may have sent something a moment ago.
 */
export type Lease = { run: number; epoch: number; id: string; mayHaveCompany: boolean };

const LEASE_ID_BYTES = 16;

/** What whoever had the other copy of a journal sent has taken effect so long after this one was first used. */
const COPIED_LATELY_MS = 10 * 60_000;

/** Who takes leases here, for how long, and the files that the journal is in. */
export type LeaseParts = { holder: ProcessIdentity; leaseMs: number; randomness: Randomness; files: OpenedFiles };

export type Taking = { outcome: 'taken'; lease: Lease } | { outcome: 'held'; holder: Holder };

/** Every method is called inside a transaction that holds the write lock, so nothing changes between look and deed. */
export class Leases {
  readonly #holder: string;
  readonly #leaseMs: number;
  readonly #randomness: Randomness;
  readonly #insert: Statement;
  readonly #select: Statement;
  readonly #take: Statement;
  readonly #extend: Statement;
  readonly #release: Statement;
  readonly #files: OpenedFiles;
  readonly #file: Statement;
  readonly #noteFile: Statement;

  constructor(database: Database, { holder, leaseMs, randomness, files }: LeaseParts) {
    this.#holder = holderText(holder);
    this.#leaseMs = leaseMs;
    this.#randomness = randomness;
    this.#files = files;
    this.#insert = database.prepare(
      'INSERT INTO lease (run, epoch, lease_id, holder, expires_at) VALUES (?, 1, ?, ?, ?)',
    );
    this.#select = database.prepare('SELECT epoch, lease_id, holder, expires_at FROM lease WHERE run = ?');
    this.#take = database.prepare('UPDATE lease SET epoch = ?, lease_id = ?, holder = ?, expires_at = ? WHERE run = ?');
    this.#extend = database.prepare('UPDATE lease SET expires_at = ? WHERE run = ?');
    this.#release = database.prepare('UPDATE lease SET holder = NULL, expires_at = 0 WHERE run = ?');
    this.#file = database.prepare('SELECT identity, copied_at FROM journal_file');
    this.#noteFile = database.prepare('REPLACE INTO journal_file (one, identity, copied_at) VALUES (1, ?, ?)');
  }

  /** The lease of a run that is being created. */
  create(run: number, now: number): Lease {
    const id = this.#newId();
    this.#insert.run(run, id, this.#holder, now + this.#leaseMs);
    return { run, epoch: 1, id, mayHaveCompany: this.#isCopiedLately(now) };
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
    const isLastAlive = last !== null && isAlive(last);
    if (isLastAlive && expiresAt > now) return { outcome: 'held', holder: last };
    const mayHaveCompany = this.#isCopiedLately(now) || isLastAlive;
    const lease = { run, epoch: epoch + 1, id: this.#newId(), mayHaveCompany };
    this.#take.run(lease.epoch, lease.id, this.#holder, now + this.#leaseMs, run);
    return { outcome: 'taken', lease };
  }

  /**
   * Whether `lease` is still the one that stands, and until when. A lease that has run out still stands while nobody
   * took it over: the epoch protects the run, the end of the lease only says when another may raise it. The id is
   * compared too, because a restored backup can bring an old epoch back, and so is the holder, for people who look.
   */
  check(lease: Lease): { stands: true; expiresAt: number } | { stands: false } {
    const { epoch, id, holder, expiresAt } = this.#read(lease.run);
    const isOurs = epoch === lease.epoch && id === lease.id && holder === this.#holder;
    return isOurs ? { stands: true, expiresAt } : { stands: false };
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

  /** As it stands, for whoever compares it with what the entries say. */
  standing(run: number): { epoch: number; id: string | null; holder: string | null } {
    return this.#read(run);
  }

  /** This process, as `lease_taken` entries name it. */
  get holderText(): string {
    return this.#holder;
  }

  /** Whether another file was this journal a short time ago. */
  #isCopiedLately(now: number): boolean {
    const { identity, copied_at: copiedAt } = this.#file.get() ?? {};
    if (typeof identity === 'string' && typeof copiedAt === 'number' && this.#files.isFile(identity)) {
      return Math.abs(now - copiedAt) < COPIED_LATELY_MS;
    }
    const isCopy = identity !== undefined;
    this.#noteFile.run(this.#files.identity, isCopy ? now : 0);
    return isCopy;
  }

  #newId(): string {
    return Buffer.from(this.#randomness.bytes(LEASE_ID_BYTES)).toString('hex');
  }

  #read(run: number): { epoch: number; id: string | null; holder: string | null; expiresAt: number } {
    const row = this.#select.get(run);
    if (!row) throw new JournalDamaged('a run has no lease');
    const { epoch, lease_id: id, holder, expires_at: expiresAt } = row;
    const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';
    assert(
      typeof epoch === 'number' && isText(id) && isText(holder) && typeof expiresAt === 'number',
      'a lease has other columns than its schema',
    );
    return { epoch, id, holder, expiresAt };
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
