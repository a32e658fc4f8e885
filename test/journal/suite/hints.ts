import { afterEach, describe, expect, it } from 'vitest';
import { HINTS_CALL_MAX, HINTS_KEPT_MAX } from '../../../src/journal/journal.ts';
import { Child } from '../children.ts';
import { type Place, REAL_CLOCK } from '../place.ts';
import { sampleHint, sampleIntent } from '../samples.ts';
import { entriesOf, newRun, placesOf } from './places.ts';

export function hintSuite(create: () => Place): void {
  const newPlace = placesOf(create);
  const children: Child[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill();
  });

  describe('hints', () => {
    it('come back in the order in which they came, after the last one that was read', async () => {
      const journal = await newPlace().open();
      expect(await journal.lastHint()).toBe(0);
      expect(await journal.hintsAfter(0, 10)).toEqual([]);
      expect(await journal.addHints([])).toBe(0);
      expect(await journal.addHints([sampleHint('b'), sampleHint('a')])).toBe(2);
      expect(await journal.addHints([{ ...sampleHint('c'), type: 'transaction.created' }])).toBe(1);
      expect(await journal.hintsAfter(0, 10)).toEqual([
        { n: 1, ...sampleHint('b') },
        { n: 2, ...sampleHint('a') },
        { n: 3, ...sampleHint('c'), type: 'transaction.created' },
      ]);
      expect(await journal.hintsAfter(1, 1)).toEqual([{ n: 2, ...sampleHint('a') }]);
      expect(await journal.lastHint()).toBe(3);
    });

    it('are kept once for each webhook id, whatever a repeat says', async () => {
      const place = newPlace();
      const journal = await place.open();
      expect(await journal.addHints([sampleHint('a'), sampleHint('a'), sampleHint('b')])).toBe(2);
      expect(await journal.addHints([{ ...sampleHint('a'), transaction_id: 'tx_other' }])).toBe(0);
      expect(await journal.addHints([sampleHint('b'), sampleHint('c')])).toBe(1);
      const kept = (await journal.hintsAfter(0, 10)).map(({ transaction_id }) => transaction_id);
      expect(kept).toEqual(['tx_a', 'tx_b', 'tx_c']);
      // A list of which nothing is new costs no write.
      const before = await place.commits();
      expect(await journal.addHints([sampleHint('a')])).toBe(0);
      expect(await place.commits()).toBe(before);
    });

    it('of one call are one commit', async () => {
      const place = newPlace();
      const journal = await place.open();
      const before = await place.commits();
      await journal.addHints(Array.from({ length: 500 }, (_, index) => sampleHint(`w${index}`)));
      expect(await place.commits()).toBe(before + 1);
    });

    it('need no lease and change no run', async () => {
      const place = newPlace();
      const [running, receiving] = [await place.open(), await place.open()];
      const writer = await newRun(running);
      const head = await running.head('R1');
      await receiving.addHints([sampleHint('a')]);
      expect(await running.head('R1')).toEqual(head);
      expect(await running.hintsAfter(0, 10)).toHaveLength(1);
      await Promise.all([writer.append([sampleIntent(2)]), receiving.addHints([sampleHint('b')])]);
      await writer.append([sampleIntent(3)]);
      expect(await entriesOf(running)).toHaveLength(5);
      expect(await running.verifyRun('R1')).toMatchObject({ ok: true });
    });

    it('are bounded: the oldest are forgotten, and no number is given twice', async () => {
      const journal = await newPlace().open();
      for (let first = 1; first <= HINTS_KEPT_MAX + 5; first += HINTS_CALL_MAX) {
        const count = Math.min(HINTS_CALL_MAX, HINTS_KEPT_MAX + 6 - first);
        await journal.addHints(Array.from({ length: count }, (_, index) => sampleHint(`w${first + index}`)));
      }
      expect((await journal.hintsAfter(0, 1))[0]).toMatchObject({ n: 6, webhook_id: 'w6' });
      expect(await journal.lastHint()).toBe(HINTS_KEPT_MAX + 5);
      let counted = 0;
      for (let after = 0; ; ) {
        const page = await journal.hintsAfter(after, 10_000);
        counted += page.length;
        if (page.length === 0) break;
        after = page.at(-1)?.n ?? after;
      }
      expect(counted).toBe(HINTS_KEPT_MAX);
      // A forgotten one is new again: that costs its reader one question to the service.
      expect(await journal.addHints([sampleHint('w1'), sampleHint('w100')])).toBe(1);
      expect(await journal.lastHint()).toBe(HINTS_KEPT_MAX + 6);
    });

    it.each([0, -1, 1.5, 10_001])('are not listed %d at a time', async (limit) => {
      const journal = await newPlace().open();
      await expect(journal.hintsAfter(0, limit)).rejects.toThrow(/1 to 10000 hints/);
    });

    it('are taken 1,024 at a time', async () => {
      const journal = await newPlace().open();
      const many = Array.from({ length: HINTS_CALL_MAX + 1 }, (_, index) => sampleHint(`w${index}`));
      await expect(journal.addHints(many)).rejects.toThrow(/hints at once/);
      expect(await journal.lastHint()).toBe(0);
    });

    it('from another process neither stop a run nor are lost in a kill -9', async () => {
      const place = newPlace();
      const journal = await place.open({ clock: REAL_CLOCK });
      const writer = await newRun(journal);
      const child = new Child(place, 'hint', 'w');
      children.push(child);
      expect(await child.next()).toBe('ready');
      child.go();
      let last = 0;
      for (let row = 2; row < 52; row++) {
        await writer.append([sampleIntent(row)]);
        const { added, last: newest } = (await child.next()) as { added: number; last: number };
        expect(added).toBe(3);
        last = newest;
      }
      await child.kill();
      for (const said of await child.rest()) last = (said as { last: number }).last;
      const kept = (await journal.hintsAfter(0, 10_000)).map(({ webhook_id }) => webhook_id);
      expect(kept.slice(0, last)).toEqual(Array.from({ length: last }, (_, index) => `w${index + 1}`));
      // Whole calls, and at most one whose answer was cut off.
      expect([last, last + 3]).toContain(kept.length);
      await writer.append([sampleIntent(60)]);
      expect(await entriesOf(journal)).toHaveLength(54);
      expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
    });
  });
}
