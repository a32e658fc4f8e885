import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import { Bug } from '../../../src/domain/refusal.ts';
import { CommitUncertain } from '../../../src/journal/journal.ts';
import { cases } from '../../support/cases.ts';
import { anyLaterEntry } from '../any-entry.ts';
import { ManualClock, type Place } from '../place.ts';
import { sampleHeader, sampleIntent, sampleRows } from '../samples.ts';
import { entriesOf, newRun, placedOf, placesOf } from './places.ts';

export function appendSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('appending', () => {
    it('reads back any entries equal, in order, after opening anew', async () => {
      const place = newPlace();
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(anyLaterEntry, { maxLength: 5 }), { maxLength: 8 }), async (calls) => {
          const runId = `R${++runs}`;
          const journal = await place.open();
          const writer = await newRun(journal, runId);
          await Promise.all(calls.map((entries) => writer.append(entries)));
          await journal.close();
          const again = await place.open();
          expect((await entriesOf(again, runId)).slice(3)).toEqual(calls.flat());
          expect(await again.verifyRun(runId)).toMatchObject({ ok: true, entries: 3 + calls.flat().length });
          await again.close();
        }),
        { numRuns: cases(15, 100) },
      );
    });

    it('starts a run with its creation, its first lease and its rows, numbered without a gap', async () => {
      const journal = await newPlace().open();
      await newRun(journal);
      const placed = await placedOf(journal);
      expect(placed.map(({ entry }) => entry.kind)).toEqual(['run_created', 'lease_taken', 'rows']);
      expect(placed.map(({ n }) => n)).toEqual([1, 2, 3]);
      expect(placed[0]?.entry).toEqual(sampleHeader('R1'));
      expect(placed[1]?.entry).toMatchObject({ epoch: 1 });
      expect(placed[2]?.entry).toEqual(sampleRows(3));
    });

    it('gives the time of the commit, which the entries keep', async () => {
      const clock = new ManualClock();
      const journal = await newPlace().open({ clock });
      const writer = await newRun(journal);
      clock.now += 1234;
      const at = await writer.append([sampleIntent(2)]);
      expect(at).toBe(clock.now);
      expect((await placedOf(journal)).map((placed) => placed.at)).toEqual([at - 1234, at - 1234, at - 1234, at]);
    });

    it('commits the calls of one turn at once', async () => {
      const place = newPlace();
      const writer = await newRun(await place.open());
      const before = await place.commits();
      await Promise.all(Array.from({ length: 64 }, (_, index) => writer.append([sampleIntent(index + 2)])));
      expect((await place.commits()) - before).toBe(1);
      for (const row of [101, 102, 103]) await writer.append([sampleIntent(row)]);
      expect((await place.commits()) - before).toBe(4);
    });

    it.each([
      { turns: 8, areTogether: true },
      { turns: 40, areTogether: false },
    ])('waits $turns turns that each bring a call for one commit: $areTogether', async ({ turns, areTogether }) => {
      const place = newPlace();
      const writer = await newRun(await place.open());
      const before = await place.commits();
      const appended: Promise<number>[] = [];
      for (let turn = 0; turn < turns; turn++) {
        appended.push(writer.append([sampleIntent(turn + 2)]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(appended);
      expect((await place.commits()) - before === 1).toBe(areTogether);
    });

    it('commits the calls of different runs without mixing them up', async () => {
      const journal = await newPlace().open();
      const [one, two] = [await newRun(journal, 'R1'), await newRun(journal, 'R2')];
      const rows = Array.from({ length: 20 }, (_, index) => index + 2);
      await Promise.all(
        rows.flatMap((row) => [one.append([sampleIntent(row)]), two.append([sampleIntent(row + 1000)])]),
      );
      expect((await entriesOf(journal, 'R1')).slice(3)).toEqual(rows.map((row) => sampleIntent(row)));
      expect((await entriesOf(journal, 'R2')).slice(3)).toEqual(rows.map((row) => sampleIntent(row + 1000)));
    });

    it('keeps the order over several commits when more waits than one commit takes', async () => {
      const place = newPlace();
      const journal = await place.open();
      const writer = await newRun(journal);
      const before = await place.commits();
      const calls = Array.from({ length: 90 }, (_, call) =>
        Array.from({ length: 25 }, (_, index): Entry => sampleIntent(call * 25 + index + 2)),
      );
      const settled: number[] = [];
      await Promise.all(calls.map((entries, call) => writer.append(entries).then(() => settled.push(call))));
      expect(settled).toEqual(calls.map((_, call) => call));
      expect((await entriesOf(journal)).slice(3)).toEqual(calls.flat());
      // 40 calls of 25 entries fit the 1,024 of one commit.
      expect((await place.commits()) - before).toBe(3);
    });

    it('never parts the entries of one call', async () => {
      const place = newPlace();
      const journal = await place.open();
      const writer = await newRun(journal);
      const before = await place.commits();
      const entries = Array.from({ length: 3_000 }, (_, index) => sampleIntent(index + 2));
      await writer.append(entries);
      expect((await place.commits()) - before).toBe(1);
      expect((await entriesOf(journal)).slice(3)).toEqual(entries);
    });

    it('writes what an entry was when it was given, whatever is done to it afterwards', async () => {
      const journal = await newPlace().open();
      const writer = await newRun(journal);
      const entry: Entry = { kind: 'doubt', row: 2, attempt: 1, reason: 'timeout' };
      const appended = writer.append([entry]);
      entry.reason = 'changed';
      await appended;
      expect((await entriesOf(journal)).at(-1)).toMatchObject({ reason: 'timeout' });
    });

    it('refuses a malformed entry to its own caller only', async () => {
      const journal = await newPlace().open();
      const writer = await newRun(journal);
      const malformed = { kind: 'doubt', row: 2, attempt: 1 } as Entry;
      const outcomes = await Promise.allSettled([
        writer.append([sampleIntent(2)]),
        writer.append([sampleIntent(3), malformed]),
        writer.append([sampleIntent(4)]),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(outcomes[1]).toMatchObject({ reason: expect.any(Bug) });
      expect((await entriesOf(journal)).slice(3)).toEqual([sampleIntent(2), sampleIntent(4)]);
    });

    it('leaves no append without an answer when the journal is closed before its commit', async () => {
      const place = newPlace();
      const journal = await place.open();
      const writer = await newRun(journal);
      const appended = writer.append([sampleIntent(2)]);
      await journal.close();
      await expect(appended).rejects.toThrow(CommitUncertain);
      expect(await entriesOf(await place.open())).toHaveLength(3);
    });

    it('creates a run of 40,000 rows whole, in one commit', async () => {
      const place = newPlace();
      const journal = await place.open();
      await newRun(journal, 'R0');
      const before = await place.commits();
      const rows = Array.from({ length: 157 }, () => sampleRows(256));
      await journal.createRun({ header: sampleHeader('R1'), rows, refuseRepeat: false });
      expect((await place.commits()) - before).toBe(1);
      expect((await entriesOf(journal)).slice(2)).toEqual(rows);
      expect(await journal.verifyRun('R1')).toMatchObject({ ok: true, entries: 159 });
    });

    it.each(['', '../R1', 'R 1', 'R1\n', 'x'.repeat(65)])('takes no run id like %j', async (runId) => {
      const journal = await newPlace().open();
      await expect(newRun(journal, runId)).rejects.toThrow(Bug);
      expect(await journal.listRuns(10)).toEqual([]);
    });

    it('takes no run id twice, and nothing of the second run is written', async () => {
      const journal = await newPlace().open();
      await newRun(journal, 'R1', 'a'.repeat(64));
      await expect(newRun(journal, 'R1', 'b'.repeat(64))).rejects.toThrow(Bug);
      expect(await journal.runsOfInput('b'.repeat(64))).toEqual([]);
      expect(await entriesOf(journal)).toHaveLength(3);
    });
  });
}
