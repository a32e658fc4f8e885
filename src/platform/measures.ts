import { channel } from 'node:diagnostics_channel';
import { z } from 'zod';

const seconds = z.number().min(0);

/**
 * What is counted of a process: nothing in it names a payee, an account, a file, a run or a person. A request is of one operation
 * and had one outcome; `rate_limit_wait` is time in which requests waited for the limit; `takeover`: a run was taken from a process
 * that had not given it back. Durations in seconds.
 */
export const measureShape = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('request'),
    operation: z.string().max(100),
    outcome: z.enum(['accepted', 'rejected', 'refused_credentials', 'no_effect', 'in_doubt']),
    seconds,
  }),
  z.object({ kind: z.literal('rate_limit_wait'), seconds }),
  z.object({ kind: z.literal('takeover') }),
]);

export type Measure = z.output<typeof measureShape>;

const measures = channel('payrun:measures');

/** Announces it to all listeners; there may be none. */
export function measure(one: Measure): void {
  if (measures.hasSubscribers) measures.publish(one);
}

/** Whether anybody listens in this process. */
export function isMeasured(): boolean {
  return measures.hasSubscribers;
}

/** Returns how to listen no more. */
export function onMeasure(listen: (one: Measure) => void): () => void {
  const heard = (one: unknown): void => listen(one as Measure);
  measures.subscribe(heard);
  return () => void measures.unsubscribe(heard);
}

/** What is measured is passed on so often at most, and so many at once. */
const PASS_EVERY_MS = 1_000;
const PART_MAX = 1_000;

/** Passes on what is measured in this process, to the one that started it. Returns how to pass on the rest. */
export function passMeasuresOn(send: (part: readonly Measure[]) => void, monotonicMs: () => number): () => void {
  let part: Measure[] = [];
  let passedMs = monotonicMs();
  const pass = (): void => {
    if (part.length > 0) send(part);
    part = [];
    passedMs = monotonicMs();
  };
  onMeasure((one) => {
    part.push(one);
    if (part.length >= PART_MAX || monotonicMs() - passedMs >= PASS_EVERY_MS) pass();
  });
  return pass;
}
