import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/domain/refusal.ts';
import { genesis, linkHash } from '../../../src/journal/chain.ts';
import { JournalDamaged } from '../../../src/journal/journal.ts';
import { openJournal } from '../../../src/journal/sqlite/open.ts';
import { SCHEMA_VERSION } from '../../../src/journal/sqlite/schema.ts';
import { machineRandomness } from '../../../src/platform/machine.ts';
import { BUSY, type Row } from '../../../src/platform/sqlite.ts';
import { open, sqlitePlace } from '../open-sqlite.ts';
import { anotherProcess, ManualClock } from '../place.ts';
import { sampleHint } from '../samples.ts';
import { entriesOf, newRun, placesOf } from '../suite/places.ts';
import { type Answer, CANNOT_OPEN, FailingDatabase, sqliteError } from './failing-database.ts';

const newPlace = placesOf(sqlitePlace) as () => ReturnType<typeof sqlitePlace>;

function openWith(path: string, answers: Record<string, Answer>) {
  const opened: FailingDatabase[] = [];
  const journal = openJournal({
    path,
    clock: new ManualClock(),
    randomness: machineRandomness,
    process: anotherProcess(1),
    isAlive: () => true,
    openDatabase(at) {
      const database = new FailingDatabase(at, answers);
      opened.push(database);
      return database;
    },
  });
  return { journal, database: opened[0] };
}

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/**
 * Statements that turn a journal back into each earlier version, newest first. Each drops what a migration added: the
 * index of plans, the age of doubts, returns, start times, holds of payees, moving, who was paid, lease IDs, the index
 * of run events, and plans.
 */
const WITHOUT_LIST = 'DROP INDEX entry_planned';
const WITHOUT_DOUBTS = `${WITHOUT_LIST}; DROP INDEX entry_doubt`;
const WITHOUT_RETURNS = `${WITHOUT_DOUBTS}; DROP INDEX entry_returned`;
const WITHOUT_STARTS = `${WITHOUT_RETURNS}; DROP INDEX entry_scheduled`;
const WITHOUT_HOLDS = `${WITHOUT_STARTS}; DROP TABLE payee_hold`;
const WITHOUT_MOVES = `${WITHOUT_HOLDS}; DROP TABLE journal_move; DROP TABLE announcement`;
const WITHOUT_PROJECTIONS = `${WITHOUT_MOVES}; DROP TABLE projected_run; DROP TABLE projected_states; DROP TABLE projected_orders`;
const WITHOUT_LEASE_IDS = `${WITHOUT_PROJECTIONS}; DROP TABLE journal_file; DROP INDEX entry_of_start; ALTER TABLE lease DROP COLUMN lease_id`;
const WITHOUT_PAUSES = `DROP TABLE pause_asked; DROP INDEX entry_surfaced; ${WITHOUT_LEASE_IDS}`;
const WITHOUT_INDEX = `DROP INDEX entry_of_runs; ${WITHOUT_PAUSES}`;
const WITHOUT_PLANS = `${WITHOUT_INDEX}; DROP INDEX run_job_period; ALTER TABLE run DROP COLUMN job_period; ALTER TABLE run DROP COLUMN is_planned`;

type Written = { n: number; at: number; epoch: number; kind: string; row_number: number | null; data: string };

/** Takes the ids out of the entries too, and gives them the hashes that they had then. */
function withoutLeaseIds(database: DatabaseSync): void {
  database.exec('DROP TRIGGER entry_is_never_changed');
  let head = genesis('R1');
  for (const row of database.prepare('SELECT * FROM entry WHERE run = 1 ORDER BY n').all()) {
    const { n, at, epoch, kind, row_number, data } = row as Written;
    const text = data.replace(/,"lease_id":"[^"]*"/, '');
    const hash = linkHash(head.hash, 'R1', { n, at, epoch, kind, row: row_number, data: text });
    database
      .prepare('UPDATE entry SET data = ?, hash = ? WHERE run = 1 AND n = ?')
      .run(text, Buffer.from(hash, 'hex'), n);
    head = { n, hash };
  }
  database.prepare('UPDATE run SET head_hash = ?').run(Buffer.from(head.hash, 'hex'));
  database.exec(
    "CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry BEGIN SELECT raise(ABORT, 'the journal is append-only'); END",
  );
}

describe('opening the journal', () => {
  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['fullfsync', 1],
    ['checkpoint_fullfsync', 1],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['cell_size_check', 1],
    ['wal_autocheckpoint', 1_000],
    ['journal_size_limit', 67_108_864],
    ['application_id', 0x50617952],
    ['user_version', SCHEMA_VERSION],
  ])('leaves %s at %s', async (name, value) => {
    const { journal, database } = openWith(newPlace().path, {});
    expect(Object.values(database?.real.prepare(`PRAGMA ${name}`).get() ?? {})).toEqual([value]);
    await journal.close();
  });

  it.each([
    ['PRAGMA synchronous', { synchronous: 1 }],
    ['PRAGMA fullfsync', { fullfsync: 0 }],
    ['PRAGMA foreign_keys', { foreign_keys: 0 }],
    ['PRAGMA journal_mode = WAL', { journal_mode: 'delete' }],
  ])('is refused where %s reads back %j', async (sql, answer: Row) => {
    const place = newPlace();
    expect(refusalOf(() => openWith(place.path, { [sql]: answer }))).toMatchObject({ kind: 'usage' });
    // The refused connection is closed and holds nothing.
    await open(place.path).close();
  });

  it.each([
    ['3.40.1', false],
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.53.0', true],
    ['4.0.0', true],
  ])('with SQLite %s is allowed: %s', async (version, allowed) => {
    const work = () => openWith(newPlace().path, { 'SELECT sqlite_version() AS version': { version } }).journal.close();
    if (allowed) await work();
    else expect(refusalOf(work)).toMatchObject({ kind: 'usage', reason: { code: 'sqlite_too_old', version } });
  });

  it.each([
    [1, `DROP TABLE cancel_asked; DROP TABLE hint; ${WITHOUT_PLANS}`],
    [2, `DROP TABLE cancel_asked; ${WITHOUT_PLANS}`],
    [3, WITHOUT_PLANS],
    [4, WITHOUT_INDEX],
    [5, WITHOUT_PAUSES],
    [6, WITHOUT_LEASE_IDS],
    [7, WITHOUT_PROJECTIONS],
    [8, WITHOUT_MOVES],
    [9, WITHOUT_HOLDS],
    [10, WITHOUT_STARTS],
    [11, WITHOUT_RETURNS],
    [12, WITHOUT_DOUBTS],
    [13, WITHOUT_LIST],
  ])('brings a journal of version %i up to date, and keeps what is in it', async (version, sql) => {
    const place = newPlace();
    // Its leases had no ids.
    await newRun(await place.open());
    using database = new DatabaseSync(place.path);
    if (version < 7) withoutLeaseIds(database);
    database.exec(`${sql}; PRAGMA user_version = ${version}`);
    const journal = await place.open();
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION });
    expect(await journal.addHints([sampleHint('a')])).toBe(1);
    await journal.askToCancel('R1', 'ana');
    expect(await journal.cancelAsked('R1')).toBe('ana');
    await journal.askToPause('R1', 'ben');
    expect(await journal.pauseAsked('R1')).toBe('ben');
    expect(await entriesOf(journal)).toHaveLength(3);
    expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
    expect(database.prepare('SELECT n, states FROM projected_states').all()).toEqual([{ n: 3, states: 'www' }]);
    // What was run before there were plans was started.
    expect(await journal.listRuns(1)).toMatchObject([{ isPlanned: false }]);
  });

  it('refuses a journal of a newer payrun, and leaves it as it was', async () => {
    const place = newPlace();
    await newRun(await place.open());
    using database = new DatabaseSync(place.path);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    expect(refusalOf(() => open(place.path))).toMatchObject({
      kind: 'usage',
      reason: { code: 'journal_newer' },
    });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION + 1 });
  });

  it.each([
    ['another application', 'PRAGMA application_id = 1'],
    ['nobody in particular', 'CREATE TABLE payroll (name text)'],
  ])('refuses a database of %s, and leaves it as it was', (_, sql) => {
    const place = newPlace();
    using database = new DatabaseSync(place.path);
    database.exec(sql);
    expect(refusalOf(() => open(place.path))).toMatchObject({
      kind: 'usage',
      reason: { code: 'journal_of_another_program' },
    });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
  });

  it('says that a file is damaged which is no database', () => {
    const { path } = newPlace();
    writeFileSync(path, 'name,amount\n'.repeat(100));
    expect(() => open(path)).toThrow(JournalDamaged);
  });

  it('refuses a directory, a link and a place that cannot be made', () => {
    const { path } = newPlace();
    mkdirSync(path);
    expect(refusalOf(() => open(path))).toMatchObject({ kind: 'usage' });
    symlinkSync('/dev/null', `${path}.link`);
    expect(refusalOf(() => open(`${path}.link`))).toMatchObject({ kind: 'usage' });
    writeFileSync(`${path}.file`, '');
    expect(refusalOf(() => open(join(`${path}.file`, 'journal.db')))).toMatchObject({ kind: 'usage' });
  });

  it.skipIf(process.getuid?.() === 0)('refuses a file that it may not write', async () => {
    const { path } = newPlace();
    await open(path).close();
    chmodSync(path, 0o400);
    expect(refusalOf(() => open(path))).toMatchObject({ kind: 'usage' });
  });

  it('refuses a file that SQLite cannot open', () => {
    const { path } = newPlace();
    const work = () =>
      openJournal({
        path,
        clock: new ManualClock(),
        randomness: machineRandomness,
        process: anotherProcess(1),
        isAlive: () => true,
        openDatabase: () => {
          throw sqliteError(CANNOT_OPEN, 'unable to open database file');
        },
      });
    expect(refusalOf(work)).toMatchObject({
      kind: 'usage',
      reason: { cause: expect.stringContaining('unable to open') },
    });
  });

  it('makes directories and files that only their owner can read', async () => {
    const path = join(dirname(newPlace().path), 'one', 'two', 'journal.db');
    const journal = open(path);
    await newRun(journal);
    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(dirname(dirname(path))).mode & 0o777).toBe(0o700);
    await journal.close();
  });

  it('takes from others the right to read an existing file, and leaves its directory as it is', async () => {
    const { path } = newPlace();
    await open(path).close();
    chmodSync(path, 0o644);
    chmodSync(dirname(path), 0o755);
    await open(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o755);
  });

  it('makes a journal of a file that a crash left empty', async () => {
    const { path } = newPlace();
    writeFileSync(path, '');
    const journal = open(path);
    await newRun(journal);
    expect(await entriesOf(journal)).toHaveLength(3);
    await journal.close();
  });

  it.runIf(process.platform === 'linux')('twice in one process takes no lock away from the first', async () => {
    const place = newPlace();
    await newRun(await place.open());
    const before = locksOn(place.path);
    expect(before).not.toEqual([]);
    await (await place.open()).close();
    expect(locksOn(place.path)).toEqual(before);
  });

  it('tries again where another process is making the journal at this moment', async () => {
    const place = newPlace();
    let busy = 3;
    const switching = (): null => {
      if (busy-- > 0) throw sqliteError(BUSY, 'database is locked');
      return null;
    };
    await openWith(place.path, { 'PRAGMA journal_mode = WAL': switching }).journal.close();
    expect(busy).toBe(-1);
  });

  it('gives up where the journal stays locked', () => {
    const switching = (): null => {
      throw sqliteError(BUSY, 'database is locked');
    };
    const work = () => openWith(newPlace().path, { 'PRAGMA journal_mode = WAL': switching });
    expect(refusalOf(work)).toMatchObject({ kind: 'held' });
  });
});

/** The byte ranges of a file that this process holds locks on, as the kernel lists them: proc_locks(5). */
function locksOn(path: string): string[] {
  const file = new RegExp(`POSIX .* ${process.pid} \\S+:${statSync(path).ino} (.*)$`);
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return lines.flatMap((line) => file.exec(line)?.[1] ?? []);
}
