import { CORRUPT, type Database, NOT_A_DATABASE, sqliteCode } from '../../platform/sqlite.ts';
import { JournalDamaged, JournalUnreadable } from '../errors.ts';

/** What `read` returns. What keeps SQLite from reading is `JournalUnreadable`, and what cannot be as it was written `JournalDamaged`. */
export function reading<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    // A number beyond 2^53.
    const isOutOfRange = error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
    const code = sqliteCode(error);
    if (isOutOfRange || code === CORRUPT || code === NOT_A_DATABASE)
      throw new JournalDamaged("the journal's file is damaged", { cause: error });
    throw code === null ? error : new JournalUnreadable(error);
  }
}

/** The database, whose reads fail as `reading` says: none can end a process as a bug. Writes fail as SQLite says. */
export function guarded(database: Database): Database {
  return {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare(sql) {
      const statement = reading(() => database.prepare(sql));
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => reading(() => statement.get(...values)),
        all: (...values) => reading(() => statement.all(...values)),
      };
    },
  };
}
