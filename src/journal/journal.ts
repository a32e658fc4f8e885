import type { Entry, EntryKind, PlacedEntry, RunCreated } from '../domain/entry.ts';

/**
 * The durable record of every run: append-only, hash-chained per run, one writer at a time. State is a fold of it.
 * Implementations: `sqlite/` (and later `postgres/`); both pass one test suite.
 */
export type Journal = {
  /**
   * Creates a run with its first entries, in one transaction, and takes its lease. Where `refuseRepeat` is set and an
   * earlier run of the same input (same SHA-256) exists, nothing is written and that run's id is the answer; two
   * processes that do this at once get one run between them.
   */
  createRun(create: {
    header: RunCreated;
    rows: Entry[];
    refuseRepeat: boolean;
  }): Promise<{ outcome: 'created'; writer: RunWriter } | { outcome: 'repeats'; runId: string }>;

  /**
   * Takes the lease of a run: at once where the holder's process is gone from this host or the lease has run out,
   * else `held`. Taking it raises the epoch.
   */
  openRun(
    runId: string,
  ): Promise<{ outcome: 'opened'; writer: RunWriter } | { outcome: 'held'; holder: Holder } | { outcome: 'unknown' }>;

  /** Every entry of a run in order. Empty for an unknown run. Throws `JournalDamaged` where an entry does not parse. */
  readRun(runId: string): Iterable<PlacedEntry>;

  /** Newest first. */
  listRuns(limit: number): RunSummary[];

  /** The runs of an input, oldest first. */
  runsOfInput(sha256: string): RunSummary[];

  /** The entries of some kinds over all runs, oldest first: how known recipients and accounts are found again. */
  readKinds(kinds: readonly EntryKind[]): Iterable<PlacedEntry & { runId: string }>;

  /** Proves that the run's entries are as they were written: none edited, removed, reordered, or cut off the end. */
  verifyRun(runId: string): Verification;

  /** The newest entry's number and hash (hex): copied into reports, so that a later cut shows. */
  head(runId: string): { n: number; hash: string } | null;

  close(): void;
};

/** The right to write to one run. Only the holder of the run's lease at its current epoch can append. */
export type RunWriter = {
  readonly runId: string;
  readonly epoch: number;
  /**
   * Resolves when the entries are on disk, with the time (Unix ms) they were given. Calls made in the same turn share
   * one commit and one fsync. Rejects with `Deposed` where another holder took the lease (nothing was written), and with
   * `CommitUncertain` where the commit reported an error (it may have happened: the process must stop).
   */
  append(entries: readonly Entry[]): Promise<number>;
  /** Puts the end of the lease off. Rejects with `Deposed` like `append`. */
  renew(): Promise<void>;
  /** Gives the lease back, so that another process can go on at once. */
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
  header: RunCreated;
};

export type Verification =
  | { ok: true; entries: number; head: string }
  | { ok: false; entries: number; n: number | null; message: string };

/** Another process took the run's lease: this one may not write, and so may not send. */
export class Deposed extends Error {
  constructor(runId: string, epoch: number) {
    super(`the lease of run ${runId} was taken from epoch ${epoch} by another process`);
    this.name = 'Deposed';
  }
}

/** A commit reported an error, so it may or may not have happened. Only a new process, reading the disk, can tell. */
export class CommitUncertain extends Error {
  constructor(cause: unknown) {
    super('the journal could not confirm a commit; what is on disk is read again by the next start', { cause });
    this.name = 'CommitUncertain';
  }
}

/** The journal's file holds something that payrun did not write. */
export class JournalDamaged extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalDamaged';
  }
}
