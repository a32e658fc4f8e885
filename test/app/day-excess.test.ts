import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dayExcess, isAlone } from '../../src/app/limits/day-excess.ts';
import type { Entry, RunCreated } from '../../src/domain/entry.ts';
import type { Limits } from '../../src/domain/plan.ts';
import { open } from '../journal/open-sqlite.ts';
import { ManualClock } from '../journal/place.ts';
import { endedPayout, sampleHeader, sampleIntent, samplePlan, sampleRow } from '../journal/samples.ts';
import { temporaryFolder } from '../support/payrun.ts';

const DAY = 86_400_000;
const LIMITS: Limits = {
  per_payout: null,
  per_run: null,
  per_day: [{ code: 'AUD', minor: '5000' }],
  time_zone: 'UTC',
  payees: null,
  only_payees: null,
  failures_percent: null,
  cooling_off_ms: null,
};

/** A journal at noon, and what adds a run that has started; each row orders 12.34 AUD. */
function journalAtNoon() {
  const clock = new ManualClock();
  clock.now = Date.UTC(2026, 10, 25, 12);
  const journal = open(join(temporaryFolder(), 'journal.db'), { clock });
  const add = async (runId: string, rows: number[], then: Entry[] = [], about: Partial<RunCreated> = {}) => {
    const header = { ...sampleHeader(runId, runId.repeat(10)), payouts: rows.length, ...about };
    const first: Entry[] = [
      { kind: 'rows', rows: rows.map(sampleRow) },
      { kind: 'planned', plan: samplePlan(header) },
      { kind: 'started', by: 'ana' },
    ];
    const created = await journal.createRun({ header, rows: first, refuseRepeat: false });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    await created.writer.append(then);
    await created.writer.release();
  };
  const excess = (rows: number[]) => {
    const header = sampleHeader('R9');
    return dayExcess({ limits: LIMITS, header, rows: rows.map(sampleRow), conversions: null }, { journal, clock });
  };
  return { clock, journal, add, excess };
}

it('what other runs of the day paid, perhaps paid, or are about to pay counts', async () => {
  const { add, excess, journal } = journalAtNoon();
  expect(await excess([2, 3])).toEqual([]);
  await add('R1', [2], endedPayout(2));
  await add('R2', [2], [sampleIntent(2)]);
  await add('R3', [2]);
  expect(await excess([2])).toEqual([]);
  const found = await excess([2, 3]);
  expect(found).toMatchObject([
    {
      code: 'AUD',
      minor: 2468n,
      othersMinor: 3702n,
      others: ['R1', 'R2', 'R3'],
      limitMinor: 5000n,
      isConverted: false,
    },
  ]);
  expect(found.map(isAlone)).toEqual([false]);
  await journal.close();
});

it('what certainly was not paid, of another day, of another service, or planned alone does not count', async () => {
  const { add, clock, excess, journal } = journalAtNoon();
  clock.now -= DAY;
  await add(
    'R1',
    [2, 3, 4],
    [2, 3, 4].flatMap((row) => endedPayout(row)),
  );
  clock.now += DAY;
  await add(
    'R2',
    [2, 3],
    [2, 3].flatMap((row) => endedPayout(row, { status: 'FAILED' })),
  );
  await add(
    'R3',
    [2, 3, 4],
    [2, 3, 4].flatMap((row) => endedPayout(row)),
    { scope: 'elsewhere' },
  );
  const header = sampleHeader('R4', 'plan');
  const rows: Entry[] = [
    { kind: 'rows', rows: [2, 3, 4].map(sampleRow) },
    { kind: 'planned', plan: samplePlan(header) },
  ];
  await journal.createRun({ header, rows, refuseRepeat: false });
  expect(await excess([2, 3, 4, 5])).toEqual([]);
  const found = await excess([2, 3, 4, 5, 6]);
  expect(found).toMatchObject([{ minor: 6170n, othersMinor: 0n }]);
  expect(found.map(isAlone)).toEqual([true]);
  await journal.close();
});
