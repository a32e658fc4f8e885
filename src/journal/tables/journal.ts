import type { EntryKind, OnPage, PlacedEntry, RunCreated } from '../../domain/entry.ts';
import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import { assert } from '../../domain/refusal.ts';
import { ChainWalk, genesis, provenAlone } from '../chain.ts';
import { encodeEntry } from '../entries.ts';
import type { Verification } from '../errors.ts';
import type { PayeeHolds } from '../holds.ts';
import {
  type CreateRun,
  type CreateRunOutcome,
  HINTS_CALL_MAX,
  type Hint,
  type Holder,
  type JobHolder,
  type Journal,
  type NotStarted,
  type OpenRunOutcome,
  type PlacedHint,
  type RunFollower,
  type RunHead,
  type RunSummary,
  type Witness,
} from '../journal.ts';
import type { RunPayouts } from '../projections/run-payouts.ts';
import type { QueuedRuns } from '../queued-run.ts';
import { isPlan, payingOf, requireRunId } from '../run-record.ts';
import type { Scheduling } from '../scheduling.ts';
import { faultsIn, verifyRunIn } from './audit.ts';
import { addHints, askToCancel, askToPause, cancelAskedBy, hintsAfter, lastHint, pauseAskedBy } from './beside.ts';
import { entriesAt, hashAt, KindPages, newestEntryAt } from './entries.ts';
import { Figures } from './figures.ts';
import { Grant } from './grant.ts';
import { TablesHolds } from './holds.ts';
import { createLease, leaseTaken, livingHolder, takeLease } from './leases.ts';
import { requireHere } from './moves.ts';
import { queueRun, TablesQueuedRuns } from './queued.ts';
import { TablesScheduling } from './scheduling.ts';
import { type FirstEntries, firstEntries, jobHolderOf, whyNotStarted } from './starting.ts';
import type { Steps } from './steps.ts';
import { nowOf, type Store } from './store.ts';
import { type Held, TablesRunWriter } from './writer.ts';

/** Runs of one list. */
const LIST_MAX = 100_000;

/** A journal that a database keeps in its tables, whichever database that is. */
export class TablesJournal implements Journal {
  readonly queued: QueuedRuns | null;
  readonly scheduling: Scheduling;
  readonly payeeHolds: PayeeHolds;
  readonly figures: Figures;
  readonly #store: Store;
  readonly sharedLimit: Journal['sharedLimit'];

  constructor(store: Store) {
    this.#store = store;
    this.figures = new Figures(store);
    this.sharedLimit = store.sharedLimit;
    this.scheduling = new TablesScheduling(store);
    this.payeeHolds = new TablesHolds(store);
    this.queued = store.isRemote ? new TablesQueuedRuns(store) : null;
  }

  /** For what is done with the journal as a whole: to move it to another one. */
  get store(): Store {
    return this.#store;
  }

  async createRun(create: CreateRun): Promise<CreateRunOutcome> {
    const { header } = create;
    requireRunId(header);
    const store = this.#store;
    const first = firstEntries(header, create.rows);
    const isPlanned = isPlan(first.rest);
    const granted = Grant.from(store.clock, store.leaseMs);
    const created = await store.tables.write('starts', () => this.#createRun(create, isPlanned, first));
    if ('outcome' in created) return created;
    return { outcome: 'created', writer: new TablesRunWriter(store, header.run_id, created, granted) };
  }

  *#createRun(create: CreateRun, isPlanned: boolean, first: FirstEntries): Steps<NotStarted | Held> {
    yield* requireHere();
    const not = yield* whyNotStarted(this.#store, create, isPlanned ? 'none' : 'any');
    if (not !== null) return not;
    const held = yield* this.#insertRun(create.header, isPlanned, first);
    if (create.queued !== undefined) yield* queueRun(this.#store, held.lease.run, create.queued);
    return held;
  }

  *#insertRun(header: RunCreated, isPlanned: boolean, { created, rest, projection }: FirstEntries): Steps<Held> {
    const { runs, projections } = this.#store;
    const runId = header.run_id;
    assert((yield* runs.find(runId)) === null, `the run id ${runId} is used twice`);
    const at = nowOf(this.#store);
    const run = yield* runs.insert(payingOf(header), { at, isPlanned });
    const lease = yield* createLease(this.#store, run);
    const entries = [created, encodeEntry(leaseTaken(this.#store, lease)), ...rest];
    const head = yield* runs.append({ run, runId, epoch: lease.epoch, at }, genesis(runId), entries);
    yield* projections.save(run, head, projection);
    return { lease, head, projection };
  }

  async openRun(runId: string, onPage: OnPage = {}): Promise<OpenRunOutcome> {
    const store = this.#store;
    const granted = Grant.from(store.clock, store.leaseMs);
    const opened = await store.tables.write({ runId }, () => this.#openRun(runId, onPage));
    if ('outcome' in opened) return opened;
    return { outcome: 'opened', writer: new TablesRunWriter(store, runId, opened, granted) };
  }

  *#openRun(runId: string, onPage: OnPage): Steps<Exclude<OpenRunOutcome, { outcome: 'opened' }> | Held> {
    const { runs, projections } = this.#store;
    yield* requireHere();
    const record = yield* runs.end(runId);
    if (record === null) return { outcome: 'unknown' };
    const taking = yield* takeLease(this.#store, record.run, record.head.n);
    if (taking.outcome === 'held') return taking;
    const { lease } = taking;
    const taken = { ...leaseTaken(this.#store, lease), ...onPage };
    const placement = { run: record.run, runId, epoch: lease.epoch, at: nowOf(this.#store) };
    const head = yield* runs.append(placement, record.head, [encodeEntry(taken)]);
    return { lease, head, projection: yield* projections.opened(record, head, taken) };
  }

  async jobHolder(job: string): Promise<JobHolder | null> {
    return this.#store.tables.snapshot(() => jobHolderOf(this.#store, job));
  }

  async holder(runId: string): Promise<Holder | null> {
    return this.#store.tables.snapshot(() => this.#holder(runId));
  }

  *#holder(runId: string): Steps<Holder | null> {
    const record = yield* this.#store.runs.find(runId);
    return record && (yield* livingHolder(this.#store, record.run));
  }

  readRun(runId: string, how?: { withTexts: boolean }): AsyncIterable<readonly PlacedEntry[]> {
    return this.followRun(runId, how).next();
  }

  followRun(runId: string, { withTexts } = { withTexts: false }): RunFollower {
    const walk = new ChainWalk(runId, { keepsTexts: withTexts });
    return { next: () => this.#store.projections.read(walk) };
  }

  payoutsOf(runId: string): Promise<RunPayouts | null> {
    return this.#store.projections.payoutsOf(runId);
  }

  listRuns(limit: number): Promise<RunSummary[]> {
    return this.#newest(limit, () => true);
  }

  listStartedRuns(limit: number): Promise<RunSummary[]> {
    return this.#newest(limit, ({ isPlanned }) => !isPlanned);
  }

  async #newest(limit: number, isMeant: (run: RunSummary) => boolean): Promise<RunSummary[]> {
    assert(Number.isSafeInteger(limit) && limit > 0 && limit <= LIST_MAX, `a list has 1 to ${LIST_MAX} runs`);
    return this.#store.tables.snapshot(() => this.#store.runs.newest({ limit, isMeant }));
  }

  async startedRuns(): Promise<number> {
    return this.#store.tables.read(() => this.#store.runs.started());
  }

  runsOfPeriod(job: string, period: string): Promise<RunSummary[]> {
    return this.#allWhere(({ isPlanned, header }) => !isPlanned && header.job === job && header.period === period);
  }

  runsOfInput(sha256: string): Promise<RunSummary[]> {
    return this.#allWhere(({ header }) => header.input.sha256 === sha256);
  }

  async #allWhere(isMeant: (run: RunSummary) => boolean): Promise<RunSummary[]> {
    return this.#store.tables.snapshot(() => this.#store.runs.allWhere(isMeant));
  }

  async *readKinds(kinds: readonly EntryKind[]): AsyncIterable<readonly (PlacedEntry & { runId: string })[]> {
    if (kinds.length === 0) return;
    const { tables, dialect } = this.#store;
    const pages = new KindPages(kinds, dialect);
    for (let page = await tables.read(() => pages.next()); page !== null; page = await tables.read(() => pages.next()))
      yield page.map((found) => ({ runId: found.runId, ...provenAlone(found) }));
  }

  async verifyRun(runId: string, witness: Witness | null = null): Promise<Verification> {
    return this.#store.tables.snapshot(() => verifyRunIn(this.#store, runId, witness));
  }

  async head(runId: string): Promise<Witness | null> {
    return (await this.#store.tables.read(() => this.#store.runs.find(runId)))?.head ?? null;
  }

  async heads(): Promise<RunHead[]> {
    return this.#store.tables.read(() => this.#store.runs.heads());
  }

  async hashAt(runId: string, n: number): Promise<string | null> {
    return this.#store.tables.read(() => hashAt(runId, n));
  }

  async entriesAt(runId: string, numbers: readonly number[]): Promise<PlacedEntry[]> {
    return (await this.#store.tables.read(() => entriesAt(runId, numbers))).map(provenAlone);
  }

  async faults(): Promise<JournalDamage[]> {
    return this.#store.tables.snapshot(() => faultsIn(this.#store));
  }

  async addHints(hints: readonly Hint[]): Promise<number> {
    assert(hints.length <= HINTS_CALL_MAX, `more than ${HINTS_CALL_MAX} hints at once`);
    return hints.length === 0 ? 0 : this.#store.tables.write('hints', () => addHints(hints));
  }

  async hintsAfter(n: number, limit: number): Promise<PlacedHint[]> {
    return this.#store.tables.read(() => hintsAfter(n, limit));
  }

  async lastHint(): Promise<number> {
    return this.#store.tables.read(() => lastHint());
  }

  async askToCancel(runId: string, by: string): Promise<void> {
    if ((await this.cancelAsked(runId)) !== null) return;
    await this.#store.tables.write({ runId }, () => askToCancel(runId, by, nowOf(this.#store)));
  }

  async cancelAsked(runId: string): Promise<string | null> {
    return this.#store.tables.read(() => cancelAskedBy(runId));
  }

  async askToPause(runId: string, by: string): Promise<void> {
    if ((await this.pauseAsked(runId)) !== null) return;
    await this.#store.tables.write({ runId }, () => askToPause(runId, by, nowOf(this.#store)));
  }

  async pauseAsked(runId: string): Promise<string | null> {
    return this.#store.tables.read(() => pauseAskedBy(runId));
  }

  async newestEntryAt(): Promise<number | null> {
    return this.#store.tables.read(newestEntryAt);
  }

  async close(): Promise<void> {
    await this.#store.tables.close();
  }
}
