/** `requests` in any window of `windowMs`, for each key. */
export type RateLimit = { requests: number; windowMs: number };

export type RateCheck = {
  allowed: boolean;
  /** `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers, and `Retry-After` where refused. */
  headers: Record<string, string>;
};

/** Part of the window that is let off: requests that left far enough apart may arrive a little closer together. */
const LENIENCE = 0.01;

/**
 * A sliding log: the times of each key's requests within the window. The next one is allowed when fewer than `requests`
 * of them are left, so no fixed boundary lets two windows' worth through, and nobody who keeps to the limit is refused.
 * Refused requests do not count. `limit` null switches it off.
 */
export function createRateLimiter(limit: RateLimit | null, monotonicMs: () => number): (apiKey: number) => RateCheck {
  if (limit === null) return () => ({ allowed: true, headers: {} });
  const { requests, windowMs } = limit;
  const strictMs = windowMs * (1 - LENIENCE);
  const policy = `"default";q=${requests};w=${Math.ceil(windowMs / 1_000)}`;
  const times = new Map<number, number[]>();
  return (apiKey) => {
    const nowMs = monotonicMs();
    const within = times.get(apiKey) ?? [];
    // They are in order: those that have left the window come first.
    const firstWithin = within.findIndex((ms) => ms > nowMs - strictMs);
    within.splice(0, firstWithin < 0 ? within.length : firstWithin);
    const allowed = within.length < requests;
    if (allowed) within.push(nowMs);
    times.set(apiKey, within);
    const left = requests - within.length;
    const resetMs = left > 0 ? windowMs : (within[0] as number) + strictMs - nowMs;
    const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
    const headers = { 'ratelimit-policy': policy, ratelimit: `"default";r=${left};t=${seconds}` };
    return { allowed, headers: allowed ? headers : { ...headers, 'retry-after': String(seconds) } };
  };
}
