import type { Counts } from '../entry.ts';
import type { Holding, NotStarted, RunUnavailable } from './run-outcome.ts';
import type { AnotherService } from './service-outcome.ts';
import type { ServiceUnusable } from './service-unusable.ts';

/** Why the service could not be asked about the payouts of a cancelled run that wait. */
export type NotLooked =
  | { outcome: 'interrupted' }
  | { outcome: 'stopped'; message: string; refusedCredentials: boolean }
  | AnotherService
  | ServiceUnusable;

/** How a run stands that is cancelled. */
export type Cancelled = {
  outcome: 'cancelled';
  runId: string;
  isRehearsal: boolean;
  by: string;
  wasCancelled: boolean;
  /** Payouts that are not sent because of it. */
  notSubmitted: number;
  /** Null where the service was asked, or nothing was to be asked. */
  notLooked: NotLooked | null;
  /** Payouts that still wait to be looked up, were accepted and are not final, are perhaps paid already, or paid twice. */
  waiting: number;
  accepted: number;
  suspected: number;
  twice: number;
  /** All that are in doubt, those that were perhaps paid twice too. */
  inDoubt: number;
  counts: Counts;
  canRetry: boolean;
  wasAnythingSent: boolean;
};

export type CancelOutcome =
  | RunUnavailable
  /** There is nothing to cancel. */
  | { outcome: 'finished'; runId: string }
  /** A process works on the run, and was asked. */
  | { outcome: 'asked'; runId: string; holder: Holding; by: string }
  | Cancelled;

/** How a run stands that was to be paused. */
export type Paused =
  | { outcome: 'finished'; runId: string }
  | { outcome: 'asked'; runId: string; holder: Holding; by: string }
  | { outcome: 'paused'; runId: string; by: string; wasPaused: boolean; waiting: number };

export type PauseOutcome = RunUnavailable | NotStarted | { outcome: 'was_cancelled'; runId: string } | Paused;
