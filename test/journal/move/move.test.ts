import { describe, expect, it } from 'vitest';
import { Deposed } from '../../../src/journal/journal.ts';
import { anotherProcess } from '../place.ts';
import { postgresPlaces } from '../postgres-place.ts';
import { endedPayout, sampleIntent } from '../samples.ts';
import { opened, placesOf } from '../suite/places.ts';
import {
  contentOf,
  keep,
  move,
  mover,
  newPlan,
  newRunOf,
  postgresUrlPlace,
  REAL,
  reasonOf,
  soundness,
  sqliteUrlPlace,
  type UrlPlace,
  writeByTurns,
} from './journals.ts';

const newSqlite = placesOf(sqliteUrlPlace);
const newPostgres = placesOf(postgresUrlPlace(postgresPlaces(2)));

const KINDS: [string, () => UrlPlace, () => UrlPlace][] = [
  ['SQLite to PostgreSQL', newSqlite, newPostgres],
  ['PostgreSQL to SQLite', newPostgres, newSqlite],
  ['one file to another', newSqlite, newSqlite],
  ['one database to another', newPostgres, newPostgres],
];

describe.each(KINDS)('moving runs from %s', (_, newFrom, newTo) => {
  const bothPlaces = () => ({ from: newFrom(), to: newTo() });

  it('brings every entry in its order, who was paid, and what was asked; only the other journal can be written', async () => {
    const { from, to } = bothPlaces();
    const source = await from.open(REAL);
    await writeByTurns(source);
    const paid = await newRunOf(source, 'R3', endedPayout(2));
    await paid.append([sampleIntent(3)]);
    await source.askToPause('R3', 'ben');
    await paid.release();
    await newPlan(source, 'R4');
    await source.askToCancel('R1', 'ana');
    const before = await contentOf(source);
    const moved = await move(from, to);
    expect(moved).toMatchObject({ outcome: 'moved', runs: 4 });
    expect(moved.added).toBe(moved.entries);

    const target = await to.open({ ...REAL, process: anotherProcess(2) });
    expect(await contentOf(target)).toEqual(before);
    expect(before.ensured.at(-1)).toBe('R2 newest');
    expect(before.runs.map(({ isPlanned }) => isPlanned)).toEqual([true, false, false, false]);
    expect(await soundness(target, before.heads)).toEqual({ verified: [true, true, true, true], faults: [] });

    // The process that had it open, and one that opens it now.
    const gone = { code: 'journal_moved' };
    for (const refused of [
      () => newRunOf(source, 'R5'),
      () => source.openRun('R3'),
      () => source.askToCancel('R2', 'ana'),
      () => source.askToPause('R2', 'ana'),
      () => from.open(REAL),
    ])
      expect(await reasonOf(refused())).toMatchObject(gone);
    expect(await contentOf(source)).toEqual(before);
    // What a process that wrote there sent a moment ago may be under way.
    const writer = await opened(target, 'R3');
    expect(writer.mayHaveCompany).toBe(true);
    await writer.append(endedPayout(4));
    await writer.release();
    expect(await target.verifyRun('R3')).toMatchObject({ ok: true });
    // A second call finds all of it there.
    expect(await move(from, to)).toMatchObject({ outcome: 'moved', runs: 4, added: 0 });
  });

  it('is refused while a run is held, in either journal, with the run and its holder; nothing is changed', async () => {
    const { from, to } = bothPlaces();
    const living = { ...REAL, isAlive: () => true };
    const [source, target] = [await from.open(living), await to.open({ ...living, process: anotherProcess(2) })];
    const alive = mover(50, () => true);
    const held = await newRunOf(source, 'R1');
    expect(await reasonOf(move(from, to, { as: alive }))).toMatchObject({
      code: 'journal_in_use',
      held: [{ runId: 'R1', holder: { pid: 1, host: 'host' } }],
    });
    await held.append([sampleIntent(2)]);
    await held.release();
    const other = await newRunOf(target, 'R2');
    expect(await reasonOf(move(from, to, { as: alive }))).toMatchObject({
      code: 'journal_in_use',
      held: [{ runId: 'R2', holder: { pid: 2, host: 'host' } }],
    });
    await other.append([sampleIntent(2)]);
    await other.release();
    await (await opened(source, 'R1')).release();
    expect(await move(from, to, { as: alive })).toMatchObject({ outcome: 'moved', runs: 1 });
    expect((await target.heads()).map(({ runId }) => runId)).toEqual(['R2', 'R1']);
    expect((await contentOf(target)).runs).toHaveLength(2);
  });

  it('takes the lease of a process that stood still, which then can neither write nor send', async () => {
    const { from, to } = bothPlaces();
    const frozen = await newRunOf(await from.open({ ...REAL, isAlive: () => true }), 'R1');
    expect(await move(from, to)).toMatchObject({ outcome: 'moved' });
    await expect(frozen.append([sampleIntent(2)])).rejects.toThrow(Deposed);
    expect(frozen.holds()).toBe(false);
  });

  it('that was cut off after any page is gone on with, and meanwhile neither journal can be written', async () => {
    const { from, to } = bothPlaces();
    const source = await from.open(REAL);
    await writeByTurns(source);
    await (
      await newRunOf(
        source,
        'R3',
        [2, 3, 4].flatMap((row) => endedPayout(row)),
      )
    ).release();
    const before = await contentOf(source);
    let entries = 0;
    for (let cut = 0; ; cut++) {
      const stop = new AbortController();
      let steps = 0;
      const outcome = await move(from, to, {
        stop: stop.signal,
        onProgress({ step }) {
          if (step !== 'proving_source' && steps++ === cut) stop.abort();
        },
      });
      entries += outcome.added;
      if (outcome.outcome === 'moved') break;
      expect(await reasonOf(from.open(REAL))).toMatchObject({ code: 'journal_half_moved', state: 'leaving' });
      expect(await reasonOf(to.open(REAL))).toMatchObject({ code: 'journal_half_moved', state: 'arriving' });
      expect(await reasonOf(source.openRun('R1'))).toMatchObject({ code: 'journal_half_moved' });
    }
    expect(entries).toBe(before.heads.reduce((sum, { n }) => sum + n, 0));
    expect(await contentOf(await to.open(REAL))).toEqual(before);
  });

  it('can be given up when it was cut off: the one is in use again, the other stays closed, and a later move goes on', async () => {
    const { from, to } = bothPlaces();
    const source = await from.open(REAL);
    await writeByTurns(source);
    const stop = new AbortController();
    const cut = await move(from, to, {
      stop: stop.signal,
      onProgress: ({ step }) => step === 'copying' && stop.abort(),
    });
    expect(cut.outcome).toBe('interrupted');
    await keep(from);
    expect(await reasonOf(keep(from))).toMatchObject({ code: 'journal_not_moving' });
    expect(await reasonOf(to.open(REAL))).toMatchObject({ code: 'journal_half_moved', state: 'arriving' });
    const writer = await opened(source, 'R1');
    expect(writer.mayHaveCompany).toBe(true);
    await writer.append([sampleIntent(2)]);
    await writer.release();
    expect(await move(from, to)).toMatchObject({ outcome: 'moved' });
    expect(await contentOf(await to.open(REAL))).toEqual(await contentOf(source));
    expect(await reasonOf(keep(from))).toMatchObject({ code: 'journal_moved' });
  });

  it('goes back with what was written meanwhile', async () => {
    const { from, to } = bothPlaces();
    await writeByTurns(await from.open(REAL));
    await move(from, to);
    const target = await to.open(REAL);
    const writer = await opened(target, 'R1');
    await writer.append([sampleIntent(2)]);
    await writer.release();
    await (await newRunOf(target, 'R9')).release();
    const content = await contentOf(target);
    expect(await move(to, from)).toMatchObject({ outcome: 'moved', runs: 3 });
    const source = await from.open(REAL);
    expect(await contentOf(source)).toEqual(content);
    expect(await reasonOf(target.openRun('R1'))).toMatchObject({ code: 'journal_moved' });
    expect((await opened(source, 'R9')).epoch).toBe(2);
  });

  it('is refused where the other journal has a run with other entries, and both are as they were', async () => {
    const { from, to } = bothPlaces();
    const [source, target] = [await from.open(REAL), await to.open(REAL)];
    for (const journal of [source, target]) await (await newRunOf(journal, 'R1')).release();
    expect(await reasonOf(move(from, to))).toMatchObject({
      code: 'journal_other_chain',
      runId: 'R1',
      isNewer: false,
    });
    for (const journal of [source, target]) await (await opened(journal, 'R1')).append([sampleIntent(2)]);
  });
});
