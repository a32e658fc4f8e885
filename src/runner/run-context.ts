import type { Client } from '../client/client.ts';
import type { Transaction } from '../client/wire.ts';
import type { Entry } from '../domain/entry.ts';
import type { Profile } from '../domain/profile.ts';
import type { PayoutState } from '../domain/run/payout.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { Tally } from '../domain/run/tally.ts';
import type { KnownHolds } from '../journal/holds.ts';
import type { Journal } from '../journal/journal.ts';
import type { Clock, Randomness } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Breaker } from './breaker.ts';
import type { Ceilings } from './ceilings.ts';
import type { HintedPayouts } from './hinted.ts';

/** `nextMs`: when accepted payouts are looked at again, where that is known. */
export type RunWait = { code: 'outcomes' | 'late_requests'; sinceMs: number; untilMs: number; nextMs: number | null };

/** What every step of a run works with. */
export type RunContext = {
  readonly run: RunState;
  /** The profile that the run was created with. */
  readonly profile: Profile;
  readonly journal: Journal;
  readonly client: Client;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  /** Aborted by Ctrl-C, and where a person pauses the run: submit nothing more, reconcile what is in flight. */
  readonly stop: AbortSignal;
  /**
   * Aborted with `stop`, and where the run is cancelled or too many payouts failed: submit nothing more, and go on waiting
   * unless `stop` is aborted too.
   */
  readonly noMore: AbortSignal;
  readonly tally: Tally;
  /** A person accepts complete lists after the deadline as proof of absence (`resume --resubmit-absent`). */
  readonly resubmitAbsent: boolean;
  /** The run was taken over from a process that may still have been alive. */
  readonly mayHaveCompany: boolean;
  /** Which row each known transaction of the service is. */
  readonly owners: Map<string, number>;
  /** Transaction ids of accepted payouts, by row, that are not what we sent: the others are waited for without them. */
  readonly misfits: Map<number, string>;
  /** Rows of which the service holds two transactions: until a person has looked, nothing more is sent. */
  readonly twice: Set<number>;
  /** Stops the run when too many payouts failed. */
  readonly breaker: Breaker;
  /** What may be sent of currencies that are converted. */
  readonly ceilings: Ceilings;
  /** Payees that must not be paid. */
  readonly payeeHolds: KnownHolds;
  /** The payouts that webhooks reported; null where none are received. */
  readonly hinted: HintedPayouts | null;
  /** What the run waits for between its requests, on the monotonic clock; null while it does not. */
  readonly awaiting: { current: RunWait | null };
  /** Whether this process may still send: asked when a request is about to leave, which may be long after its intent. */
  holds(): boolean;
  /** Extends the lease. Rejects where it is lost. */
  renew(): Promise<void>;
  /** Resolves when the entries are on disk and in `run`. Rejects where the lease is lost: then nothing may be sent. */
  record(...entries: Entry[]): Promise<void>;
  /** The state of one payout. */
  payout(row: number): PayoutState;
  /** The log for one payout: each line has its row, attempt, token, transaction and duration. */
  logOf(row: number): Log;
  /** Records what a page of any list shows against the run. */
  noteEvidence(page: readonly Transaction[]): Promise<void>;
};
