import type { NothingToRetry } from '../outcomes/plan-obstacle.ts';
import type { Loss, NotStarted, RunUnavailable } from '../outcomes/run-outcome.ts';
import type { AnotherService } from '../outcomes/service-outcome.ts';

/** Why nothing is done with a run. */
export type RunReason =
  | { code: 'run_unavailable'; why: RunUnavailable | NotStarted }
  /** `runId` is null where no run is known. */
  | { code: 'run_lost'; loss: Loss; runId: string | null }
  | { code: 'another_service'; why: AnotherService }
  | { code: 'not_retriable'; why: NothingToRetry };
