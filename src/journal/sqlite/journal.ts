import type { Clock, Randomness } from '../../domain/clock.ts';
import type { EntryKind, EntryOf, OnPage, PlacedEntry } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { Database } from '../../platform/sqlite.ts';
import { ChainWalk, genesis } from '../chain.ts';
import { encodeEntry } from '../entries.ts';
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
import type { RunPayouts } from '../projections/run-payouts.ts';
import type { RunProjection } from '../projections/run-projection.ts';
import type { Witness } from '../whole-journal.ts';
import { type FirstEntries, firstEntries } from './first-entries.ts';
import type { OpenedFiles } from './opened-files.ts';
import { provenAlone } from './proven.ts';
import { jobHolderOf } from './tables/job-holder.ts';
import type { Lease } from './tables/lease.ts';
import { PauseTable } from './tables/pause-table.ts';
import { isPlan, jobPeriod, type NewRun } from './tables/run-table.ts';
import { type Tables, tablesOf } from './tables.ts';
import { inTurn, walkOn } from './walk-on.ts';
import { SqliteWhole } from './whole.ts';
import { SqliteRunWriter } from './writer.ts';

/** Run ids stand in file names, addresses and commands. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

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
  readonly #tables: Tables;
  readonly whole: SqliteWhole;
  readonly pauseRequests: PauseTable;

  constructor(parts: SqliteJournalParts) {
    this.#parts = parts;
    this.#tables = tablesOf(parts.database, parts);
    const { transactions } = this.#tables;
    this.whole = new SqliteWhole(parts.database, this.#tables);
    this.pauseRequests = new PauseTable(parts.database, transactions, parts.clock);
  }

  async createRun({ header, rows, refuseRepeat, seen }: CreateRun): Promise<CreateRunOutcome> {
    assert(RUN_ID.test(header.run_id), 'a run id is 1 to 64 letters, digits, hyphens and underscores');
    const first = firstEntries(header, rows);
    const { run_id: id, input, job, period } = header;
    const like = { id, inputSha256: input.sha256, isPlanned: isPlan(first.rest), jobPeriod: jobPeriod(job, period) };
    return this.#tables.transactions.immediate((): CreateRunOutcome => {
      const earlier = refuseRepeat ? this.#tables.proven.lastStartedLike(like, header) : null;
      const held = job === null || like.isPlanned ? null : this.#jobHolder(job);
      if (held !== null) return { outcome: 'job_held', ...held };
      if (earlier !== null) return { outcome: 'repeats', runId: earlier };
      if (seen !== undefined && seen !== this.#tables.runs.started()) return { outcome: 'moved' };
      return { outcome: 'created', writer: this.#insertRun(like, first) };
    });
  }

  #insertRun(create: Omit<NewRun, 'createdAt'>, { created, rest, projection }: FirstEntries): SqliteRunWriter {
    const runId = create.id;
    assert(this.#tables.runs.find(runId) === null, `the run id ${runId} is used twice`);
    const at = this.#now();
    const run = this.#tables.runs.insert({ ...create, createdAt: at });
    const lease = this.#tables.leases.create(run, at);
    const placement = { run, runId, epoch: lease.epoch, at };
    const start = genesis(runId);
    const head = this.#tables.entries.append(placement, start, [
      created,
      encodeEntry(this.#leaseTaken(lease)),
      ...rest,
    ]);
    assert(this.#tables.runs.advance(run, start, head), 'a new run has a head already');
    this.#tables.projections.save(run, head, projection);
    return this.#writer(runId, lease, { head, projection });
  }

  async openRun(runId: string, said: OnPage = {}): Promise<OpenRunOutcome> {
    return this.#tables.transactions.immediate((): OpenRunOutcome => {
      const record = this.#tables.proven.end(runId);
      if (record === null) return { outcome: 'unknown' };
      const at = this.#now();
      const taking = this.#tables.leases.take(record.run, at, this.#parts.isAlive);
      if (taking.outcome === 'held') return taking;
      const placement = { run: record.run, runId, epoch: taking.lease.epoch, at };
      const taken = this.#leaseTaken(taking.lease, said);
      const head = this.#tables.entries.append(placement, record.head, [encodeEntry(taken)]);
      assert(this.#tables.runs.advance(record.run, record.head, head), 'a head moved inside a transaction');
      const projection = this.#tables.projections.opened(record, head, taken);
      return { outcome: 'opened', writer: this.#writer(runId, taking.lease, { head, projection }) };
    });
  }

  async jobHolder(job: string): Promise<JobHolder | null> {
    return this.#tables.transactions.snapshot(() => this.#jobHolder(job));
  }

  async holder(runId: string): Promise<Holder | null> {
    return this.#tables.transactions.snapshot(() => {
      const record = this.#tables.runs.find(runId);
      return record ? this.#tables.leases.living(record.run, this.#now(), this.#parts.isAlive) : null;
    });
  }

  readRun(runId: string): AsyncIterable<readonly PlacedEntry[]> {
    return this.followRun(runId).next();
  }

  followRun(runId: string): RunFollower {
    const walk = new ChainWalk(runId);
    const read = () => this.#tables.transactions.snapshot(() => this.#tables.proven.end(runId));
    return { next: () => inTurn(this.#tables.projections.following(runId, walkOn(walk, this.#tables.entries, read))) };
  }

  async payoutsOf(runId: string): Promise<RunPayouts | null> {
    return this.#tables.projections.payoutsOf(runId);
  }

  /** Stores who was paid by runs of which an earlier payrun has written, one after another: what was begun is gone on with. */
  bringUpToDate(): void {
    this.#tables.projections.bringUpToDate(this.#tables.transactions);
  }

  async listRuns(limit: number): Promise<RunSummary[]> {
    assert(Number.isSafeInteger(limit) && limit > 0 && limit <= LIST_MAX, `a list has 1 to ${LIST_MAX} runs`);
    return this.#tables.transactions.snapshot(() => [...this.#tables.proven.newest(limit)]);
  }

  async listStartedRuns(limit: number): Promise<RunSummary[]> {
    assert(Number.isSafeInteger(limit) && limit > 0 && limit <= LIST_MAX, `a list has 1 to ${LIST_MAX} runs`);
    return this.#tables.transactions.snapshot(() => [...this.#tables.proven.newest(limit, { startedOnly: true })]);
  }

  async startedRuns(): Promise<number> {
    return this.#tables.runs.started();
  }

  async runsOfPeriod(job: string, period: string): Promise<RunSummary[]> {
    return this.#tables.transactions.snapshot(() => this.#tables.proven.ofPeriod(job, period));
  }

  async runsOfInput(sha256: string): Promise<RunSummary[]> {
    return this.#tables.transactions.snapshot(() => this.#tables.proven.ofInput(sha256));
  }

  async *readKinds(kinds: readonly EntryKind[]): AsyncIterable<readonly (PlacedEntry & { runId: string })[]> {
    if (kinds.length === 0) return;
    for (const page of this.#tables.entries.readKinds(kinds))
      yield page.map((found) => ({ runId: found.runId, ...provenAlone(found) }));
  }

  async verifyRun(runId: string, witness: Witness | null = null): Promise<Verification> {
    return this.whole.verifyRun(runId, witness);
  }

  async head(runId: string): Promise<Witness | null> {
    return this.#tables.runs.find(runId)?.head ?? null;
  }

  async addHints(hints: readonly Hint[]): Promise<number> {
    assert(hints.length <= HINTS_CALL_MAX, `more than ${HINTS_CALL_MAX} hints at once`);
    return hints.length === 0 ? 0 : this.#tables.transactions.immediate(() => this.#tables.hints.add(hints));
  }

  async hintsAfter(n: number, limit: number): Promise<PlacedHint[]> {
    return this.#tables.hints.after(n, limit);
  }

  async lastHint(): Promise<number> {
    return this.#tables.hints.last();
  }

  async askToCancel(runId: string, by: string): Promise<void> {
    if (this.#tables.cancels.askedBy(runId) !== null) return;
    this.#tables.transactions.immediate(() => {
      const record = this.#tables.runs.find(runId);
      assert(record, `there is no run ${runId} to cancel`);
      this.#tables.cancels.ask(record.run, by, this.#now());
    });
  }

  async cancelAsked(runId: string): Promise<string | null> {
    return this.#tables.cancels.askedBy(runId);
  }

  async newestEntryAt(): Promise<number | null> {
    return this.#tables.entries.newestAt();
  }

  async close(): Promise<void> {
    this.#parts.files.close();
    this.#parts.database.close();
  }

  #writer(
    runId: string,
    lease: Lease,
    { head, projection }: { head: Witness; projection: RunProjection },
  ): SqliteRunWriter {
    return new SqliteRunWriter({
      ...this.#tables,
      runId,
      lease,
      head,
      projection,
      clock: this.#parts.clock,
      jobAtWork: (job) => this.#jobHolder(job, true),
    });
  }

  #jobHolder(job: string, isStarted = false): JobHolder | null {
    const holderOf = (run: number) => this.#tables.leases.living(run, this.#now(), this.#parts.isAlive);
    return jobHolderOf({ job, isStarted }, this.#tables, holderOf);
  }

  #leaseTaken(lease: Lease, said: OnPage = {}): EntryOf<'lease_taken'> {
    const { epoch, id } = lease;
    return { kind: 'lease_taken', epoch, holder: this.#tables.leases.holderText, lease_id: id, ...said };
  }

  #now(): number {
    return Math.trunc(this.#parts.clock.wallMs());
  }
}
