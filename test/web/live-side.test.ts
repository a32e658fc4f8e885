import { expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { applyToRun } from '../../src/domain/run/run.ts';
import { ListedRun } from '../../src/domain/run/run-state.ts';
import { RunCurve } from '../../src/web/runs/live/curve.ts';
import { LatestOfRun } from '../../src/web/runs/live/latest.ts';
import { liveSide } from '../../src/web/runs/live/live-side.ts';
import { overTime } from '../../src/web/runs/live/over-time.ts';
import { RowIndex } from '../../src/web/runs/rows/row-index.ts';
import { accepted, final, intent, payoutRow, runCreated, STARTED_AT } from '../report/example-run.ts';

const NONE = { waiting: 0, sending: 0, in_doubt: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
const moved = (sent: number, completed: number) => ({ ...NONE, accepted: sent - completed, completed, failed: 0 });

test('the course of a run keeps its begin, its end and few points, however long it is and whatever its clocks say', () => {
  const curve = new RunCurve();
  for (let at = 0; at <= 100_000; at++) curve.add(at * 100, moved(at, Math.max(0, at - 50)));
  curve.add(5, moved(100_001, 99_951));
  const points = curve.points();
  expect(points.length).toBeLessThanOrEqual(64);
  expect([points[0], points.at(-1)]).toEqual([
    { at: 0, sent: 0, completed: 0 },
    { at: 10_000_000, sent: 100_001, completed: 99_951 },
  ]);
  for (const [at, point] of points.entries()) expect(point.at).toBeGreaterThanOrEqual(points[at - 1]?.at ?? 0);
  const text = String(overTime({ points, total: 200_000, endAt: 20_000_000.4 }));
  expect(text).toContain('aria-label="100,001 of 200,000 sent, 99,951 completed"');
  expect(text.length).toBeLessThan(4_000);
  expect(text).not.toMatch(/NaN|Infinity/);
});

test('nothing is drawn of a run of one moment, or of none', () => {
  for (const points of [[], [{ at: 5, sent: 1, completed: 0 }]])
    expect(overTime({ points, total: 1, endAt: null })).toBeNull();
});

const ROWS = [2, 3, 4].map((row) => payoutRow(row, { amountMinor: '100' }));
const [SAMPLE] = ROWS;

/** What stands beside the run after these entries, a second apart. */
function sideOf(entries: readonly Entry[], isBrief = false, afterMs = 0): string {
  const [run, rows, latest] = [new ListedRun(), new RowIndex(), new LatestOfRun()];
  for (const [n, entry] of [runCreated(ROWS.length), { kind: 'rows' as const, rows: ROWS }, ...entries].entries()) {
    const at = STARTED_AT + n * 1_000;
    const isStarted = run.startedAt !== null;
    applyToRun(run, entry, at);
    latest.add(at, entry, { isStarted, moved: rows.add(run, entry) });
  }
  const nowMs = STARTED_AT + entries.length * 1_000 + afterMs;
  const errors = latest.errorsInMinuteBefore(nowMs);
  return String(liveSide({ run, latest: latest.newest, opened: [], errors, isRunning: true, isBrief }));
}

const FAILED: Entry[] = [intent(2), accepted(2), final(2, { status: 'FAILED', code: 'ACCOUNT_CLOSED' })];

test('who failed is named with the reason, and not to who sees no names', () => {
  const name = SAMPLE?.order?.payee.name ?? '';
  expect(name).not.toBe('');
  expect(sideOf(FAILED)).toContain(`<b>${name}</b> failed.`);
  expect(sideOf(FAILED, true)).toContain('A payout failed');
  expect(sideOf(FAILED, true)).not.toContain(name);
});

test('doubts in a row are one line, errors are those of the last minute, and long lists end', () => {
  const doubt = (row: number): Entry => ({ kind: 'doubt', row, attempt: 1, reason: 'lost' });
  const many = [...[2, 3, 4].map((row) => intent(row)), ...[2, 3, 4].map(doubt)];
  expect(sideOf(many)).toContain('3 payouts are unconfirmed: payrun checks them');
  expect(sideOf(many)).toContain('<dd>3 in the last minute</dd>');
  expect(sideOf(many, false, 60_500)).toContain('<dd>1 in the last minute</dd>');
  expect(sideOf(many, false, 61_000)).toContain('<dd>0 in the last minute</dd>');
  const pauses = Array.from(
    { length: 40 },
    (_, at): Entry => ({ kind: at % 2 === 0 ? 'paused' : 'resumed', by: 'anna' }),
  );
  expect(sideOf(pauses).match(/<li>/g)).toHaveLength(8);
});
