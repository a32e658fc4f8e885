import { describe, expect, it } from 'vitest';
import { type HoldRecord, Holds, payeeHash } from '../../../src/domain/run/holds.ts';
import { HOLDS_PAGE_MAX } from '../../../src/journal/holds.ts';
import { takeHolds } from '../../../src/journal/tables/holds.ts';
import type { TablesJournal } from '../../../src/journal/tables/journal.ts';
import type { Place } from '../place.ts';
import { placesOf } from './places.ts';

export function sampleHold(payeeId: string, changed: Partial<HoldRecord> = {}): HoldRecord {
  const payee = payeeHash({ payee_id: payeeId, name: payeeId, email: null });
  const sample = {
    act: 'hold',
    payee,
    name: payeeId,
    payee_id: payeeId,
    accounts: [],
    reason: 'Asked for',
    by: 'anna',
  };
  return { ...sample, ...changed } as HoldRecord;
}

export function holdSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('holds of payees', () => {
    it('come back in the order in which they were recorded, to every process, each with its own number', async () => {
      const place = newPlace();
      const [page, run] = [await place.open(), await place.open()];
      expect(await run.payeeHolds.after(0)).toEqual([]);
      const first = await page.payeeHolds.add(sampleHold('E1', { accounts: ['a', 'b'] }));
      expect(first).toMatchObject({ n: 1, ...sampleHold('E1', { accounts: ['a', 'b'] }) });
      expect(await run.payeeHolds.after(0)).toEqual([first]);
      const both = await Promise.all([page.payeeHolds.add(sampleHold('E2')), run.payeeHolds.add(sampleHold('E3'))]);
      expect(both.map(({ n }) => n).sort()).toEqual([2, 3]);
      await run.payeeHolds.add(sampleHold('E1', { act: 'release' }));
      const records = await page.payeeHolds.after(1);
      expect(records.map(({ n }) => n)).toEqual([2, 3, 4]);
      expect(new Holds([first, ...records]).all.map(({ name }) => name).sort()).toEqual(['E2', 'E3']);
    });

    it('are read a page at a time', async () => {
      const journal = await newPlace().open();
      for (let at = 0; at <= HOLDS_PAGE_MAX; at++) await journal.payeeHolds.add(sampleHold(`E${at}`));
      const first = await journal.payeeHolds.after(0);
      expect(first).toHaveLength(HOLDS_PAGE_MAX);
      expect(await journal.payeeHolds.after(first.at(-1)?.n ?? 0)).toHaveLength(1);
    });

    it('of another journal are taken over, and release nobody who is held here', async () => {
      const from = await newPlace().open();
      for (const name of ['E1', 'E2', 'E3']) await from.payeeHolds.add(sampleHold(name));
      await from.payeeHolds.add(sampleHold('E1', { act: 'release' }));
      const records = await from.payeeHolds.after(0);
      const [empty, used] = [await newPlace().open(), await newPlace().open()];
      for (const name of ['E1', 'E2']) await used.payeeHolds.add(sampleHold(name, { reason: 'Held here' }));
      const held = [];
      for (const journal of [empty, used]) {
        const { tables } = (journal as TablesJournal).store;
        await tables.write('runs', () => takeHolds(records));
        await tables.write('runs', () => takeHolds(records));
        const now = await journal.payeeHolds.after(0);
        held.push(new Holds(now).all.map(({ name, reason }) => `${name} ${reason}`));
      }
      expect(held).toEqual([
        ['E2 Asked for', 'E3 Asked for'],
        ['E1 Held here', 'E2 Held here', 'E3 Asked for'],
      ]);
    });
  });
}
