/**
 * A wait that progress shows. `forMs`: how long it has lasted; `leftMs`: how long it lasts at most from now, null where that is
 * unknown. Both are durations, since clocks differ between machines.
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
