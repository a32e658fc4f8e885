import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import { applyToRun } from '../../../src/domain/run/run.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { foldPages } from '../../../src/journal/pages.ts';
import { cases } from '../../support/cases.ts';
import { anyHistory, nextEntry, type Step } from '../any-history.ts';
import { postgresPlaces } from '../postgres-place.ts';
import { sampleHeader, samplePlan } from '../samples.ts';
import { placedOf, placesOf } from '../suite/places.ts';
import {
  contentOf,
  move,
  newRunOf,
  postgresUrlPlace,
  REAL,
  soundness,
  sqliteUrlPlace,
  type UrlPlace,
} from './journals.ts';

const newSqlite = placesOf(sqliteUrlPlace);
const newPostgres = placesOf(postgresUrlPlace(postgresPlaces(1)));

/** Runs that are written by turns, one of them from a plan on. */
async function write(journal: Journal, histories: readonly Step[][]): Promise<void> {
  const writing = histories.map(async (steps, at) => {
    const runId = `R${at + 1}`;
    const plan = samplePlan(sampleHeader(runId, runId.padEnd(64, '0')));
    const writer = await newRunOf(journal, runId, at === 0 ? [{ kind: 'planned', plan }] : []);
    const run = await foldPages(journal.readRun(runId));
    const given: Entry[] = [];
    for (const step of steps) {
      const entry = nextEntry(run, step);
      if (entry === null) continue;
      applyToRun(run, entry, 1);
      if (entry.kind !== 'started') given.push(entry);
      if (step.next !== 'nothing' || entry.kind === 'started') await writer.append(given.splice(0));
      if (entry.kind === 'started') await writer.start({ by: entry.by, refuseRepeat: false });
    }
    await writer.append(given);
    await writer.release();
  });
  await Promise.all(writing);
}

async function allOf(place: UrlPlace) {
  const journal = await place.open(REAL);
  const content = await contentOf(journal);
  const entries = [];
  for (const { runId } of content.heads) entries.push(await placedOf(journal, runId));
  const sound = await soundness(journal, content.heads);
  await journal.close();
  return { ...content, entries, sound };
}

it('a journal, whatever is in it, is the same entry for entry after a move to a database and back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyHistory, { minLength: 1, maxLength: 3 }), async (histories) => {
      const [first, between, last] = [newSqlite(), newPostgres(), newSqlite()];
      const journal = await first.open(REAL);
      await write(journal, histories);
      await journal.close();
      const before = await allOf(first);
      expect(before.sound).toEqual({ verified: histories.map(() => true), faults: [] });
      expect(await move(first, between)).toMatchObject({ outcome: 'moved' });
      expect(await allOf(between)).toEqual(before);
      expect(await move(between, last)).toMatchObject({ outcome: 'moved' });
      expect(await allOf(last)).toEqual(before);
      for (const place of [first, between, last]) await place.remove();
    }),
    { numRuns: cases(2, 60) },
  );
});
