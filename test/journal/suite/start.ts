import { describe, expect, it } from 'vitest';
import type { RunCreated } from '../../../src/domain/entry.ts';
import { foldRun } from '../../../src/domain/run/run.ts';
import { isPlannedOnly } from '../../../src/domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../../src/journal/journal.ts';
import { anotherProcess, type Place } from '../place.ts';
import { sampleHeader, samplePlan, sampleRows } from '../samples.ts';
import { entriesOf, newRun, opened, placedOf, placesOf } from './places.ts';

/** A plan of the file `input`, and of a job's period where one is given, whose lease was given back. */
async function planned(journal: Journal, runId: string, input: string, period: string | null = null): Promise<void> {
  const writer = await created(journal, { ...sampleHeader(runId, input), job: period && 'payroll', period });
  await writer.release();
}

async function created(journal: Journal, header: RunCreated, refuseRepeat = true): Promise<RunWriter> {
  const rows = [sampleRows(3), { kind: 'planned' as const, plan: samplePlan(header) }];
  const creating = await journal.createRun({ header, rows, refuseRepeat });
  if (creating.outcome !== 'created') throw new Error(creating.outcome);
  return creating.writer;
}

async function start(journal: Journal, runId: string, refuseRepeat = true) {
  const writer = await opened(journal, runId);
  try {
    const { outcome, ...rest } = await writer.start({ by: 'anna@desk-7', refuseRepeat });
    return outcome === 'started' ? outcome : rest;
  } finally {
    await writer.release();
  }
}

export function startSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('a plan', () => {
    it('forbids nobody to plan or to run the same file', async () => {
      const journal = await newPlace().open();
      await planned(journal, 'R1', 'same');
      await planned(journal, 'R2', 'same');
      const header = sampleHeader('R3', 'same');
      expect(await journal.createRun({ header, rows: [], refuseRepeat: true })).toMatchObject({ outcome: 'created' });
      expect((await journal.listRuns(3)).map(({ isPlanned }) => isPlanned)).toEqual([false, true, true]);
    });

    it('is started once, and then forbids every other of the same file', async () => {
      const journal = await newPlace().open();
      await planned(journal, 'R1', 'same');
      await planned(journal, 'R2', 'same');
      await planned(journal, 'R3', 'another');
      expect(await start(journal, 'R1')).toBe('started');
      expect((await entriesOf(journal, 'R1')).at(-1)).toEqual({ kind: 'started', by: 'anna@desk-7' });
      expect(isPlannedOnly(foldRun(await placedOf(journal, 'R1')))).toBe(false);
      expect(await start(journal, 'R2')).toEqual({ runId: 'R1' });
      expect(isPlannedOnly(foldRun(await placedOf(journal, 'R2')))).toBe(true);
      expect((await journal.listRuns(3)).map(({ isPlanned }) => isPlanned)).toEqual([true, true, false]);
      const header = sampleHeader('R4', 'same');
      expect(await journal.createRun({ header, rows: [], refuseRepeat: true })).toEqual({
        outcome: 'repeats',
        runId: 'R1',
      });
      expect(await start(journal, 'R3')).toBe('started');
      await expect(start(journal, 'R1')).rejects.toThrow(/no plan that waits/);
    });

    it('is not started where the file was run meanwhile, unless a person allows it', async () => {
      const journal = await newPlace().open();
      await planned(journal, 'R1', 'same');
      await newRun(journal, 'R2', 'same');
      expect(await start(journal, 'R1')).toEqual({ runId: 'R2' });
      expect(await start(journal, 'R1', false)).toBe('started');
    });

    it('is not forbidden by a rehearsal where it moves money, nor the other way round, but at the service that says both', async () => {
      const journal = await newPlace().open();
      const create = async (runId: string, about: Pick<RunCreated, 'rehearsal' | 'scope'>) => {
        const header = { ...sampleHeader(runId, 'same'), ...about, job: 'payroll', period: '2026-11' };
        const creating = await journal.createRun({ header, rows: [], refuseRepeat: true });
        if (creating.outcome === 'created') await creating.writer.release();
        return 'runId' in creating ? creating.runId : creating.outcome;
      };
      await planned(journal, 'P1', 'same', '2026-11');
      expect(await create('R1', { rehearsal: false, scope: 'bank|key' })).toBe('created');
      expect(await start(journal, 'P1')).toBe('started');
      expect(await create('R2', { rehearsal: false, scope: 'another|key' })).toBe('R1');
      expect(await create('R3', { rehearsal: true, scope: 'another|key' })).toBe('P1');
      expect(await create('R4', { rehearsal: true, scope: 'bank|key' })).toBe('R1');
    });

    it('is not started, nor another run created, where more runs were started than whoever looked at them saw', async () => {
      const place = newPlace();
      const journal = await place.open();
      const other = await place.open({ process: anotherProcess(2) });
      await planned(journal, 'R1', 'one');
      await planned(journal, 'R2', 'two');
      const seen = await journal.startedRuns();
      expect(seen).toBe(0);
      const writer = await opened(journal, 'R1');
      expect(await start(other, 'R2')).toBe('started');
      expect(await writer.start({ by: 'anna', refuseRepeat: true, seen })).toEqual({ outcome: 'moved' });
      const create = (runId: string, now: number) =>
        journal.createRun({ header: sampleHeader(runId, runId), rows: [], refuseRepeat: true, seen: now });
      expect(await create('R3', seen)).toEqual({ outcome: 'moved' });
      expect(await journal.head('R3')).toBeNull();
      expect(await create('R3', seen + 1)).toMatchObject({ outcome: 'created' });
      expect(await writer.start({ by: 'anna', refuseRepeat: true, seen: seen + 1 })).toEqual({ outcome: 'moved' });
      expect(isPlannedOnly(foldRun(await placedOf(journal, 'R1')))).toBe(true);
      const also = [{ kind: 'not_submitted' as const, row: 2, code: 'cooling_off', message: '' }];
      const started = await writer.start({ by: 'anna', refuseRepeat: true, seen: await journal.startedRuns(), also });
      expect(started).toMatchObject({ outcome: 'started' });
      expect((await entriesOf(journal, 'R1')).slice(-2)).toEqual([{ kind: 'started', by: 'anna' }, ...also]);
    });

    it('is not started while a process works on another run of its job, which a plan that waits is not', async () => {
      const place = newPlace();
      const journal = await place.open();
      const other = await place.open({ process: anotherProcess(2) });
      await planned(journal, 'R1', 'one', '2026-10');
      await planned(journal, 'R2', 'two', '2026-11');
      const [writer, working] = [await opened(journal, 'R1'), await opened(other, 'R2')];
      expect(await working.start({ by: 'ben', refuseRepeat: true })).toMatchObject({ outcome: 'started' });
      expect(await writer.start({ by: 'anna', refuseRepeat: true })).toMatchObject({
        outcome: 'job_held',
        runId: 'R2',
      });
      await working.release();
      expect(await writer.start({ by: 'anna', refuseRepeat: true })).toMatchObject({ outcome: 'started' });
    });

    it('is not started where its lease was taken', async () => {
      const place = newPlace();
      const journal = await place.open({ isAlive: () => false });
      await planned(journal, 'R1', 'same');
      const deposed = await opened(journal, 'R1');
      await opened(await place.open({ isAlive: () => false }), 'R1');
      await expect(deposed.start({ by: 'anna', refuseRepeat: true })).rejects.toThrow(/was taken/);
      expect(isPlannedOnly(foldRun(await placedOf(journal, 'R1')))).toBe(true);
    });
  });

  describe('a period of a job', () => {
    it('is paid by one run, whatever its file', async () => {
      const journal = await newPlace().open();
      await planned(journal, 'R1', 'one', '2026-11');
      await planned(journal, 'R2', 'two', '2026-11');
      await planned(journal, 'R3', 'three', '2026-12');
      expect(await start(journal, 'R1')).toBe('started');
      expect(await start(journal, 'R2')).toEqual({ runId: 'R1' });
      expect(await start(journal, 'R3')).toBe('started');
      expect((await journal.runsOfPeriod('payroll', '2026-11')).map(({ run_id }) => run_id)).toEqual(['R1']);
      expect(await journal.runsOfPeriod('another', '2026-11')).toEqual([]);
    });

    it('is nothing to runs of the same period of another job, or of none', async () => {
      const journal = await newPlace().open();
      await planned(journal, 'R1', 'one', '2026-11');
      expect(await start(journal, 'R1')).toBe('started');
      const other = { ...sampleHeader('R2', 'two'), job: 'suppliers', period: '2026-11' };
      const none = { ...sampleHeader('R3', 'three'), job: null, period: '2026-11' };
      for (const header of [other, none])
        expect(await journal.createRun({ header, rows: [], refuseRepeat: true })).toMatchObject({ outcome: 'created' });
    });
  });
}
