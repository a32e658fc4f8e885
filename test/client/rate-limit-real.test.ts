import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import { silentLog } from '../../src/platform/log.ts';
import { machineClock, machineRandomness } from '../../src/platform/machine.ts';
import { ACCEPTED, answered, type FakeTransport, fakeTransport } from './fake-transport.ts';

const RATE = { requests: 50, window_ms: 1_000 };
const NOT_FOUND = answered(404, { error: { code: 'NOT_FOUND', message: 'no' } });

/**
 * The same claims as in virtual time, with the machine's clock, timers and stalls: `performance.now()` is read in the
 * transport before and after the first byte may leave, between which a busy machine may let this process wait. Nothing is
 * claimed of how long anything takes: how well the limit is used is shown in virtual time.
 */
describe('in real time, for all kinds of requests together', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('backlog, with commits of 0 to 30 ms, while the event loop is blocked for 5 ms again and again', async () => {
    const { client, transport } = start();
    const blocks = setInterval(() => block(5), 40);
    await Promise.all(Array.from({ length: 3 * RATE.requests + 1 }, (_, n) => anyOf(client, n)));
    clearInterval(blocks);
    expect(transport.left).toHaveLength(3 * RATE.requests + 1);
    expect(mostInAWindow(transport)).toBeLessThanOrEqual(RATE.requests);
  });

  test('one request, 985 ms of nothing, then a flood', async () => {
    const { client, transport } = start();
    await anyOf(client, 0);
    await sleep(985);
    await Promise.all(Array.from({ length: 2 * RATE.requests }, (_, n) => anyOf(client, n)));
    expect(transport.left).toHaveLength(2 * RATE.requests + 1);
    expect(mostInAWindow(transport)).toBeLessThanOrEqual(RATE.requests);
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
    expect(transport.left).toHaveLength(RATE.requests + 10);
    expect(mostInAWindow(transport)).toBeLessThanOrEqual(RATE.requests);
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

/** The most that have certainly left in one window: all of what is known of when they did lies in it. */
function mostInAWindow({ left }: FakeTransport): number {
  const within = (fromMs: number) =>
    left.filter((one) => one.fromMs >= fromMs && one.atMs < fromMs + RATE.window_ms).length;
  return Math.max(...left.map(({ fromMs }) => within(fromMs)));
}

function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}
