import { expect, test } from 'vitest';
import type { Transaction } from '../../src/client/wire.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import { listTransactions } from '../../src/runner/reconcile/transactions.ts';
import type { RunContext } from '../../src/runner/run-context.ts';

type Page = { count: number; next?: string | null; total?: number; createdAt?: string; repeats?: boolean };

function record(id: string, createdAt: string): Transaction {
  const amount = { value: '1', code: 'AUD', decimals: 2 };
  return { id, created_at: createdAt, status: 'COMPLETED', currency_in: amount, currency_out: amount };
}

/** A run at a service that answers with these pages, one after the other. */
function contextOf(pages: Page[], cursor: boolean): RunContext {
  let at = 0;
  const read = async () => {
    const page = pages[at++];
    if (!page) throw new Error('asked for more pages than there are');
    const transactions = Array.from({ length: page.count }, (_, index) =>
      record(page.repeats ? 't' : `t${at}-${index}`, page.createdAt ?? '2026-11-25T10:00:00.000Z'),
    );
    const totals = { transfers: page.total ?? page.count, fiatAmount: 0 };
    const data = { transactions, totals, ...(page.next === undefined ? {} : { next_cursor: page.next }) };
    return { ok: true, data, serverMs: 1_000 + at, isRehearsal: false };
  };
  return {
    run: { header: { profile: { ...DEFAULT_PROFILE, cursor } }, promises: null },
    client: { read },
    noteEvidence: async () => {},
  } as unknown as RunContext;
}

const options = { priority: 'settle' as const, pagesMax: 5 };

test.each<[string, Page[], boolean, number, boolean]>([
  ['a short page is the whole', [{ count: 3 }], true, 3, true],
  ['a short page whose totals count more is not', [{ count: 3, total: 4 }], true, 3, false],
  ['a full page without a cursor is not', [{ count: 500, total: 500 }], true, 500, false],
  ['a full page whose cursor is null is', [{ count: 500, next: null }], true, 500, true],
  [
    'a cursor is followed to its end',
    [
      { count: 500, next: 'a', total: 700 },
      { count: 200, next: null, total: 700 },
    ],
    true,
    700,
    true,
  ],
  [
    'a cursor that the profile does not trust is not followed',
    [{ count: 500, next: 'a', total: 700 }],
    false,
    500,
    false,
  ],
  ['a null cursor that the profile does not trust proves nothing', [{ count: 500, next: null }], false, 500, false],
  [
    'a list cut off short of its totals is not, though its cursor is null',
    [{ count: 3, next: null, total: 4 }],
    true,
    3,
    false,
  ],
  [
    'a list that shows one record twice in the place of another is not',
    [{ count: 2, next: null, repeats: true }],
    true,
    2,
    false,
  ],
  ['pages are bounded', Array.from({ length: 5 }, () => ({ count: 1, next: 'a', total: 9 })), true, 5, false],
  ['nothing at all is complete', [{ count: 0 }], false, 0, true],
])('%s', async (_, pages, cursor, count, complete) => {
  const listing = await listTransactions(contextOf(pages, cursor), {}, options);
  expect(listing.records).toHaveLength(count);
  expect(listing.complete).toBe(complete);
  expect(listing.serverMs).toBe(1_001);
});

test('stops where records become older, complete for the younger', async () => {
  const pages = [{ count: 500, next: 'a', createdAt: '2026-11-25T09:00:00.000Z' }];
  const untilMs = Date.UTC(2026, 10, 25, 9, 30);
  const listing = await listTransactions(contextOf(pages, true), {}, { ...options, untilMs });
  expect(listing.complete).toBe(true);
});

test('a record whose time cannot be read is never thought older', async () => {
  const pages = [
    { count: 500, next: 'a', createdAt: 'yesterday' },
    { count: 1, next: null, createdAt: 'yesterday' },
  ];
  const listing = await listTransactions(contextOf(pages, true), {}, { ...options, untilMs: Number.MAX_SAFE_INTEGER });
  expect(listing.records).toHaveLength(501);
});

test('a page handler takes the records and can stop', async () => {
  const sizes: number[] = [];
  const onPage = (page: Transaction[]): boolean => sizes.push(page.length) < 2;
  const pages = [
    { count: 500, next: 'a' },
    { count: 500, next: 'b' },
  ];
  const listing = await listTransactions(contextOf(pages, true), {}, { ...options, onPage });
  expect(sizes).toEqual([500, 500]);
  expect(listing.records).toHaveLength(0);
});

test('a list out of order does not end early: an old record at its foot says nothing of the others', async () => {
  const old = { count: 1, next: 'a', createdAt: '2026-11-25T09:00:00.000Z', total: 3 };
  const young = { count: 1, next: 'b', createdAt: '2026-11-25T10:00:00.000Z', total: 3 };
  const untilMs = Date.UTC(2026, 10, 25, 9, 30);
  // The second page is younger than the first: after that no foot is believed.
  const pages = [
    young,
    { ...young, createdAt: '2026-11-25T10:30:00.000Z' },
    { ...old, next: 'c' },
    { ...old, next: null },
  ];
  const listing = await listTransactions(contextOf(pages, true), {}, { ...options, untilMs });
  expect(listing.records).toHaveLength(4);
  expect(listing.complete).toBe(true);
});
