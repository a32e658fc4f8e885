const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** From the end of an attempt to the next (`decisions.md`). The first is made at once, so there are ten. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

export const ATTEMPTS_MAX = DELAYS_MS.length + 1;

/** Longest that a receiver can put a delivery off. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * When the next attempt is due (Unix ms, whole), or null where `attempts` were the last. `chance` is 0 to less than 1
 * and moves the delay by up to a tenth either way, so that deliveries that failed together do not all come back
 * together. A later time that the receiver has asked for counts, for a day at most.
 */
export function nextAttemptMs(options: {
  attempts: number;
  nowMs: number;
  chance: number;
  retryAfterMs: number | null;
}): number | null {
  const { attempts, nowMs, chance, retryAfterMs } = options;
  const delayMs = DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (0.9 + 0.2 * chance);
  return Math.floor(nowMs + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)));
}

/**
 * Milliseconds of a Retry-After (RFC 9110, section 10.2.3): seconds, or an IMF-fixdate, which is by the machine's clock
 * (`nowMs`). Null for what is neither.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,10}$/.test(header)) return Number(header) * SECOND_MS;
  if (!/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) return null;
  const ms = Date.parse(header);
  return Number.isNaN(ms) ? null : Math.max(ms - nowMs, 0);
}
