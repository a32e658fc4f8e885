import { z } from 'zod';
import { nothingToRetry } from '../outcomes/plan-obstacle.ts';
import { loss, notStarted, runUnavailable } from '../outcomes/run-outcome.ts';
import { anotherService } from '../outcomes/service-outcome.ts';

/** Why nothing is done with a run. */
export const RUN_REASONS = [
  z.object({
    code: z.literal('run_unavailable'),
    why: z.discriminatedUnion('outcome', [...runUnavailable.options, notStarted]),
  }),
  /** `runId` is null where no run is known. */
  z.object({ code: z.literal('run_lost'), loss, runId: z.string().nullable() }),
  z.object({ code: z.literal('another_service'), why: anotherService }),
  z.object({ code: z.literal('not_retriable'), why: nothingToRetry }),
] as const;
