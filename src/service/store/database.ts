import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Row, Value } from '../../platform/sqlite.ts';

export type { Row, Value } from '../../platform/sqlite.ts';

/** A SQLite connection that keeps its prepared statements: preparing one costs more than running it. */
export type Store = {
  /** Statements without values: BEGIN, COMMIT, a migration. */
  exec(sql: string): void;
  run(sql: string, ...values: Value[]): { changes: number; lastId: number };
  get(sql: string, ...values: Value[]): Row | undefined;
  all(sql: string, ...values: Value[]): Row[];
  /** Rows one at a time, for reads over a whole table. */
  iterate(sql: string, ...values: Value[]): Iterable<Row>;
  close(): void;
};

/** SQL texts are literals, but for the search, which has one for each number of words. */
const STATEMENTS_MAX = 256;

/** How long a statement waits for another process's lock. Only a person with a database tool can hold one. */
const BUSY_TIMEOUT_MS = 5_000;

export function openDatabase(path: string, options: { readOnly?: boolean } = {}): Store {
  const database = new DatabaseSync(path, {
    readOnly: options.readOnly ?? false,
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    allowExtension: false,
  });
  const kept = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const found = kept.get(sql);
    if (found) return found;
    const made = database.prepare(sql);
    if (kept.size < STATEMENTS_MAX) kept.set(sql, made);
    return made;
  };
  return {
    exec: (sql) => database.exec(sql),
    run(sql, ...values) {
      const { changes, lastInsertRowid } = statement(sql).run(...values);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    get: (sql, ...values) => statement(sql).get(...values) as Row | undefined,
    all: (sql, ...values) => statement(sql).all(...values) as Row[],
    iterate: (sql, ...values) => statement(sql).iterate(...values) as Iterable<Row>,
    close: () => database.close(),
  };
}

/** What is kept under a name in the table of settings, or an empty text. */
export function readSetting(store: Store, name: string): string {
  return String(store.get('SELECT value FROM setting WHERE name = ?', name)?.value ?? '');
}

/** Inside a transaction. An empty text is as good as nothing kept. */
export function writeSetting(store: Store, name: string, value: string): void {
  store.run(WRITE_SETTING, name, value);
}

const WRITE_SETTING = `INSERT INTO setting (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
