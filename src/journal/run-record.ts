import { z } from 'zod';
import type { RunCreated } from '../domain/entry.ts';
import { countsFor, type KindOfPayment } from '../domain/kind-of-payment.ts';
import { assert } from '../domain/refusal.ts';
import { decodedAt, genesis, type Head, isSameHead, proveNext, type StoredEntry } from './chain.ts';
import type { EncodedEntry } from './entries.ts';
import { JournalDamaged } from './errors.ts';
import type { Holder, RunSummary } from './journal.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** Run ids stand in file names, addresses and commands. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function requireRunId({ run_id: id }: Pick<RunCreated, 'run_id'>): void {
  assert(RUN_ID.test(id), 'a run id is 1 to 64 letters, digits, hyphens and underscores');
}

/** What a database keeps of a run beside its entries, and the entries with which it begins, all unproven. */
export type RunRecord = {
  /** The database's number for it. */
  run: number;
  id: string;
  head: Head;
  /** The first two entries, null where they are gone. */
  first: StoredEntry | null;
  second: StoredEntry | null;
  /** It has an entry `planned`, and none `started`. */
  looksPlanned: boolean;
  /** Which repeats what the entries say, for an older payrun and for people, and decides nothing. */
  columns: RunColumns;
};

export type RunColumns = {
  createdAt: number;
  inputSha256: string;
  /** Null in a journal from before there were plans. */
  isPlanned: boolean | null;
  jobPeriod: string | null;
};

/** Who holds a run's lease, as the database keeps it. `id` is null of leases from before they had ids. */
export type StandingLease = { epoch: number; id: string | null; holder: string | null };

/** What a run pays: two that pay the same input, or the same period of a job, repeat each other. */
export type Paying = { id: string; inputSha256: string; jobPeriod: string | null; kind: KindOfPayment };

export function payingOf(header: RunCreated): Paying {
  const { run_id: id, input, job, period } = header;
  return { id, inputSha256: input.sha256, jobPeriod: jobPeriod(job, period), kind: header };
}

/** Whether a started run pays what another one is to pay. */
export function isRepeat({ isPlanned, header }: RunSummary, { id, inputSha256, jobPeriod, kind }: Paying): boolean {
  const earlier = payingOf(header);
  const isSamePeriod = jobPeriod !== null && earlier.jobPeriod === jobPeriod;
  const isLike = earlier.inputSha256 === inputSha256 || isSamePeriod;
  return isLike && !isPlanned && earlier.id !== id && countsFor(kind, header);
}

/** How a job and its period stand in one column. Names of jobs hold no slash at their end, and periods none. */
function jobPeriod(job: string | null, period: string | null): string | null {
  return job === null || period === null ? null : `${job}/${period}`;
}

/** Whether a run that is created with these entries waits to be started. */
export function isPlan(entries: readonly EncodedEntry[]): boolean {
  return entries.some(({ kind }) => kind === 'planned') && !entries.some(({ kind }) => kind === 'started');
}

/** The entry that created the run. An edit of it with its hash is seen in the entry after it, whose hash is over both. */
export function provenStart({ id, first, second }: RunRecord): { first: StoredEntry; header: RunCreated } {
  if (first === null) throw new JournalDamaged({ of: id, code: 'no_creation' });
  proveNext(id, genesis(id), first);
  if (second !== null) proveNext(id, first, second);
  const header = decodedAt(id, first);
  if (header.kind !== 'run_created' || header.run_id !== id)
    throw new JournalDamaged({ of: id, code: 'creates_no_run' });
  return { first, header };
}

/**
 * That nobody has started a plan is only true where no entry is gone: those from its `planned` on are proven, up to the end
 * that was written. Before it nothing can be started.
 */
export class PlanProof {
  readonly #record: RunRecord;
  #previous: Head | null = null;

  constructor(record: RunRecord) {
    this.#record = record;
  }

  /** Takes the next entry. Throws `JournalDamaged`. */
  follow(stored: StoredEntry): void {
    if (this.#previous !== null) proveNext(this.#record.id, this.#previous, stored);
    this.#previous = stored;
  }

  /** Throws `JournalDamaged` where the last one is not the run's end. */
  requireEnd(): void {
    requireEnd(this.#record, this.#previous);
  }
}

/**
 * Throws `JournalDamaged` where the last entry is not the one that the run ends with: its end was cut off, and it would be
 * resumed without the intents that were cut, and pay them again.
 */
export function requireEnd({ id, head }: RunRecord, last: Head | null): void {
  if (!isSameHead(last, head)) throw new JournalDamaged({ of: id, code: 'not_last', n: head.n });
}

const identity = z.strictObject({ host: z.string(), boot_id: z.string(), pid: z.int(), started: z.string() });

/** A process as a lease names its holder. */
export function holderText({ host, boot_id, pid, started }: ProcessIdentity): string {
  return JSON.stringify({ host, boot_id, pid, started });
}

/** The holder that a text of `holderText` names, of a lease that ends then (Unix ms). Throws `JournalDamaged`. */
export function holderIn(text: string, expiresAt: number): Holder {
  try {
    return { ...identity.parse(JSON.parse(text)), expires_at: expiresAt };
  } catch (error) {
    throw new JournalDamaged({ code: 'holder_unreadable' }, { cause: error });
  }
}
