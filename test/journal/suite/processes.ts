import { afterEach, describe, expect, it } from 'vitest';
import { identifyProcess, isProcessAlive } from '../../../src/journal/process-identity.ts';
import { Child } from '../children.ts';
import { type Place, REAL_CLOCK } from '../place.ts';
import { CHILD_ROWS_ENTRIES } from '../samples.ts';
import { entriesOf, newRun, opened, placesOf } from './places.ts';

/** Tests with real processes, so they are about what the disk and the kernel do and not about our idea of them. */
export function processSuite(create: () => Place): void {
  const newPlace = placesOf(create);
  const children: Child[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill();
  });

  async function child(...parameters: ConstructorParameters<typeof Child>): Promise<Child> {
    const started = new Child(...parameters);
    children.push(started);
    expect(await started.next()).toBe('ready');
    return started;
  }

  describe('with several processes', () => {
    it.each([1, 10, 300])('keeps what was acknowledged before a kill -9 after %i acknowledgements', async (count) => {
      const place = newPlace();
      const journal = await place.open({ clock: REAL_CLOCK, process: identifyProcess(), isAlive: isProcessAlive });
      await (await newRun(journal)).release();
      const appending = await child(place, 'append', 'R1');
      appending.go();
      const acknowledged: unknown[] = [];
      for (let i = 0; i < count; i++) acknowledged.push(await appending.next());
      expect(await journal.openRun('R1')).toMatchObject({ outcome: 'held' });
      await appending.kill();
      acknowledged.push(...(await appending.rest()));

      // Its lease has most of its time left, but the process is gone.
      const writer = await opened(journal);
      expect(writer.epoch).toBe(3);
      const rows = (await entriesOf(journal)).flatMap((entry) => (entry.kind === 'intent' ? [entry.row] : []));
      expect(rows.slice(0, acknowledged.length)).toEqual(acknowledged);
      // At most one group was committed whose acknowledgement was cut off.
      expect(rows.length - acknowledged.length).toBeLessThanOrEqual(3);
      expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
    });

    it.each([0, 1, 3])('leaves a run whole or not there when its creation is cut off, after %i runs', async (count) => {
      const place = newPlace();
      const creating = await child(place, 'create-many', '');
      creating.go();
      const said: unknown[] = [await creating.next()];
      for (let i = 0; i < count; i++) said.push(await creating.next());
      await creating.kill();
      said.push(...(await creating.rest()));
      const journal = await place.open();
      const created = await journal.listRuns(1_000);
      // What was said is there; of the run that was being created, all or nothing.
      expect(said.slice(1)).toEqual(
        created
          .map(({ run_id }) => run_id)
          .toReversed()
          .slice(0, said.length - 1),
      );
      expect(created.length - (said.length - 1)).toBeLessThanOrEqual(1);
      for (const run of created) {
        expect(run.entries).toBe(2 + CHILD_ROWS_ENTRIES);
        expect(await journal.verifyRun(run.run_id)).toMatchObject({ ok: true, entries: 2 + CHILD_ROWS_ENTRIES });
      }
    });

    it('gives a lease to one of those that want it at once', async () => {
      const place = newPlace();
      const journal = await place.open();
      await (await newRun(journal)).release();
      const racing = await Promise.all(Array.from({ length: 4 }, () => child(place, 'open', 'R1')));
      for (const each of racing) each.go();
      const outcomes = await Promise.all(racing.map((each) => each.next()));
      expect(outcomes.toSorted()).toEqual(['held', 'held', 'held', 'opened']);
      expect((await entriesOf(journal)).map(({ kind }) => kind).slice(3)).toEqual(['lease_taken', 'intent']);
    });

    it('creates one run when several start the same input at once, in a journal that none has made yet', async () => {
      const place = newPlace();
      const ids = ['R1', 'R2', 'R3', 'R4'];
      const racing = await Promise.all(ids.map((runId) => child(place, 'create', runId)));
      for (const each of racing) each.go();
      const outcomes = (await Promise.all(racing.map((each) => each.next()))) as Record<string, string>[];
      const created = outcomes.flatMap((outcome) => outcome.created ?? []);
      expect(created).toHaveLength(1);
      expect(outcomes.filter(({ repeats }) => repeats === created[0])).toHaveLength(3);
      const journal = await place.open();
      expect((await journal.listRuns(10)).map(({ run_id }) => run_id)).toEqual(created);
      expect(await entriesOf(journal, created[0])).toHaveLength(3);
    });
  });
}
