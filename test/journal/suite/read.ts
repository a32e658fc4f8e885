import { describe, expect, it } from 'vitest';
import { JournalDamaged } from '../../../src/journal/journal.ts';
import { entriesIn } from '../../../src/journal/pages.ts';
import type { Place } from '../place.ts';
import { sampleEnsured, sampleHeader, sampleIntent } from '../samples.ts';
import { entriesOf, newRun, placedOf, placesOf } from './places.ts';

export function readSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('reading', () => {
    it('finds nothing of an unknown run', async () => {
      const journal = await newPlace().open();
      expect(await placedOf(journal, 'R9')).toEqual([]);
      expect(await journal.head('R9')).toBeNull();
      expect(await journal.verifyRun('R9')).toEqual({ ok: false, entries: 0, n: null, damage: { code: 'no_run' } });
    });

    it('lists runs newest first, up to the limit', async () => {
      const journal = await newPlace().open();
      for (const runId of ['R3', 'R1', 'R2']) await newRun(journal, runId);
      expect((await journal.listRuns(10)).map(({ run_id }) => run_id)).toEqual(['R2', 'R1', 'R3']);
      expect((await journal.listRuns(2)).map(({ run_id }) => run_id)).toEqual(['R2', 'R1']);
      expect((await journal.listRuns(1))[0]).toMatchObject({ entries: 3, header: sampleHeader('R2') });
    });

    it('lists the runs of an input, oldest first', async () => {
      const journal = await newPlace().open();
      await newRun(journal, 'R3', 'a');
      await newRun(journal, 'R1', 'b');
      await newRun(journal, 'R2', 'a');
      expect((await journal.runsOfInput('a')).map(({ run_id }) => run_id)).toEqual(['R3', 'R2']);
      expect(await journal.runsOfInput('c')).toEqual([]);
    });

    it('lists the newest runs of an input and of a period where there are more than a thousand', async () => {
      const journal = await newPlace().open();
      for (let at = 1; at <= 1_001; at++) {
        const header = { ...sampleHeader(`R${at}`, 'a'), job: 'payroll', period: '2026-11' };
        const created = await journal.createRun({ header, rows: [], refuseRepeat: false });
        if (created.outcome !== 'created') throw new Error(created.outcome);
        await created.writer.release();
      }
      for (const runs of [await journal.runsOfInput('a'), await journal.runsOfPeriod('payroll', '2026-11')])
        expect([runs.length, runs[0]?.run_id, runs.at(-1)?.run_id]).toEqual([1_000, 'R2', 'R1001']);
    });

    it('finds the entries of some kinds over all runs, in the order in which they were written', async () => {
      const journal = await newPlace().open();
      const [one, two] = [await newRun(journal, 'R1'), await newRun(journal, 'R2')];
      const expected: { runId: string; id: string }[] = [];
      for (let index = 0; index < 300; index++) {
        const writer = index % 3 === 0 ? two : one;
        await writer.append([sampleIntent(2), sampleEnsured(`rc_${index}`)]);
        expected.push({ runId: writer.runId, id: `rc_${index}` });
      }
      const found = await entriesIn(journal.readKinds(['ensured']));
      expect(found.map(({ runId, entry }) => ({ runId, id: entry.kind === 'ensured' && entry.id }))).toEqual(expected);
      expect(found[0]).toMatchObject({ n: 5, epoch: 1, runId: 'R2' });
      expect(await entriesIn(journal.readKinds(['ensured', 'run_created']))).toHaveLength(302);
      expect((await entriesIn(journal.readKinds(['run_created']))).map(({ runId }) => runId)).toEqual(['R1', 'R2']);
      expect(await entriesIn(journal.readKinds([]))).toEqual([]);
    });

    it('shows the run as it stood when reading began, whatever is appended meanwhile', async () => {
      const journal = await newPlace().open();
      const writer = await newRun(journal);
      await writer.append(Array.from({ length: 600 }, (_, index) => sampleIntent(index + 2)));
      let read = 0;
      for await (const page of journal.readRun('R1'))
        for (const placed of page) {
          expect(placed.n).toBe(++read);
          if (read % 100 === 1) await writer.append([sampleIntent(1)]);
        }
      expect(read).toBe(603);
      expect(await placedOf(journal)).toHaveLength(610);
    });

    it('sees what another connection writes, and lets it write while a read is unfinished', async () => {
      const place = newPlace();
      const [writing, reading] = [await place.open(), await place.open()];
      const writer = await newRun(writing);
      await writer.append(Array.from({ length: 600 }, (_, index) => sampleIntent(index + 2)));
      const unfinished = reading.readRun('R1')[Symbol.asyncIterator]();
      expect((await unfinished.next()).value?.[0]).toMatchObject({ n: 1 });
      await writer.append([sampleIntent(700)]);
      expect((await entriesOf(reading)).at(-1)).toEqual(sampleIntent(700));
      // The reader may write too, although it began to read before the other's last commit.
      await newRun(reading, 'R2');
      expect((await unfinished.next()).value?.[0]).toMatchObject({ n: 5 });
    });

    it('follows a run: each look gives what was written since the last, proven after what was read', async () => {
      const place = newPlace();
      const [writing, watching] = [await place.open(), await place.open()];
      const follower = watching.followRun('R1');
      expect(await entriesIn(follower.next())).toEqual([]);
      const writer = await newRun(writing);
      expect((await entriesIn(follower.next())).map(({ n }) => n)).toEqual([1, 2, 3]);
      expect(await entriesIn(follower.next())).toEqual([]);
      await writer.append(Array.from({ length: 600 }, (_, index) => sampleIntent(index + 2)));
      expect((await entriesIn(follower.next())).map(({ n }) => n)).toEqual(
        Array.from({ length: 600 }, (_, index) => index + 4),
      );
      await writer.append([sampleEnsured('rc_1')]);
      await place.tamper.setEntry('R1', 604, { data: JSON.stringify(sampleEnsured('rc_of_a_thief')) });
      await expect(entriesIn(follower.next())).rejects.toThrow(JournalDamaged);
    });

    it.each([
      ['not JSON', '{"kind":"doubt"'],
      ['not an entry', '{"kind":"payed"}'],
    ])('refuses an entry that is %s', async (_, data) => {
      const place = newPlace();
      const journal = await place.open();
      const writer = await newRun(journal);
      await writer.append([sampleIntent(2), sampleEnsured('rc_1')]);
      await place.tamper.setEntry('R1', 5, { data });
      await expect(placedOf(journal)).rejects.toThrow(JournalDamaged);
      await expect(entriesIn(journal.readKinds(['ensured']))).rejects.toThrow(JournalDamaged);
      await place.tamper.setEntry('R1', 1, { data });
      await expect(journal.listRuns(10)).rejects.toThrow(JournalDamaged);
    });

    it('refuses an account that was found and then edited', async () => {
      const place = newPlace();
      const journal = await place.open();
      const writer = await newRun(journal);
      await writer.append([sampleEnsured('rc_1')]);
      await place.tamper.setEntry('R1', 4, { data: JSON.stringify(sampleEnsured('rc_of_a_thief')) });
      await expect(entriesIn(journal.readKinds(['ensured']))).rejects.toThrow(JournalDamaged);
    });
  });
}
