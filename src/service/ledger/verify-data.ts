import { existsSync } from 'node:fs';
import { z } from 'zod';
import { CORRUPT, NOT_A_DATABASE, sqliteCode } from '../../platform/sqlite.ts';
import { openDatabase, type Store } from '../store/database.ts';
import { servicePaths } from '../store/open.ts';
import { checkSchema, SCHEMA_VERSION, ServiceDataUnusable } from '../store/schema.ts';
import { verifyLedger } from './verify-ledger.ts';

const count = z.int().nonnegative();
export const examination = z.strictObject({
  findings: z.array(z.string()).describe('A sentence for each thing that is wrong.'),
  transactions: count,
  postings: count,
});
export type Examination = z.output<typeof examination>;

/**
 * Recomputes everything in a data directory from the postings, without changing anything, also beside a service that is
 * running on it: what it sees is one moment. Null where there is no data. Throws `ServiceDataUnusable` for a file of
 * another program, or of another version of payrun.
 */
export function verifyData(dataDir: string): Examination | null {
  const { database } = servicePaths(dataDir);
  if (!existsSync(database)) return null;
  const store = openDatabase(database, { readOnly: true });
  try {
    return examine(store, database);
  } catch (error) {
    if (!DAMAGED.has(sqliteCode(error) ?? 0)) throw error;
    return { findings: [`the file ${database} is damaged`], transactions: 0, postings: 0 };
  } finally {
    store.close();
  }
}

const DAMAGED: ReadonlySet<number> = new Set([CORRUPT, NOT_A_DATABASE]);

function examine(store: Store, path: string): Examination {
  checkSchema(store, path);
  const version = Number(store.get('PRAGMA user_version')?.user_version);
  if (version < SCHEMA_VERSION)
    throw new ServiceDataUnusable(path, `was written by an older payrun: start \`payrun service\` on it once`);
  // Everything that follows is of the same moment.
  store.exec('BEGIN');
  const damage = store.all('PRAGMA quick_check(1)').map((row) => String(row.quick_check));
  if (damage[0] !== 'ok') return { findings: [`the file is damaged: ${damage[0]}`], transactions: 0, postings: 0 };
  const count = (table: string): number => Number(store.get(`SELECT count(*) AS count FROM ${table}`)?.count);
  return { findings: verifyLedger(store), transactions: count('transfer'), postings: count('posting') };
}
