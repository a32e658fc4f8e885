import type { Clock, Randomness } from '../../domain/clock.ts';
import type { EntryKind, OnPage, PlacedEntry } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { ChainWalk, genesis } from '../chain.ts';
import { type EncodedEntry, encodeEntry } from '../entries.ts';
import {
  type CreateRun,
  type CreateRunOutcome,
  HINTS_CALL_MAX,
  type Hint,
  type Holder,
  type JobHolder,
  type Journal,
  type OpenRunOutcome,
  type PlacedHint,
  type RunFollower,
  type RunSummary,
  type Verification,
} from '../journal.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import type { Witness } from '../whole-journal.ts';
import type { Database } from './database.ts';
import type { OpenedFiles } from './opened-files.ts';
import { provenAlone } from './proven.ts';
import { ProvenRuns } from './proven-runs.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { CancelTable } from './tables/cancel-table.ts';
import { EntryTable } from './tables/entry-table.ts';
import { HintTable } from './tables/hint-table.ts';
import { jobHolderOf } from './tables/job-holder.ts';
import { type Lease, Leases } from './tables/lease.ts';
import { PauseTable } from './tables/pause-table.ts';
import { isPlan, jobPeriod, type NewRun, RunTable } from './tables/run-table.ts';
import { Transactions } from './transactions.ts';
import { verifyRun } from './verify.ts';
import { walkOn } from './walk-on.ts';
import { SqliteWhole } from './whole.ts';
import { SqliteRunWriter } from './writer.ts';

/** Run ids stand in file names, addresses and commands. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Entries that a run may be created with: 16 million rows in chunks of 256. */
const FIRST_ENTRIES_MAX = 65_536;

/** Runs of one list. */
const LIST_MAX = 100_000;

export type SqliteJournalParts = {
  database: Database;
  files: OpenedFiles;
  clock: Clock;
  holder: ProcessIdentity;
  isAlive(holder: Holder): boolean;
  leaseMs: number;
  randomness: Randomness;
};

/** The journal in one SQLite file. Built by `openJournal`, which has checked the file and its settings. */
export class SqliteJournal implements Journal {
  readonly #parts: SqliteJournalParts;
  readonly #transactions: Transactions;
  readonly #entries: EntryTable;
  readonly #runs: RunTable;
  readonly #proven: ProvenRuns;
  readonly #leases: Leases;
  readonly #hints: HintTable;
  readonly #cancels: CancelTable;
  readonly whole: SqliteWhole;
  readonly pauseRequests: PauseTable;

  constructor(parts: SqliteJournalParts) {
    this.#parts = parts;
    this.#transactions = new Transactions(parts.database, parts.files);
    this.#entries = new EntryTable(parts.database);
    this.#runs = new RunTable(parts.database, SCHEMA_VERSION);
    this.#proven = new ProvenRuns(this.#entries, this.#runs);
    this.#leases = new Leases(parts.database, parts);
    this.#hints = new HintTable(parts.database);
    this.#cancels = new CancelTable(parts.database);
    this.whole = new SqliteWhole(parts.database, this.#transactions, { entries: this.#entries, runs: this.#runs });
    this.pauseRequests = new PauseTable(parts.database, this.#transactions, parts.clock);
  }

  async createRun({ header, rows, refuseRepeat, seen }: CreateRun): Promise<CreateRunOutcome> {
    assert(RUN_ID.test(header.run_id), 'a run id is 1 to 64 letters, digits, hyphens and underscores');
    const created = encodeEntry(header);
    const encoded = Array.from(rows, encodeEntry);
    assert(encoded.length <= FIRST_ENTRIES_MAX, `a run is created with at most ${FIRST_ENTRIES_MAX} entries`);
    const { run_id: id, input, job, period } = header;
    const like = { id, inputSha256: input.sha256, isPlanned: isPlan(encoded), jobPeriod: jobPeriod(job, period) };
    return this.#transactions.immediate((): CreateRunOutcome => {
      const earlier = refuseRepeat ? this.#proven.lastStartedLike(like, header) : null;
      const held = job === null || like.isPlanned ? null : this.#jobHolder(job);
      if (held !== null) return { outcome: 'job_held', ...held };
      if (earlier !== null) return { outcome: 'repeats', runId: earlier };
      if (seen !== undefined && seen !== this.#runs.started()) return { outcome: 'moved' };
      return { outcome: 'created', writer: this.#insertRun(like, created, encoded) };
    });
  }

  #insertRun(create: Omit<NewRun, 'createdAt'>, created: EncodedEntry, rows: EncodedEntry[]): SqliteRunWriter {
    const runId = create.id;
    assert(this.#runs.find(runId) === null, `the run id ${runId} is used twice`);
    const at = this.#now();
    const run = this.#runs.insert({ ...create, createdAt: at });
    const lease = this.#leases.create(run, at);
    const placement = { run, runId, epoch: lease.epoch, at };
    const start = genesis(runId);
    const head = this.#entries.append(placement, start, [created, this.#leaseTaken(lease), ...rows]);
    assert(this.#runs.advance(run, start, head), 'a new run has a head already');
    return this.#writer(runId, lease, head);
  }

  async openRun(runId: string, said: OnPage = {}): Promise<OpenRunOutcome> {
    return this.#transactions.immediate((): OpenRunOutcome => {
      const record = this.#proven.end(runId);
      if (record === null) return { outcome: 'unknown' };
      const at = this.#now();
      const taking = this.#leases.take(record.run, at, this.#parts.isAlive);
      if (taking.outcome === 'held') return taking;
      const placement = { run: record.run, runId, epoch: taking.lease.epoch, at };
      const head = this.#entries.append(placement, record.head, [this.#leaseTaken(taking.lease, said)]);
      assert(this.#runs.advance(record.run, record.head, head), 'a head moved inside a transaction');
      return { outcome: 'opened', writer: this.#writer(runId, taking.lease, head) };
    });
  }

  jobHolder(job: string): JobHolder | null {
    return this.#transactions.snapshot(() => this.#jobHolder(job));
  }

  holder(runId: string): Holder | null {
    return this.#transactions.snapshot(() => {
      const record = this.#runs.find(runId);
      return record ? this.#leases.living(record.run, this.#now(), this.#parts.isAlive) : null;
    });
  }

  readRun(runId: string): Iterable<PlacedEntry> {
    return this.followRun(runId).next();
  }

  followRun(runId: string): RunFollower {
    const walk = new ChainWalk(runId);
    const read = () => this.#transactions.snapshot(() => this.#proven.end(runId));
    return { next: () => walkOn(walk, this.#entries, read) };
  }

  listRuns(limit: number): RunSummary[] {
    assert(Number.isSafeInteger(limit) && limit > 0 && limit <= LIST_MAX, `a list has 1 to ${LIST_MAX} runs`);
    return [...this.#proven.newest(limit)];
  }

  startedRuns(): number {
    return this.#runs.started();
  }

  runsOfPeriod(job: string, period: string): RunSummary[] {
    return this.#proven.ofPeriod(job, period);
  }

  runsOfInput(sha256: string): RunSummary[] {
    return this.#proven.ofInput(sha256);
  }

  *readKinds(kinds: readonly EntryKind[]): Iterable<PlacedEntry & { runId: string }> {
    if (kinds.length === 0) return;
    for (const found of this.#entries.readKinds(kinds)) yield { runId: found.runId, ...provenAlone(found) };
  }

  verifyRun(runId: string, witness: Witness | null = null): Verification {
    const parts = { entries: this.#entries, runs: this.#runs, leases: this.#leases };
    return this.#transactions.snapshot(() => verifyRun(parts, runId, witness));
  }

  head(runId: string): Witness | null {
    return this.#runs.find(runId)?.head ?? null;
  }

  async addHints(hints: readonly Hint[]): Promise<number> {
    assert(hints.length <= HINTS_CALL_MAX, `more than ${HINTS_CALL_MAX} hints at once`);
    return hints.length === 0 ? 0 : this.#transactions.immediate(() => this.#hints.add(hints));
  }

  hintsAfter(n: number, limit: number): PlacedHint[] {
    return this.#hints.after(n, limit);
  }

  lastHint(): number {
    return this.#hints.last();
  }

  async askToCancel(runId: string, by: string): Promise<void> {
    if (this.cancelAsked(runId) !== null) return;
    this.#transactions.immediate(() => {
      const record = this.#runs.find(runId);
      assert(record, `there is no run ${runId} to cancel`);
      this.#cancels.ask(record.run, by, this.#now());
    });
  }

  cancelAsked(runId: string): string | null {
    return this.#cancels.askedBy(runId);
  }

  newestEntryAt(): number | null {
    return this.#entries.newestAt();
  }

  close(): void {
    this.#parts.files.close();
    this.#parts.database.close();
  }

  #writer(runId: string, lease: Lease, head: Witness): SqliteRunWriter {
    return new SqliteRunWriter({
      runId,
      lease,
      head,
      clock: this.#parts.clock,
      transactions: this.#transactions,
      entries: this.#entries,
      runs: this.#runs,
      proven: this.#proven,
      leases: this.#leases,
      jobAtWork: (job) => this.#jobHolder(job, true),
    });
  }

  #jobHolder(job: string, isStarted = false): JobHolder | null {
    const holderOf = (run: number) => this.#leases.living(run, this.#now(), this.#parts.isAlive);
    return jobHolderOf({ job, isStarted }, { runs: this.#runs, proven: this.#proven }, holderOf);
  }

  #leaseTaken(lease: Lease, said: OnPage = {}): EncodedEntry {
    const { epoch, id } = lease;
    return encodeEntry({ kind: 'lease_taken', epoch, holder: this.#leases.holderText, lease_id: id, ...said });
  }

  #now(): number {
    return Math.trunc(this.#parts.clock.wallMs());
  }
}
