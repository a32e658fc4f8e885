import { Refusal } from '../../domain/refusal.ts';
import type { PostgresSchema } from '../../platform/postgres/postgres-schema.ts';
import { MIGRATIONS } from './migrations.ts';

export const SCHEMA = 'payrun';

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The schema that brought moves from one journal to another. */
export const MOVES_SINCE = 2;

/** The schema that brought holds of payees. */
export const HOLDS_SINCE = 5;

/** The journal's tables. */
export const JOURNAL_SCHEMA: PostgresSchema = {
  name: SCHEMA,
  migrations: MIGRATIONS,
  // `PayR` in ASCII.
  lock: 0x50617952,
  ofAnotherProgram: (path) => new Refusal({ code: 'journal_of_another_program', path, isDatabase: true }),
  isNewer: (path, version) =>
    new Refusal({ code: 'journal_newer', path, isDatabase: true, version, known: SCHEMA_VERSION }),
};
