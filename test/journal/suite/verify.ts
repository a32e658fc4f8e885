import { describe, expect, it } from 'vitest';
import { JournalDamaged } from '../../../src/journal/journal.ts';
import type { Randomness } from '../../../src/platform/clock.ts';
import { machineRandomness } from '../../../src/platform/machine.ts';
import type { Place } from '../place.ts';
import { sampleHeader, sampleIntent, sampleRows } from '../samples.ts';
import { newRun, placedOf, placesOf } from './places.ts';
import { forge, LAST, RUN, TAMPERINGS } from './tamperings.ts';

export function verifySuite(create: () => Place): void {
  const newPlace = placesOf(create);

  async function nineEntries(randomness: Randomness = machineRandomness) {
    const place = newPlace();
    const journal = await place.open({ randomness });
    const writer = await newRun(journal, RUN);
    for (let row = 2; row <= 7; row++) await writer.append([sampleIntent(row)]);
    return { place, journal, writer };
  }

  describe('verify', () => {
    it('finds nothing wrong with a run that nobody touched, and names its head', async () => {
      const { journal } = await nineEntries();
      const head = await journal.head(RUN);
      expect(head).toMatchObject({ n: LAST, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(await journal.verifyRun(RUN)).toEqual({ ok: true, entries: LAST, head: head?.hash });
    });

    it.each(TAMPERINGS)('notices that $what, and lets nobody read on', async ({ tamper, n, damage }) => {
      const { place, journal } = await nineEntries();
      await tamper(place.tamper, place.strangeCharacter);
      const verification = await journal.verifyRun(RUN);
      expect(verification).toMatchObject({ ok: false, n, damage });
      if (n !== null) await expect(placedOf(journal, RUN)).rejects.toThrow(JournalDamaged);
    });

    it('notices entries that were moved from another run', async () => {
      const { place, journal } = await nineEntries();
      await newRun(journal, 'R2');
      await place.tamper.setRun(RUN, 'id', 'R7');
      expect(await journal.verifyRun('R7')).toMatchObject({ ok: false, n: 1 });
      expect(await journal.verifyRun('R2')).toMatchObject({ ok: true });
    });

    it('with an earlier report notices a cut whose traces were all removed', async () => {
      const { place, journal } = await nineEntries();
      const witness = await journal.head(RUN);
      const { hash } = await place.tamper.entry(RUN, LAST - 1);
      await place.tamper.deleteEntry(RUN, LAST);
      await place.tamper.setRun(RUN, 'head_n', LAST - 1);
      await place.tamper.setRun(RUN, 'head_hash', hash as Uint8Array);
      // Without the report nothing is left to see.
      expect(await journal.verifyRun(RUN)).toMatchObject({ ok: true });
      expect(await journal.verifyRun(RUN, witness)).toMatchObject({
        ok: false,
        n: LAST,
        damage: { code: 'entries_gone', from: LAST, to: LAST, path: null },
      });
    });

    it('with an earlier report notices a run that was written anew', async () => {
      const same = { bytes: (count: number) => new Uint8Array(count) };
      const [{ journal }, { journal: other, writer }] = [await nineEntries(same), await nineEntries(same)];
      const witness = await journal.head(RUN);
      await writer.append([sampleIntent(8)]);
      expect(await other.verifyRun(RUN, witness)).toMatchObject({ ok: true, entries: LAST + 1 });
      const rewritten = await newPlace().open();
      const again = await newRun(rewritten, RUN);
      for (let row = 2; row <= 7; row++) await again.append([sampleIntent(row, 2)]);
      expect(await rewritten.verifyRun(RUN)).toMatchObject({ ok: true });
      expect(await rewritten.verifyRun(RUN, witness)).toMatchObject({ ok: false, n: LAST });
    });

    it.each([
      ['has an older epoch', { epoch: 0 }],
      ['has an epoch that nobody took', { epoch: 2 }],
      ['creates the run again', { data: JSON.stringify(sampleHeader(RUN)), kind: 'run_created', row_number: null }],
      ['is filed under another row', { row_number: 3 }],
      ['is stored under another kind', { kind: 'final' }],
      ['cannot be read', { data: '{}' }],
    ])('notices a forged entry with all its hashes right that %s', async (_, change) => {
      const { place, journal } = await nineEntries();
      await forge(place.tamper, null, change);
      const { hash } = await place.tamper.entry(RUN, LAST + 1);
      await place.tamper.setRun(RUN, 'head_n', LAST + 1);
      await place.tamper.setRun(RUN, 'head_hash', hash as Uint8Array);
      expect(await journal.verifyRun(RUN)).toMatchObject({ ok: false, n: LAST + 1 });
    });

    it('reads runs of every length, at the edges of its pages too', async () => {
      const journal = await newPlace().open();
      for (const length of [3, 255, 256, 257, 512, 513]) {
        const runId = `L${length}`;
        const rows = Array.from({ length: length - 2 }, () => sampleRows(1));
        await journal.createRun({ header: sampleHeader(runId), rows, refuseRepeat: false });
        expect(await journal.verifyRun(runId)).toMatchObject({ ok: true, entries: length });
        expect(await placedOf(journal, runId)).toHaveLength(length);
      }
    });
  });
}
