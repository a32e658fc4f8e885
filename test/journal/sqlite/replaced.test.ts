import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Deposed, JournalDamaged } from '../../../src/journal/journal.ts';
import { openJournal } from '../../../src/journal/sqlite/open.ts';
import { machineRandomness } from '../../../src/platform/machine.ts';
import { sqlitePlace } from '../open-sqlite.ts';
import { anotherProcess, ManualClock } from '../place.ts';
import { sampleHeader, sampleHint, sampleIntent } from '../samples.ts';
import { entriesOf, newRun, placesOf } from '../suite/places.ts';
import { FailingDatabase } from './failing-database.ts';

const newPlace = placesOf(sqlitePlace) as () => ReturnType<typeof sqlitePlace>;

const parts = {
  clock: new ManualClock(),
  randomness: machineRandomness,
  process: anotherProcess(1),
  isAlive: () => true,
};

/** Twenty pages, about. */
const manyIntents = (row: number) => Array.from({ length: 100 }, (_, index) => sampleIntent(row, index + 1));

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

const overwrite = (path: string, bytes: Uint8Array, position = 0): void => {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, position);
  closeSync(file);
};

/** Writes each page of the log to its place, as a checkpoint does before it tells anybody. */
const bringLog = (path: string): void => {
  const log = readFileSync(`${path}-wal`);
  const salts = log.toString('hex', 16, 24);
  for (let at = 32; at < log.length && log.toString('hex', at + 8, at + 16) === salts; at += 24 + 4_096)
    overwrite(path, log.subarray(at + 24, at + 24 + 4_096), (log.readUInt32BE(at) - 1) * 4_096);
};

/** What another program can do to the files of a journal, which stay the same ones, beneath a process that has it open. */
const ALTERATIONS: [string, (path: string, before: { journal: Buffer; log: Buffer }) => void][] = [
  ['was cut to nothing', (path) => truncateSync(path, 0)],
  ['lost its last page', (path) => truncateSync(path, statSync(path).size - 4_096)],
  ['was overwritten with a CSV', (path) => writeFileSync(path, 'name,amount\n')],
  ['lost pages in its middle', (path) => overwrite(path, new Uint8Array(20 * 4_096), 5 * 4_096)],
  ['was overwritten with an older copy', (path, { journal }) => overwrite(path, journal)],
  ['has a log that was cut to nothing', (path) => truncateSync(`${path}-wal`, 0)],
  ['has a log that lost its end', (path) => truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 1)],
  ['has a log that lost its beginning', (path) => overwrite(`${path}-wal`, new Uint8Array(32))],
  [
    'and log were overwritten with an older copy',
    (path, { journal, log }) => {
      writeFileSync(path, journal);
      writeFileSync(`${path}-wal`, log);
    },
  ],
];

describe('a journal whose file', () => {
  it.each(ALTERATIONS)('%s acknowledges no commit more', async (_, alter) => {
    const place = newPlace();
    const journal = await place.open();
    const writer = await newRun(journal);
    using other = new DatabaseSync(place.path);
    for (let row = 2; row < 5; row++) await writer.append(manyIntents(row));
    other.exec('PRAGMA wal_checkpoint(RESTART)');
    await writer.append(manyIntents(5));
    const before = { journal: readFileSync(place.path), log: readFileSync(`${place.path}-wal`) };
    // Brought into the database, so that it is not the one of the copy any more; and more in a new log.
    for (let row = 6; row < 9; row++) await writer.append(manyIntents(row));
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (let row = 9; row < 12; row++) await writer.append(manyIntents(row));
    expect(writer.holds()).toBe(true);
    alter(place.path, before);
    expect(writer.holds()).toBe(false);
    await expect(writer.append([sampleIntent(10)])).rejects.toMatchObject({ name: 'Deposed', why: 'altered' });
    await expect(journal.openRun('R1')).rejects.toMatchObject({ why: 'altered' });
  });

  it('has pages that a checkpoint wrote and did not tell of, because it was killed, is still the same', async () => {
    const place = newPlace();
    const journal = await place.open();
    const writer = await newRun(journal);
    await writer.append(manyIntents(2));
    using other = new DatabaseSync(place.path);
    other.exec('PRAGMA wal_checkpoint(PASSIVE)');
    await writer.append(manyIntents(3));
    expect(writer.holds()).toBe(true);
    bringLog(place.path);
    expect(writer.holds()).toBe(true);
    await writer.append(manyIntents(4));
    expect(await entriesOf(journal)).toHaveLength(303);
  });

  it('is checkpointed between two looks of another process is still the same', async () => {
    const { path } = newPlace();
    using other = new DatabaseSync(path, { timeout: 5_000 });
    let looks = 0;
    // A checkpoint writes its pages before the first look, and tells of them after the second one.
    const database = new FailingDatabase(path, {
      'PRAGMA wal_checkpoint(PASSIVE)': () => {
        looks++;
        other.exec('PRAGMA wal_checkpoint(PASSIVE)');
        return null;
      },
    });
    const journal = openJournal({ path, ...parts, openDatabase: () => database });
    const writer = await newRun(journal);
    await writer.append(manyIntents(2));
    bringLog(path);
    await writer.append(manyIntents(3));
    expect(looks).toBe(1);
    await journal.close();
  });

  it('is not asked between two commits is looked at before the next one counts', async () => {
    const place = newPlace();
    const writer = await newRun(await place.open());
    await writer.append(manyIntents(2));
    truncateSync(`${place.path}-wal`, 32);
    await expect(writer.append([sampleIntent(10)])).rejects.toMatchObject({ name: 'Deposed', why: 'altered' });
  });

  it('is empty while its log is not is not taken for a new one', async () => {
    const place = newPlace();
    await newRun(await place.open());
    truncateSync(place.path, 0);
    const log = readFileSync(`${place.path}-wal`);
    await expect(place.open()).rejects.toThrow(JournalDamaged);
    expect(readFileSync(`${place.path}-wal`)).toEqual(log);
  });

  it('is written to by others, who leave no log, is still the same for a process that did nothing meanwhile', async () => {
    const place = newPlace();
    await (await place.open()).close();
    const idle = await place.open();
    const writer = await newRun(await place.open());
    using third = new DatabaseSync(place.path, { timeout: 5_000 });
    third.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(await idle.addHints([sampleHint('a')])).toBe(1);
    third.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await writer.append(manyIntents(2));
    third.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(await idle.addHints([sampleHint('b')])).toBe(1);
    third.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(writer.holds()).toBe(true);
    writeFileSync(place.path, 'name,amount\n');
    await expect(idle.addHints([sampleHint('c')])).rejects.toMatchObject({ why: 'altered' });
  });

  it('is written to and checkpointed by others all the time is still the same', async () => {
    const place = newPlace();
    const writer = await newRun(await place.open({ process: anotherProcess(1) }));
    const others = await newRun(await place.open({ process: anotherProcess(2) }), 'R2');
    using third = new DatabaseSync(place.path, { timeout: 5_000 });
    for (let row = 2; row < 60; row++) {
      await Promise.all([writer.append(manyIntents(row)), others.append(manyIntents(row))]);
      third.exec(`PRAGMA wal_checkpoint(${['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'][row % 4]})`);
      expect([writer.holds(), others.holds()]).toEqual([true, true]);
    }
  });

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
    expect(await entriesOf(journal)).toHaveLength(3);
    const creating = journal.createRun({ header: sampleHeader('R2'), rows: [], refuseRepeat: false });
    await expect(creating).rejects.toMatchObject(REPLACED);
    await expect(journal.openRun('R1')).rejects.toMatchObject(REPLACED);
    await expect(journal.addHints([sampleHint('a')])).rejects.toMatchObject(REPLACED);
    await expect(journal.askToCancel('R1', 'ana')).rejects.toMatchObject(REPLACED);
  });

  it('is moved away while it commits acknowledges nothing: whoever waits would send what the path does not tell', async () => {
    const { path } = newPlace();
    const database = new FailingDatabase(path);
    const journal = openJournal({ path, ...parts, openDatabase: () => database });
    const writer = await newRun(journal);
    database.fault = (sql, run) => {
      run();
      if (sql === 'COMMIT') renameSync(path, `${path}.aside`);
    };
    await expect(writer.append([sampleIntent(2)])).rejects.toMatchObject(REPLACED);
    await journal.close();
  });

  it('was moved with its directory takes no entry more, and closing leaves what stands there now as it is', async () => {
    const place = newPlace();
    const path = join(dirname(place.path), 'data', 'journal.db');
    const journal = openJournal({ path, ...parts });
    const writer = await newRun(journal);
    renameSync(dirname(path), join(dirname(place.path), 'moved'));
    mkdirSync(dirname(path));
    const other = openJournal({ path, ...parts });
    const written = await newRun(other);
    await expect(writer.append([sampleIntent(2)])).rejects.toMatchObject(REPLACED);
    const before = readFileSync(`${path}-wal`);
    await journal.close();
    expect(readFileSync(`${path}-wal`)).toEqual(before);
    await written.append([sampleIntent(2)]);
    await other.close();
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
    expect(await entriesOf(journal)).toHaveLength(40_004);
  });
});
