import { existsSync } from 'node:fs';
import { z } from 'zod';
import { CORRUPT, NOT_A_DATABASE, sqliteCode } from '../../platform/sqlite.ts';
import { openDatabase, type Store } from '../store/database.ts';
import { servicePaths } from '../store/open.ts';
import { checkSchema, SCHEMA_VERSION, ServiceDataUnusable } from '../store/schema.ts';
import { checkInvariants, checkReports } from './invariants.ts';
import { checkAccounts, foldPostings } from './postings.ts';
import { checkTransfers } from './transfers.ts';

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

/**
 * Recomputes every balance from the postings alone and compares; returns one sentence for each thing that is wrong, at
 * most `FINDINGS_MAX` of them, none where all is well. Reads the database as it is on disk, in one state of it, and
 * shares no arithmetic of the ledger but the account's shape and the form of a posting's hash.
 *
 *  1. In each currency debits equal credits, pending and posted, and each posting has one currency.
 *  2. No customer can spend, or ever could, more than it had.
 *  3. A customer's pending debits are the amounts and fees of its open transactions.
 *  4. A transaction that has ended has nothing open; one that COMPLETED has posted just its legs, one that FAILED none;
 *     one that has not ended will. Nothing but the admin port's deposits is posted without a transaction.
 *  5. Each reserve is resolved at most once, by a posting of its own accounts and amount.
 *  6. Each account's balances are the fold of its postings, from nothing.
 *  7. The chain of the postings' hashes holds.
 *  8. No conversion brought more than it was worth with its fee, so there and back never gains.
 *  9. Each change of a status has just one event.
 * 10. What transactions report is what went to the world and came from it, a payout came back once at most; the totals
 *     of listings are theirs.
 */
export function verifyLedger(store: Store): string[] {
  const findings: string[] = [];
  const find = (text: string): void => {
    if (findings.length < FINDINGS_MAX) findings.push(text);
  };
  // One state, though a service may be writing to the file meanwhile. It also works inside a transaction.
  store.exec('SAVEPOINT verify');
  try {
    const fold = foldPostings(store, find);
    checkAccounts(store, fold, find);
    checkTransfers(store, fold, find);
    checkReports(store, fold, find);
    checkInvariants(store, find);
  } finally {
    store.exec('RELEASE verify');
  }
  return findings;
}

const FINDINGS_MAX = 100;
