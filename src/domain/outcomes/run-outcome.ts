import { z } from 'zod';

/** The process that works on a run. */
const holding = z.object({ pid: z.number(), host: z.string() });
export type Holding = z.output<typeof holding>;

/** Why a process stopped working on a run before it was done. `cause`: what the system says of it. */
export const loss = z.object({
  why: z.enum(['commit_uncertain', 'unreadable', 'out_of_descriptors', 'taken', 'replaced', 'altered']),
  cause: z.string(),
});
export type Loss = z.output<typeof loss>;

/** `near`: the run that was probably meant. */
const unknownRun = z.object({
  outcome: z.literal('unknown_run'),
  runId: z.string(),
  near: z.string().nullable(),
});
const damaged = z.object({ outcome: z.literal('damaged'), runId: z.string(), cause: z.string() });
const held = z.object({ outcome: z.literal('held'), runId: z.string(), holder: holding });
const lost = z.object({ outcome: z.literal('lost'), runId: z.string(), loss });

/** Why nothing could be done with a run: it is not there or not whole, another process has it, or this one lost it. */
export const runUnavailable = z.discriminatedUnion('outcome', [unknownRun, damaged, held, lost]);
export type RunUnavailable = z.output<typeof runUnavailable>;

/** The run is a plan that nobody has started. */
export const notStarted = z.object({
  outcome: z.literal('not_started'),
  runId: z.string(),
  isCancelled: z.boolean(),
  replacedBy: z.string().nullable(),
});
export type NotStarted = z.output<typeof notStarted>;
