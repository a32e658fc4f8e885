import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import { silentLog } from '../../src/platform/log.ts';
import { machineClock, machineRandomness } from '../../src/platform/machine.ts';
import { ACCEPTED, answered, type FakeTransport, fakeTransport, mostInAnyWindow } from './fake-transport.ts';

const RATE = { requests: 50, window_ms: 1_000 };
const STALL_LOOK_MS = 5;
/** More than the test's own blocks. */
const STALL_LEAST_MS = 10;
const NOT_FOUND = answered(404, { error: { code: 'NOT_FOUND', message: 'no' } });

/**
 * The same claims as in virtual time, with the machine's clock, timers and stalls: `performance.now()` is read in the
 * transport when the first byte may leave. Nothing is claimed of how long anything takes, but for the use of the limit,
 * less the time for which a machine that is busy otherwise let this process wait.
 */
describe('in real time, for all kinds of requests together', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('backlog, with commits of 0 to 30 ms, while the event loop is blocked for 5 ms again and again', async () => {
    const { client, transport } = start();
    const blocks = setInterval(() => block(5), 40);
    const stalls = stallWatch();
    await Promise.all(Array.from({ length: 3 * RATE.requests + 1 }, (_, n) => anyOf(client, n)));
    clearInterval(blocks);
    const times = transport.left.map(({ atMs }) => atMs);
    expect(times.length).toBe(3 * RATE.requests + 1);
    expect(mostInAnyWindow(times, RATE.window_ms)).toBeLessThanOrEqual(RATE.requests);
    const tookMs = (times.at(-1) as number) - (times[0] as number) - stalls.end();
    expect((3 * RATE.window_ms) / tookMs).toBeGreaterThan(0.8);
  });

  test('one request, 985 ms of nothing, then a flood', async () => {
    const { client, transport } = start();
    await anyOf(client, 0);
    await sleep(985);
    await Promise.all(Array.from({ length: 2 * RATE.requests }, (_, n) => anyOf(client, n)));
    const times = transport.left.map(({ atMs }) => atMs);
    expect(times.length).toBe(2 * RATE.requests + 1);
    expect(mostInAnyWindow(times, RATE.window_ms)).toBeLessThanOrEqual(RATE.requests);
  });

  test.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('the machine’s clock is set %s by an hour under way', async (_, jumpMs) => {
    const now = Date.now;
    let offsetMs = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs);
    const { client, transport } = start();
    const reads = Array.from({ length: RATE.requests + 10 }, async (_, n) => {
      await client.read('transaction.get', { id: `tx_${n}` });
      if (n === 10) offsetMs = jumpMs;
    });
    // Hangs for an hour, and so past the test's limit, where the queue goes by that clock.
    await Promise.all(reads);
    const times = transport.left.map(({ atMs }) => atMs);
    expect(times.length).toBe(RATE.requests + 10);
    expect(mostInAnyWindow(times, RATE.window_ms)).toBeLessThanOrEqual(RATE.requests);
  });
});

function start(): { client: Client; transport: FakeTransport } {
  const transport = fakeTransport(machineClock, ({ path }) => (path.endsWith('transfer') ? ACCEPTED : NOT_FOUND));
  const client = createClient({
    transport,
    queue: requestQueue({ rate: RATE, concurrency: 8, clock: machineClock }),
    signer: { sign: () => ({}) },
    clock: machineClock,
    randomness: machineRandomness,
    log: silentLog,
    requestLifetimeMs: 30_000,
  });
  return { client, transport };
}

/** Payouts, looks and polls in turn. */
async function anyOf(client: Client, n: number): Promise<void> {
  if (n % 3 === 0) await client.change('transaction.transfer', { n }, () => sleep((n * 7) % 31));
  else await client.read('transaction.get', { id: `tx_${n}` }, n % 3 === 1 ? 'settle' : 'poll');
}

/** Gives at its end the time for which this process was not let on: by so much timers of a few milliseconds came late. */
function stallWatch(): { end(): number } {
  let stalledMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const lateMs = nowMs - lastMs - STALL_LOOK_MS;
    if (lateMs > STALL_LEAST_MS) stalledMs += lateMs;
    lastMs = nowMs;
  }, STALL_LOOK_MS);
  return {
    end() {
      clearInterval(timer);
      return stalledMs;
    },
  };
}

function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}
