import { describe, expect, it } from 'vitest';
import { Bug } from '../../../src/domain/refusal.ts';
import { Deposed, JournalDamaged } from '../../../src/journal/journal.ts';
import { anotherProcess, ManualClock, type Place } from '../place.ts';
import { sampleHeader, sampleIntent } from '../samples.ts';
import { entriesOf, newRun, opened, placedOf, placesOf } from './places.ts';

const LEASE_MS = 30_000;

export function leaseSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('the lease', () => {
    it('of a living process is held, and says by whom and until when', async () => {
      const place = newPlace();
      const clock = new ManualClock();
      const first = await place.open({ clock, process: anotherProcess(1), leaseMs: LEASE_MS });
      await newRun(first);
      const second = await place.open({ clock, process: anotherProcess(2), leaseMs: LEASE_MS });
      await place.pass(clock, LEASE_MS - 1);
      const before = await placedOf(second);
      const holder = { ...anotherProcess(1), expires_at: clock.now + 1 };
      expect(await second.openRun('R1')).toEqual({ outcome: 'held', holder });
      expect(await placedOf(second)).toEqual(before);
    });

    it('of a process that is gone is taken at once, and its epoch rises', async () => {
      const place = newPlace();
      const clock = new ManualClock();
      await newRun(await place.open({ clock, process: anotherProcess(1) }));
      const asked: unknown[] = [];
      const isAlive = (holder: unknown) => {
        asked.push(holder);
        return false;
      };
      const second = await place.open({ clock, process: anotherProcess(2), isAlive, leaseMs: LEASE_MS });
      const writer = await opened(second);
      expect(asked).toEqual([{ ...anotherProcess(1), expires_at: clock.now + LEASE_MS }]);
      expect(writer.epoch).toBe(2);
      await writer.append([sampleIntent(2)]);
      expect((await placedOf(second)).map(({ epoch }) => epoch)).toEqual([1, 1, 1, 2, 2]);
      const taken = (await entriesOf(second))[3];
      expect(taken).toMatchObject({ kind: 'lease_taken', epoch: 2, holder: expect.stringContaining('"pid":2') });
      expect(await second.verifyRun('R1')).toMatchObject({ ok: true });
    });

    it('that has run out is taken over, and a process that was frozen past it can write nothing', async () => {
      const place = newPlace();
      const clock = new ManualClock();
      const frozen = await newRun(await place.open({ clock, process: anotherProcess(1), leaseMs: LEASE_MS }));
      const beforeFreezing = frozen.append([sampleIntent(2)]);
      await beforeFreezing;
      await place.pass(clock, LEASE_MS);
      const second = await place.open({ clock, process: anotherProcess(2), leaseMs: LEASE_MS });
      const writer = await opened(second);
      const before = await placedOf(second);
      const outcomes = await Promise.allSettled([frozen.append([sampleIntent(3)]), frozen.append([sampleIntent(4)])]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(Deposed) });
      await expect(frozen.renew()).rejects.toThrow(Deposed);
      await expect(frozen.append([])).rejects.toThrow(Deposed);
      await frozen.release();
      expect(await placedOf(second)).toEqual(before);
      await writer.append([sampleIntent(3)]);
      expect(await second.verifyRun('R1')).toMatchObject({ ok: true, entries: before.length + 1 });
    });

    it('stays lost for a deposed writer even when the new holder gives it back', async () => {
      const place = newPlace();
      const deposed = await newRun(await place.open({ process: anotherProcess(1) }));
      const second = await place.open({ process: anotherProcess(2), isAlive: () => false });
      await (await opened(second)).release();
      await expect(deposed.append([sampleIntent(2)])).rejects.toThrow(Deposed);
      expect(deposed.holds()).toBe(false);
      await expect(deposed.append([sampleIntent(2)])).rejects.toThrow(Deposed);
      expect(await entriesOf(second)).toHaveLength(4);
    });

    it('of the same epoch but of another process is not ours: an old backup was put back', async () => {
      const place = newPlace();
      const stale = await newRun(await place.open({ process: anotherProcess(1) }));
      await opened(await place.open({ process: anotherProcess(2), isAlive: () => false }));
      await place.tamper.setLease('R1', 'epoch', 1);
      await expect(stale.append([sampleIntent(2)])).rejects.toThrow(Deposed);
    });

    it('of the same epoch and process but another taking is not ours: an older copy gave the epoch out again', async () => {
      const place = newPlace();
      const journal = await place.open();
      const stale = await newRun(journal);
      // Both copies were taken at epoch 2 by the one process, and went on from the same entry.
      await stale.release();
      const before = await place.tamper.entry('R1', 3);
      const writer = await opened(journal);
      const [, , , taken] = await placedOf(journal);
      await place.tamper.deleteEntry('R1', 4);
      await place.tamper.setRun('R1', 'head_n', 3);
      await place.tamper.setRun('R1', 'head_hash', before.hash as Uint8Array);
      await place.tamper.setLease('R1', 'epoch', 1);
      await place.tamper.setLease('R1', 'holder', null);
      const again = await opened(journal);
      expect(again.epoch).toBe(writer.epoch);
      await expect(writer.append([sampleIntent(2)])).rejects.toMatchObject({ name: 'Deposed', why: 'taken' });
      await again.append([sampleIntent(2)]);
      const [, , , takenAgain] = await placedOf(journal);
      expect(takenAgain?.entry).toMatchObject({ kind: 'lease_taken', epoch: 2, lease_id: expect.any(String) });
      expect(takenAgain?.entry).not.toEqual(taken?.entry);
      expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
    });

    it('that one process took twice is good for the second writer only, and dead for the first for ever', async () => {
      const place = newPlace();
      const journal = await place.open({ isAlive: () => false });
      const first = await newRun(journal);
      const second = await opened(journal);
      await expect(first.append([sampleIntent(2)])).rejects.toThrow(Deposed);
      await second.append([sampleIntent(2)]);
      await place.tamper.setLease('R1', 'epoch', 1);
      await expect(first.append([sampleIntent(2)])).rejects.toThrow(Deposed);
      expect(await entriesOf(journal)).toHaveLength(5);
    });

    it('does not save a writer whose run was put back to an earlier state', async () => {
      const place = newPlace();
      const journal = await place.open();
      const writer = await newRun(journal);
      const { hash } = await place.tamper.entry('R1', 3);
      await writer.append([sampleIntent(2)]);
      await place.tamper.deleteEntry('R1', 4);
      await place.tamper.setRun('R1', 'head_n', 3);
      await place.tamper.setRun('R1', 'head_hash', hash as Uint8Array);
      await expect(writer.append([sampleIntent(3)])).rejects.toThrow(JournalDamaged);
      expect(await entriesOf(journal)).toHaveLength(3);
    });

    it('is put off by appends once less than two thirds of it are left', async () => {
      const place = newPlace();
      const clock = new ManualClock();
      const writer = await newRun(await place.open({ clock, process: anotherProcess(1), leaseMs: LEASE_MS }));
      const second = await place.open({ clock, process: anotherProcess(2), leaseMs: LEASE_MS });
      const end = async () => {
        const opening = await second.openRun('R1');
        return opening.outcome === 'held' ? opening.holder.expires_at : null;
      };
      const start = clock.now;
      await place.pass(clock, LEASE_MS / 3);
      await writer.append([sampleIntent(2)]);
      expect(await end()).toBe(start + LEASE_MS);
      await place.pass(clock, 1);
      await writer.append([sampleIntent(3)]);
      expect(await end()).toBe(clock.now + LEASE_MS);
      await place.pass(clock, 1);
      await writer.renew();
      expect(await end()).toBe(clock.now + LEASE_MS);
    });

    it('that ran out but was not taken still stands, because only the epoch protects the run', async () => {
      const clock = new ManualClock();
      const place = newPlace();
      const journal = await place.open({ clock, leaseMs: LEASE_MS });
      const writer = await newRun(journal);
      await place.pass(clock, 10 * LEASE_MS);
      await writer.append([sampleIntent(2)]);
      expect(await entriesOf(journal)).toHaveLength(4);
    });

    it('is free for the next process once it was given back, after what waits is committed', async () => {
      const place = newPlace();
      const writer = await newRun(await place.open({ process: anotherProcess(1) }));
      const [at] = await Promise.all([writer.append([sampleIntent(2)]), writer.release(), writer.release()]);
      expect(at).toBeTypeOf('number');
      await writer.release();
      const second = await place.open({ process: anotherProcess(2) });
      expect((await opened(second)).epoch).toBe(2);
      expect(await entriesOf(second)).toHaveLength(5);
    });

    it('that was given back allows no append, in the same turn or later', async () => {
      const journal = await newPlace().open();
      const writer = await newRun(journal);
      const released = writer.release();
      await expect(writer.append([sampleIntent(2)])).rejects.toThrow(Bug);
      await released;
      await expect(writer.append([sampleIntent(2)])).rejects.toThrow(Bug);
      expect(await entriesOf(journal)).toHaveLength(3);
    });

    it('of an unknown run is not there', async () => {
      const journal = await newPlace().open();
      expect(await journal.openRun('R9')).toEqual({ outcome: 'unknown' });
    });

    it('of a run whose end was cut off is not given: what was cut would be paid again', async () => {
      const place = newPlace();
      const journal = await place.open({ isAlive: () => false });
      const writer = await newRun(journal);
      await writer.append([sampleIntent(2)]);
      await place.tamper.deleteEntry('R1', 4);
      await expect(journal.openRun('R1')).rejects.toThrow(JournalDamaged);
      await expect(placedOf(journal)).rejects.toThrow(JournalDamaged);
    });
  });

  describe('the same job', () => {
    const ofJob = (runId: string, job: string | null) => ({
      header: { ...sampleHeader(runId, runId), job },
      rows: [],
      refuseRepeat: true,
    });

    it('is held while a living process holds one of its runs, and nothing is written', async () => {
      const place = newPlace();
      const clock = new ManualClock();
      const first = await place.open({ clock, process: anotherProcess(1), leaseMs: LEASE_MS });
      const creating = await first.createRun(ofJob('R1', 'pay'));
      const second = await place.open({ clock, process: anotherProcess(2), leaseMs: LEASE_MS });
      const holder = { ...anotherProcess(1), expires_at: clock.now + LEASE_MS };
      expect(await second.jobHolder('pay')).toEqual({ runId: 'R1', holder });
      expect(await second.jobHolder('rent')).toBe(null);
      expect(await second.createRun(ofJob('R2', 'pay'))).toEqual({ outcome: 'job_held', runId: 'R1', holder });
      expect(await second.listRuns(10)).toHaveLength(1);
      expect(await second.createRun(ofJob('R3', 'rent'))).toMatchObject({ outcome: 'created' });
      expect(await second.createRun(ofJob('R4', null))).toMatchObject({ outcome: 'created' });
      if (creating.outcome === 'created') await creating.writer.release();
      expect(await second.jobHolder('pay')).toBe(null);
      expect(await second.createRun(ofJob('R5', 'pay'))).toMatchObject({ outcome: 'created' });
    });

    it('is free where the process that held it is gone, or its lease has run out', async () => {
      const place = newPlace();
      const clock = new ManualClock();
      const first = await place.open({ clock, process: anotherProcess(1), leaseMs: LEASE_MS });
      await first.createRun(ofJob('R1', 'pay'));
      const gone = await place.open({ clock, process: anotherProcess(2), isAlive: () => false, leaseMs: LEASE_MS });
      expect(await gone.jobHolder('pay')).toBe(null);
      const second = await place.open({ clock, process: anotherProcess(3), leaseMs: LEASE_MS });
      expect(await second.jobHolder('pay')).not.toBe(null);
      await place.pass(clock, LEASE_MS);
      expect(await second.jobHolder('pay')).toBe(null);
    });
  });

  describe('the same input', () => {
    it('is refused with the newest earlier run, and nothing is written', async () => {
      const journal = await newPlace().open();
      for (const runId of ['R1', 'R2']) await newRun(journal, runId, 'same');
      await newRun(journal, 'R3', 'another');
      const repeat = { header: sampleHeader('R4', 'same'), rows: [], refuseRepeat: true };
      expect(await journal.createRun(repeat)).toEqual({ outcome: 'repeats', runId: 'R2' });
      expect(await journal.listRuns(10)).toHaveLength(3);
      expect(await placedOf(journal, 'R4')).toEqual([]);
      expect(await journal.createRun({ ...repeat, refuseRepeat: false })).toMatchObject({ outcome: 'created' });
    });
  });
}
