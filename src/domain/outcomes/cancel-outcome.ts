import type { Counts } from '../entry.ts';
import type { RefusalReason } from '../refusals/reason.ts';
import type { Holding } from './run-outcome.ts';

/** Nothing is left to be done with the run. */
type Finished = { outcome: 'finished'; runId: string };

/** A process works on the run, and was asked. */
export type Asked = { outcome: 'asked'; runId: string; holder: Holding; by: string };

/** How a run stands that is cancelled. */
export type Cancelled = {
  outcome: 'cancelled';
  runId: string;
  isRehearsal: boolean;
  by: string;
  wasCancelled: boolean;
  /** Payouts that are not sent because of it. */
  notSubmitted: number;
  /** Why the service could not be asked about what waits; null where it was asked, or nothing was to be asked. */
  notLooked: RefusalReason | null;
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

export type CancelOutcome = Finished | Asked | Cancelled;

/** How a run stands that was to be paused. */
export type Paused =
  | Finished
  | Asked
  | { outcome: 'paused'; runId: string; by: string; wasPaused: boolean; waiting: number };
