import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import { type Measure, onMeasure } from '../../../src/platform/measures.ts';
import { anotherProcess, ManualClock, type Place } from '../place.ts';
import { endedPayout, sampleHeader, sampleIntent, samplePlan, sampleRows } from '../samples.ts';
import { newRun, opened, placesOf } from './places.ts';

const HOUR_MS = 3_600_000;

const doubt = (row: number, attempt = 1): Entry => ({
  kind: 'doubt',
  row,
  attempt,
  reason: { code: 'process_stopped' },
});

const absent = (row: number): Entry => ({
  kind: 'absent',
  row,
  attempt: 1,
  by: 'listing',
  witness: null,
  listings: 1,
});

const ALL_COMPLETED = { completed: 3, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

export function figureSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('what operators watch', () => {
    it('is since when the oldest payout is unconfirmed, by its last attempt, to this journal and to others', async () => {
      const place = newPlace();
      const clock = new ManualClock();
      const journal = await place.open({ clock });
      const watcher = await place.open({ clock, process: anotherProcess(2) });
      const since = async () => (await watcher.figures.read()).modes.rehearsal.unconfirmedSince;
      const writer = await newRun(journal);
      const later = async (...entries: Entry[]): Promise<number> => {
        clock.now += HOUR_MS;
        return writer.append(entries);
      };
      expect(await since()).toBeNull();
      // Under way, or cut off: since the last that is known of the run.
      const sentAt = await later(sampleIntent(2));
      expect(await since()).toBe(sentAt);
      const first = await later(doubt(2));
      await later(sampleIntent(3), doubt(3));
      await later(doubt(2), { kind: 'looked', row: 2, attempt: 1, found: 0, complete: true });
      expect(await since()).toBe(first);
      const second = await later(absent(2), sampleIntent(2, 2), doubt(2, 2), absent(3));
      expect(await since()).toBe(second);
      await later({ kind: 'unresolved', row: 2, attempt: 2, about: 'incomplete', reason: 'why', transactions: [] });
      expect(await since()).toBe(second);
      expect((await watcher.figures.read()).modes.rehearsal.payouts).toMatchObject({ unresolved: 1, waiting: 2 });
      await later({ kind: 'accepted', row: 2, attempt: 2, transaction_id: 'tx_2', by: 'person' });
      expect(await since()).toBeNull();
    });

    it('is when a job last paid everybody, of runs that move money apart from those that move none', async () => {
      const clock = new ManualClock();
      const journal = await newPlace().open({ clock });
      const pay = async (runId: string, more: object, last: 'COMPLETED' | 'FAILED'): Promise<number> => {
        clock.now += HOUR_MS;
        const header = { ...sampleHeader(runId, runId.padEnd(64, '0')), job: 'pay', ...more };
        const made = await journal.createRun({ header, rows: [sampleRows(3)], refuseRepeat: false });
        if (made.outcome !== 'created') throw new Error(made.outcome);
        await made.writer.append([2, 3, 4].flatMap((row) => endedPayout(row, row === 4 ? { status: last } : {})));
        const counts = last === 'FAILED' ? { ...ALL_COMPLETED, completed: 2, failed: 1 } : ALL_COMPLETED;
        const at = await made.writer.append([{ kind: 'finished', counts }]);
        await made.writer.release();
        return at;
      };
      await pay('R1', {}, 'COMPLETED');
      const rehearsed = await pay('R2', {}, 'COMPLETED');
      const paid = await pay('R3', { rehearsal: false }, 'COMPLETED');
      await pay('R4', { rehearsal: false }, 'FAILED');
      await pay('R5', { rehearsal: false, job: null }, 'COMPLETED');
      const plan = { ...sampleHeader('R6'), rehearsal: false };
      const planned: Entry = { kind: 'planned', plan: samplePlan(plan) };
      await journal.createRun({ header: plan, rows: [sampleRows(3), planned], refuseRepeat: false });
      const { modes, sizeBytes } = await journal.figures.read();
      expect(modes.rehearsal).toMatchObject({ payouts: { completed: 6 }, lastSuccess: new Map([['pay', rehearsed]]) });
      expect(modes.live).toMatchObject({
        payouts: { completed: 8, failed: 1, waiting: 0 },
        lastSuccess: new Map([['pay', paid]]),
      });
      expect(sizeBytes).toBeGreaterThan(8_192);
    });

    it('is that a run was taken from a process that had not given it back', async () => {
      const heard: Measure[] = [];
      const end = onMeasure((one) => heard.push(one));
      try {
        const place = newPlace();
        await newRun(await place.open({ process: anotherProcess(1) }));
        const second = await opened(await place.open({ process: anotherProcess(2), isAlive: () => false }));
        expect(heard).toEqual([{ kind: 'takeover' }]);
        await second.release();
        await opened(await place.open({ process: anotherProcess(3) }));
        expect(heard).toHaveLength(1);
      } finally {
        end();
      }
    });
  });
}
