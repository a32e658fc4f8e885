import type { Actor, Entry } from '../../domain/entry.ts';
import { assert, Bug } from '../../domain/refusal.ts';
import { measure } from '../../platform/measures.ts';
import type { Head } from '../chain.ts';
import { encodeEntry } from '../entries.ts';
import {
  CommitUncertain,
  Deposed,
  JournalDamaged,
  JournalUnreadable,
  type RunWriter,
  type StartOutcome,
  type StartRun,
} from '../journal.ts';
import type { RunProjection } from '../projections/run-projection.ts';
import { addEntries } from './commit.ts';
import { gather } from './gathering.ts';
import { Grant } from './grant.ts';
import { requireLease } from './leases.ts';
import { queueRun } from './queued.ts';
import { whyNotStarted } from './starting.ts';
import type { Steps } from './steps.ts';
import { nowOf, type Store } from './store.ts';
import type { Given, Lease, RunCommit } from './tables.ts';

/** Entries of one commit: about 5 ms of work, after which other IO has its turn. One call's entries stay together. */
const COMMIT_ENTRIES_MAX = 1_024;

/** Entries of one call. */
const CALL_ENTRIES_MAX = 65_536;

/** Calls that may wait for a commit. The runner has at most some thousand requests in flight. */
const WAITING_CALLS_MAX = 1_000_000;

/** Errors that name by themselves why a writer is dead. */
const KNOWN_ENDS = [Deposed, JournalDamaged, CommitUncertain, Bug];

/** Where a run stands that this process may write to. */
export type Held = {
  lease: Lease;
  head: Head;
  /** Who was paid, by the entries up to some number of the run. */
  projection: RunProjection;
};

/** One call that waits for its commit, and what it wants of the lease. */
type Call = {
  entries: readonly Given[];
  lease: 'keep' | 'renew' | 'release';
  resolve(at: number): void;
  reject(error: Error): void;
};

/** Writes to one run. Calls of one turn share one transaction, so many payouts cost one fsync. */
export class TablesRunWriter implements RunWriter {
  readonly runId: string;
  readonly epoch: number;
  readonly mayHaveCompany: boolean;
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #projection: RunProjection;
  #granted: Grant;
  #head: Head;
  #waiting: Call[] = [];
  /** A commit is under way, or about to be. */
  #isCommitting = false;
  #dead: Error | null = null;
  #released: Promise<void> | null = null;

  /** `granted`: for how long the lease was given, from before it was asked for. */
  constructor(store: Store, runId: string, { lease, head, projection }: Held, granted: Grant) {
    this.runId = runId;
    this.epoch = lease.epoch;
    this.mayHaveCompany = lease.mayHaveCompany;
    this.#store = store;
    this.#lease = lease;
    this.#projection = projection;
    this.#head = head;
    this.#granted = granted;
    if (lease.isTakeover) measure({ kind: 'takeover' });
  }

  append(entries: readonly Entry[]): Promise<number> {
    return this.#call(entries, 'keep');
  }

  async start(start: StartRun): Promise<StartOutcome> {
    if (this.#dead) throw this.#dead;
    const isIdle = this.#waiting.length === 0 && !this.#isCommitting;
    assert(isIdle, `run ${this.runId} was started while entries wait to be committed`);
    const started = [{ kind: 'started' as const, ...actorOf(start) }, ...(start.also ?? [])].map(givenOf);
    this.#isCommitting = true;
    try {
      await this.#catchUp();
      const at = nowOf(this.#store);
      const { outcome, head } = await this.#store.tables.write('starts', () => this.#start(started, at, start));
      this.#head = head;
      return outcome;
    } catch (error) {
      this.#die(error, []);
      throw this.#dead;
    } finally {
      this.#isCommitting = false;
      if (this.#waiting.length > 0) this.#flushSoon();
    }
  }

  *#start(
    given: readonly Given[],
    at: number,
    { refuseRepeat, seen, queued }: StartRun,
  ): Steps<{ outcome: StartOutcome; head: Head }> {
    const store = this.#store;
    const [lease, head, projection] = [this.#lease, this.#head, this.#projection];
    yield* requireLease(store, this.runId, lease);
    const record = yield* store.runs.find(this.runId);
    assert(record, `run ${this.runId} is gone`);
    const { header, isPlanned } = yield* store.runs.summary(record);
    const not = yield* whyNotStarted(store, { header, refuseRepeat, seen }, 'started');
    if (not !== null) return { outcome: not, head };
    assert(isPlanned, `run ${this.runId} is no plan that waits to be started`);
    yield* store.runs.start(record.run);
    if (queued !== undefined) yield* queueRun(store, record.run, queued);
    const end = yield* addEntries(store, { runId: this.runId, lease, at, head, given, projection });
    return { outcome: { outcome: 'started', at }, head: end };
  }

  holds(): boolean {
    if (this.#dead !== null || !this.#store.tables.isWhole()) return false;
    return !this.#store.isRemote || this.#granted.leftMs(this.#store.clock) > 0;
  }

  async renew(): Promise<void> {
    await this.#call([], 'renew');
  }

  /** Commits what waits, then gives the lease back. Nothing is given back by a writer that was deposed. */
  release(): Promise<void> {
    // The call itself is queued before the mark is set, so it passes the check that refuses all later ones.
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    try {
      await this.#call([], 'release');
      this.#store.projections.ended(this.#projection);
    } catch (error) {
      if (!(error instanceof Deposed)) throw error;
    }
  }

  #call(entries: readonly Entry[], lease: Call['lease']): Promise<number> {
    return new Promise((resolve, reject) => {
      // What is thrown in here rejects this call's promise only.
      if (this.#dead) throw this.#dead;
      assert(this.#released === null, `run ${this.runId} was written to after its lease was given back`);
      assert(entries.length <= CALL_ENTRIES_MAX, `more than ${CALL_ENTRIES_MAX} entries at once`);
      assert(this.#waiting.length < WAITING_CALLS_MAX, `more than ${WAITING_CALLS_MAX} calls wait for a commit`);
      // Encoded now: the caller may change its objects afterwards, and a malformed entry is this call's error only.
      this.#waiting.push({ entries: entries.map(givenOf), lease, resolve, reject });
      if (!this.#isCommitting) this.#flushSoon();
    });
  }

  #flushSoon(): void {
    this.#isCommitting = true;
    gather({ clock: this.#store.clock, count: () => this.#waiting.length, commit: () => void this.#flush() });
  }

  async #flush(): Promise<void> {
    const store = this.#store;
    const group = this.#takeGroup();
    const at = nowOf(store);
    const asked = Grant.from(store.clock, store.leaseMs);
    const given = group.flatMap(({ entries }) => entries);
    const leaseThen = this.#leaseAfter(group);
    try {
      if (given.length > 0) await this.#catchUp();
      const [runId, lease, head, projection] = [this.runId, this.#lease, this.#head, this.#projection];
      const commit = store.tables.commit({ runId, lease, at, head, given, projection, leaseThen });
      this.#head = commit instanceof Promise ? await commit : commit;
    } catch (error) {
      this.#die(error, group);
      return;
    }
    if (leaseThen === 'extended') this.#granted = asked;
    for (const call of group) call.resolve(at);
    this.#isCommitting = this.#waiting.length > 0;
    if (this.#isCommitting) store.clock.soon(() => void this.#flush());
  }

  /** The calls of the next commit: as many whole ones as fit, in order, and at least one. */
  #takeGroup(): Call[] {
    let size = 0;
    let calls = 0;
    for (const call of this.#waiting) {
      size += call.entries.length;
      if (calls > 0 && size > COMMIT_ENTRIES_MAX) break;
      calls++;
    }
    const group = this.#waiting;
    this.#waiting = group.splice(calls);
    return group;
  }

  /** It is put off when less than two thirds of it are left. */
  #leaseAfter(group: readonly Call[]): RunCommit['leaseThen'] {
    if (group.some(({ lease }) => lease === 'release')) return 'released';
    const { clock, leaseMs } = this.#store;
    const isRunningOut = this.#granted.leftMs(clock) * 3 < leaseMs * 2;
    return isRunningOut || group.some(({ lease }) => lease === 'renew') ? 'extended' : 'kept';
  }

  /** Before the transaction, which keeps others waiting: a run that was opened is read, unless its opener has read it. */
  async #catchUp(): Promise<void> {
    const { tables, projections } = this.#store;
    const projection = this.#projection;
    if (projection.n === this.#head.n) return;
    await tables.snapshot(() => projections.catchUp(projection));
  }

  /** Once one commit failed, no later one may be tried: what is on disk is for the next process to read. */
  #die(error: unknown, group: readonly Call[]): void {
    const known = KNOWN_ENDS.some((kind) => error instanceof kind);
    const cause = error instanceof JournalUnreadable ? error.cause : error;
    this.#dead = known && error instanceof Error ? error : new CommitUncertain(cause);
    const { isRemote, lost } = this.#store;
    if (isRemote && this.#dead instanceof CommitUncertain) lost.add(this.#lease.id, this.#head.n);
    this.#store.projections.ended(this.#projection);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const call of [...group, ...waiting]) call.reject(this.#dead);
  }
}

function givenOf(entry: Entry): Given {
  return { ...encodeEntry(entry), entry: { ...entry } };
}

function actorOf({ by, page_person }: Actor): Actor {
  return page_person === undefined ? { by } : { by, page_person };
}
