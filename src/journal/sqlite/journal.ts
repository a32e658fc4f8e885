import type { EntryKind, OnPage, PlacedEntry, RunCreated } from '../../domain/entry.ts';
import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import { assert } from '../../domain/refusal.ts';
import type { Database } from '../../platform/sqlite.ts';
import { ChainWalk, genesis, provenAlone } from '../chain.ts';
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
  type RunHead,
  type RunSummary,
  type Verification,
  type Witness,
} from '../journal.ts';
import type { JournalOptions } from '../options.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import type { RunPayouts } from '../projections/run-payouts.ts';
import { holderText, isPlan, payingOf } from '../run-record.ts';
import { faultsIn, isSound, verifyRunIn } from './audit.ts';
import { addHints, askToCancel, askToPause, cancelAskedBy, hintsAfter, lastHint, pauseAskedBy } from './beside.ts';
import { Connection } from './connection.ts';
import { entriesOfKinds, hex } from './entries.ts';
import { createLease, leaseTaken, livingHolder, takeLease } from './leases.ts';
import type { OpenedFiles } from './opened-files.ts';
import { Projections } from './projections.ts';
import { Runs } from './runs.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { type FirstEntries, firstEntries, jobHolderOf, whyNotStarted } from './starting.ts';
import { nowOf, type Store } from './store.ts';
import { SqliteRunWriter } from './writer.ts';

/** Run ids stand in file names, addresses and commands. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Runs of one list. */
const LIST_MAX = 100_000;

export type SqliteJournalParts = Pick<JournalOptions, 'clock' | 'randomness' | 'isAlive'> & {
  database: Database;
  files: OpenedFiles;
  holder: ProcessIdentity;
  leaseMs: number;
};

/** The journal in one SQLite file. Built by `openJournal`, which has checked the file and its settings. */
export class SqliteJournal implements Journal {
  readonly #store: Store;

  constructor({ database, holder, ...parts }: SqliteJournalParts) {
    const db = new Connection(database, parts.files);
    const runs = new Runs(db, SCHEMA_VERSION);
    const projections = new Projections(db, runs, true);
    this.#store = { ...parts, db, runs, projections, holder: holderText(holder) };
  }

  async createRun(create: CreateRun): Promise<CreateRunOutcome> {
    const { header } = create;
    assert(RUN_ID.test(header.run_id), 'a run id is 1 to 64 letters, digits, hyphens and underscores');
    const first = firstEntries(header, create.rows);
    const isPlanned = isPlan(first.rest);
    return this.#store.db.immediate((): CreateRunOutcome => {
      const not = whyNotStarted(this.#store, create, isPlanned ? 'none' : 'any');
      return not ?? { outcome: 'created', writer: this.#insertRun(header, isPlanned, first) };
    });
  }

  #insertRun(header: RunCreated, isPlanned: boolean, { created, rest, projection }: FirstEntries): SqliteRunWriter {
    const { runs, projections } = this.#store;
    const runId = header.run_id;
    assert(runs.find(runId) === null, `the run id ${runId} is used twice`);
    const at = nowOf(this.#store);
    const run = runs.insert(payingOf(header), { at, isPlanned });
    const lease = createLease(this.#store, run, at);
    const entries = [created, encodeEntry(leaseTaken(this.#store, lease)), ...rest];
    const head = runs.append({ run, runId, epoch: lease.epoch, at }, genesis(runId), entries);
    projections.save(run, head, projection);
    return new SqliteRunWriter(this.#store, runId, { lease, head, projection });
  }

  async openRun(runId: string, onPage: OnPage = {}): Promise<OpenRunOutcome> {
    const { db, runs, projections } = this.#store;
    return db.immediate((): OpenRunOutcome => {
      const record = runs.end(runId);
      if (record === null) return { outcome: 'unknown' };
      const at = nowOf(this.#store);
      const taking = takeLease(this.#store, record.run, at);
      if (taking.outcome === 'held') return taking;
      const { lease } = taking;
      const taken = { ...leaseTaken(this.#store, lease), ...onPage };
      const placement = { run: record.run, runId, epoch: lease.epoch, at };
      const head = runs.append(placement, record.head, [encodeEntry(taken)]);
      const projection = projections.opened(record, head, taken);
      return { outcome: 'opened', writer: new SqliteRunWriter(this.#store, runId, { lease, head, projection }) };
    });
  }

  async jobHolder(job: string): Promise<JobHolder | null> {
    return this.#store.db.snapshot(() => jobHolderOf(this.#store, job));
  }

  async holder(runId: string): Promise<Holder | null> {
    return this.#store.db.snapshot(() => {
      const record = this.#store.runs.find(runId);
      return record && livingHolder(this.#store, record.run);
    });
  }

  readRun(runId: string): AsyncIterable<readonly PlacedEntry[]> {
    return this.followRun(runId).next();
  }

  followRun(runId: string): RunFollower {
    const walk = new ChainWalk(runId);
    return { next: () => inTurn(this.#store.projections.read(walk)) };
  }

  async payoutsOf(runId: string): Promise<RunPayouts | null> {
    return this.#store.projections.payoutsOf(runId);
  }

  /** Stores who was paid by runs of which an earlier payrun has written, one after another. */
  bringUpToDate(): void {
    this.#store.projections.bringUpToDate();
  }

  async listRuns(limit: number): Promise<RunSummary[]> {
    return this.#newest(limit);
  }

  async listStartedRuns(limit: number): Promise<RunSummary[]> {
    return this.#newest(limit, ({ isPlanned }) => !isPlanned);
  }

  #newest(limit: number, isMeant?: (run: RunSummary) => boolean): RunSummary[] {
    assert(Number.isSafeInteger(limit) && limit > 0 && limit <= LIST_MAX, `a list has 1 to ${LIST_MAX} runs`);
    return this.#store.db.snapshot(() => [...this.#store.runs.newest(limit, isMeant)]);
  }

  async startedRuns(): Promise<number> {
    return this.#store.runs.started();
  }

  async runsOfPeriod(job: string, period: string): Promise<RunSummary[]> {
    return this.#allWhere(({ isPlanned, header }) => !isPlanned && header.job === job && header.period === period);
  }

  async runsOfInput(sha256: string): Promise<RunSummary[]> {
    return this.#allWhere(({ header }) => header.input.sha256 === sha256);
  }

  #allWhere(isMeant: (run: RunSummary) => boolean): RunSummary[] {
    return this.#store.db.snapshot(() => this.#store.runs.allWhere(isMeant));
  }

  async *readKinds(kinds: readonly EntryKind[]): AsyncIterable<readonly (PlacedEntry & { runId: string })[]> {
    if (kinds.length === 0) return;
    for (const page of entriesOfKinds(this.#store.db, kinds))
      yield page.map((found) => ({ runId: found.runId, ...provenAlone(found) }));
  }

  async verifyRun(runId: string, witness: Witness | null = null): Promise<Verification> {
    return verifyRunIn(this.#store, runId, witness);
  }

  async head(runId: string): Promise<Witness | null> {
    return this.#store.runs.find(runId)?.head ?? null;
  }

  async heads(): Promise<RunHead[]> {
    return this.#store.runs.heads();
  }

  async hashAt(runId: string, n: number): Promise<string | null> {
    const sql = 'SELECT entry.hash FROM entry JOIN run ON run.run = entry.run WHERE run.id = ? AND n = ?';
    const row = this.#store.db.get(sql, runId, n);
    return row ? hex(row.hash) : null;
  }

  async faults(): Promise<JournalDamage[]> {
    return faultsIn(this.#store);
  }

  /** Whether nothing is wrong with any run, nor beside them. */
  isSound(): boolean {
    return isSound(this.#store);
  }

  async addHints(hints: readonly Hint[]): Promise<number> {
    const { db } = this.#store;
    assert(hints.length <= HINTS_CALL_MAX, `more than ${HINTS_CALL_MAX} hints at once`);
    return hints.length === 0 ? 0 : db.immediate(() => addHints(db, hints));
  }

  async hintsAfter(n: number, limit: number): Promise<PlacedHint[]> {
    return hintsAfter(this.#store.db, n, limit);
  }

  async lastHint(): Promise<number> {
    return lastHint(this.#store.db);
  }

  async askToCancel(runId: string, by: string): Promise<void> {
    const { db } = this.#store;
    if (cancelAskedBy(db, runId) === null) db.immediate(() => askToCancel(db, runId, by, nowOf(this.#store)));
  }

  async cancelAsked(runId: string): Promise<string | null> {
    return cancelAskedBy(this.#store.db, runId);
  }

  async askToPause(runId: string, by: string): Promise<void> {
    const { db } = this.#store;
    if (pauseAskedBy(db, runId) === null) db.immediate(() => askToPause(db, runId, by, nowOf(this.#store)));
  }

  async pauseAsked(runId: string): Promise<string | null> {
    return pauseAskedBy(this.#store.db, runId);
  }

  async newestEntryAt(): Promise<number | null> {
    const at = this.#store.db.get('SELECT at FROM entry ORDER BY place DESC LIMIT 1')?.at ?? null;
    return at as number | null;
  }

  async close(): Promise<void> {
    this.#store.db.close();
  }
}

/** Pages as the port gives them. Each is read when it is asked for, in one turn. */
async function* inTurn<Page>(pages: Iterable<Page>): AsyncIterable<Page> {
  yield* pages;
}
