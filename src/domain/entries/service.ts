import { z } from 'zod';
import { canaryFault } from '../outcomes/stop-why.ts';
import { promises } from '../profile.ts';
import { count, currency, milliseconds, minor, text } from './members.ts';

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

/**
 * A bank sent a completed payout back: the service lists a deposit (`return_id`) that names its transaction. The transaction stays
 * completed. `returned_at`: Unix ms by the service; null where it shows no time that can be read.
 */
const returned = z.strictObject({
  kind: z.literal('returned'),
  row: count,
  transaction_id: text,
  return_id: text,
  amount_minor: minor,
  currency,
  returned_at: milliseconds.nullable(),
});
export type Returned = z.output<typeof returned>;

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
  returned,
};
export type ServiceEntry = z.output<(typeof SERVICE_ENTRIES)[keyof typeof SERVICE_ENTRIES]>;
