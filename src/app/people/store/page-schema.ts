import { Refusal } from '../../../domain/refusal.ts';
import type { PostgresSchema } from '../../../platform/postgres/postgres-schema.ts';
import { MIGRATIONS } from './postgres-migrations.ts';

/** What the page keeps in a database, beside the journal: its roles may do other things with it than with that. */
export const PAGE_SCHEMA: PostgresSchema = {
  name: 'payrun_page',
  migrations: MIGRATIONS,
  // `PayW` in ASCII.
  lock: 0x50617957,
  ofAnotherProgram: (path) => new Refusal({ code: 'page_store_unusable', path, why: 'another_program' }),
  isNewer(path, found) {
    const versions = { found, known: MIGRATIONS.length };
    return new Refusal({ code: 'page_store_unusable', path, why: 'newer', versions });
  },
};
