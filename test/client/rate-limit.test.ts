import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Priority } from '../../src/client/line.ts';
import { NotBegun, requestQueue, type Turn } from '../../src/client/rate-limit.ts';
import { mostInAnyWindow } from './fake-transport.ts';
import { virtualClock } from './virtual-clock.ts';

const RATE = { requests: 50, window_ms: 1_000 };

type Request = {
  priority: Priority;
  arrivesMs: number;
  /** From the start of the turn to the gate: the commit of the intent. */
  durableMs: number;
  /** From the gate to the first byte: a handshake. Null: it never leaves. */
  connectMs: number | null;
  answerMs: number;
};

describe('in virtual time', () => {
  const anyRequest: fc.Arbitrary<Request> = fc.record({
    priority: fc.constantFrom('submit', 'settle', 'poll', 'watch'),
    arrivesMs: fc.oneof(fc.constantFrom(0, 985, 990, 1_000, 1_010), fc.integer({ min: 0, max: 4_000 })),
    durableMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 })),
    connectMs: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    answerMs: fc.integer({ min: 0, max: 500 }),
  });

  test('for any traffic no window sees more than the limit, and everything gets its turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: 1, maxLength: 60 }),
        fc.record({ requests: fc.integer({ min: 1, max: 12 }), window_ms: fc.constantFrom(100, 1_000, 10_000) }),
        fc.integer({ min: 1, max: 16 }),
        fc.array(fc.record({ atMs: fc.nat(5_000), forMs: fc.nat(3_000) }), { maxLength: 3 }),
        async (requests, rate, concurrency, pauses) => {
          const { times, finished, forbidden } = await simulate({ requests, rate, concurrency, pauses });
          expect(finished).toBe(requests.length);
          expect(times.length).toBe(requests.filter(({ connectMs }) => connectMs !== null).length);
          expect(mostInAnyWindow(times, rate.window_ms)).toBeLessThanOrEqual(rate.requests);
          expect(forbidden).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('under backlog 95 % and more of the limit is used, with commits of 0 to 30 ms', async () => {
    const kinds: Priority[] = ['submit', 'settle', 'watch'];
    const requests = Array.from({ length: 10 * RATE.requests + 1 }, (_, n) =>
      request({ priority: kinds[n % 3] as Priority, durableMs: (n * 7) % 31, answerMs: 20 }),
    );
    const { times } = await simulate({ requests, rate: RATE, concurrency: 8, pauses: [] });
    expect(mostInAnyWindow(times, RATE.window_ms)).toBeLessThanOrEqual(RATE.requests);
    const tookMs = (times.at(-1) as number) - (times[0] as number);
    expect((10 * RATE.window_ms) / tookMs).toBeGreaterThanOrEqual(0.95);
  });

  test('one request, then a flood just before its window ends', async () => {
    const flood = Array.from({ length: 150 }, () => request({ arrivesMs: 985 }));
    const { times } = await simulate({ requests: [request({}), ...flood], rate: RATE, concurrency: 64, pauses: [] });
    expect(mostInAnyWindow(times, RATE.window_ms)).toBe(RATE.requests);
    expect(times.slice(0, RATE.requests).every((time) => time <= 985)).toBe(true);
  });

  test('connections that take long to come about do not push the next window together with theirs', async () => {
    const requests = Array.from({ length: 150 }, (_, n) => request({ connectMs: n < 50 ? 700 : 0 }));
    const { times } = await simulate({ requests, rate: RATE, concurrency: 64, pauses: [] });
    expect(mostInAnyWindow(times, RATE.window_ms)).toBe(RATE.requests);
  });

  test('a request does not begin before there is a place, so what is durable never waits for the limit', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate: { requests: 2, window_ms: 60_000 }, concurrency: 8, clock });
    const waits: number[] = [];
    const work = async (turn: Turn) => {
      const begunMs = clock.monotonicMs();
      await clock.sleep(3);
      await turn.gate();
      waits.push(clock.monotonicMs() - begunMs);
      turn.leaves();
    };
    await clock.until(Promise.all(Array.from({ length: 9 }, () => queue.run('submit', work))));
    expect(waits).toEqual(Array(9).fill(3));
  });

  test('without a limit only the concurrency holds', async () => {
    const requests = Array.from({ length: 100 }, () => request({ answerMs: 10 }));
    const { times, mostAtOnce } = await simulate({ requests, rate: null, concurrency: 7, pauses: [] });
    expect(mostAtOnce).toBe(7);
    expect((times.at(-1) as number) - (times[0] as number)).toBe(140);
  });

  test('payouts go before the settling of doubts, and that before polls', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate: { requests: 1, window_ms: 1_000 }, concurrency: 8, clock });
    const order: string[] = [];
    const run = (name: string, priority: Priority) =>
      queue.run(priority, async (turn) => {
        order.push(name);
        turn.leaves();
      });
    const first = run('first', 'poll');
    const rest = [run('poll 1', 'poll'), run('settle 1', 'settle'), run('submit 1', 'submit')];
    rest.push(run('poll 2', 'poll'), run('settle 2', 'settle'), run('submit 2', 'submit'));
    expect(queue.waiting).toBe(6);
    await clock.until(Promise.all([first, ...rest]));
    expect(order).toEqual(['first', 'submit 1', 'submit 2', 'settle 1', 'settle 2', 'poll 1', 'poll 2']);
    expect(queue.waiting).toBe(0);
  });

  describe('a watch', () => {
    /** The kinds of what left, in their order, and when: payouts that never end, and watches one after the other. */
    async function besidePayouts(count: number, options: { watchMs: number; concurrency: number; aheadMs?: number }) {
      const clock = virtualClock();
      const queue = requestQueue({ rate: { requests: 10, window_ms: 1_000 }, concurrency: options.concurrency, clock });
      const left: { kind: Priority; atMs: number }[] = [];
      const run = (kind: Priority, ms: number) =>
        queue.run(kind, async (turn) => {
          await turn.gate();
          left.push({ kind, atMs: clock.monotonicMs() });
          turn.leaves();
          await clock.sleep(ms);
        });
      const payouts = Array.from({ length: count }, () => run('submit', 5));
      const watched = (async () => {
        await clock.sleep(options.aheadMs ?? 0);
        while (queue.waiting > 0) await run('watch', options.watchMs);
      })();
      await clock.until(Promise.all([...payouts, watched]));
      return left;
    }

    test('that always waits has each fifth turn, and no more', async () => {
      const left = await besidePayouts(200, { watchMs: 1, concurrency: 8 });
      const kinds = left.map(({ kind }) => (kind === 'watch' ? 'w' : '.')).join('');
      const between = kinds
        .split('w')
        .slice(1, 40)
        .map((payouts) => payouts.length);
      expect(Math.min(...between)).toBe(4);
      // The next one waits only once the one before is answered, and by then another may have begun.
      expect(Math.max(...between)).toBeLessThanOrEqual(5);
    });

    test('that comes late goes next', async () => {
      const left = await besidePayouts(200, { watchMs: 1, concurrency: 8, aheadMs: 5_500 });
      const first = left.find(({ kind }) => kind === 'watch')?.atMs ?? 0;
      expect(first - 5_000 - 5_500).toBeLessThanOrEqual(1_010);
    });

    test('whose answer is slow takes no more than a fifth of the time', async () => {
      const left = await besidePayouts(200, { watchMs: 2_000, concurrency: 1 });
      const watches = left.filter(({ kind }) => kind === 'watch').map(({ atMs }) => atMs);
      const last = left.findLast(({ kind }) => kind === 'submit')?.atMs ?? 0;
      const gaps = watches.flatMap((at, nth) => (nth === 0 || at > last ? [] : [at - (watches[nth - 1] ?? 0)]));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
      expect(gaps.length).toBeGreaterThan(0);
    });

    test('begins at once where nothing else waits', async () => {
      const clock = virtualClock();
      const queue = requestQueue({ rate: null, concurrency: 1, clock });
      const order: number[] = [];
      const all = [1, 2, 3].map((nth) => queue.run('watch', async () => void order.push(nth)));
      await clock.until(Promise.all(all));
      expect([order, clock.monotonicMs()]).toEqual([[1, 2, 3], 5_000]);
    });

    test('that is given up takes nobody’s turn', async () => {
      const clock = virtualClock();
      const queue = requestQueue({ rate: { requests: 1, window_ms: 1_000 }, concurrency: 8, clock });
      const stop = new AbortController();
      const work = async (turn: Turn) => turn.leaves();
      const payouts = Array.from({ length: 12 }, () => queue.run('submit', work));
      const given = queue.run('watch', work, stop.signal);
      stop.abort();
      await expect(given).rejects.toThrow(NotBegun);
      const later = queue.run('watch', work);
      await clock.until(Promise.all([...payouts, later]));
      expect(queue.waiting).toBe(0);
    });
  });

  test('work that throws gives its place back, and its error to the caller', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate: { requests: 1, window_ms: 1_000 }, concurrency: 1, clock });
    const failing = queue.run('submit', async () => {
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await clock.until(queue.run('submit', async () => 'next'))).toBe('next');
  });
});

describe('a pause', () => {
  const rate = { requests: 2, window_ms: 1_000 };

  test('stops what waits and what stands at the gate, and the queue goes on by itself', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate, concurrency: 2, clock });
    const startMs = clock.monotonicMs();
    const left: number[] = [];
    const work = async (turn: Turn) => {
      await clock.sleep(100);
      if (await turn.gate()) left.push(clock.monotonicMs() - startMs);
      turn.leaves();
    };
    const all = Promise.all(Array.from({ length: 4 }, () => queue.run('submit', work)));
    await clock.pass(50);
    queue.pauseFor(5_000);
    await clock.until(all);
    expect(left.slice(0, 2)).toEqual([5_050, 5_050]);
    expect(left.length).toBe(4);
    expect(mostInAnyWindow(left, rate.window_ms)).toBeLessThanOrEqual(rate.requests);
  });

  test('a stop gives up what has not begun, at once, and lets what has begun end', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate: null, concurrency: 1, clock });
    const stop = new AbortController();
    let answer: (text: string) => void = () => {};
    const begun = queue.run('submit', () => new Promise<string>((resolve) => (answer = resolve)), stop.signal);
    let ran = false;
    const work = async () => {
      ran = true;
    };
    const waiting = queue.run('submit', work, stop.signal);
    const paused = queue.run('submit', work, stop.signal);
    queue.pauseFor(600_000);
    stop.abort();
    await expect(waiting).rejects.toThrow(NotBegun);
    await expect(paused).rejects.toThrow(NotBegun);
    await expect(queue.run('submit', work, stop.signal)).rejects.toThrow(NotBegun);
    answer('accepted');
    expect(await begun).toBe('accepted');
    expect(ran).toBe(false);
  });

  test('the longest of several stands', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate: null, concurrency: 2, clock });
    const startMs = clock.monotonicMs();
    for (const ms of [300, 7_000, 0, 1_000]) queue.pauseFor(ms);
    const began = await clock.until(queue.run('poll', async () => clock.monotonicMs() - startMs));
    expect(began).toBe(7_000);
  });

  test('names what holds requests back, since when and for how long', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate: { requests: 1, window_ms: 60_000 }, concurrency: 2, clock });
    queue.pauseFor(7_000);
    expect(queue.rest).toBeNull();
    const all = [1, 2].map(() => queue.run('poll', async (turn) => void ((await turn.gate()) && turn.leaves())));
    await clock.pass(3_000);
    expect(queue.rest).toEqual({ code: 'pause', forMs: 3_000, leftMs: 4_000 });
    await clock.pass(5_000);
    expect(queue.rest).toMatchObject({ code: 'limit', forMs: 1_000 });
    expect(queue.rest?.leftMs).toBeGreaterThanOrEqual(59_000);
    await clock.until(Promise.all(all));
    expect(queue.rest).toBeNull();
  });

  test('a gate that cannot open in time says so at once', async () => {
    const clock = virtualClock();
    const queue = requestQueue({ rate: null, concurrency: 1, clock });
    const opened = await clock.until(
      queue.run('submit', async (turn) => {
        queue.pauseFor(30_001);
        const startMs = clock.monotonicMs();
        const results = [await turn.gate(30_000), clock.monotonicMs() - startMs];
        return [...results, await turn.gate(30_001), clock.monotonicMs() - startMs];
      }),
    );
    expect(opened).toEqual([false, 0, true, 30_001]);
  });
});

/** Runs the requests through a queue in virtual time. `forbidden`: the times that lay in a pause. */
async function simulate(options: {
  requests: Request[];
  rate: { requests: number; window_ms: number } | null;
  concurrency: number;
  pauses: { atMs: number; forMs: number }[];
}) {
  const clock = virtualClock();
  const queue = requestQueue({ ...options, clock });
  const startMs = clock.monotonicMs();
  const times: number[] = [];
  const gated: number[] = [];
  let finished = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const pauses = options.pauses.map(async ({ atMs, forMs }) => {
    await clock.sleep(atMs);
    queue.pauseFor(forMs);
    return { fromMs: clock.monotonicMs(), untilMs: clock.monotonicMs() + forMs };
  });
  const all = options.requests.map(async ({ arrivesMs, priority, durableMs, connectMs, answerMs }) => {
    if (arrivesMs > 0) await clock.sleep(arrivesMs);
    await queue.run(priority, async (turn) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      if (durableMs > 0) await clock.sleep(durableMs);
      await turn.gate();
      gated.push(clock.monotonicMs());
      if (connectMs) await clock.sleep(connectMs);
      if (connectMs !== null) {
        times.push(clock.monotonicMs() - startMs);
        turn.leaves();
      }
      if (answerMs > 0) await clock.sleep(answerMs);
      atOnce--;
    });
    finished++;
  });
  await clock.until(Promise.all(all));
  const were = await clock.until(Promise.all(pauses));
  const forbidden = gated.filter((time) => were.some(({ fromMs, untilMs }) => time > fromMs && time < untilMs));
  return { times, finished, mostAtOnce, forbidden };
}

function request(given: Partial<Request>): Request {
  return { priority: 'submit', arrivesMs: 0, durableMs: 0, connectMs: 0, answerMs: 0, ...given };
}
