import { DatabaseSync } from 'node:sqlite';
import type { Database, Row, Statement } from '../../../src/platform/sqlite.ts';

/** What a test lets go wrong: called before each statement without a result, and may throw, or run it and then throw. */
export type Fault = (sql: string, run: () => void) => void;

/** What stands for a query's answer: a row, or what this returns or throws, where null is the real answer. */
export type Answer = Row | (() => Row | null);

/** A real database in which `fault` can be switched on. `answers` stand for what a query of that text would give. */
export class FailingDatabase implements Database {
  readonly real: DatabaseSync;
  fault: Fault | null = null;
  /** What every read throws from now on. */
  failingReads: Error | null = null;
  /** The texts of all statements, in the order in which they were prepared. */
  readonly prepared: string[] = [];
  readonly answers: Map<string, Answer>;

  constructor(path: string, answers: Record<string, Answer> = {}) {
    this.real = new DatabaseSync(path, { timeout: 20 });
    this.answers = new Map(Object.entries(answers));
  }

  exec(sql: string): void {
    if (this.fault) this.fault(sql, () => this.real.exec(sql));
    else this.real.exec(sql);
  }

  prepare(sql: string): Statement {
    this.prepared.push(sql);
    const statement = this.real.prepare(sql);
    const answer = this.answers.get(sql);
    return {
      run: (...values) => {
        let changed: ReturnType<Statement['run']> | null = null;
        const run = () => {
          changed = statement.run(...values);
        };
        if (this.fault) this.fault(sql, run);
        else run();
        return changed ?? { changes: 0, lastInsertRowid: 0 };
      },
      get: (...values) =>
        this.#reading(() => (typeof answer === 'function' ? answer() : answer) ?? statement.get(...values)),
      all: (...values) => this.#reading(() => statement.all(...values)),
    };
  }

  #reading<Result>(read: () => Result): Result {
    if (this.failingReads) throw this.failingReads;
    return read();
  }

  close(): void {
    this.real.close();
  }
}

/** An error as node:sqlite throws it, of an (extended) result code. */
export function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}

/** SQLITE_IOERR_FSYNC */
export const FSYNC_FAILED = 1034;
/** SQLITE_FULL */
export const DISK_FULL = 13;
/** SQLITE_CANTOPEN */
export const CANNOT_OPEN = 14;
