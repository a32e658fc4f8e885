import type { Holder, Journal } from '../../src/journal/journal.ts';
import type { ProcessIdentity } from '../../src/journal/process-identity.ts';
import type { Clock, Randomness } from '../../src/platform/clock.ts';

/** Where one kind of journal can be kept, opened, looked into and tampered with: what the suite needs of each kind. */
export type Place = {
  open(options?: OpenOptions): Promise<Journal>;
  /** Lets time pass, by this clock and by the one by which leases run out. */
  pass(clock: ManualClock, ms: number): Promise<void>;
  /** A character that texts of entries do not hold, and that the storage takes. */
  strangeCharacter: string;
  /** Transactions that reached the disk with something in them, since the place was made. */
  commits(): Promise<number>;
  tamper: Tamper;
  /** What `child.ts` is given to open the same journal from another process. */
  child: { opener: string; argument: string };
  remove(): Promise<void>;
};

export type OpenOptions = {
  clock?: Clock;
  /** The machine's, unless told otherwise. */
  randomness?: Randomness;
  process?: ProcessIdentity;
  isAlive?: (holder: Holder) => boolean;
  leaseMs?: number;
  evenMoved?: boolean;
};

export type EntryColumn = 'n' | 'at' | 'epoch' | 'kind' | 'row_number' | 'data' | 'hash';

export type EntryValues = Record<EntryColumn, string | number | null | Uint8Array>;

/** Changes made past the journal, as somebody would who can write to its storage. */
export type Tamper = {
  entry(runId: string, n: number): Promise<EntryValues>;
  setEntry(runId: string, n: number, change: Partial<EntryValues>): Promise<void>;
  deleteEntry(runId: string, n: number): Promise<void>;
  insertEntry(runId: string, values: EntryValues): Promise<void>;
  setRun(
    runId: string,
    column: 'id' | 'created_at' | 'input_sha256' | 'is_planned' | 'job_period' | 'head_n' | 'head_hash',
    value: string | number | null | Uint8Array,
  ): Promise<void>;
  setLease(runId: string, column: 'epoch' | 'lease_id' | 'holder', value: string | number | null): Promise<void>;
  /** With its entries and its lease. */
  deleteRun(runId: string): Promise<void>;
};

/** The machine's clock, for tests with several processes. */
export const REAL_CLOCK: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  soon: (work) => void setImmediate(work),
};

/** A clock that stands still until it is moved. `soon` is the real turn of the event loop. */
export class ManualClock implements Clock {
  now = 1_800_000_000_000;

  wallMs(): number {
    return this.now;
  }

  monotonicMs(): number {
    return this.now;
  }

  async sleep(ms: number): Promise<void> {
    this.now += ms;
  }

  soon(work: () => void): void {
    setImmediate(work);
  }
}

/** A process that is not this one. */
export function anotherProcess(pid: number): ProcessIdentity {
  return { host: 'host', boot_id: 'boot', pid, started: `at ${pid}` };
}
