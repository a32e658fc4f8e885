import type { Entry } from '../../domain/entry.ts';
import type { Head } from '../chain.ts';
import type { EncodedEntry } from '../entries.ts';
import type { StorageFacts } from '../facts.ts';
import type { RunProjection } from '../projections/run-projection.ts';
import type { Steps } from './steps.ts';

/** What is there at once of a database in this process, and awaited of one on a server. */
export type Awaitable<Result> = Result | Promise<Result>;

/**
 * What a transaction keeps others from doing until it ends: to start runs, to add hints, to write to this run and take its
 * lease, or to write to any run. SQLite's keep others from writing at all.
 */
export type Lock = 'starts' | 'hints' | 'runs' | { runId: string };

/**
 * The tables of a journal. What reads throws `JournalUnreadable` or `JournalDamaged`; what writes throws a `Refusal` of kind
 * `held` where others kept the lock throughout, and `CommitUncertain` where the database failed.
 */
export type Tables = {
  /** Each statement reads what is committed when it is made. */
  read<Result>(work: () => Steps<Result>): Awaitable<Result>;
  /** All statements read what was committed at one moment. */
  snapshot<Result>(work: () => Steps<Result>): Awaitable<Result>;
  /** What `work` returns, once it is durable; what it throws, once it is undone. It may be done over again, from its start. */
  write<Result>(lock: Lock, work: () => Steps<Result>): Awaitable<Result>;
  /** One commit of a run's writer. Throws `Deposed` where its lease does not stand any more. */
  commit(commit: RunCommit): Awaitable<Head>;
  /** Whether the journal is the one that was opened, as far as can be seen without asking a server. */
  isWhole(): boolean;
  close(): Awaitable<void>;
};

/** What databases write differently. */
export type Dialect = {
  /** Behind the name of a table: the index to use, where the planner does not choose it. */
  indexedBy(index: string): string;
  /** Behind a SELECT: keeps others from changing the row until the transaction ends. */
  forShare: string;
  /** The time by which leases run out (Unix ms). */
  leaseNow(): Steps<number>;
  /** What the database finds wrong with its own files. */
  findings(): Steps<string[]>;
  /** How large the journal is, bytes. */
  sizeBytes(): Steps<number>;
  /** The settings that decide what is lost when the machine is. */
  facts(): Steps<StorageFacts>;
};

/** Which copy of the journal this is: another one may lack what was sent by way of it a moment ago. */
export type CopyIdentity = { readonly identity: string; isSame(identity: string): boolean };

/**
 * A lease that this process took. `epoch` rises with each taking; `id` is random, because an older copy of the journal
 * gives the same epoch out again. `mayHaveCompany`: its last holder did not give it back, and is not proven to have ended;
 * or the journal is a copy, and the process that worked on the other one may have sent something a moment ago.
 * `isTakeover`: its last holder was another process, and had not given it back.
 */
export type Lease = { run: number; epoch: number; id: string; mayHaveCompany: boolean; isTakeover: boolean };

/** An entry as it was when it was given, for the caller may change it. */
export type Given = EncodedEntry & { entry: Entry };

/** What one commit of a run's writer changes. `head` is the run's end before it, `at` its time (Unix ms). */
export type RunCommit = {
  runId: string;
  lease: Lease;
  at: number;
  head: Head;
  given: readonly Given[];
  /** Who was paid, by the entries up to `head`. */
  projection: RunProjection;
  /** What becomes of the lease. */
  leaseThen: 'kept' | 'extended' | 'released';
};
