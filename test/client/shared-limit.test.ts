import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Priority } from '../../src/client/line.ts';
import { type RequestQueue, requestQueue } from '../../src/client/rate-limit.ts';
import type { SharedLimit } from '../../src/domain/shared-limit.ts';
import { cases } from '../support/cases.ts';
import { FakeLimit } from './fake-limit.ts';
import { mostInAnyWindow } from './fake-transport.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

// Several processes with one limit, in virtual time. `FakeLimit` is the database's, held against it in test/journal/postgres.

type Left = { worker: number; atMs: number };
type Rate = { requests: number; window_ms: number };

/** What a request does: it becomes durable, connects, is answered; ms each. */
type Request = { durableMs: number; connectMs: number; answerMs: number };

class Cluster {
  readonly clock: VirtualClock = virtualClock();
  readonly left: Left[] = [];
  readonly queues: RequestQueue[] = [];
  /** How long each waited at its gate once it was durable. */
  readonly waitedMs: number[] = [];
  readonly #limit: FakeLimit;
  readonly #wayMs: () => number;

  constructor(workers: number, rate: Rate | null | (Rate | null)[], wayMs: () => number = () => 1) {
    this.#limit = new FakeLimit(() => this.clock.monotonicMs() * 1.0001 + 1_795_000_000_000);
    this.#wayMs = wayMs;
    for (let worker = 0; worker < workers; worker++) this.start(Array.isArray(rate) ? (rate[worker] ?? null) : rate);
  }

  start(rate: Rate | null, limit: SharedLimit = this.#limit.asked(this.clock, this.#wayMs), concurrency = 8): void {
    // A wall clock of its own, which is wrong.
    const clock = { ...this.clock, wallMs: () => this.clock.wallMs() + 86_400_000 * (this.queues.length - 1) };
    this.queues.push(requestQueue({ rate, concurrency, clock, limit }));
  }

  /** One request of a worker, sent as the client sends it: once more through the gate where its place was lost. */
  async send(
    worker: number,
    { durableMs, connectMs, answerMs }: Request,
    priority: Priority = 'submit',
  ): Promise<void> {
    await (this.queues[worker] as RequestQueue).run(priority, async (turn) => {
      if (durableMs > 0) await this.clock.sleep(durableMs);
      const durableAtMs = this.clock.monotonicMs();
      for (let connecting = connectMs; ; connecting = 0) {
        await turn.gate();
        if (connecting > 0) await this.clock.sleep(connecting);
        if (turn.leaves()) break;
      }
      this.left.push({ worker, atMs: this.clock.monotonicMs() });
      this.waitedMs.push(this.clock.monotonicMs() - durableAtMs - connectMs);
      if (answerMs > 0) await this.clock.sleep(answerMs);
    });
  }

  /** Times of one worker, or of all. */
  times(of?: number): number[] {
    return this.left.filter(({ worker }) => of === undefined || worker === of).map(({ atMs }) => atMs);
  }
}

const QUICK: Request = { durableMs: 5, connectMs: 0, answerMs: 10 };
const anyRate = fc.constantFrom<Rate>(
  { requests: 10, window_ms: 1_000 },
  { requests: 1, window_ms: 1_000 },
  { requests: 60, window_ms: 1_000 },
  { requests: 7, window_ms: 100 },
  { requests: 30, window_ms: 10_000 },
);

describe('in virtual time', () => {
  test('for any traffic of any processes no window sees more than the limit, and everything gets its turn', async () => {
    const anyRequest = fc.record({
      worker: fc.nat(3),
      arrivesMs: fc.oneof(fc.constant(0), fc.nat(4_000)),
      durableMs: fc.oneof(fc.constant(5), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 3_000 })),
      connectMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 500 })),
      answerMs: fc.nat(100),
      priority: fc.constantFrom<Priority>('submit', 'settle', 'poll', 'watch'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: 1, maxLength: 50 }),
        anyRate,
        fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }),
        async (requests, rate, ways) => {
          let nth = 0;
          const cluster = new Cluster(4, rate, () => ways[nth++ % ways.length] ?? 1);
          const all = requests.map(async ({ worker, arrivesMs, priority, ...request }) => {
            if (arrivesMs > 0) await cluster.clock.sleep(arrivesMs);
            await cluster.send(worker, request, priority);
          });
          await cluster.clock.until(Promise.all(all));
          expect(cluster.left.length).toBe(requests.length);
          expect(mostInAnyWindow(cluster.times(), rate.window_ms)).toBeLessThanOrEqual(rate.requests);
        },
      ),
      { numRuns: cases(60, 400), interruptAfterTimeLimit: 60_000 },
    );
  });

  test.each<[Rate, number]>([
    [{ requests: 10, window_ms: 1_000 }, 1],
    [{ requests: 100, window_ms: 1_000 }, 3],
    [{ requests: 100, window_ms: 10_000 }, 5],
    [{ requests: 600, window_ms: 60_000 }, 1],
  ])('at %o four processes use 95 %% and more while there is work, and each has its share', async (rate, wayMs) => {
    const cluster = new Cluster(4, rate, () => wayMs);
    const windows = rate.window_ms >= 10_000 ? 3 : 20;
    const each = Math.ceil((windows * rate.requests) / 4);
    const all = [0, 1, 2, 3].flatMap((worker) =>
      Array.from({ length: each }, (_, n) => cluster.send(worker, { ...QUICK, durableMs: (n * 7) % 31 })),
    );
    await cluster.clock.until(Promise.all(all));
    const times = cluster.times();
    expect(mostInAnyWindow(times, rate.window_ms)).toBeLessThanOrEqual(rate.requests);
    const [firstMs = 0] = times;
    const tookMs = (times.at(-1) as number) - firstMs;
    expect(((times.length - 1) / rate.requests) * (rate.window_ms / tookMs)).toBeGreaterThanOrEqual(0.95);
    const half = cluster.left.filter(({ atMs }) => atMs - firstMs < tookMs / 2);
    for (const worker of [0, 1, 2, 3]) {
      const share = half.filter((one) => one.worker === worker).length / half.length;
      expect(share, `worker ${worker}`).toBeGreaterThan(0.15);
    }
  });

  test('one process alone uses the limit too', async () => {
    const rate = { requests: 50, window_ms: 1_000 };
    const cluster = new Cluster(1, rate, () => 2);
    await cluster.clock.until(Promise.all(Array.from({ length: 501 }, () => cluster.send(0, QUICK))));
    const times = cluster.times();
    const tookMs = (times.at(-1) as number) - (times[0] as number);
    expect(10_000 / tookMs).toBeGreaterThanOrEqual(0.95);
  });

  test('what is durable waits for its slot no longer than a moment, while the limit is used up', async () => {
    const cluster = new Cluster(4, { requests: 20, window_ms: 1_000 });
    const all = [0, 1, 2, 3].flatMap((worker) => Array.from({ length: 100 }, () => cluster.send(worker, QUICK)));
    await cluster.clock.until(Promise.all(all));
    expect(Math.max(...cluster.waitedMs)).toBeLessThanOrEqual(50);
  });

  test('connections that take long, each longer than a slot lasts, do not keep requests from leaving', async () => {
    const rate = { requests: 10, window_ms: 1_000 };
    const cluster = new Cluster(2, rate);
    const all = [0, 1].flatMap((worker) =>
      Array.from({ length: 50 }, () => cluster.send(worker, { ...QUICK, connectMs: 150 })),
    );
    await cluster.clock.until(Promise.all(all));
    const times = cluster.times();
    expect(mostInAnyWindow(times, rate.window_ms)).toBeLessThanOrEqual(rate.requests);
    // Each costs one slot more.
    expect((times.at(-1) as number) - (times[0] as number)).toBeLessThan(25_000);
  });
});

describe('a process', () => {
  const rate = { requests: 20, window_ms: 1_000 };

  test('that died takes its slots with it, and the others go on', async () => {
    const cluster = new Cluster(3, rate);
    // The third reserves slots and never sends.
    void (cluster.queues[2] as RequestQueue).run('submit', () => new Promise(() => {}));
    const all = [0, 1].flatMap((worker) => Array.from({ length: 100 }, () => cluster.send(worker, QUICK)));
    await cluster.clock.until(Promise.all(all));
    expect(mostInAnyWindow(cluster.times(), rate.window_ms)).toBeLessThanOrEqual(rate.requests);
    expect(cluster.times().length).toBe(200);
  });

  test('that froze with slots in hand sends nothing with them when it wakes', async () => {
    const cluster = new Cluster(2, rate);
    let isFrozen = false;
    const frozen = {
      ...cluster.clock,
      async sleep(ms: number, signal?: AbortSignal) {
        await cluster.clock.sleep(ms, signal);
        while (isFrozen) await cluster.clock.sleep(10);
      },
    };
    const limit = new FakeLimit(() => cluster.clock.monotonicMs());
    const queue = requestQueue({ rate, concurrency: 8, clock: frozen, limit: limit.asked(frozen, () => 1) });
    cluster.queues[0] = queue;
    cluster.queues[1] = requestQueue({
      rate,
      concurrency: 8,
      clock: cluster.clock,
      limit: limit.asked(cluster.clock, () => 1),
    });
    const frozenSend = () =>
      queue.run('submit', async (turn) => {
        do {
          await turn.gate();
          await frozen.sleep(1);
        } while (!turn.leaves());
        cluster.left.push({ worker: 0, atMs: cluster.clock.monotonicMs() });
      });
    const all = Promise.all([
      ...Array.from({ length: 100 }, frozenSend),
      ...Array.from({ length: 100 }, () => cluster.send(1, QUICK)),
    ]);
    for (let times = 0; times < 5; times++) {
      await cluster.clock.pass(337);
      isFrozen = true;
      await cluster.clock.pass(1_500);
      isFrozen = false;
    }
    await cluster.clock.until(all);
    expect(mostInAnyWindow(cluster.times(), rate.window_ms)).toBeLessThanOrEqual(rate.requests);
  });

  test('that is refused for its pace stops all of them for as long as the service asks', async () => {
    const cluster = new Cluster(3, rate);
    const all = Promise.all(
      [0, 1, 2].flatMap((worker) => Array.from({ length: 60 }, () => cluster.send(worker, QUICK))),
    );
    await cluster.clock.pass(2_000);
    const pausedAtMs = cluster.clock.monotonicMs();
    cluster.queues[1]?.pauseFor(5_000);
    await cluster.clock.until(all);
    // The others find out within the time in which each asks how things stand.
    const during = cluster.left.filter(({ atMs }) => atMs > pausedAtMs + 300 && atMs < pausedAtMs + 5_000);
    expect(during).toEqual([]);
    expect(
      cluster.left.filter(({ worker, atMs }) => worker === 1 && atMs > pausedAtMs && atMs < pausedAtMs + 5_000),
    ).toEqual([]);
    expect(cluster.times().length).toBe(180);
    expect(mostInAnyWindow(cluster.times(), rate.window_ms)).toBeLessThanOrEqual(rate.requests);
  });

  test('with a slower pace slows all, from a window later on, and for as long as it sends', async () => {
    const slow = { requests: 5, window_ms: 1_000 };
    const cluster = new Cluster(2, [rate, slow]);
    const fast = Promise.all(Array.from({ length: 700 }, () => cluster.send(0, QUICK)));
    await cluster.clock.pass(3_000);
    const beginsMs = cluster.clock.monotonicMs();
    await cluster.clock.until(Promise.all(Array.from({ length: 20 }, () => cluster.send(1, QUICK))));
    const endsMs = cluster.clock.monotonicMs();
    await cluster.clock.until(fast);
    const between = cluster.times().filter((atMs) => atMs > beginsMs + 1_500 && atMs < endsMs);
    expect(mostInAnyWindow(between, slow.window_ms)).toBeLessThanOrEqual(slow.requests);
    const after = cluster.times().filter((atMs) => atMs > endsMs + 14_000);
    expect(mostInAnyWindow(after, rate.window_ms)).toBeGreaterThan(rate.requests * 0.9);
    expect(mostInAnyWindow(cluster.times(), rate.window_ms)).toBeLessThanOrEqual(rate.requests);
  });

  test('without a limit sends as fast as it can, and with the others where they have one', async () => {
    const alone = new Cluster(1, null);
    await alone.clock.until(Promise.all(Array.from({ length: 400 }, () => alone.send(0, QUICK))));
    expect((alone.times().at(-1) as number) - (alone.times()[0] as number)).toBeLessThan(1_200);

    const cluster = new Cluster(2, [null, rate]);
    const limited = Promise.all(Array.from({ length: 60 }, () => cluster.send(1, QUICK)));
    await cluster.clock.pass(2_000);
    await cluster.clock.until(Promise.all([limited, ...Array.from({ length: 60 }, () => cluster.send(0, QUICK))]));
    expect(mostInAnyWindow(cluster.times(), rate.window_ms)).toBeLessThanOrEqual(rate.requests);
  });

  test('that cannot ask for the limit sends nothing, and what waits gets the reason', async () => {
    const cluster = new Cluster(0, rate);
    const takeSlots = () => Promise.reject(new Error('the database is gone'));
    cluster.start(rate, { takeSlots });
    const all = Array.from({ length: 5 }, () => cluster.send(0, QUICK));
    const ended = await cluster.clock.until(Promise.allSettled(all));
    expect(ended.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(cluster.left).toEqual([]);
    await expect(all[0]).rejects.toThrow('the database is gone');
  });

  test('that cannot ask for a while goes on when it can', async () => {
    const cluster = new Cluster(1, rate);
    const limit = new FakeLimit(() => cluster.clock.monotonicMs());
    const good = limit.asked(cluster.clock, () => 1);
    const untilMs = cluster.clock.monotonicMs() + 4_000;
    const takeSlots: SharedLimit['takeSlots'] = async (wanted) => {
      if (cluster.clock.monotonicMs() < untilMs) throw new Error('restarting');
      return good.takeSlots(wanted);
    };
    cluster.start(rate, { takeSlots });
    await cluster.clock.until(Promise.all(Array.from({ length: 40 }, () => cluster.send(1, QUICK))));
    expect(cluster.times().every((atMs) => atMs >= untilMs)).toBe(true);
    expect(mostInAnyWindow(cluster.times(), rate.window_ms)).toBeLessThanOrEqual(rate.requests);
  });
});
