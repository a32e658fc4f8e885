/** `requests` in any window of `windowMs`, for each key. */
export type RateLimit = { requests: number; windowMs: number };

export type RateVerdict = {
  allowed: boolean;
  /** `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers, and `Retry-After` where refused. */
  headers: Record<string, string>;
};

/** Part of the window that is let off: requests that left far enough apart may arrive a little closer together. */
const LENIENCE = 0.01;

/** The answer where the limit is switched off. */
const UNLIMITED: RateVerdict = { allowed: true, headers: {} };

/**
 * A sliding log: the last `requests` times of each key. The next request is allowed when the oldest of them has left
 * the window, so no fixed boundary lets two windows' worth through, and nobody who keeps to the limit is refused.
 * Refused requests do not count.
 */
export function createRateLimiter(limit: RateLimit | null, monotonicMs: () => number): (apiKey: number) => RateVerdict {
  if (limit === null) return () => UNLIMITED;
  const { requests, windowMs } = limit;
  const strictMs = windowMs * (1 - LENIENCE);
  const policy = `"default";q=${requests};w=${Math.ceil(windowMs / 1_000)}`;
  const logs = new Map<number, { times: Float64Array; next: number }>();
  return (apiKey): RateVerdict => {
    let log = logs.get(apiKey);
    if (!log) {
      log = { times: new Float64Array(requests).fill(-Infinity), next: 0 };
      logs.set(apiKey, log);
    }
    const nowMs = monotonicMs();
    const freeInMs = (log.times[log.next] as number) + strictMs - nowMs;
    if (freeInMs > 0) {
      const seconds = Math.max(1, Math.ceil(freeInMs / 1_000));
      return {
        allowed: false,
        headers: {
          'ratelimit-policy': policy,
          ratelimit: `"default";r=0;t=${seconds}`,
          'retry-after': String(seconds),
        },
      };
    }
    log.times[log.next] = nowMs;
    log.next = (log.next + 1) % requests;
    const left = countLeft(log.times, log.next, nowMs - strictMs);
    const resetMs = left > 0 ? windowMs : (log.times[log.next] as number) + strictMs - nowMs;
    const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
    return { allowed: true, headers: { 'ratelimit-policy': policy, ratelimit: `"default";r=${left};t=${seconds}` } };
  };
}

/** How many times in the ring are at or before `edgeMs`. They are in order from `oldest` on, so by halving. */
function countLeft(times: Float64Array, oldest: number, edgeMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[(oldest + middle) % times.length] as number) <= edgeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
