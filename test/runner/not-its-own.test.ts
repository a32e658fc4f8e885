import { describe, expect, test } from 'vitest';
import { foldPages } from '../../src/journal/pages.ts';
import { resolveRow } from '../../src/runner/reconcile/resolve.ts';
import { answered } from '../client/fake-transport.ts';
import type { VirtualClock } from '../client/virtual-clock.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Behaviour, type Kept, LOST, type Page, taken } from './virtual-service.ts';

// What a service shows or answers of one payout, and is not that payout's. Row n (from 2) pays n.00 AUD to the account `a<n>`.

const whole = (shown: Kept[]): Page => ({ shown, next_cursor: null, total: shown.length });

const stateOf = ({ context }: VirtualRun, row: number) => context.payout(row);

function paidRows({ service }: VirtualRun): number[] {
  return service.kept.map(({ amount }) => Number(amount) / 100).toSorted((a, b) => a - b);
}

describe('a payment that carries the token and the amount of a payout, and went to another account', () => {
  /** Row 4's first request is answered so; what carries its token pays somebody else. */
  const elsewhere = (answer: ReturnType<typeof answered> | typeof LOST): Behaviour => ({
    transfer({ row, attempt }, commit) {
      const id = commit();
      return row === 4 && attempt === 1 ? answer : taken(id);
    },
    list(found) {
      for (const record of found) if (record.account === 'a4') record.account = 'stranger';
      return whole(found);
    },
  });

  test('whose answer was lost: it is not taken for it, and a person says what it is', async () => {
    const run = await virtualRun({ rows: 4, behave: () => elsewhere(LOST) });
    expect(stateOf(run, 4)).toMatchObject({ state: 'unresolved', about: 'mismatch', transactions: ['t3'] });
    expect(paidRows(run)).toEqual([2, 3, 4, 5]);
    expect(run.end).toMatchObject({ counts: { completed: 3, unresolved: 1 } });
  });

  test('which was refused for its pace: neither is it taken for it nor is the payout made again', async () => {
    const slowDown = answered(429, { error: { code: 'RATE_LIMITED', message: 'slow down' } });
    const guarantees = { enforces_expiry: true, replay_protection: false, refusals_are_final: true };
    const run = await virtualRun({ rows: 4, profile: { guarantees }, behave: () => elsewhere(slowDown) });
    expect(stateOf(run, 4)).toMatchObject({ state: 'suspected', transactions: ['t3'] });
    expect(run.service.asked.filter(({ row }) => row === 4)).toHaveLength(1);
  });
});

describe('a payment without a token of the amount and to the account of a payout', () => {
  const REFUSED = answered(400, { error: { code: 'NOT_RECEIVABLE', message: 'no' } });
  const guarantees = { enforces_expiry: true, replay_protection: true };
  const byHand: Kept = { id: 'x1', amount: '500', account: 'a5', description: 'an advance', atMs: 0 };

  test('beside one that was refused and is there by its token: it counts as paid by that, and the other is named', async () => {
    const run = await virtualRun({
      rows: 4,
      profile: { guarantees },
      behave: () => ({
        transfer({ row }, commit) {
          const id = commit();
          if (row === 5) commit();
          return row === 5 ? REFUSED : taken(id);
        },
        list: (found) => whole(found.map((one) => (one.id === 't5' ? { ...one, description: 'by hand' } : one))),
      }),
    });
    expect(stateOf(run, 5)).toMatchObject({ sent: { transaction_id: 't4' } });
    expect(run.context.run.surfaced).toMatchObject([{ row: 5, transaction_id: 't5' }]);
    expect((await foldPages(run.journal.readRun('R1'))).payouts.get(5)).toEqual(stateOf(run, 5));
  });

  test('beside one whose first copy was refused for its pace, for good: it is nobody’s concern', async () => {
    const slowDown = answered(429, { error: { code: 'RATE_LIMITED', message: 'slow down' } });
    const run = await virtualRun({
      rows: 4,
      profile: { guarantees: { ...guarantees, refusals_are_final: true } },
      kept: [byHand],
      behave: () => ({
        transfer: ({ row, attempt }, commit) => (row === 5 && attempt === 1 ? slowDown : taken(commit())),
      }),
    });
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
    expect(run.context.run.surfaced).toEqual([]);
  });

  test('beside one that was refused: a person looks, and where it is another one the payout stays refused', async () => {
    const run = await virtualRun({
      rows: 4,
      profile: { guarantees },
      kept: [byHand],
      behave: () => ({ transfer: ({ row }, commit) => (row === 5 ? REFUSED : taken(commit())) }),
    });
    expect(stateOf(run, 5)).toMatchObject({ state: 'suspected', transactions: ['x1'], refused: { message: 'no' } });
    const word = resolveRow(run.context, 5, { kind: 'not_sent' }, { by: 'ada@desk' });
    expect(await run.clock.until(word)).toEqual({ outcome: 'resolved' });
    expect(stateOf(run, 5)).toMatchObject({ state: 'rejected', code: 'NOT_RECEIVABLE' });
    const next = await run.resume();
    expect(next.end).toMatchObject({ end: 'finished', counts: { completed: 3, rejected: 1 } });
    expect(next.service.asked.filter(({ row }) => row === 5)).toHaveLength(1);
  });
});

describe('an answer that names the transaction of another row', () => {
  /** Row 4's first request is answered with row 3's transaction. */
  const namesAnother = (hasEffect: boolean): Behaviour => ({
    transfer({ row, attempt }, commit) {
      if (row !== 4 || attempt > 1) return taken(commit());
      if (hasEffect) commit();
      return taken('t2');
    },
  });

  test('to a payout that was made: it is found by its token', async () => {
    const run = await virtualRun({ rows: 4, behave: () => namesAnother(true) });
    expect(stateOf(run, 4)).toMatchObject({ state: 'completed', sent: { transaction_id: 't3', by: 'look' } });
    expect(stateOf(run, 3)).toMatchObject({ state: 'completed', sent: { transaction_id: 't2' } });
    expect(paidRows(run)).toEqual([2, 3, 4, 5]);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  });

  test('to a payout that was not made: it is not called paid, and made when that is proven', async () => {
    const run = await virtualRun({ rows: 4, behave: () => namesAnother(false) });
    expect(stateOf(run, 4)).toMatchObject({ state: 'completed', sent: { transaction_id: 't4', attempt: 2 } });
    expect(paidRows(run)).toEqual([2, 3, 4, 5]);
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  });
});

describe('a second transaction with the token of a payout that was answered', () => {
  /** Row 4's request is carried out twice, the second time so much later; answered with the first. */
  const twice =
    (lateMs: number) =>
    (clock: VirtualClock): Behaviour => ({
      transfer({ row }, commit) {
        const id = commit();
        if (row === 4) void clock.sleep(lateMs).then(commit);
        return taken(id);
      },
    });

  test('is named when a listing shows it', async () => {
    const run = await virtualRun({ rows: 12, behave: twice(0) });
    expect(run.context.run.surfaced).toMatchObject([{ row: 4, attempt: 1 }]);
  });

  test('is looked for when all are completed, as long as another copy may arrive', async () => {
    const run = await virtualRun({ rows: 4, behave: twice(25_000) });
    expect(paidRows(run)).toEqual([2, 3, 4, 4, 5]);
    expect(run.context.run.surfaced).toMatchObject([{ row: 4, attempt: 1 }]);
  });
});
