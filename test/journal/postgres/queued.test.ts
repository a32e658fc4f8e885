import { describe, expect, it } from 'vitest';
import type { QueuedRuns } from '../../../src/journal/queued-run.ts';
import { anotherProcess, ManualClock } from '../place.ts';
import { postgresPlaces } from '../postgres-place.ts';
import { sampleHeader } from '../samples.ts';
import { newRun, placesOf } from '../suite/places.ts';

const newPlace = placesOf(postgresPlaces(1));

const TASK = { person: 'Ana', resubmitAbsent: false };

function queuedOf({ queued }: { queued: QueuedRuns | null }): QueuedRuns {
  if (queued === null) throw new Error('nothing can be left to workers');
  return queued;
}

async function dueIds(queued: QueuedRuns): Promise<string[]> {
  return (await queued.due()).map(({ runId }) => runId);
}

describe('the runs that are left to workers', () => {
  it('are due once nobody holds them, until they are removed', async () => {
    const place = newPlace();
    const clock = new ManualClock();
    const journal = await place.open({ clock });
    const created = await journal.createRun({
      header: sampleHeader('R1'),
      rows: [],
      refuseRepeat: false,
      queued: TASK,
    });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    const queued = queuedOf(journal);
    expect(await dueIds(queued)).toEqual([]);
    expect(await queued.find('R1')).toEqual({
      ...{ runId: 'R1', task: TASK, queuedAt: clock.now, tries: 0, dueAt: clock.now, isDue: true, why: null },
    });
    await created.writer.release();
    expect(await dueIds(queued)).toEqual(['R1']);
    expect((await queued.list()).map(({ runId }) => runId)).toEqual(['R1']);
    await queued.remove('R1');
    expect(await dueIds(queued)).toEqual([]);
    expect(await queued.find('R1')).toBe(null);
  });

  it('are due when the lease of their worker has run out, by the clock of the database', async () => {
    const place = newPlace();
    const clock = new ManualClock();
    const journal = await place.open({ clock, process: anotherProcess(1), leaseMs: 30_000 });
    await newRun(journal);
    const queued = queuedOf(await place.open({ clock, process: anotherProcess(2) }));
    await queued.add('R1', TASK);
    await place.pass(clock, 29_999);
    expect(await dueIds(queued)).toEqual([]);
    await place.pass(clock, 1);
    expect(await dueIds(queued)).toEqual(['R1']);
  });

  it('are due at once where the process of their worker is gone from this host', async () => {
    const place = newPlace();
    await newRun(await place.open({ process: anotherProcess(1) }));
    const queued = queuedOf(await place.open({ process: anotherProcess(2), isAlive: () => false }));
    await queued.add('R1', TASK);
    expect(await dueIds(queued)).toEqual(['R1']);
  });

  it('rest after a worker had to leave them, and are given up where none is to try again', async () => {
    const place = newPlace();
    const clock = new ManualClock();
    const journal = await place.open({ clock });
    await (await newRun(journal)).release();
    const queued = queuedOf(journal);
    await queued.add('R1', TASK);
    const why = { code: 'run_paused', runId: 'R1' } as const;
    await queued.leave('R1', why, 5_000);
    expect(await queued.find('R1')).toMatchObject({ tries: 1, dueAt: clock.now + 5_000, isDue: false, why });
    await place.pass(clock, 5_000);
    expect(await dueIds(queued)).toEqual(['R1']);
    await queued.leave('R1', why, null);
    expect(await queued.find('R1')).toMatchObject({ tries: 2, dueAt: null, isDue: false });
    await place.pass(clock, 1_000_000);
    expect(await dueIds(queued)).toEqual([]);
    // Left to them again, it begins anew.
    await queued.add('R1', TASK);
    expect(await queued.find('R1')).toMatchObject({ tries: 0, isDue: true, why: null });
  });
});
