import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open.ts';
import { machineRandomness } from '../../src/platform/machine.ts';
import { programOf } from '../support/program.ts';
import { anotherProcess, type EntryValues, ManualClock, type OpenOptions, type Place, type Tamper } from './place.ts';

export default open;

/** Opens the journal at `path`; by default as one living process, at a time that stands still. */
export function open(path: string, options: OpenOptions = {}): ReturnType<typeof openJournal> {
  return openJournal({
    path,
    clock: options.clock ?? new ManualClock(),
    randomness: options.randomness ?? machineRandomness,
    process: options.process ?? anotherProcess(1),
    isAlive: options.isAlive ?? (() => true),
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    evenMoved: options.evenMoved ?? false,
  });
}

/** A new, empty place in a directory of its own. */
export function sqlitePlace(): Place & { path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'payrun-journal-'));
  const path = join(directory, 'journal.db');
  const journals: Journal[] = [];
  return {
    path,
    async open(options) {
      const journal = open(path, options);
      journals.push(journal);
      return journal;
    },
    strangeCharacter: '\u0000',
    async pass(clock, ms) {
      clock.now += ms;
    },
    async commits() {
      return commitsInWal(`${path}-wal`);
    },
    tamper: tamperWith(path),
    child: { opener: programOf('test/journal/open-sqlite.ts'), argument: path },
    async remove() {
      for (const journal of journals) await closeQuietly(journal);
      rmSync(directory, { recursive: true });
    },
  };
}

/**
 * Counts the commits that a write-ahead log holds: of each transaction, the last frame carries the database's size in
 * pages (https://www.sqlite.org/fileformat.html#the_write_ahead_log). A checkpoint starts the log anew, so this serves
 * for some hundred pages.
 */
export function commitsInWal(path: string): number {
  const wal = readFileSync(path);
  const frameBytes = 24 + wal.readUInt32BE(8);
  const salts = wal.subarray(16, 24);
  let commits = 0;
  for (let frame = 32; frame + frameBytes <= wal.length; frame += frameBytes) {
    if (!wal.subarray(frame + 8, frame + 16).equals(salts)) break;
    if (wal.readUInt32BE(frame + 4) !== 0) commits++;
  }
  return commits;
}

function tamperWith(path: string): Tamper {
  const alter = (sql: string, ...values: (string | number | null | Uint8Array)[]) => {
    using database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec('DROP TRIGGER IF EXISTS entry_is_never_changed; DROP TRIGGER IF EXISTS entry_is_never_deleted');
    const changed = Number(database.prepare(sql).run(...values).changes);
    if (changed !== 1) throw new Error(`the tampering changed ${changed} rows`);
  };
  const ofRun = 'run = (SELECT run FROM run WHERE id = ?)';
  return {
    async entry(runId, n) {
      using database = new DatabaseSync(path, { timeout: 5_000 });
      const sql = `SELECT n, at, epoch, kind, row_number, data, hash FROM entry WHERE ${ofRun} AND n = ?`;
      return database.prepare(sql).get(runId, n) as EntryValues;
    },
    async setEntry(runId, n, change) {
      const columns = Object.keys(change).map((column) => `${column} = ?`);
      alter(`UPDATE entry SET ${columns.join(', ')} WHERE ${ofRun} AND n = ?`, ...Object.values(change), runId, n);
    },
    async deleteEntry(runId, n) {
      alter(`DELETE FROM entry WHERE ${ofRun} AND n = ?`, runId, n);
    },
    async insertEntry(runId, { n, at, epoch, kind, row_number, data, hash }) {
      alter(
        `INSERT INTO entry (run, n, at, epoch, kind, row_number, data, hash)
         SELECT run, ?, ?, ?, ?, ?, ?, ? FROM run WHERE id = ?`,
        ...[n, at, epoch, kind, row_number, data, hash, runId],
      );
    },
    async setRun(runId, column, value) {
      alter(`UPDATE run SET ${column} = ? WHERE id = ?`, value, runId);
    },
    async setLease(runId, column, value) {
      alter(`UPDATE lease SET ${column} = ? WHERE ${ofRun}`, value, runId);
    },
    async deleteRun(runId) {
      using database = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: false });
      database.exec('DROP TRIGGER IF EXISTS entry_is_never_deleted');
      for (const table of ['entry', 'lease', 'run']) database.prepare(`DELETE FROM ${table} WHERE ${ofRun}`).run(runId);
    },
  };
}

async function closeQuietly(journal: Journal): Promise<void> {
  try {
    await journal.close();
  } catch {
    // The test closed it.
  }
}
