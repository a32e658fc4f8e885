import { expect, test } from 'vitest';
import { paidElsewhereOf } from '../../src/app/retry/paid-elsewhere.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { sqlitePlace } from '../journal/open-sqlite.ts';
import { ManualClock } from '../journal/place.ts';
import { endedPayout, sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';

test.each([
  [-1, []],
  [0, ['R20261125-00000002']],
  [1, ['R20261125-00000002']],
])('a run started %i ms later counts as having paid the row: %s', async (later, by) => {
  const clock = new ManualClock();
  const place = sqlitePlace();
  const journal = await place.open({ clock });
  const create = async (runId: string, entries: Entry[]) => {
    const header = { ...sampleHeader(runId, runId.padStart(64, '0')), payouts: 1 };
    const rows: Entry[] = [
      sampleRows(1),
      { kind: 'planned', plan: samplePlan(header) },
      { kind: 'started', by: 'ada@desk' },
    ];
    const created = await journal.createRun({ header, rows: [...rows, ...entries], refuseRepeat: false });
    if (created.outcome === 'created') await created.writer.release();
  };
  const stopped: Entry[] = [{ kind: 'stopped', reason: 'person_needed' }];
  const paid: Entry[] = endedPayout(2);
  const [first, second] = later < 0 ? [paid, stopped] : [stopped, paid];
  await create('R20261125-00000001', first);
  clock.now += Math.abs(later);
  await create('R20261125-00000002', second);
  const runId = later < 0 ? 'R20261125-00000002' : 'R20261125-00000001';
  const found = await paidElsewhereOf({ runId, rows: [2] }, journal);
  expect(found).toEqual(by.map((other) => ({ row: 2, how: 'paid_otherwise', runId: other })));
  await place.remove();
});
