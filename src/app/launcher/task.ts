import { z } from 'zod';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { measureShape } from '../../platform/measures.ts';

/** What a process may use: V8's heap in MiB (all its memory may be half as large again), and milliseconds. */
export type Limits = { memoryMb: number; timeMs: number };

/**
 * Work that is done in a process of its own. With limits it ends with the process that started it. Without (`limits` is
 * null) it outlives that process, which may go away at any time.
 */
export type Task<Order extends z.ZodType, Progress extends z.ZodType, Value extends z.ZodType> = {
  order: Order;
  progress: Progress;
  value: Value;
  limits: Limits | null;
};

export type AnyTask = Task<z.ZodType, z.ZodType, z.ZodType>;

/** A `Refusal` as it crosses from one process to the other: both are of the same program. */
const refused = z.object({ reason: z.custom<RefusalReason>() });

export type Refused = z.output<typeof refused>;

/**
 * To the process, once. `setup` is what the program that starts it gives to each of its tasks. `isMeasured`: what is measured
 * there is to be passed on.
 */
export const orderMessage = z.object({
  task: z.string(),
  setup: z.unknown(),
  order: z.unknown(),
  isMeasured: z.boolean().default(false),
});

/** From the process: any number of times how far it is and what was measured, then how it ended. */
export const answerMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), progress: z.unknown() }),
  z.object({ kind: z.literal('measured'), measures: z.array(measureShape) }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('refused'), refusal: refused }),
  z.object({ kind: z.literal('failed'), error: z.string() }),
  z.object({ kind: z.literal('out_of_memory') }),
]);

export type OrderMessage = z.input<typeof orderMessage>;
export type AnswerMessage = z.output<typeof answerMessage>;

/** The only word of the command line of such a process: its order comes as a message. */
export const WORKER = '--worker';
