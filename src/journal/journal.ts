import type { Actor, Entry, EntryKind, OnPage, PlacedEntry, RunCreated } from '../domain/entry.ts';
import type { JournalDamage } from '../domain/outcomes/journal-damage.ts';
import type { SharedLimit } from '../domain/shared-limit.ts';
import type { Verification } from './errors.ts';
import type { FiguresReading } from './figures.ts';
import type { Hint, PlacedHint } from './hint.ts';
import type { HoldsReading, PayeeHolds } from './holds.ts';
import type { RunPayouts } from './projections/run-payouts.ts';
import type { QueuedRuns, QueuedTask } from './queued-run.ts';
import type { Scheduling } from './scheduling.ts';

export { CommitUncertain, Deposed, JournalDamaged, JournalLost, JournalUnreadable } from './errors.ts';
export { HINTS_CALL_MAX, HINTS_KEPT_MAX, type Hint, type PlacedHint } from './hint.ts';

/**
 * The durable record of every run: append-only, hash-chained per run, one writer at a time. State is a fold of it.
 * Implementations: `sqlite/` and `postgres/`; both pass one test suite.
 *
 * Whatever writes throws `CommitUncertain` where the database failed, and a `Refusal` of kind `held` where another process
 * keeps the journal locked: then nothing was written.
 */
export type Journal = {
  /**
   * Creates a run with its first entries, in one transaction, and takes its lease: `header`, a `lease_taken` of epoch 1,
   * then `rows`. Nothing is written where
   * - `refuseRepeat` is set, and a started run that `countsFor` it paid the same input (SHA-256) or the same period of the
   *   job; two processes that do this at once get one run between them;
   * - a living process holds a run of the job, unless a plan is created: a run with a `planned` entry and no `started` one,
   *   which is refused as others are, and forbids no other until it is started;
   * - `seen` is given, and another number of runs was started by now.
   */
  createRun(create: CreateRun): Promise<CreateRunOutcome>;

  /**
   * Takes the lease of a run: at once where the holder's process is gone from this host or the lease has run out,
   * else `held`. Taking it raises the epoch and appends a `lease_taken`, so read the run after opening it and not
   * before. Throws `JournalDamaged` where the run's end is not the one that was written. `onPage`: the person who goes on
   * with the run on the page.
   */
  openRun(runId: string, onPage?: OnPage): Promise<OpenRunOutcome>;

  /**
   * Every entry of a run in order, as it stood at the first step, by pages of at most `PAGE_ENTRIES_MAX`: a page costs one
   * await, and no more than one is in memory. Empty for an unknown run. Throws `JournalDamaged` at the first entry that
   * does not parse or that is not the one that was written: a run that was cut or edited must not be resumed, because what
   * it forgot would be paid again. What others write between two pages is not in it. `withTexts`: entries of rows have their text.
   */
  readRun(runId: string, how?: { withTexts: boolean }): AsyncIterable<readonly PlacedEntry[]>;

  /** Reads a run again and again: each `next` gives the entries written since the last, proven as `readRun` proves them. */
  followRun(runId: string): RunFollower;

  /** How many runs were started so far, which only grows. Read before a look at what runs pay, it is the `seen` of a start. */
  startedRuns(): Promise<number>;

  /** Newest first. `limit` is 1 to 100,000. */
  listRuns(limit: number): Promise<RunSummary[]>;

  /** As `listRuns`, without plans that nobody has started. */
  listStartedRuns(limit: number): Promise<RunSummary[]>;

  /** The started runs of a job's period, oldest first; where there are more, the newest 1,000. */
  runsOfPeriod(job: string, period: string): Promise<RunSummary[]>;

  /** The runs of an input, plans too, oldest first; where there are more, the newest 1,000. */
  runsOfInput(sha256: string): Promise<RunSummary[]>;

  /**
   * The entries of some kinds over all runs, oldest first, by pages as `readRun`: how known recipients and accounts are
   * found again. What is written while it is read may be in it.
   */
  readKinds(kinds: readonly EntryKind[]): AsyncIterable<readonly (PlacedEntry & { runId: string })[]>;

  /**
   * What a run paid, perhaps paid, or is about to pay, by its payable rows; null for an unknown run. It is what the fold of
   * the run's entries gives, and it is stored with each append, so that they are not read again. An edit of what is stored
   * is noticed, and then the entries decide. Throws `JournalDamaged` where these were edited too.
   */
  payoutsOf(runId: string): Promise<RunPayouts | null>;

  /**
   * Proves that the run's entries are as they were written: none edited, removed, reordered, or cut off the end. A file that
   * was rewritten with all its hashes goes unseen here, unless `witness` is given: the head that an earlier report noted,
   * kept where that person could not write.
   */
  verifyRun(runId: string, witness?: Witness | null): Promise<Verification>;

  /** What is wrong beside what `verifyRun` finds, in words; empty where nothing is. Reads the whole file. */
  faults(): Promise<JournalDamage[]>;

  /** The newest entry's number and hash: copied into reports, as a witness for `verifyRun`. */
  head(runId: string): Promise<Witness | null>;

  /** The ends of all runs, oldest first: kept elsewhere, they show later that none was deleted, cut or put back. */
  heads(): Promise<RunHead[]>;

  /** The hash of the run's entry `n`, or null where it has none. It is not proven: `verifyRun` does that. */
  hashAt(runId: string, n: number): Promise<string | null>;

  /** Those entries of a run, in order, each proven by the one before it. Throws `JournalDamaged`. At most 256 numbers. */
  entriesAt(runId: string, numbers: readonly number[]): Promise<PlacedEntry[]>;

  /** When the last entry over all runs was written (Unix ms), or null: what happened since, this journal cannot know. */
  newestEntryAt(): Promise<number | null>;

  /** Who works on a run of the job, and on which; null where nobody does. */
  jobHolder(job: string): Promise<JobHolder | null>;

  /** Who works on the run: the holder of its lease, if that process may still run and the lease has not run out. */
  holder(runId: string): Promise<Holder | null>;

  /**
   * Keeps what webhooks reported, in one transaction, on disk when it resolves, and returns how many were new: one whose
   * webhook id is known is dropped. Needs no lease, changes no run, and is no part of any chain: a hint is a reason to ask
   * the service, and no fact. At most `HINTS_CALL_MAX` at once. Only the newest `HINTS_KEPT_MAX` are kept.
   */
  addHints(hints: readonly Hint[]): Promise<number>;

  /** The hints after number `n`, oldest first. `limit` is 1 to 10,000. A reader that falls behind misses what was dropped. */
  hintsAfter(n: number, limit: number): Promise<PlacedHint[]>;

  /** The number of the newest hint, 0 where there is none. */
  lastHint(): Promise<number>;

  /**
   * Keeps that a person asked for a run to be cancelled: who and when, on disk when it resolves. Needs no lease and is no
   * part of the run's chain, so it can be asked while another process holds the run. The first to ask stays. Asking it of a
   * run that is not there is a bug.
   */
  askToCancel(runId: string, by: string): Promise<void>;

  /** Who asked for the run to be cancelled, or null. One small read, meant to be made every second. */
  cancelAsked(runId: string): Promise<string | null>;

  /** As `askToCancel`, to pause it. It is meant for the run's holder alone: who takes the run up later was asked nothing. */
  askToPause(runId: string, by: string): Promise<void>;

  /** Who asked the holder, or the last one, to pause; null where nobody did. One small read. */
  pauseAsked(runId: string): Promise<string | null>;

  /** The runs that are left to workers; null in a journal of one machine. */
  readonly queued: QueuedRuns | null;
  readonly scheduling: Scheduling;
  readonly payeeHolds: PayeeHolds;
  /** What operators watch. */
  readonly figures: FiguresReading;

  /** The limit of all who send to this service with this key (`scope`, as runs have it); null in a journal of one machine. */
  sharedLimit(scope: string): SharedLimit | null;

  close(): Promise<void>;
};

/** A journal that is read while other processes write to it, and to which nothing is written. */
export type JournalReader = Pick<Journal, 'listStartedRuns' | 'payoutsOf' | 'close'> & HoldsReading;

/** Of an unknown run `next` gives nothing. What it gives has to be read to its end before the next call. */
export type RunFollower = { next(): AsyncIterable<readonly PlacedEntry[]> };

/** Entries of one page. */
export const PAGE_ENTRIES_MAX = 256;

/** An entry's number and hash (hex): proof, wherever it is kept, that the run went that way up to there. */
export type Witness = { n: number; hash: string };
/** The end of a run. */
export type RunHead = { runId: string } & Witness;

/**
 * `rows` is read once, and nothing of it is kept, so that a caller who makes the entries as they are read holds none. `queued`:
 * the run is left to workers, in the same transaction.
 */
export type CreateRun = Starting & { header: RunCreated; rows: Iterable<Entry> };
type Starting = { refuseRepeat: boolean; seen?: number; queued?: QueuedTask };

export type CreateRunOutcome = { outcome: 'created'; writer: RunWriter } | NotStarted;

/** Why a run was not started: the same was run, its job is at work, or what was looked at is not all any more. */
export type NotStarted =
  | { outcome: 'repeats'; runId: string }
  | ({ outcome: 'job_held' } & JobHolder)
  | { outcome: 'moved' };

/** A run of a job that a living process holds. */
export type JobHolder = { runId: string; holder: Holder };

export type OpenRunOutcome =
  | { outcome: 'opened'; writer: RunWriter }
  | { outcome: 'held'; holder: Holder }
  | { outcome: 'unknown' };

/** `at` is when the run was started (Unix ms). */
export type StartOutcome = { outcome: 'started'; at: number } | NotStarted;

/** `refuseRepeat`, `seen` and `queued` as in `CreateRun`. `also`: what is written with the start, and after it. */
export type StartRun = Actor & Starting & { also?: readonly Entry[] };

/** The right to write to one run. Only the holder of the run's lease at its current epoch can append. */
export type RunWriter = {
  readonly runId: string;
  readonly epoch: number;
  /** The run was taken from a process that is not proven to have ended: something that it sent may still be under way. */
  readonly mayHaveCompany: boolean;
  /**
   * Resolves when the entries are on disk, with the time (Unix ms) they were given. Calls made in the same turn share
   * one commit and one fsync; the entries of one call (at most 65,536) are never parted. Rejects with `Deposed` where
   * another holder took the lease or the journal's files were replaced (nothing was written), and with `CommitUncertain`
   * where the commit reported an error (it may have happened: the process must stop). Either way this writer never writes
   * again. Also puts the lease off when less than two thirds of it are left.
   */
  append(entries: readonly Entry[]): Promise<number>;
  /**
   * Starts a planned run, unless `createRun` would refuse it, in the transaction that looks whether it may begin; held plans
   * of its job are not in its way. Rejects like `append`. To be called while nothing waits to be committed.
   */
  start(start: StartRun): Promise<StartOutcome>;
  /**
   * Whether this writer could still write, as far as can be seen at once: it was not deposed, and the journal is the one that
   * it opened. The one answer that is not awaited, so it asks no server: it is asked between the HTTP client's start of a
   * request and its first byte, which may be long after the commit. A journal on a server answers from what this process
   * knows: nobody deposed it, and its lease, by the monotonic clock and from before it was asked for, has not run out.
   */
  holds(): boolean;
  /** Puts the end of the lease off. Rejects with `Deposed` like `append`. */
  renew(): Promise<void>;
  /**
   * Commits what waits, then gives the lease back, so that another process can go on at once. A second call changes
   * nothing; a deposed writer has nothing to give back. Appending afterwards is a bug.
   */
  release(): Promise<void>;
};

/** Who holds a lease: enough to tell whether that process still runs. */
export type Holder = {
  host: string;
  boot_id: string;
  pid: number;
  /** The process's start time as the kernel gives it, so that a reused pid is not taken for it. */
  started: string;
  /** Unix ms. */
  expires_at: number;
};

export type RunSummary = {
  run_id: string;
  created_at: number;
  entries: number;
  /** A plan that nobody has started. */
  isPlanned: boolean;
  header: RunCreated;
};
