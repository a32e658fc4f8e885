import { hash } from 'node:crypto';
import type { Entry, PlacedEntry } from '../domain/entry.ts';
import { decodeEntry, rowOf } from './entries.ts';
import { JournalDamaged } from './journal.ts';
import type { Witness } from './whole-journal.ts';

type LeaseTaken = Extract<Entry, { kind: 'lease_taken' }>;

/** The end of a run's chain; `n` is 0 before the first entry. */
export type Head = Witness;

/** An entry as a database gives it back. */
export type StoredEntry = {
  n: number;
  at: number;
  epoch: number;
  kind: string;
  row: number | null;
  data: string;
  /** Hex. */
  hash: string;
};

export type ChainStep = { ok: true; placed: PlacedEntry } | { ok: false; n: number; message: string };

/** The head of a run without entries. The run's id goes in, so that entries cannot be moved to another run. */
export function genesis(runId: string): Head {
  return { n: 0, hash: hash('sha256', `payrun journal 1 ${runId}`, 'hex') };
}

/**
 * SHA-256 (hex) over everything that the journal keeps of an entry, and the hash of the entry before. Numbers hold no
 * blanks and each text but the last is preceded by its length, so two different entries never give one input.
 */
export function linkHash(previousHash: string, runId: string, entry: Omit<StoredEntry, 'hash'>): string {
  const { n, at, epoch, kind, row, data } = entry;
  const fields = `${runId.length}:${runId} ${n} ${at} ${epoch} ${row ?? '-'} ${kind.length}:${kind}`;
  return hash('sha256', `${previousHash} ${fields} ${data}`, 'hex');
}

/** Walks a run's entries in order and proves each to be the one that was written after the one before. */
export class ChainWalk {
  readonly runId: string;
  #head: Head;
  #epoch = 0;
  #lease: LeaseTaken | null = null;

  constructor(runId: string) {
    this.runId = runId;
    this.#head = genesis(runId);
  }

  /** The last proven entry. */
  get head(): Head {
    return this.#head;
  }

  /** The last taking of the run's lease, or null before the first. */
  get lease(): LeaseTaken | null {
    return this.#lease;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Proves one more entry. After a failure the walk is over. */
  step(stored: StoredEntry): ChainStep {
    const n = this.#head.n + 1;
    if (stored.n !== n) return { ok: false, n, message: `entry ${n} is missing: after ${n - 1} comes ${stored.n}` };
    if (linkHash(this.#head.hash, this.runId, stored) !== stored.hash)
      return { ok: false, n, message: `entry ${n} (${stored.kind}) is not the one that was written: its hash differs` };
    let entry: Entry;
    try {
      entry = decodeEntry(stored.data);
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
      return { ok: false, n, message: `entry ${n} cannot be read: ${error.message}` };
    }
    const wrong = this.#misplaced(stored, entry);
    if (wrong !== null) return { ok: false, n, message: `entry ${n} (${stored.kind}) ${wrong}` };
    this.#head = { n, hash: stored.hash };
    this.#epoch = stored.epoch;
    if (entry.kind === 'lease_taken') this.#lease = entry;
    return { ok: true, placed: { n, at: stored.at, epoch: stored.epoch, entry } };
  }

  /** Why an entry whose hash is right still cannot stand here: somebody forged it, hash and all. Null where it can. */
  #misplaced(stored: StoredEntry, entry: Entry): string | null {
    if (entry.kind !== stored.kind || rowOf(entry) !== stored.row) return 'is filed under another kind or row';
    if ((entry.kind === 'run_created') !== (stored.n === 1)) return 'is not where a run is created';
    if (entry.kind === 'run_created' && entry.run_id !== this.runId) return `creates the run ${entry.run_id}`;
    if (stored.n === 1) return stored.epoch === 1 ? null : 'has another epoch than the first';
    if (stored.epoch < this.#epoch) return `has the epoch ${stored.epoch} after the epoch ${this.#epoch}`;
    if (entry.kind === 'lease_taken') return entry.epoch === stored.epoch ? null : 'takes a lease of another epoch';
    return stored.epoch === this.#epoch ? null : `has the epoch ${stored.epoch}, whose lease nobody took`;
  }
}
