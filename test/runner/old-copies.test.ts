import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/domain/outcomes/resolve-outcome.ts';
import { resolveRow } from '../../src/runner/reconcile/resolve.ts';
import { answered } from '../client/fake-transport.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Kept, LOST, taken } from './virtual-service.ts';

// Row n (from 2) pays n.00 AUD to the account `a<n>`. What the service holds already was sent by nobody that this journal
// knows: the journal is an old copy, or another machine ran the same file.

const TOKEN = 'PR0123456789ABC';

function held(row: number, over: Partial<Kept> = {}): Omit<Kept, 'atMs'> {
  return { id: `old${row}`, amount: `${row}00`, account: `a${row}`, description: `salary ${TOKEN}`, ...over };
}

const start = (kept: Omit<Kept, 'atMs'>[]): Promise<VirtualRun> => virtualRun({ rows: 3, kept, behave: () => ({}) });

function statesOf({ context }: VirtualRun): Record<number, string> {
  return Object.fromEntries([...context.run.payouts].map(([row, { state }]) => [row, state]));
}

const resolve = ({ context, clock }: VirtualRun, row: number, verdict: Decision) =>
  clock.until(resolveRow(context, row, verdict, { by: 'ada@desk' }));

describe('a payment like a row that waits, with a token that the journal does not know,', () => {
  test('stops the run before anything is sent', async () => {
    const run = await start([held(3)]);
    expect(run.end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    expect(statesOf(run)).toEqual({ 2: 'waiting', 3: 'suspected', 4: 'waiting' });
    expect(run.service.asked).toEqual([]);
    expect((await run.resume()).end).toMatchObject({ end: 'halted' });
    expect(run.service.asked).toEqual([]);
  });

  test('that a person says is the payout: it is waited for, and the others are paid', async () => {
    const run = await start([held(3)]);
    expect(await resolve(run, 3, { kind: 'sent', transactionId: 'old3' })).toEqual({ outcome: 'resolved' });
    const { end, service } = await run.resume();
    expect(end).toMatchObject({ end: 'finished', counts: { completed: 3 } });
    expect(service.asked.map(({ row }) => row)).toEqual([2, 4]);
  });

  test('that a person says is another one: the row is paid too, and not suspected again', async () => {
    const run = await start([held(3)]);
    expect(await resolve(run, 3, { kind: 'not_sent' })).toEqual({ outcome: 'resolved' });
    const { end, service } = await run.resume();
    expect(end).toMatchObject({ end: 'finished', counts: { completed: 3 } });
    expect(service.asked.map(({ row }) => row)).toEqual([2, 3, 4]);
  });

  test.each<[string, Partial<Kept>]>([
    ['of another amount', { amount: '999' }],
    ['to another account', { account: 'a9' }],
    ['without a token', { description: 'salary' }],
  ])('%s is somebody else’s', async (_, over) => {
    const { end, service } = await start([held(3, over)]);
    expect(end).toMatchObject({ end: 'finished', counts: { completed: 3 } });
    expect(service.asked).toHaveLength(3);
  });
});

test('paid a moment ago, where the service lists late: it is waited for before anything is sent', async () => {
  const run = await virtualRun({
    rows: 3,
    kept: [held(3)],
    profile: { listing_lag_ms: 60_000 },
    behave: () => ({
      list(found, _, nowMs) {
        const shown = found.filter(({ atMs }) => atMs <= nowMs - 50_000);
        return { shown, next_cursor: null, total: shown.length };
      },
    }),
  });
  expect(statesOf(run)).toEqual({ 2: 'waiting', 3: 'suspected', 4: 'waiting' });
  expect(run.service.asked).toEqual([]);
});

test('a copy from before its first payout, at a service without a cursor: what the newest page hides is asked for by payee', async () => {
  const description = `Zoë Näme ${TOKEN}`;
  const run = await virtualRun({
    rows: 3,
    kept: [held(3, { description }), held(4, { description })],
    profile: { cursor: false },
    // The page has place for one, and the search by the payee's name shows all of hers.
    behave: () => ({
      list: (found, _cursor, _nowMs, search) => ({
        shown: search === '' ? found.slice(0, 1) : found,
        next_cursor: null,
        total: found.length,
      }),
    }),
  });
  expect(statesOf(run)).toEqual({ 2: 'waiting', 3: 'suspected', 4: 'suspected' });
  for (const row of [3, 4]) await resolve(run, row, { kind: 'sent', transactionId: `old${row}` });
  const { end, service } = await run.resume();
  expect(end).toMatchObject({ end: 'finished', counts: { completed: 3 } });
  expect(service.asked.map(({ row }) => row)).toEqual([2]);
});

test('made by a later attempt of a row that the copy still has in doubt: a person’s word about the first is none about it', async () => {
  const stop = new AbortController();
  const run = await virtualRun({
    rows: 4,
    stop: stop.signal,
    profile: { guarantees: { enforces_expiry: false, replay_protection: false } },
    behave: () => ({
      transfer({ row, attempt }, commit) {
        if (row === 4) stop.abort();
        return row === 3 && attempt === 1 ? LOST : taken(commit());
      },
    }),
  });
  expect(statesOf(run)).toMatchObject({ 3: 'in_doubt', 5: 'waiting' });
  // What another process did with the newer journal, that is lost.
  run.service.kept.push({ ...held(3), atMs: run.service.nowMs() });
  await run.clock.pass(3_600_000);
  const copy = await run.resume();
  expect(statesOf(copy)).toMatchObject({ 3: 'unresolved', 5: 'completed' });
  expect(await resolve(copy, 3, { kind: 'not_sent' })).toEqual({ outcome: 'resolved' });
  const { end, service, context } = await copy.resume();
  expect(service.kept.filter(({ account }) => account === 'a3')).toHaveLength(1);
  expect(context.payout(3)).toMatchObject({ state: 'suspected', transactions: ['old3'] });
  expect(end).toMatchObject({ end: 'halted', reason: 'person_needed' });
});

test('whose single record cannot be read is suspected, and keeps a person from nothing', async () => {
  const unreadable = answered(200, { data: { id: 7 } });
  const run = await virtualRun({
    rows: 3,
    kept: [held(3)],
    behave: () => ({ get: (id) => (id === 'old3' ? unreadable : null) }),
  });
  expect(statesOf(run)[3]).toBe('suspected');
  expect(await resolve(run, 3, { kind: 'not_sent' })).toEqual({ outcome: 'resolved' });
  expect((await run.resume()).end).toMatchObject({ end: 'finished', counts: { completed: 3 } });
});

describe('a person who names a transaction is checked:', () => {
  test.each<[string, string, object]>([
    ['one that is not there', 'nowhere', { why: 'unknown_transaction' }],
    ['one of another amount', 'old2', { why: 'another_payment', differs: 'amount' }],
    ['one to another account', 'elsewhere', { why: 'another_payment', differs: 'account' }],
  ])('%s', async (_, transactionId, refused) => {
    const run = await start([held(3), held(2), held(3, { id: 'elsewhere', account: 'a9' })]);
    expect(await resolve(run, 3, { kind: 'sent', transactionId })).toMatchObject({
      outcome: 'refused',
      refused: { ...refused, transactionId },
    });
    expect(statesOf(run)[3]).toBe('suspected');
  });

  test('one that is a row’s already', async () => {
    const run = await start([held(3)]);
    await resolve(run, 3, { kind: 'sent', transactionId: 'old3' });
    expect(await resolve(run, 3, { kind: 'sent', transactionId: 'old3' })).toMatchObject({
      refused: { why: 'not_unresolved', row: 3, state: 'accepted' },
    });
    expect(await resolve(run, 9, { kind: 'not_sent' })).toMatchObject({
      refused: { why: 'not_unresolved', row: 9, state: null },
    });
  });
});

test('a person may name a transaction of an attempt that an old copy forgot, and none of another payout', async () => {
  const run = await virtualRun({
    rows: 3,
    profile: { guarantees: { enforces_expiry: false, replay_protection: false } },
    behave: () => ({ transfer: ({ row }, commit) => (row === 3 ? LOST : taken(commit())) }),
  });
  expect(statesOf(run)[3]).toBe('unresolved');
  const token = 'PRZZZZZZZZZZZZZ';
  run.service.kept.push({
    id: 'forgotten',
    atMs: run.service.nowMs(),
    amount: '300',
    account: 'a3',
    description: token,
  });
  expect(await resolve(run, 3, { kind: 'sent', transactionId: 't1' })).toMatchObject({ outcome: 'refused' });
  expect(await resolve(run, 3, { kind: 'sent', transactionId: 'forgotten' })).toEqual({ outcome: 'resolved' });
  expect((await run.resume()).end).toMatchObject({ end: 'finished', counts: { completed: 3 } });
});
