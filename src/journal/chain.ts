import { createHash, hash } from 'node:crypto';
import type { Entry, EntryOf, PlacedEntry } from '../domain/entry.ts';
import type { JournalDamage, Misplacement } from '../domain/outcomes/journal-damage.ts';
import { decodeEntry, rowOf } from './entries.ts';
import { JournalDamaged } from './errors.ts';
import type { Witness } from './journal.ts';

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

/** An entry without its run, and the hash of the entry before it; null where that is gone or there is none. */
export type FoundEntry = { runId: string; stored: StoredEntry; previousHash: string | null };

type ChainStep = { ok: true; placed: PlacedEntry } | { ok: false; n: number; damage: JournalDamage };

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
  const before = `${previousHash} ${fields} `;
  if (data.length < LONG_TEXT) return hash('sha256', before + data, 'hex');
  return createHash('sha256').update(before).update(data).digest('hex');
}

/** From this length on, to put two texts together takes ten times as long as to hash them one after the other. */
const LONG_TEXT = 16_384;

export function isSameHead(one: Head | null | undefined, other: Head): boolean {
  return one?.n === other.n && one.hash === other.hash;
}

/** Throws `JournalDamaged` where the entry is not the one that was written after `previous`. */
export function proveNext(runId: string, previous: Head, stored: StoredEntry): void {
  if (stored.n !== previous.n + 1)
    throw new JournalDamaged({ of: runId, code: 'entry_missing', n: previous.n + 1, next: stored.n });
  if (linkHash(previous.hash, runId, stored) !== stored.hash)
    throw new JournalDamaged({ of: runId, code: 'entry_rewritten', n: stored.n, kind: stored.kind });
}

/** One entry on its own, proven against the hash of the one before it, which is all that can be seen from here. */
export function provenAlone({ runId, stored, previousHash }: FoundEntry): PlacedEntry {
  proveNext(runId, { n: stored.n - 1, hash: previousHash ?? genesis(runId).hash }, stored);
  return { n: stored.n, at: stored.at, epoch: stored.epoch, entry: decodedAt(runId, stored) };
}

/** The entry that is stored. Throws `JournalDamaged`. */
export function decodedAt(runId: string, { n, data }: StoredEntry): Entry {
  const decoded = decodeEntry(data);
  if (decoded.ok) return decoded.entry;
  throw new JournalDamaged({ of: runId, code: 'entry_unreadable', n, why: decoded.why });
}

/** Walks a run's entries in order and proves each to be the one that was written after the one before. */
export class ChainWalk {
  readonly runId: string;
  readonly #keepsTexts: boolean;
  #head: Head;
  #epoch = 0;
  #lease: EntryOf<'lease_taken'> | null = null;

  /** `keepsTexts`: what is proven has the texts of its rows. */
  constructor(runId: string, { keepsTexts = false } = {}) {
    this.runId = runId;
    this.#keepsTexts = keepsTexts;
    this.#head = genesis(runId);
  }

  /** The last proven entry. */
  get head(): Head {
    return this.#head;
  }

  /** The last taking of the run's lease, or null before the first. */
  get lease(): EntryOf<'lease_taken'> | null {
    return this.#lease;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Proves the next page: what stands before the damage, and the damage, where there is some. */
  prove(page: readonly StoredEntry[]): { proven: PlacedEntry[]; damage: JournalDamaged | null } {
    const proven: PlacedEntry[] = [];
    for (const stored of page) {
      const step = this.step(stored);
      if (!step.ok) return { proven, damage: new JournalDamaged({ ...step.damage, of: this.runId }) };
      proven.push(step.placed);
    }
    return { proven, damage: null };
  }

  /** Throws `JournalDamaged` where the last proven entry is not number `last`, which is the run's. */
  requireEnd(last: number): void {
    if (this.#head.n !== last)
      throw new JournalDamaged({ of: this.runId, code: 'entry_missing', n: this.#head.n + 1, next: null });
  }

  /** Proves one more entry. After a failure the walk is over. */
  step(stored: StoredEntry): ChainStep {
    const n = this.#head.n + 1;
    const { kind } = stored;
    const damaged = (damage: JournalDamage): ChainStep => ({ ok: false, n, damage });
    if (stored.n !== n) return damaged({ code: 'entry_missing', n, next: stored.n });
    if (linkHash(this.#head.hash, this.runId, stored) !== stored.hash)
      return damaged({ code: 'entry_rewritten', n, kind });
    const decoded = decodeEntry(stored.data);
    if (!decoded.ok) return damaged({ code: 'entry_unreadable', n, why: decoded.why });
    const { entry } = decoded;
    const why = this.#misplaced(stored, entry);
    if (why !== null) return damaged({ code: 'entry_misplaced', n, kind, why });
    this.#head = { n, hash: stored.hash };
    this.#epoch = stored.epoch;
    if (entry.kind === 'lease_taken') this.#lease = entry;
    const placed: PlacedEntry = { n, at: stored.at, epoch: stored.epoch, entry };
    if (this.#keepsTexts && entry.kind === 'rows') placed.text = stored.data;
    return { ok: true, placed };
  }

  /** Why an entry whose hash is right still cannot stand here: somebody forged it, hash and all. Null where it can. */
  #misplaced(stored: StoredEntry, entry: Entry): Misplacement | null {
    const { epoch } = stored;
    const last = this.#epoch;
    if (entry.kind !== stored.kind || rowOf(entry) !== stored.row) return { how: 'other_kind_or_row' };
    if ((entry.kind === 'run_created') !== (stored.n === 1)) return { how: 'no_creation' };
    if (entry.kind === 'run_created' && entry.run_id !== this.runId)
      return { how: 'creates_another', run: entry.run_id };
    if (stored.n === 1) return epoch === 1 ? null : { how: 'other_first_epoch' };
    if (epoch < last) return { how: 'earlier_epoch', epoch, last };
    if (entry.kind === 'lease_taken') return entry.epoch === epoch ? null : { how: 'lease_of_other_epoch' };
    return epoch === last ? null : { how: 'epoch_without_lease', epoch };
  }
}
