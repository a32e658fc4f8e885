import type { Store } from '../store/database.ts';
import { checkAccounts, foldPostings } from '../verify/postings.ts';
import { checkReports } from '../verify/reports.ts';
import { checkTransfers } from '../verify/transfers.ts';
import { verifyDeliveries } from '../webhooks/verify-deliveries.ts';

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
    for (const text of verifyDeliveries(store)) find(text);
    for (const row of store.all('PRAGMA foreign_key_check')) find(`a row of ${row.table} points at nothing`);
  } finally {
    store.exec('RELEASE verify');
  }
  return findings;
}

const FINDINGS_MAX = 100;
