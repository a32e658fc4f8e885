import { z } from 'zod';
import { canaryFault } from '../outcomes/stop-why.ts';
import { promises } from '../profile.ts';
import { count, milliseconds, text } from './members.ts';

const canaryFailed = z.strictObject({
  kind: z.literal('canary_failed'),
  row: count,
  transaction_id: text,
  failed: z.enum(['get', 'search']),
  /** In words: journals from before there was `fault` have it. */
  message: text.optional(),
  fault: canaryFault.optional(),
});
export type CanaryFailed = z.output<typeof canaryFailed>;

/** What is seen of the service, or promised for it. */
export const SERVICE_ENTRIES = {
  canary: z.strictObject({
    kind: z.literal('canary'),
    row: count,
    transaction_id: text,
    visible_after_ms: milliseconds,
  }),
  canary_failed: canaryFailed,
  promises: z.strictObject({ kind: z.literal('promises'), promises }),
  /** A listing did not show a transaction that was accepted so long ago. */
  lag_seen: z.strictObject({ kind: z.literal('lag_seen'), transaction_id: text, lag_ms: milliseconds }),
  /** The service made a transaction so long after the deadline of its request: expiry is not relied on any more. */
  expiry_broken: z.strictObject({
    kind: z.literal('expiry_broken'),
    row: count,
    transaction_id: text,
    late_ms: milliseconds,
  }),
  /** The service was asked: it holds nothing that looks like a row which waits and that this journal does not know. */
  accounted: z.strictObject({ kind: z.literal('accounted') }),
};
export type ServiceEntry = z.output<(typeof SERVICE_ENTRIES)[keyof typeof SERVICE_ENTRIES]>;
