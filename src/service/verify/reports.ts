import type { Store } from '../store/database.ts';
import { currencyOf, type Find } from './findings.ts';
import type { Fold } from './postings.ts';

/**
 * Compares what listings report with what happened. Finds: transfers by currency that are not what went to the world
 * and came from it; a payout that came back twice, or never, or as something else; kept totals that are not those of the
 * transfers; a transfer that no search can find; rows that are gone without another trace.
 */
export function checkReports(store: Store, { worldMinor }: Fold, find: Find): void {
  const reported = new Map<string, bigint>();
  for (const { kind, in_code, in_chain, in_value } of store.iterate(ENDED)) {
    const key = currencyOf(in_code, in_chain);
    const minor = BigInt(String(in_value));
    reported.set(key, (reported.get(key) ?? 0n) + (kind === 'deposit' ? -minor : minor));
  }
  for (const key of new Set([...reported.keys(), ...worldMinor.keys()])) {
    const [shown, moved] = [reported.get(key) ?? 0n, worldMinor.get(key) ?? 0n];
    if (shown !== moved) find(`the transactions in ${key} report ${shown} to the world, the postings moved ${moved}`);
  }
  checkReturns(store, find);
  const folded = JSON.stringify(store.all(FOLDED_TOTALS));
  const kept = JSON.stringify(store.all(KEPT_TOTALS));
  if (folded !== kept) find(`the totals of listings are kept as ${kept}, the transactions make ${folded}`);
  for (const { id } of store.all(UNSEARCHED)) find(`${id} is in no search`);
  for (const { kind, rows, newest } of store.all(NUMBERED))
    if (rows !== newest) find(`the newest ${kind} is number ${newest}, and there are ${rows}`);
}

/** Each deposit is the return of one payout, of what had arrived, and each payout that was returned has one deposit. */
function checkReturns(store: Store, find: Find): void {
  for (const { id } of store.all(UNFOUNDED)) find(`${id} is the return of no payout of that amount that was returned`);
  for (const { id, times } of store.all(REPEATED)) find(`${id} was returned ${times} times`);
  for (const { id } of store.all(NEVER_RETURNED)) find(`${id} was returned, and no deposit says so`);
}

const UNFOUNDED = `SELECT d.id FROM transfer d LEFT JOIN transfer p ON p.id = d.external_reference
  AND p.customer = d.customer AND p.kind = 'withdraw' AND p.status = 'COMPLETED' AND p.outcome = 'RETURNED'
  AND p.in_code = d.in_code AND p.in_chain IS d.in_chain AND p.in_value = d.in_value
  WHERE d.kind = 'deposit' AND p.id IS NULL LIMIT 100`;
const REPEATED = `SELECT external_reference AS id, count(*) AS times FROM transfer WHERE kind = 'deposit'
  GROUP BY external_reference HAVING times > 1 LIMIT 100`;
const NEVER_RETURNED = `SELECT id FROM transfer WHERE outcome = 'RETURNED'
  AND id NOT IN (SELECT external_reference FROM transfer WHERE kind = 'deposit') LIMIT 100`;
const ENDED = `SELECT kind, in_code, in_chain, in_value FROM transfer
  WHERE status = 'COMPLETED' AND kind IN ('withdraw', 'deposit')`;
const FOLDED_TOTALS = `SELECT customer, kind, count(*) AS transfers, CAST(sum(usd_cents) AS text) AS usd_cents,
  CAST(sum(usd_rest) AS text) AS usd_rest FROM transfer WHERE status <> 'FAILED' GROUP BY customer, kind ORDER BY customer, kind`;
const KEPT_TOTALS = `SELECT customer, kind, transfers, CAST(usd_cents AS text) AS usd_cents,
  CAST(usd_rest AS text) AS usd_rest FROM transfer_total WHERE transfers <> 0 OR usd_cents <> 0 OR usd_rest <> 0 ORDER BY customer, kind`;
/** Rows are numbered from one and never deleted. */
const NUMBERED = `SELECT 'transaction' AS kind, count(*) AS rows, coalesce(max(transfer), 0) AS newest FROM transfer
  UNION ALL SELECT 'posting', count(*), coalesce(max(posting), 0) FROM posting
  UNION ALL SELECT 'event', count(*), coalesce(max(event), 0) FROM event`;
const UNSEARCHED = `SELECT t.id FROM transfer t LEFT JOIN transfer_search s
  ON s.customer = t.customer AND s.transfer = t.transfer WHERE s.transfer IS NULL LIMIT 100`;
