import { describe, expect, it } from 'vitest';
import { ManualClock, type Place } from '../place.ts';
import { sampleIntent } from '../samples.ts';
import { entriesOf, newRun, placesOf } from './places.ts';

export function cancelSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('asking to cancel a run', () => {
    it('needs no lease, is seen by its holder and by whoever opens the journal later, and changes no run', async () => {
      const place = newPlace();
      const [running, asking] = [await place.open(), await place.open()];
      const writer = await newRun(running, 'R1');
      await newRun(running, 'R2');
      const head = await running.head('R1');
      expect(await running.cancelAsked('R1')).toBeNull();
      await asking.askToCancel('R1', 'ana');
      expect(await running.cancelAsked('R1')).toBe('ana');
      expect(await running.cancelAsked('R2')).toBeNull();
      expect(await running.head('R1')).toEqual(head);
      await writer.append([sampleIntent(2)]);
      expect(await entriesOf(running)).toHaveLength(4);
      expect(await running.verifyRun('R1')).toMatchObject({ ok: true });
      await asking.close();
      await running.close();
      expect(await (await place.open()).cancelAsked('R1')).toBe('ana');
    });

    it('a second time writes nothing: the first to ask stays', async () => {
      const place = newPlace();
      const journal = await place.open();
      await newRun(journal);
      await journal.askToCancel('R1', 'ana');
      const before = await place.commits();
      await journal.askToCancel('R1', 'ben');
      expect(await journal.cancelAsked('R1')).toBe('ana');
      expect(await place.commits()).toBe(before);
    });

    it('is one commit', async () => {
      const place = newPlace();
      const journal = await place.open();
      await newRun(journal);
      const before = await place.commits();
      await journal.askToCancel('R1', 'ana');
      expect(await place.commits()).toBe(before + 1);
    });

    it('is a bug where there is no such run, and nobody has asked', async () => {
      const journal = await newPlace().open();
      expect(await journal.cancelAsked('R9')).toBeNull();
      await expect(journal.askToCancel('R9', 'ana')).rejects.toThrow(/no run R9/);
    });
  });

  describe('asking to pause a run', () => {
    it('needs no lease, is seen by its holder, and changes no run; the first to ask stays', async () => {
      const place = newPlace();
      const [running, asking] = [await place.open(), await place.open()];
      await newRun(running, 'R1');
      await newRun(running, 'R2');
      const head = await running.head('R1');
      expect(await running.pauseAsked('R1')).toBeNull();
      await asking.askToPause('R1', 'ana');
      const before = await place.commits();
      await asking.askToPause('R1', 'ben');
      expect(await place.commits()).toBe(before);
      expect(await running.pauseAsked('R1')).toBe('ana');
      expect(await running.pauseAsked('R2')).toBeNull();
      expect(await running.head('R1')).toEqual(head);
    });

    it('is meant for the holder of that time: whoever takes the run up later was asked nothing, and can be', async () => {
      const journal = await newPlace().open();
      const writer = await newRun(journal, 'R1');
      await journal.askToPause('R1', 'ana');
      await writer.release();
      expect(await journal.pauseAsked('R1')).toBe('ana');
      const opened = await journal.openRun('R1');
      expect(opened.outcome).toBe('opened');
      expect(await journal.pauseAsked('R1')).toBeNull();
      await journal.askToPause('R1', 'ben');
      expect(await journal.pauseAsked('R1')).toBe('ben');
    });

    it('is a bug where there is no such run', async () => {
      const journal = await newPlace().open();
      await expect(journal.askToPause('R9', 'ana')).rejects.toThrow(/no run R9/);
    });
  });

  describe('the newest entry', () => {
    it('is the last over all runs, and none in an empty journal', async () => {
      const clock = new ManualClock();
      const journal = await newPlace().open({ clock });
      expect(await journal.newestEntryAt()).toBeNull();
      const one = await newRun(journal, 'R1');
      await newRun(journal, 'R2');
      clock.now += 1_000;
      const at = await one.append([sampleIntent(2)]);
      expect(await journal.newestEntryAt()).toBe(at);
      expect(at).toBe(clock.now);
    });
  });
}
