import { expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { applyToRun } from '../../src/domain/run/run.ts';
import { ListedRun } from '../../src/domain/run/run-state.ts';
import { RowIndex } from '../../src/web/runs/rows/row-index.ts';
import { runTotals, totalsBar, totalsPart, withoutPaidSince } from '../../src/web/runs/totals.ts';
import {
  AUD,
  accepted,
  completed,
  final,
  intent,
  JPY,
  payoutRow,
  problemRow,
  runCreated,
  STARTED_AT,
} from '../report/example-run.ts';

const ROWS = [
  payoutRow(2, { amountMinor: '100' }),
  payoutRow(3, { amountMinor: '2000' }),
  payoutRow(4, { amountMinor: '30000' }),
  payoutRow(5, { amountMinor: '7', currency: JPY }),
  payoutRow(6, { amountMinor: '11', currency: JPY }),
  problemRow(7, ['Payee 7', 'lots', 'AUD', '987654321', '']),
];

/** Follows a run entry by entry, as the page does. */
function followed(...after: Entry[]) {
  const [run, rows] = [new ListedRun(), new RowIndex()];
  for (const [n, entry] of [runCreated(ROWS.length), { kind: 'rows' as const, rows: ROWS }, ...after].entries()) {
    applyToRun(run, entry, STARTED_AT + n);
    rows.add(run, entry);
  }
  return { run, rows };
}

const NONE = { completed: 0, failed: 0, unconfirmed: 0, sending: 0, not_sent: 0 };
const UNDER_WAY: Entry[] = [
  intent(2),
  accepted(2),
  ...completed(3),
  intent(4),
  accepted(4),
  final(4, { status: 'FAILED', code: 'ACCOUNT_CLOSED' }),
  intent(5, { currency: JPY }),
];

test('totals per currency follow the entries; unanswered requests of a stopped run are unconfirmed', () => {
  const going = followed(...UNDER_WAY);
  expect(runTotals(going, 'running')).toEqual({
    counts: { completed: 1, failed: 1, unconfirmed: 0, sending: 2, not_sent: 2 },
    currencies: [
      {
        ...{ currency: AUD, payouts: 3, planned: 32_100n, sent: 2_100n, remaining: 30_000n },
        counts: { ...NONE, completed: 1, failed: 1, sending: 1 },
      },
      {
        ...{ currency: JPY, payouts: 2, planned: 18n, sent: 0n, remaining: 11n },
        counts: { ...NONE, sending: 1, not_sent: 1 },
      },
    ],
  });
  const stopped = runTotals(going, 'stopped');
  expect(stopped.counts).toEqual({ completed: 1, failed: 1, unconfirmed: 1, sending: 1, not_sent: 2 });
  expect(stopped.currencies[1]?.counts).toEqual({ ...NONE, unconfirmed: 1, not_sent: 1 });
  expect(runTotals(followed(), 'planned').counts).toEqual({ ...NONE, not_sent: 6 });
});

test('payouts that a later run paid do not remain; payouts it only planned do', () => {
  const going = followed(...UNDER_WAY);
  const since = (standing: 'paid' | 'planned') => ({
    rows: new Map([[4, { runId: 'R2', standing, at: null }]]),
    asOf: null,
  });
  const left = (standing: 'paid' | 'planned') =>
    withoutPaidSince(runTotals(going, 'finished'), going, since(standing)).currencies.map(({ remaining }) => remaining);
  expect([left('paid'), left('planned')]).toEqual([
    [0n, 11n],
    [30_000n, 11n],
  ]);
});

test('one payout in a hundred thousand is visible in the bar, and the widths still add up', () => {
  for (const counts of [
    { ...NONE, completed: 99_996, failed: 1, unconfirmed: 1, sending: 1, not_sent: 1 },
    { ...NONE, failed: 1, not_sent: 99_999 },
    { ...NONE, completed: 1, failed: 1, unconfirmed: 1 },
    { ...NONE, not_sent: 3 },
  ]) {
    const widths = [...String(totalsBar(counts, {})).matchAll(/<rect class="\w+" x="(\d+)" y="0" width="(\d+)"/g)];
    expect(widths).toHaveLength(Object.values(counts).filter((count) => count > 0).length);
    for (const [at, [, x, width]] of widths.entries()) {
      expect(Number(width)).toBeGreaterThanOrEqual(6);
      expect(Number(x)).toBe(widths.slice(0, at).reduce((sum, [, , before]) => sum + Number(before), 0));
    }
    expect(widths.reduce((sum, [, , width]) => sum + Number(width), 0)).toBe(1_000);
  }
});

test('people who see only counts get no amounts, and no column that would reveal one', () => {
  const totals = runTotals(followed(...UNDER_WAY), 'running');
  const text = String(totalsPart(totals, { isBrief: true, isLive: true })).replace(/<[^>]+>/g, ' ');
  expect(text).not.toMatch(/321\.00|21\.00|300\.00|Sent\b|Remaining/);
  expect(text.match(/total hidden/g)).toHaveLength(2);
  expect(String(totalsPart(totals, { isLive: true }))).toMatch(/21\.00.*321\.00.*6%.*>0<.*18.*0%/s);
  expect(String(totalsPart(totals, {}))).toMatch(/321\.00.*21\.00.*300\.00/s);
});
