/**
 * What is waited for, for whoever watches: for how long by now, and for how long at most from now, ms; null where that is not
 * known. Durations, since clocks of machines differ and are set.
 */
export type Awaited = { forMs: number; leftMs: number | null } & (
  | { code: 'answer'; operation: string }
  /** The service asked for a pause (HTTP 429). */
  | { code: 'pause' }
  /** Room in the limit of requests, which others may share. */
  | { code: 'limit' }
  /** Accepted payouts that are not final yet. `nextMs`: until they are looked at again. */
  | { code: 'outcomes'; nextMs: number | null }
  /** The time when no request that was sent can take effect any more. */
  | { code: 'late_requests' }
);

/** A shorter wait is none that anybody has to be told of. */
export const AWAITED_FROM_MS = 2_500;
