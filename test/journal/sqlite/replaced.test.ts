import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Deposed } from '../../../src/journal/journal.ts';
import { openJournal } from '../../../src/journal/sqlite/open.ts';
import { sqlitePlace } from '../open-sqlite.ts';
import { anotherProcess, ManualClock } from '../place.ts';
import { sampleHeader, sampleHint, sampleIntent } from '../samples.ts';
import { entriesOf, newRun, placesOf } from '../suite/places.ts';
import { FailingDatabase } from './failing-database.ts';

const newPlace = placesOf(sqlitePlace) as () => ReturnType<typeof sqlitePlace>;

const REPLACED = { name: 'Deposed', why: 'replaced', message: expect.stringContaining('journal.db was replaced') };

/** What can happen to the files of a journal beneath a process that has it open. */
const HAPPENINGS: [string, (path: string) => void][] = [
  ['was moved away', (path) => renameSync(path, `${path}.aside`)],
  ['was deleted', (path) => rmSync(path)],
  [
    'has a backup moved over it',
    (path) => {
      using database = new DatabaseSync(path);
      database.exec(`VACUUM INTO '${path}.backup'`);
      renameSync(`${path}.backup`, path);
    },
  ],
  [
    'has a copy in its place, as cp --remove-destination leaves it',
    (path) => {
      renameSync(path, `${path}.aside`);
      copyFileSync(`${path}.aside`, path);
    },
  ],
  ['lost its write-ahead log', (path) => rmSync(`${path}-wal`)],
  [
    'has another write-ahead log',
    (path) => {
      copyFileSync(`${path}-wal`, `${path}-wal.copy`);
      renameSync(`${path}-wal.copy`, `${path}-wal`);
    },
  ],
];

describe('a journal whose file', () => {
  it.each(HAPPENINGS)('%s takes no entry more', async (_, happen) => {
    const place = newPlace();
    const journal = await place.open();
    const writer = await newRun(journal);
    expect(writer.holds()).toBe(true);
    happen(place.path);
    // What is durable already and about to leave is held back too.
    expect(writer.holds()).toBe(false);
    await expect(writer.append([sampleIntent(2)])).rejects.toMatchObject(REPLACED);
    await expect(writer.append([sampleIntent(3)])).rejects.toMatchObject(REPLACED);
    await expect(writer.renew()).rejects.toBeInstanceOf(Deposed);
    await writer.release();
    expect(entriesOf(journal)).toHaveLength(3);
    const creating = journal.createRun({ header: sampleHeader('R2'), rows: [], refuseRepeat: false });
    await expect(creating).rejects.toMatchObject(REPLACED);
    await expect(journal.openRun('R1')).rejects.toMatchObject(REPLACED);
    await expect(journal.addHints([sampleHint('a')])).rejects.toMatchObject(REPLACED);
    await expect(journal.askToCancel('R1', 'ana')).rejects.toMatchObject(REPLACED);
  });

  it('is moved away while it commits acknowledges nothing: whoever waits would send what the path does not tell', async () => {
    const { path } = newPlace();
    const database = new FailingDatabase(path);
    const parts = { clock: new ManualClock(), process: anotherProcess(1), isAlive: () => true };
    const journal = openJournal({ path, ...parts, openDatabase: () => database });
    const writer = await newRun(journal);
    database.fault = (sql, run) => {
      run();
      if (sql === 'COMMIT') renameSync(path, `${path}.aside`);
    };
    await expect(writer.append([sampleIntent(2)])).rejects.toMatchObject(REPLACED);
    journal.close();
  });

  it('was moved with its directory takes no entry more, and closing leaves what stands there now as it is', async () => {
    const place = newPlace();
    const path = join(dirname(place.path), 'data', 'journal.db');
    const parts = { clock: new ManualClock(), process: anotherProcess(1), isAlive: () => true };
    const journal = openJournal({ path, ...parts });
    const writer = await newRun(journal);
    renameSync(dirname(path), join(dirname(place.path), 'moved'));
    mkdirSync(dirname(path));
    const other = openJournal({ path, ...parts });
    const written = await newRun(other);
    await expect(writer.append([sampleIntent(2)])).rejects.toMatchObject(REPLACED);
    const before = readFileSync(`${path}-wal`);
    journal.close();
    expect(readFileSync(`${path}-wal`)).toEqual(before);
    await written.append([sampleIntent(2)]);
    other.close();
  });

  it('is checkpointed and cut after a large transaction is the same file still', async () => {
    const place = newPlace();
    const journal = await place.open();
    const writer = await newRun(journal);
    for (let row = 2; row < 42; row++) {
      await writer.append(Array.from({ length: 1_000 }, (_, index) => sampleIntent(row, index + 1)));
    }
    using other = new DatabaseSync(place.path, { timeout: 5_000 });
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    await writer.append([sampleIntent(42)]);
    expect(entriesOf(journal)).toHaveLength(40_004);
  });
});
