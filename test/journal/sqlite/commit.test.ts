import { describe, expect, it } from 'vitest';
import type { EntryKind } from '../../../src/domain/entry.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { CommitUncertain, type Journal, JournalDamaged, JournalUnreadable } from '../../../src/journal/journal.ts';
import { entriesIn } from '../../../src/journal/pages.ts';
import { openJournal } from '../../../src/journal/sqlite/open.ts';
import { machineRandomness } from '../../../src/platform/machine.ts';
import { NOT_A_DATABASE, openDatabase } from '../../../src/platform/sqlite.ts';
import { sqlitePlace } from '../open-sqlite.ts';
import { anotherProcess, ManualClock } from '../place.ts';
import { sampleHeader, sampleIntent } from '../samples.ts';
import { entriesOf, newRun, opened, placesOf } from '../suite/places.ts';
import { CANNOT_OPEN, DISK_FULL, FailingDatabase, type Fault, FSYNC_FAILED, sqliteError } from './failing-database.ts';

const newPlace = placesOf(sqlitePlace) as () => ReturnType<typeof sqlitePlace>;

function openFailing(path: string) {
  const made: FailingDatabase[] = [];
  const journal = openJournal({
    path,
    clock: new ManualClock(),
    randomness: machineRandomness,
    process: anotherProcess(1),
    isAlive: () => true,
    openDatabase(at) {
      const database = new FailingDatabase(at);
      made.push(database);
      return database;
    },
  });
  const [database] = made;
  if (!database) throw new Error('no database was opened');
  return { journal, database };
}

const failCommitBefore: Fault = (sql, run) => {
  if (sql === 'COMMIT') throw sqliteError(FSYNC_FAILED, 'disk I/O error');
  run();
};

const failCommitAfter: Fault = (sql, run) => {
  run();
  if (sql === 'COMMIT') throw sqliteError(FSYNC_FAILED, 'disk I/O error');
};

const failInsert: Fault = (sql, run) => {
  if (sql.startsWith('INSERT INTO entry')) throw sqliteError(DISK_FULL, 'database or disk is full');
  run();
};

describe('a commit that fails', () => {
  it.each([
    ['did not happen', failCommitBefore, []],
    ['happened nevertheless', failCommitAfter, [sampleIntent(2)]],
    ['was not reached, because the disk is full', failInsert, []],
  ])('is uncertain to the writer, and %s', async (_, fault, written) => {
    const place = newPlace();
    const { journal, database } = openFailing(place.path);
    const writer = await newRun(journal);
    database.fault = fault;
    const error = await writer.append([sampleIntent(2)]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CommitUncertain);
    expect((error as Error).cause).toMatchObject({ code: 'ERR_SQLITE_ERROR' });
    database.fault = null;
    await journal.close();

    const next = await place.open({ process: anotherProcess(2), isAlive: () => false });
    await opened(next);
    expect((await entriesOf(next)).slice(3, -1)).toEqual(written);
    expect(await next.verifyRun('R1')).toMatchObject({ ok: true });
  });

  it('ends every call of its group and all that wait behind it, for ever', async () => {
    const place = newPlace();
    const { journal, database } = openFailing(place.path);
    const writer = await newRun(journal);
    database.fault = failCommitBefore;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3_000 }, (_, index) => writer.append([sampleIntent(index + 2)])),
    );
    database.fault = null;
    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(3_000);
    await expect(writer.append([sampleIntent(2)])).rejects.toThrow(CommitUncertain);
    await expect(writer.renew()).rejects.toThrow(CommitUncertain);
    await expect(writer.release()).rejects.toThrow(CommitUncertain);
    expect(await entriesOf(journal)).toHaveLength(3);
  });

  it('ends the other runs of the process too: after a failed fsync nothing the disk says can be believed', async () => {
    const place = newPlace();
    const { journal, database } = openFailing(place.path);
    const [one, two] = [await newRun(journal, 'R1'), await newRun(journal, 'R2')];
    database.fault = failCommitBefore;
    await expect(one.append([sampleIntent(2)])).rejects.toThrow(CommitUncertain);
    database.fault = null;
    await expect(two.append([sampleIntent(2)])).rejects.toThrow(CommitUncertain);
    await expect(journal.openRun('R1')).rejects.toThrow(CommitUncertain);
    await expect(newRun(journal, 'R3')).rejects.toThrow(CommitUncertain);
  });

  it('of a new run is uncertain too', async () => {
    const { journal, database } = openFailing(newPlace().path);
    database.fault = failCommitBefore;
    const creating = journal.createRun({ header: sampleHeader('R1'), rows: [], refuseRepeat: false });
    await expect(creating).rejects.toThrow(CommitUncertain);
    database.fault = null;
    expect(await journal.listRuns(1)).toEqual([]);
  });

  it('lets the next process have the lock while this one is still stopping', async () => {
    const place = newPlace();
    const { journal, database } = openFailing(place.path);
    const writer = await newRun(journal);
    database.fault = failCommitBefore;
    await expect(writer.append([sampleIntent(2)])).rejects.toThrow(CommitUncertain);
    const next = await place.open({ process: anotherProcess(2), isAlive: () => false });
    expect((await opened(next)).epoch).toBe(2);
  });
});

describe('a lock that another process keeps', () => {
  it('ends the writer, and is a refusal where nothing has begun', async () => {
    const place = newPlace();
    const { journal } = openFailing(place.path);
    const writer = await newRun(journal);
    const other = openDatabase(place.path);
    other.exec('BEGIN IMMEDIATE');
    const refusal = await journal.openRun('R1').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ kind: 'held' });
    await expect(writer.append([sampleIntent(2)])).rejects.toThrow(CommitUncertain);
    other.exec('ROLLBACK');
    other.close();
    expect(await journal.openRun('R1')).toMatchObject({ outcome: 'held' });
    expect(await entriesOf(journal)).toHaveLength(3);
  });
});

describe('a read that fails', () => {
  it.each<[string, (journal: Journal) => unknown]>([
    ['whether the run is to be cancelled', (journal) => journal.cancelAsked('R1')],
    ['a run', (journal) => entriesIn(journal.readRun('R1'))],
    ['the runs', (journal) => journal.listRuns(1)],
    ['the entries of a kind', (journal) => entriesIn(journal.readKinds(['ensured']))],
    ['the hints', (journal) => journal.hintsAfter(0, 1)],
    ['who holds it', (journal) => journal.holder('R1')],
  ])('of %s is an error of the journal, and no bug', async (_, read) => {
    const { journal, database } = openFailing(newPlace().path);
    await newRun(journal);
    for (const [errcode, error] of [
      [FSYNC_FAILED, JournalUnreadable],
      [CANNOT_OPEN, JournalUnreadable],
      [NOT_A_DATABASE, JournalDamaged],
    ] as const) {
      database.failingReads = sqliteError(errcode, 'a failure');
      await expect((async () => read(journal))()).rejects.toThrow(error);
    }
  });

  it('within a transaction ends the writer', async () => {
    const { journal, database } = openFailing(newPlace().path);
    const writer = await newRun(journal);
    database.failingReads = sqliteError(FSYNC_FAILED, 'disk I/O error');
    await expect(writer.append([sampleIntent(2)])).rejects.toThrow(CommitUncertain);
    database.failingReads = null;
    expect(writer.holds()).toBe(false);
    await expect(writer.append([sampleIntent(2)])).rejects.toThrow(CommitUncertain);
  });
});

describe('the table of entries', () => {
  it.each(["UPDATE entry SET data = ''", 'DELETE FROM entry'])('refuses %s', async (sql) => {
    const place = newPlace();
    await newRun(await place.open());
    const other = openDatabase(place.path);
    expect(() => other.exec(sql)).toThrow('append-only');
    other.close();
  });

  it.each<[EntryKind[], string]>([
    [['ensured'], 'entry_ensured'],
    [['finished', 'lease_taken', 'cancelled'], 'entry_of_runs'],
    [['started'], 'entry_of_runs'],
    [['surfaced'], 'entry_surfaced'],
    [['scheduled'], 'entry_scheduled'],
    [['planned'], 'entry_planned'],
  ])('finds %j by a small index of their own, in order and without sorting', async (kinds, index) => {
    const { journal, database } = openFailing(newPlace().path);
    await newRun(journal);
    const found = (await entriesIn(journal.readKinds(kinds))).map(({ entry }) => entry.kind);
    expect(found).toEqual(kinds.includes('lease_taken') ? ['lease_taken'] : []);
    const plan = database.real.prepare(`EXPLAIN QUERY PLAN ${database.prepared.at(-1)}`).all();
    expect(plan[0]).toMatchObject({
      detail: expect.stringMatching(new RegExp(`^(SCAN|SEARCH) entry USING INDEX ${index}`)),
    });
    expect(plan.map(({ detail }) => detail)).not.toContain('USE TEMP B-TREE FOR ORDER BY');
    await journal.close();
  });
});
