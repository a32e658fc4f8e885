import { describe, expect, test } from 'vitest';
import { resolveRow } from '../../src/runner/reconcile/resolve.ts';
import { answered } from '../client/fake-transport.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Behaviour, type Kept, LOST, type Page, taken } from './virtual-service.ts';

// Services whose listings and clocks cannot be trusted, and a machine whose clock cannot, in virtual time.

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Row 4's first transfer takes effect, and its answer is lost. */
const losesFourth: Pick<Behaviour, 'transfer'> = {
  transfer({ row, attempt }, commit) {
    const id = commit();
    return row === 4 && attempt === 1 ? LOST : taken(id);
  },
};

/** Row 4's first transfer is lost, and had no effect. */
const dropsFourth: Pick<Behaviour, 'transfer'> = {
  transfer: ({ row, attempt }, commit) => (row === 4 && attempt === 1 ? LOST : taken(commit())),
};

function statesOf({ context }: VirtualRun): Record<string, number> {
  const states: Record<string, number> = {};
  for (const { state } of context.run.payouts.values()) states[state] = (states[state] ?? 0) + 1;
  return states;
}

function expectPaidOnceEach({ service }: VirtualRun, rows: number): void {
  const amounts = service.kept.map(({ amount }) => Number(amount) / 100).toSorted((a, b) => a - b);
  expect(amounts).toEqual(Array.from({ length: rows }, (_, at) => at + 2));
}

/** Paid once and known to be, or not paid and loudly in doubt. Requests of another day are in doubt until that day. */
function expectNoneTwiceNoneLost(run: VirtualRun, rows: number): void {
  const { service, context } = run;
  for (const [row, { state }] of context.run.payouts) {
    const paid = service.kept.filter(({ amount }) => amount === String(row * 100)).length;
    expect([paid, state]).toEqual(state === 'completed' ? [1, 'completed'] : [0, 'unresolved']);
  }
  const { completed = 0, unresolved = 0 } = statesOf(run);
  expect(completed + unresolved).toBe(rows);
  expect(service.asked.every(({ atMs, expiresMs }) => atMs <= expiresMs)).toBe(true);
}

const whole = (shown: Kept[]): Page => ({ shown, next_cursor: null, total: shown.length });

describe('scenario 18: a listing that is minutes late', () => {
  const lateBy =
    (lagMs: number): Behaviour['list'] =>
    (found, _, nowMs) =>
      whole(found.filter(({ atMs }) => atMs <= nowMs - lagMs));

  test('as the profile says, is waited for: the payout is found', async () => {
    const run = await virtualRun({
      rows: 5,
      profile: { listing_lag_ms: 3 * MINUTE_MS },
      behave: () => ({ ...losesFourth, list: lateBy(170_000) }),
    });
    expect(statesOf(run)).toEqual({ completed: 5 });
    expectPaidOnceEach(run, 5);
  });

  test('as the profile says, is waited for also by the last payout, which has no neighbours after it', async () => {
    const run = await virtualRun({
      rows: 3,
      profile: { listing_lag_ms: 3 * MINUTE_MS },
      behave: () => ({ ...losesFourth, list: lateBy(170_000) }),
    });
    expect(statesOf(run)).toEqual({ completed: 3 });
    expectPaidOnceEach(run, 3);
  });

  test('and the profile does not say so: the run stops after one payout', async () => {
    const run = await virtualRun({ rows: 5, behave: () => ({ list: lateBy(3 * MINUTE_MS) }) });
    expect(run.end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    expect(run.service.kept).toHaveLength(1);
  });

  test('and was not when the run began: nothing is absent while its neighbours are not listed either', async () => {
    // A replica that stands still from the second payout on, for three minutes.
    const run = await virtualRun({
      rows: 8,
      profile: { request_lifetime_ms: 5_000, concurrency: 4 },
      behave: () => ({
        ...losesFourth,
        list: (found, _, nowMs) => whole(found.filter(({ id, atMs }) => id < 't3' || atMs <= nowMs - 3 * MINUTE_MS)),
      }),
    });
    expectPaidOnceEach(run, 8);
  });
});

describe('scenario 19: a listing that hides a payout is never proof of its absence', () => {
  /** What stands in the way of seeing row 4's, once the first payout has come back. */
  const withoutFourth = (found: Kept[]): Kept[] => found.filter(({ amount }) => amount !== '400');
  const listings: [what: string, list: NonNullable<Behaviour['list']>, profile?: { cursor: boolean }][] = [
    [
      'cut short, without a cursor',
      (found) => ({ ...whole(withoutFourth(found)), total: found.length }),
      { cursor: false },
    ],
    [
      'cut short, and its cursor says that this is the end',
      (found) => ({ ...whole(withoutFourth(found)), total: found.length }),
    ],
    ['a full page, without a cursor', fullPage, { cursor: false }],
    ['one record twice across pages, one not at all', doubled],
  ];

  test.each(listings)('%s', async (_, list, profile = { cursor: true }) => {
    const run = await virtualRun({ rows: 6, profile, behave: () => ({ ...losesFourth, list }) });
    expectPaidOnceEach(run, 6);
    expect(statesOf(run)).toEqual({ completed: 5, unresolved: 1 });
  });

  test('oldest first, and so in no order that could be ended early: it is read to its end', async () => {
    const run = await virtualRun({
      rows: 6,
      // The search never shows it, the listing does on its last page.
      behave: () => ({
        ...losesFourth,
        list: (found, cursor) => oldestFirst(found.length === 1 ? withoutFourth(found) : found, cursor),
      }),
    });
    expect(statesOf(run)).toEqual({ completed: 6 });
    expectPaidOnceEach(run, 6);
  });

  /** Five hundred payments of others, and no word of what is on the next page. */
  function fullPage(found: Kept[], _: string | null, nowMs: number): Page {
    const shown = withoutFourth(found);
    if (shown.length === found.length) return whole(found);
    const other: Kept = { id: '', atMs: nowMs, amount: '1', account: 'other', description: 'of somebody else' };
    return whole([...Array.from({ length: 500 }, (_, at) => ({ ...other, id: `o${at}` })), ...shown].slice(0, 500));
  }

  function doubled(found: Kept[], cursor: string | null): Page {
    const shown = withoutFourth(found);
    if (shown.length === found.length) return whole(found);
    const total = found.length;
    if (cursor === null) return { shown, next_cursor: 'rest', total };
    return { shown: shown.slice(-1), next_cursor: null, total };
  }

  function oldestFirst(found: Kept[], cursor: string | null): Page {
    const from = Number(cursor ?? 0);
    const shown = found.toReversed().slice(from, from + 2);
    return { shown, next_cursor: from + 2 < found.length ? String(from + 2) : null, total: found.length };
  }
});

describe('scenario 24: the machine’s clock jumps while a payout is in doubt', () => {
  const jumps: [what: string, jumpMs: number][] = [
    ['a day ahead, as after a sleep of the machine', DAY_MS],
    ['a day back', -DAY_MS],
    ['ten seconds ahead', 10_000],
    ['ten seconds back', -10_000],
  ];

  /** The clock jumps when row 4's first transfer is under way, and is set right when the run has ended. */
  async function jumping(jumpMs: number, hasEffect: boolean): Promise<VirtualRun> {
    const run = await virtualRun({
      rows: 6,
      behave: (clock) => ({
        transfer({ row, attempt }, commit) {
          const isLost = row === 4 && attempt === 1;
          if (isLost) clock.setWallBy(jumpMs);
          const id = isLost && !hasEffect ? '' : commit();
          return isLost ? LOST : taken(id);
        },
      }),
    });
    if (run.end.end === 'finished') return run;
    run.clock.setWallBy(-jumpMs);
    return run.resume();
  }

  test.each(jumps)('%s: it is made again only when it is dead by the service’s clock', async (_, jumpMs) => {
    const run = await jumping(jumpMs, false);
    const [first, second] = run.service.asked.filter(({ row }) => row === 4);
    expect(second?.atMs).toBeGreaterThan(first?.expiresMs ?? Number.NaN);
    expectNoneTwiceNoneLost(run, 6);
  });

  test.each(jumps)('%s, and it had taken effect: it is found', async (_, jumpMs) => {
    const run = await jumping(jumpMs, true);
    expect(run.service.asked.filter(({ row }) => row === 4)).toHaveLength(1);
    expectNoneTwiceNoneLost(run, 6);
  });
});

test('scenario 24: the clock was ahead when it was sent: a person may name what carries its token, though it looks older', async () => {
  const run = await virtualRun({
    rows: 4,
    behave: (clock) => ({
      ignoresTimes: true,
      transfer({ row }, commit) {
        if (row === 3) clock.setWallBy(10 * MINUTE_MS);
        const id = commit();
        if (row !== 4) return taken(id);
        commit();
        return LOST;
      },
    }),
  });
  expect(run.context.payout(4)).toMatchObject({ state: 'unresolved', about: 'twice', transactions: ['t4', 't3'] });
  run.clock.setWallBy(-10 * MINUTE_MS);
  const word = resolveRow(run.context, 4, { kind: 'sent', transactionId: 't3' }, { by: 'ada@desk' });
  expect(await run.clock.until(word)).toEqual({ outcome: 'resolved' });
});

test('scenario 11: a service that lets a dead request take effect after all raises the alarm', async () => {
  let late: (() => string) | null = null;
  const run = await virtualRun({
    rows: 6,
    behave: () => ({
      transfer({ row, attempt }, commit) {
        if (row === 4 && attempt === 1) {
          late = commit;
          return LOST;
        }
        const id = commit();
        if (row === 4) late?.();
        return taken(id);
      },
    }),
  });
  // Nobody can know before: the service broke its promise. What can be done is to look once more, and to say so.
  expect(run.end).toMatchObject({ end: 'finished' });
  expect(run.context.run.surfaced).toMatchObject([{ row: 4, attempt: 1 }]);
});

test('a payout that had no effect is made again where that is proven', async () => {
  const run = await virtualRun({ rows: 6, behave: () => dropsFourth });
  expect(statesOf(run)).toEqual({ completed: 6 });
  expectPaidOnceEach(run, 6);
});

test('a service that shows another amount than was sent holds up that payout, and no other', async () => {
  const run = await virtualRun({
    rows: 12,
    behave: () => ({
      list(found) {
        for (const record of found) if (record.account === 'a4') record.amount = '1';
        return { shown: found, next_cursor: null, total: found.length };
      },
    }),
  });
  expect(run.end).toMatchObject({
    end: 'halted',
    reason: 'person_needed',
    why: { code: 'misfit', row: 4 },
  });
  expect(statesOf(run)).toEqual({ completed: 11, accepted: 1 });
});

test('a service that forgets descriptions after it showed them: what it took is known by its id, amount and account', async () => {
  const run = await virtualRun({
    rows: 12,
    behave: () => ({
      list(found, _, nowMs) {
        for (const record of found) if (nowMs - record.atMs > 500) record.description = 'a transfer';
        return { shown: found, next_cursor: null, total: found.length };
      },
    }),
  });
  expect(run.end).toMatchObject({ end: 'finished' });
  expect(run.service.kept.some(({ description }) => description === 'a transfer')).toBe(true);
  expect(statesOf(run)).toEqual({ completed: 12 });
});

describe('a payout in doubt that the list shows, and whose single record cannot be read, is adopted:', () => {
  test.each([
    ['it is not known by its id yet', answered(404, { error: { code: 'NOT_FOUND', message: 'not here' } })],
    ['it has another shape', answered(200, { data: { id: 7 } })],
  ])('%s', async (_, answer) => {
    let unread = 3;
    const run = await virtualRun({
      rows: 5,
      behave: () => ({ ...losesFourth, get: (id) => (id === 't3' && unread-- > 0 ? answer : null) }),
    });
    expect(statesOf(run)).toEqual({ completed: 5 });
    expectPaidOnceEach(run, 5);
  });
});
