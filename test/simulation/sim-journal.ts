import { isDeepStrictEqual } from 'node:util';
import type { Journal } from '../../src/journal/journal.ts';
import { SqliteJournal } from '../../src/journal/sqlite/journal.ts';
import { OpenedFiles } from '../../src/journal/sqlite/opened-files.ts';
import { migrate } from '../../src/journal/sqlite/schema.ts';
import type { Clock, Randomness } from '../../src/platform/clock.ts';
import { type Database, openDatabase, type Row, type Statement } from '../../src/platform/sqlite.ts';
import type { Actor } from './world.ts';

/** A process of the runner, with what its leases say of it. */
export type Process = Actor & { host: string; pid: number };

/** How a commit goes. `error_…`: SQLite reports an error, and the commit did not happen, or did. */
export type CommitFate = 'good' | 'crash_before' | 'crash_after' | 'error_before' | 'error_after';

export type JournalCopy = { place: number; runs: Row[]; leases: Row[]; projected: Row[][] };

/** Where who was paid is stored beside the entries. */
const PROJECTED = ['projected_run', 'projected_states', 'projected_orders'];

export type JournalWatch = {
  fate(process: Process): CommitFate;
  die(process: Process): void;
  /** A commit of this process is durable. Throws where it must not be. */
  committed(process: Process): void;
};

const SQLITE_IOERR = 10;

/** A database in memory is no file that somebody could replace. */
class NoFiles extends OpenedFiles {
  override requireInPlace(): void {}
  override requireWhole(): void {}
  override requireStillWhole(): void {}
}

const NO_FILES = new NoFiles(import.meta.filename);

/**
 * The journal on a database in memory, whose state after a commit is what a disk would have. Every process opens it anew;
 * what a process has in memory goes with it, and nothing that it writes after its end arrives.
 */
export class SimJournal {
  readonly database: Database;
  readonly #watch: JournalWatch;
  /** Every process asks in the same words, and preparing them costs more than asking. */
  readonly #statements = new Map<string, Statement>();
  readonly #living = new Set<string>();
  #leases = 0;
  /** No two are alike, and that is all that matters of them. */
  readonly #leaseIds: Randomness = { bytes: () => Buffer.from(`lease ${this.#leases++}`) };

  constructor(watch: JournalWatch) {
    this.database = openDatabase(':memory:');
    migrate(this.database, 'memory');
    this.#watch = watch;
  }

  open(process: Process, clock: Clock, leaseMs: number): Journal {
    const { host, pid } = process;
    this.#living.add(`${host} ${pid}`);
    return new SqliteJournal({
      database: this.#databaseOf(process),
      clock,
      holder: { host, boot_id: host, pid, started: String(pid) },
      // A process sees those of its own machine only; what it cannot see counts as alive.
      isAlive: (holder) => holder.host !== host || this.#living.has(`${holder.host} ${holder.pid}`),
      leaseMs,
      randomness: this.#leaseIds,
      files: NO_FILES,
    });
  }

  ended({ host, pid }: Process): void {
    this.#living.delete(`${host} ${pid}`);
  }

  /** A statement on the durable state. */
  statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** A copy of the journal's file, as a backup has it. */
  copy(): JournalCopy {
    const rows = (sql: string): Row[] => this.database.prepare(sql).all();
    const place = Number(this.database.prepare('SELECT max(place) AS place FROM entry').get()?.place ?? 0);
    const projected = PROJECTED.map((table) => rows(`SELECT * FROM ${table}`));
    return { place, runs: rows('SELECT * FROM run'), leases: rows('SELECT * FROM lease'), projected };
  }

  /** Puts a copy in the place of what is there: what was written since is forgotten. */
  putBack({ place, runs, leases, projected }: JournalCopy): void {
    const { database } = this;
    const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    database.exec('BEGIN IMMEDIATE');
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
    database.prepare('DELETE FROM entry WHERE place > ?').run(place);
    for (const { run, head_n, head_hash } of runs) {
      const sql = 'UPDATE run SET head_n = ?, head_hash = ? WHERE run = ?';
      database.prepare(sql).run(head_n ?? 0, head_hash ?? '', run ?? 0);
    }
    for (const { run, epoch, lease_id, holder, expires_at } of leases) {
      const sql = 'UPDATE lease SET epoch = ?, lease_id = ?, holder = ?, expires_at = ? WHERE run = ?';
      database.prepare(sql).run(epoch ?? 0, lease_id ?? null, holder ?? null, expires_at ?? 0, run ?? 0);
    }
    for (const [at, table] of PROJECTED.entries()) {
      database.exec(`DELETE FROM ${table}`);
      for (const row of projected[at] ?? []) {
        const values = Object.values(row);
        database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
      }
    }
    for (const { sql } of triggers) database.exec(String(sql));
    database.exec('COMMIT');
  }

  /** What is wrong with what is stored of the runs, and of who was paid by them. */
  async faults(clock: Clock): Promise<string[]> {
    const reader = this.open({ name: 'reader', host: 'reader', pid: 0, isGone: false, frozenUntilMs: 0 }, clock, 1);
    const projected = this.database.prepare('SELECT n, head_hash FROM projected_run WHERE run = 1').get();
    const head = this.database.prepare('SELECT head_n AS n, head_hash FROM run WHERE run = 1').get();
    const behind = isDeepStrictEqual(projected, head) ? [] : ['who was paid is not stored up to the end of the run'];
    const altered: string[] = [];
    for (const { runId } of await reader.heads()) {
      const verified = await reader.verifyRun(runId);
      if (!verified.ok) altered.push(JSON.stringify(verified.damage));
    }
    return [...behind, ...altered];
  }

  #databaseOf(process: Process): Database {
    const { database } = this;
    const watch = this.#watch;
    const statementOf = (sql: string): Statement => this.statement(sql);
    let isWriting = false;
    const alive = <Part>(part: Part): Part => {
      if (process.isGone) throw new Error('this process has ended');
      return part;
    };
    return {
      exec(sql) {
        alive(database);
        if (sql === 'BEGIN IMMEDIATE') isWriting = true;
        if (sql !== 'COMMIT' || !isWriting) {
          if (sql === 'ROLLBACK') isWriting = false;
          return database.exec(sql);
        }
        isWriting = false;
        const fate = watch.fate(process);
        const isDurable = fate === 'good' || fate.endsWith('after');
        database.exec(isDurable ? 'COMMIT' : 'ROLLBACK');
        if (isDurable) watch.committed(process);
        if (fate === 'good') return;
        if (fate.startsWith('crash')) watch.die(process);
        throw Object.assign(new Error(`made up: ${fate}`), { errcode: SQLITE_IOERR });
      },
      prepare(sql) {
        const statement = statementOf(sql);
        return {
          run: (...values) => alive(statement).run(...values),
          get: (...values) => alive(statement).get(...values),
          all: (...values) => alive(statement).all(...values),
        };
      },
      close() {},
    };
  }
}
