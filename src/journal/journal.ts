import type { Actor, Entry, EntryKind, OnPage, PlacedEntry, RunCreated } from '../domain/entry.ts';
import type { PauseRequests } from './pause-requests.ts';
import type { RunPayouts } from './projections/run-payouts.ts';
import type { WholeJournal, Witness } from './whole-journal.ts';

export { CommitUncertain, Deposed, JournalDamaged, JournalUnreadable } from './errors.ts';

/**
 * The durable record of every run: append-only, hash-chained per run, one writer at a time. State is a fold of it.
 * Implementations: `sqlite/` (and later `postgres/`); both pass one test suite.
 */
export type Journal = {
  /**
   * Creates a run with its first entries, in one transaction, and takes its lease. Where `refuseRepeat` is set and a
   * started run of the same input (same SHA-256), or of the header's job and period, exists that `countsFor` it, nothing is
   * written and the newest such run's id is the answer; two processes that do this at once get one run between them. A run with a
   * `planned` entry and no `started` one is a plan: it is refused in the same way, and forbids no other until it is
   * started. Where a living process holds a run of the same job, nothing is written either, unless it is a plan that is
   * created, and that run is the answer. Where `seen` is given and another number of runs was started by now, nothing is
   * written either. The entries start with `header` and a `lease_taken` of epoch 1, then `rows`. Throws `CommitUncertain`.
   */
  createRun(create: CreateRun): Promise<CreateRunOutcome>;

  /**
   * Takes the lease of a run: at once where the holder's process is gone from this host or the lease has run out,
   * else `held`. Taking it raises the epoch and appends a `lease_taken`, so read the run after opening it and not
   * before. Throws `CommitUncertain`, and `JournalDamaged` where the run's end is not the one that was written. `said` is
   * whom the page names, where it goes on from there.
   */
  openRun(runId: string, said?: OnPage): Promise<OpenRunOutcome>;

  /**
   * Every entry of a run in order, as it stood at the first step, by pages of at most `PAGE_ENTRIES_MAX`: a page costs one
   * await, and no more than one is in memory. Empty for an unknown run. Throws `JournalDamaged` at the first entry that
   * does not parse or that is not the one that was written: a run that was cut or edited must not be resumed, because what
   * it forgot would be paid again. Between two pages others may write; what they write is not in it.
   */
  readRun(runId: string): AsyncIterable<readonly PlacedEntry[]>;

  /**
   * Reads a run again and again: each `next` gives the entries that were written since the last, proven in the same way,
   * and throws in the same way. For whoever watches a run: what was read is not read again.
   */
  followRun(runId: string): RunFollower;

  /**
   * How many runs were started so far. It only grows: whoever looks at what runs pay, and then starts one, says what it was
   * before the look, so that nobody starts another in between.
   */
  startedRuns(): Promise<number>;

  /** The started runs of a job's period, oldest first; where there are more, the newest 1,000. */
  runsOfPeriod(job: string, period: string): Promise<RunSummary[]>;

  /** Newest first. `limit` is 1 to 100,000. */
  listRuns(limit: number): Promise<RunSummary[]>;

  /** As `listRuns`, without plans that nobody has started. */
  listStartedRuns(limit: number): Promise<RunSummary[]>;

  /** The runs of an input, plans too, oldest first; where there are more, the newest 1,000. */
  runsOfInput(sha256: string): Promise<RunSummary[]>;

  /**
   * The entries of some kinds over all runs, oldest first, by pages as `readRun`: how known recipients and accounts are
   * found again. What is written while it is read may be in it.
   */
  readKinds(kinds: readonly EntryKind[]): AsyncIterable<readonly (PlacedEntry & { runId: string })[]>;

  /**
   * Proves that the run's entries are as they were written: none edited, removed, reordered, or cut off the end. Whoever
   * rewrites the file with all its hashes goes unseen here, unless `witness` is given: the head that an earlier report
   * noted, kept where that person could not write.
   */
  verifyRun(runId: string, witness?: Witness | null): Promise<Verification>;

  /** The newest entry's number and hash: copied into reports, as a witness for `verifyRun`. */
  head(runId: string): Promise<Witness | null>;

  readonly whole: WholeJournal;

  /** Who works on a run of the job, and on which; null where nobody does. */
  jobHolder(job: string): Promise<JobHolder | null>;

  /** Who works on the run: the holder of its lease, if that process may still run and the lease has not run out. */
  holder(runId: string): Promise<Holder | null>;

  /**
   * Keeps what webhooks said, in one transaction, on disk when it resolves, and returns how many were new: one whose
   * webhook id is known is dropped. Needs no lease, changes no run, and is no part of any chain: a hint is a reason to ask
   * the service, and no fact. At most `HINTS_CALL_MAX` at once. Only the newest `HINTS_KEPT_MAX` are kept. Throws
   * `Refusal` of kind `held` where another process keeps the journal locked (nothing was written), and `CommitUncertain`.
   */
  addHints(hints: readonly Hint[]): Promise<number>;

  /** The hints after number `n`, oldest first. `limit` is 1 to 10,000. Whoever falls behind misses what was forgotten. */
  hintsAfter(n: number, limit: number): Promise<PlacedHint[]>;

  /** The number of the newest hint, 0 where there is none. */
  lastHint(): Promise<number>;

  /**
   * Keeps that a person asked for a run to be cancelled: who and when, on disk when it resolves. Needs no lease and is no
   * part of the run's chain, so it can be asked while another process holds the run. The first to ask stays. Throws
   * `Refusal` of kind `held` where another process keeps the journal locked, and `CommitUncertain`; asking it of a run
   * that is not there is a bug.
   */
  askToCancel(runId: string, by: string): Promise<void>;

  /** Who asked for the run to be cancelled, or null. One small read, meant to be made every second. */
  cancelAsked(runId: string): Promise<string | null>;

  readonly pauseRequests: PauseRequests;

  /**
   * What a run paid, perhaps paid, or is about to pay, by its payable rows; null for an unknown run. It is what the fold of
   * the run's entries gives, and it is stored with each append, so that they are not read again. An edit of what is stored
   * is noticed, and then the entries tell. Throws `JournalDamaged` where these were edited too.
   */
  payoutsOf(runId: string): Promise<RunPayouts | null>;

  /** When the last entry over all runs was written (Unix ms), or null: what happened since, this journal cannot know. */
  newestEntryAt(): Promise<number | null>;

  close(): Promise<void>;
};

/** A journal that is read while other processes write to it, and to which nothing is written. */
export type JournalReader = Pick<Journal, 'listStartedRuns' | 'payoutsOf' | 'close'>;

/** Of an unknown run `next` gives nothing. What it gives has to be read to its end before the next call. */
export type RunFollower = { next(): AsyncIterable<readonly PlacedEntry[]> };

/** Entries of one page. */
export const PAGE_ENTRIES_MAX = 256;

/** What one webhook said of which transaction. */
export type Hint = {
  /** The same for every delivery of one event. */
  webhook_id: string;
  transaction_id: string;
  type: 'transaction.created' | 'transaction.updated';
  /** Unix ms, by the receiver's clock. */
  received_at: number;
};

/** Numbers grow and are never given twice, over all runs. */
export type PlacedHint = Hint & { n: number };

export const HINTS_CALL_MAX = 1_024;
/** Some 20 MiB. A run reads each within a second; older ones serve only to know a repeated delivery. */
export const HINTS_KEPT_MAX = 100_000;

/** `seen` is what `startedRuns` was before anybody looked at what runs pay; not given where nobody did. */
/** `rows` is read once, and nothing of it is kept: who gives the entries away as they are read need not hold them twice. */
export type CreateRun = { header: RunCreated; rows: Iterable<Entry>; refuseRepeat: boolean; seen?: number };

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

export type StartRun = Actor & {
  refuseRepeat: boolean;
  /** As in `CreateRun`. */
  seen?: number;
  /** What is written with the start, and after it. */
  also?: readonly Entry[];
};

/** The right to write to one run. Only the holder of the run's lease at its current epoch can append. */
export type RunWriter = {
  readonly runId: string;
  readonly epoch: number;
  /** The run was taken from a process that is not proven to have ended: something that it sent may still be under way. */
  readonly mayHaveCompany: boolean;
  /**
   * Resolves when the entries are on disk, with the time (Unix ms) they were given. Calls made in the same turn share
   * one commit and one fsync; the entries of one call (at most 65,536) are never parted. Rejects with `Deposed` where
   * another holder took the lease or the journal's files were replaced (nothing was written), and with `CommitUncertain` where the commit reported an error
   * (it may have happened: the process must stop). Either way this writer never writes again. Also puts the lease off
   * when less than two thirds of it are left.
   */
  append(entries: readonly Entry[]): Promise<number>;
  /**
   * Starts a planned run: in one transaction it is looked whether a started run of the same input, or of the same job and
   * period, exists that `countsFor` it, and the `started` entry is written. Where `refuseRepeat` is set and there is one, nothing is written
   * and its id is the answer. Nor is anything written where a living process holds a started run of the same job, or where
   * another number of runs than `seen` was started by now. Rejects like `append`. To be called while nothing waits to be
   * committed.
   */
  start(start: StartRun): Promise<StartOutcome>;
  /**
   * Whether this writer could still write, as far as can be seen at once: it was not deposed, and the journal is the one that
   * it opened. The one answer that is not awaited: it is asked between the HTTP client's start of a request and its first
   * byte, which may be long after the commit, and where nothing else can happen. So it asks no server. A journal on one
   * answers from what this process knows: that nobody deposed it, and that its lease, by the monotonic clock and counted
   * from before it was asked for, has not run out.
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

export type Verification =
  | { ok: true; entries: number; head: string }
  | { ok: false; entries: number; n: number | null; message: string };
