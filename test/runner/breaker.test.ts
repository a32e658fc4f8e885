import { describe, expect, test } from 'vitest';
import type { Limits } from '../../src/domain/plan.ts';
import type { Profile } from '../../src/domain/profile.ts';
import { answered } from '../client/fake-transport.ts';
import type { VirtualClock } from '../client/virtual-clock.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Behaviour, type Kept, taken } from './virtual-service.ts';

// The whole runner in virtual time, at ten requests a second, where payouts are accepted and fail later.

const PROFILE: Partial<Profile> = { rate: { requests: 10, window_ms: 1_000 }, concurrency: 8 };
const SETTLES_MS = 2_000;

const limitsOf = (failures_percent: number | null): Limits => ({
  per_payout: null,
  per_run: null,
  per_day: null,
  time_zone: 'UTC',
  payees: null,
  only_payees: null,
  failures_percent,
  cooling_off_ms: null,
});

type Failing = (row: number) => boolean;

const endingLater =
  (isFailing: Failing, settlesMs = SETTLES_MS) =>
  (): Behaviour => ({
    status: ({ atMs, amount }: Kept, nowMs: number) => {
      if (nowMs - atMs < settlesMs) return 'PENDING';
      return isFailing(Number(amount) / 100) ? 'FAILED' : 'COMPLETED';
    },
  });

function start(options: {
  rows?: number;
  percent?: number | null;
  behave: (clock: VirtualClock) => Behaviour;
  hasWebhooks?: boolean;
  stop?: AbortSignal;
  waitTimeoutMs?: number;
  profile?: Partial<Profile>;
}): Promise<VirtualRun> {
  const { rows = 80, percent = 20, profile, ...more } = options;
  return virtualRun({ rows, limits: limitsOf(percent), profile: { ...PROFILE, ...profile }, ...more });
}

const everyone: Failing = () => true;

/** What polls asked between the second payout and the last. */
function pollsWhileSending({ service }: VirtualRun): { operation: string; atMs: number }[] {
  const [, second] = service.asked;
  const fromMs = second?.atMs ?? 0;
  const untilMs = service.asked.at(-1)?.atMs ?? 0;
  const isPoll = /^transaction\.get/;
  return service.requests.filter(({ operation, atMs }) => isPoll.test(operation) && atMs > fromMs && atMs < untilMs);
}

describe.each([
  ['without webhooks', false],
  ['with webhooks that never come', true],
])('%s', (_, hasWebhooks) => {
  test('payouts that fail later stop the run while others wait, and each counts once', async () => {
    const run = await start({ behave: endingLater(everyone), hasWebhooks });
    expect(run.end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    const sent = run.service.kept.length;
    // Those of the first two seconds, of the next until somebody looks, and what left with that look.
    expect(sent).toBeLessThanOrEqual(45);
    expect(run.context.tally).toMatchObject({ failed: sent, waiting: 80 - sent, accepted: 0, sending: 0 });
    const why = 'why' in run.end ? run.end.why : null;
    if (why?.code !== 'too_many_failures') throw new Error('another stop');
    expect([why.bad, why.among]).toEqual([why.of, 'final']);
    expect(why.bad).toBeLessThanOrEqual(sent);
  });

  test('no more than a fifth of the pace goes to polls, which look about every second', async () => {
    const run = await start({ rows: 300, percent: 60, behave: endingLater((row) => row % 2 === 0), hasWebhooks });
    expect(run.end).toMatchObject({ end: 'finished', counts: { failed: 150, completed: 150 } });
    const polls = pollsWhileSending(run);
    expect(polls.length).toBeLessThanOrEqual(300 / 4);
    const looks = polls.filter(({ operation }) => operation === 'transaction.getMany').map(({ atMs }) => atMs);
    const longest = Math.max(...looks.slice(1).map((atMs, nth) => atMs - (looks[nth] ?? 0)));
    // Why payouts failed is read between two looks.
    expect(longest).toBeLessThanOrEqual(6_000);
    const tookMs = (run.service.asked.at(-1)?.atMs ?? 0) - (run.service.asked[0]?.atMs ?? 0);
    expect(tookMs).toBeLessThanOrEqual((300 / 8) * 1_050);
  });
});

test('where nothing fails, one request a second goes to polls', async () => {
  const run = await start({ rows: 300, behave: endingLater(() => false) });
  expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 300 } });
  const looks = pollsWhileSending(run).map(({ atMs }) => atMs);
  const gaps = looks.slice(1).map((atMs, nth) => atMs - (looks[nth] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(2_100);
  expect(gaps.toSorted((one, other) => one - other)[gaps.length >> 1]).toBeLessThanOrEqual(1_100);
});

test('where no share is set, nothing is polled before all are sent', async () => {
  for (const percent of [null, 20]) {
    const run = await start({ percent, behave: endingLater(() => false) });
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 80 } });
    expect(pollsWhileSending(run).length > 0).toBe(percent !== null);
  }
});

test('no more fail than the share: the run goes to its end', async () => {
  // The last of each five from row 2 on: whenever a poll looks, no more than the share has failed.
  const run = await start({ behave: endingLater((row) => row % 5 === 1) });
  expect(run.end).toMatchObject({ end: 'finished', counts: { failed: 16, completed: 64 } });
});

describe('the share', () => {
  const REFUSED = answered(400, { error: { code: 'BAD_REQUEST', message: 'no', reason: 'ACCOUNT_NOT_FOUND' } });
  /** The rows are refused at once, and no other is final for an hour. */
  const refusing = (rows: number[]) => (): Behaviour => ({
    transfer: ({ row }, commit) => (rows.includes(row) ? REFUSED : taken(commit())),
    ...endingLater(() => false, 3_600_000)(),
  });
  const FINISHED = { end: 'finished' };
  const STOPPED = { end: 'halted', reason: 'person_needed' };

  test.each([
    ['one of many', 40, 10, [2], FINISHED],
    ['two of the first ten, where one in ten may', 40, 10, [2, 3], STOPPED],
    ['one of many, where one in a hundred may', 200, 1, [2], FINISHED],
    ['two of the first hundred, where one in a hundred may', 200, 1, [2, 60], STOPPED],
    ['one, where none may', 40, 0, [2], STOPPED],
    ['one of four, where one in five may', 4, 20, [2], STOPPED],
    ['one of five, where one in five may', 5, 20, [2], FINISHED],
    ['one in eight of those answered, while no other is final', 80, 20, [9, 17, 25, 33, 41, 49], FINISHED],
    ['a third of those answered, while no other is final', 80, 20, [2, 5, 8], STOPPED],
  ])('%s', async (_, rows, percent, refused, end) => {
    const run = await start({ rows, percent, behave: refusing(refused), profile: { concurrency: 1 } });
    expect(run.end).toMatchObject(end);
    if (end === STOPPED) expect(run.context.tally.rejected).toBe(refused.length);
  });

  test('is told with a wait that took too long, and resume pays the others then', async () => {
    const behave = (): Behaviour => ({ ...refusing([3, 5])(), ...endingLater(() => false, 90_000)() });
    const run = await start({ rows: 10, percent: 10, behave, profile: { concurrency: 1 }, waitTimeoutMs: 85_000 });
    expect(run.end).toMatchObject({ ...STOPPED, why: { code: 'not_final', held: { code: 'too_many_failures' } } });
    expect(run.context.tally.waiting).toBeGreaterThan(0);
    const waited = await run.resume();
    expect(waited.end).toMatchObject({ end: 'halted', reason: 'wait_timeout' });
    expect(waited.context.tally).toMatchObject({ rejected: 2, waiting: 0 });
  });

  test('of those that are final, however many were sent', async () => {
    const settled: Failing = (row) => row < 6;
    const status: Behaviour['status'] = ({ atMs, amount }, nowMs) => {
      const row = Number(amount) / 100;
      if (nowMs - atMs < (row < 12 ? 8_000 : 600_000)) return 'PENDING';
      return settled(row) ? 'FAILED' : 'COMPLETED';
    };
    const run = await start({ rows: 160, percent: 20, behave: () => ({ status }) });
    expect(run.end).toMatchObject({ ...STOPPED, why: { code: 'too_many_failures', among: 'final' } });
    expect(run.service.kept.length).toBeGreaterThan(60);
  });
});

test('what waits in the queue when it is seen is not sent any more', async () => {
  const run = await start({ behave: endingLater(everyone) });
  const shown = run.service.requests.filter(({ operation }) => operation === 'transaction.getMany');
  const isOver = (atMs: number) => run.service.kept.filter((one) => atMs - one.atMs >= SETTLES_MS).length > 2;
  const seenMs = shown.find(({ atMs }) => isOver(atMs))?.atMs ?? 0;
  expect(run.service.asked.filter(({ atMs }) => atMs > seenMs)).toEqual([]);
});

describe('goes on', () => {
  test('with resume after it stopped for a person, and counts anew', async () => {
    let isMended = false;
    const first = await start({ behave: endingLater(() => !isMended) });
    const sent = first.service.kept.length;
    const again = await first.resume();
    expect(again.end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    const sentAgain = again.service.kept.length;
    expect(sentAgain).toBeGreaterThan(sent);
    expect(sentAgain).toBeLessThan(80);
    isMended = true;
    const mended = await again.resume();
    expect(mended.end).toMatchObject({ end: 'finished', counts: { failed: sentAgain, completed: 80 - sentAgain } });
  });

  test('not before it has looked at what an earlier process sent', async () => {
    const stop = new AbortController();
    const { status } = endingLater(everyone, 5_000)();
    const transfer: Behaviour['transfer'] = ({ row }, commit) => {
      if (row === 12) stop.abort();
      return taken(commit());
    };
    const first = await start({ behave: () => ({ status, transfer }), stop: stop.signal });
    expect([first.end.end, first.context.tally.failed]).toEqual(['interrupted', 0]);
    const sent = first.service.kept.length;
    await first.clock.pass(10_000);
    const told = await first.resume();
    expect(told.end).toMatchObject({ end: 'halted', why: { code: 'too_many_failures' } });
    expect([told.service.kept.length, told.context.tally.failed]).toEqual([sent, sent]);
  });

  test('not by a process that is started where nobody was told: it says so first', async () => {
    const stop = new AbortController();
    const behave = (clock: VirtualClock): Behaviour => {
      const startedMs = clock.wallMs();
      return {
        status({ atMs, id }, nowMs) {
          // Ctrl-C while the last one in flight is waited for.
          if (nowMs - startedMs > 30_000) stop.abort();
          return nowMs - atMs < (id === 't20' ? 60_000 : SETTLES_MS) ? 'PENDING' : 'FAILED';
        },
      };
    };
    const first = await start({ behave, stop: stop.signal });
    expect(first.end).toMatchObject({ end: 'interrupted' });
    const sent = first.service.kept.length;
    expect(sent).toBeLessThan(80);
    const told = await first.resume();
    expect(told.end).toMatchObject({ end: 'halted', why: { code: 'too_many_failures' } });
    expect(told.service.kept.length).toBe(sent);
    await told.resume();
    expect(told.service.kept.length).toBeGreaterThan(sent);
  });
});
