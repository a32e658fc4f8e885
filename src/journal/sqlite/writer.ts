import type { Actor, Entry } from '../../domain/entry.ts';
import { assert, Bug } from '../../domain/refusal.ts';
import type { Head } from '../chain.ts';
import { type EncodedEntry, encodeEntry } from '../entries.ts';
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
import { extendLease, isRunningOut, type Lease, releaseLease, standsUntil } from './leases.ts';
import { whyNotStarted } from './starting.ts';
import { nowOf, type Store } from './store.ts';

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

/** An entry as it was when it was given, for the caller may change it. */
type Given = EncodedEntry & { entry: Entry };

/** One call that waits for its commit, and what it wants of the lease. */
type Call = {
  entries: readonly Given[];
  lease: 'keep' | 'renew' | 'release';
  resolve(at: number): void;
  reject(error: Error): void;
};

/** Writes to one run. Calls of one turn share one transaction, so many payouts cost one fsync. */
export class SqliteRunWriter implements RunWriter {
  readonly runId: string;
  readonly epoch: number;
  readonly mayHaveCompany: boolean;
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #projection: RunProjection;
  #head: Head;
  #waiting: Call[] = [];
  #dead: Error | null = null;
  #released: Promise<void> | null = null;

  constructor(store: Store, runId: string, { lease, head, projection }: Held) {
    this.runId = runId;
    this.epoch = lease.epoch;
    this.mayHaveCompany = lease.mayHaveCompany;
    this.#store = store;
    this.#lease = lease;
    this.#projection = projection;
    this.#head = head;
  }

  append(entries: readonly Entry[]): Promise<number> {
    return this.#call(entries, 'keep');
  }

  async start(start: StartRun): Promise<StartOutcome> {
    if (this.#dead) throw this.#dead;
    assert(this.#waiting.length === 0, `run ${this.runId} was started while entries wait to be committed`);
    const started = [{ kind: 'started' as const, ...actorOf(start) }, ...(start.also ?? [])].map(givenOf);
    try {
      this.#catchUp();
      return this.#store.db.immediate(() => this.#start(started, nowOf(this.#store), start));
    } catch (error) {
      this.#die(error, []);
      throw this.#dead;
    }
  }

  #start(started: readonly Given[], at: number, { refuseRepeat, seen }: StartRun): StartOutcome {
    const { runs } = this.#store;
    this.#standsUntil();
    const record = runs.find(this.runId);
    assert(record, `run ${this.runId} is gone`);
    const { header, isPlanned } = runs.summary(record);
    const not = whyNotStarted(this.#store, { header, refuseRepeat, seen }, 'started');
    if (not !== null) return not;
    assert(isPlanned, `run ${this.runId} is no plan that waits to be started`);
    runs.start(record.run);
    this.#head = this.#add(started, at);
    return { outcome: 'started', at };
  }

  holds(): boolean {
    return this.#dead === null && this.#store.db.areFilesWhole();
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
      if (this.#waiting.length === 1) this.#flushSoon();
    });
  }

  /**
   * After two turns: in the first, the answers that are there now bring their results, and so the next intents, into
   * the same commit. That made a run a twentieth faster than committing after one.
   */
  #flushSoon(): void {
    const { clock } = this.#store;
    clock.soon(() => clock.soon(() => this.#flush()));
  }

  #flush(): void {
    const group = this.#takeGroup();
    const at = nowOf(this.#store);
    try {
      if (group.some(({ entries }) => entries.length > 0)) this.#catchUp();
      this.#head = this.#store.db.immediate(() => this.#write(group, at));
    } catch (error) {
      this.#die(error, group);
      return;
    }
    for (const call of group) call.resolve(at);
    if (this.#waiting.length > 0) this.#store.clock.soon(() => this.#flush());
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

  /** Inside the transaction: the lease is looked at where nobody can take it in between. */
  #write(group: readonly Call[], at: number): Head {
    const store = this.#store;
    const expiresAt = this.#standsUntil();
    const given = group.flatMap((call) => call.entries);
    const head = this.#add(given, at);
    if (group.some((call) => call.lease === 'release')) releaseLease(store, this.#lease);
    else if (group.some((call) => call.lease === 'renew') || isRunningOut(store, expiresAt, at))
      extendLease(store, this.#lease, at);
    return head;
  }

  /** Throws `Deposed` where another process has taken the lease. */
  #standsUntil(): number {
    const expiresAt = standsUntil(this.#store, this.#lease);
    if (expiresAt !== null) return expiresAt;
    const message = `the lease of run ${this.runId} was taken from epoch ${this.epoch} by another process`;
    throw new Deposed({ why: 'taken' }, message);
  }

  /** The run's end with these entries, and with what they change of who was paid. */
  #add(given: readonly Given[], at: number): Head {
    const { run, epoch } = this.#lease;
    const projection = this.#projection;
    const head = this.#store.runs.append({ run, runId: this.runId, epoch, at }, this.#head, given);
    if (given.length === 0) return head;
    for (const [index, { entry }] of given.entries()) projection.follow({ n: this.#head.n + 1 + index, at, entry });
    this.#store.projections.save(run, head, projection);
    return head;
  }

  /** Before the transaction, which keeps others waiting: a run that was opened is read, unless its opener has read it. */
  #catchUp(): void {
    this.#store.projections.catchUp(this.#projection, this.#head);
  }

  /** Once one commit failed, no later one may be tried: what is on disk is for the next process to read. */
  #die(error: unknown, group: readonly Call[]): void {
    const known = KNOWN_ENDS.some((kind) => error instanceof kind);
    const cause = error instanceof JournalUnreadable ? error.cause : error;
    this.#dead = known && error instanceof Error ? error : new CommitUncertain(cause);
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
