import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createRateLimiter } from '../../src/service/gateway/rate-limit.ts';
import { ACCEPTED, answered, type FakeTransport, fakeTransport, mostInAnyWindow } from './fake-transport.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

const REFUSED = { error: { code: 'TOO_MANY_REQUESTS', message: 'slower' } };
const CHANGES = 200;

// A service that refuses again and again, each time with a Retry-After, in virtual time.

describe('scenario 16: a storm of 429', () => {
  test('at a service with the limit that the client was told: no window sees more calls, and none is lost', async () => {
    const rate = { requests: 20, window_ms: 1_000 };
    const { clock, client, transport, early } = start(rate, (nth) => (nth % 7 < 3 ? 1 + (nth % 3) : null));
    const made = await changes(clock, client);
    expect(made).toBe(CHANGES);
    const times = transport.left.map(({ atMs }) => atMs);
    expect(mostInAnyWindow(times, rate.window_ms)).toBeLessThanOrEqual(rate.requests);
    expect(early()).toEqual([]);
  });

  test('at a service whose limit is lower than the client was told: what it takes keeps to it, and none is lost', async () => {
    const clock = virtualClock();
    const limit = { requests: 5, windowMs: 2_000 };
    const allows = createRateLimiter(limit, () => clock.monotonicMs());
    const { client, transport, early } = start(
      { requests: 100, window_ms: 1_000 },
      () => {
        const { allowed, headers } = allows(1);
        return allowed ? null : Number(headers['retry-after']);
      },
      clock,
    );
    const made = await changes(clock, client);
    expect(made).toBe(CHANGES);
    expect(early()).toEqual([]);
    // A window of refusals, and then a wait: not the hammering that gets a key switched off.
    expect(transport.left.length).toBeLessThan(CHANGES * 4);
  });
});

type Storm = {
  clock: VirtualClock;
  client: Client;
  transport: FakeTransport;
  /** When requests left that had been told to come later. */
  early(): number[];
};

/** `retryAfter` says, for each request by its number, after how many seconds to come again; null takes it. */
function start(
  rate: { requests: number; window_ms: number },
  retryAfter: (nth: number) => number | null,
  clock = virtualClock(),
): Storm {
  const pauses: { fromMs: number; untilMs: number }[] = [];
  const transport = fakeTransport(clock, ({ atMs }, nth) => {
    const seconds = retryAfter(nth);
    if (seconds === null) return ACCEPTED;
    pauses.push({ fromMs: atMs, untilMs: atMs + seconds * 1_000 });
    return answered(429, REFUSED, { 'retry-after': String(seconds) });
  });
  const early = (): number[] =>
    transport.left
      .map(({ atMs }) => atMs)
      .filter((atMs) => pauses.some(({ fromMs, untilMs }) => fromMs < atMs && atMs < untilMs));
  const client = createClient({
    transport,
    queue: requestQueue({ rate, concurrency: 1, clock }),
    signer: { sign: () => ({}) },
    clock,
    randomness: { bytes: (count) => new Uint8Array(count) },
    log: silentLog,
    requestLifetimeMs: 30_000,
  });
  return { clock, client, transport, early };
}

/** Each is tried until it is taken, as the runner does; gives how many were. */
async function changes(clock: VirtualClock, client: Client): Promise<number> {
  const one = async (n: number): Promise<number> => {
    for (;;) {
      const outcome = await client.change('transaction.transfer', { n }, async () => {});
      if (outcome.kind === 'accepted') return 1;
      if (outcome.kind !== 'no_effect') throw new Error(outcome.kind);
    }
  };
  const made = await clock.until(Promise.all(Array.from({ length: CHANGES }, (_, n) => one(n))));
  return made.reduce((sum, count) => sum + count, 0);
}
