import type { Row, Store } from '../store/database.ts';
import { currencyOf, type Find, type Fold } from './postings.ts';

/** What a query holds: each row that it finds is something wrong. */
type Invariant = { name: string; sql: string; text(row: Row): string };

/** Rows that each invariant reports. */
const ROWS_MAX = 25;

/** Of one transaction (`t`): what is still to happen to it. A stuck one never ends; a payout that is to come back is due again. */
const IS_RETURNING = "(t.status = 'COMPLETED' AND t.kind = 'withdraw' AND t.outcome = 'RETURN')";
const STEP = `CASE WHEN t.status = 'PENDING' THEN 'settle' WHEN ${IS_RETURNING} THEN 'return' END`;
const IS_DUE = `(${IS_RETURNING} OR (t.status = 'PENDING' AND t.outcome <> 'STUCK'))`;

const INVARIANTS: readonly Invariant[] = [
  {
    name: 'a transaction that has not ended has a next step, another has none',
    sql: `SELECT * FROM transfer t WHERE t.step IS NOT ${STEP} OR (t.due_at IS NOT NULL) <> ${IS_DUE}`,
    text: ({ id, status, step, due_at }) =>
      `${id} is ${status}: its next step is ${step ?? 'none'}, due at ${due_at ?? 'no time'}`,
  },
  {
    name: 'a transaction that FAILED has a reason, another has none',
    sql: "SELECT * FROM transfer t WHERE (t.failure_code IS NOT NULL) <> (t.status = 'FAILED')",
    text: ({ id, status, failure_code }) => `${id} is ${status}: its failure is ${failure_code ?? 'none'}`,
  },
  {
    name: 'a converting payout pays exactly what was asked',
    sql: `SELECT * FROM transfer t WHERE t.status = 'COMPLETED' AND t.rail <> 'balance' AND t.asked_value IS NOT NULL
      AND t.in_value <> t.asked_value`,
    text: ({ id, in_value, in_code, asked_value }) => `${id} paid ${in_value} ${in_code}, and ${asked_value} was asked`,
  },
  {
    name: 'each deposit is the return of one payout, of what had arrived',
    sql: `SELECT d.id FROM transfer d LEFT JOIN transfer p ON p.id = d.external_reference
      AND p.customer = d.customer AND p.kind = 'withdraw' AND p.status = 'COMPLETED' AND p.outcome = 'RETURNED'
      AND p.in_code = d.in_code AND p.in_chain IS d.in_chain AND p.in_value = d.in_value
      WHERE d.kind = 'deposit' AND p.id IS NULL`,
    text: ({ id }) => `${id} is the return of no payout of that amount that was returned`,
  },
  {
    name: 'a payout comes back once at most',
    sql: `SELECT external_reference AS id, count(*) AS times FROM transfer WHERE kind = 'deposit'
      GROUP BY external_reference HAVING times > 1`,
    text: ({ id, times }) => `${id} was returned ${times} times`,
  },
  {
    name: 'a payout that came back has its deposit',
    sql: `SELECT id FROM transfer WHERE outcome = 'RETURNED'
      AND id NOT IN (SELECT external_reference FROM transfer WHERE kind = 'deposit')`,
    text: ({ id }) => `${id} was returned, and no deposit says so`,
  },
  {
    name: 'a search finds each transaction',
    sql: `SELECT t.id FROM transfer t LEFT JOIN transfer_search s
      ON s.customer = t.customer AND s.transfer = t.transfer WHERE s.transfer IS NULL`,
    text: ({ id }) => `${id} is in no search`,
  },
  {
    name: 'rows are numbered from one and never deleted',
    sql: `SELECT * FROM (SELECT 'transaction' AS kind, count(*) AS rows, coalesce(max(transfer), 0) AS newest FROM transfer
      UNION ALL SELECT 'posting', count(*), coalesce(max(posting), 0) FROM posting
      UNION ALL SELECT 'event', count(*), coalesce(max(event), 0) FROM event) WHERE rows <> newest`,
    text: ({ kind, rows, newest }) => `the newest ${kind} is number ${newest}, and there are ${rows}`,
  },
  {
    name: 'each event of a time when an endpoint was on has a delivery to it',
    sql: `SELECT e.event, w.id FROM webhook_period p JOIN webhook_endpoint w ON w.endpoint = p.endpoint
      JOIN event e ON e.event > p.after_event AND (p.until_event IS NULL OR e.event <= p.until_event)
      LEFT JOIN delivery d ON d.event = e.event AND d.endpoint = p.endpoint WHERE d.event IS NULL`,
    text: ({ event, id }) => `event ${event} has no delivery to ${id}`,
  },
  {
    name: 'an endpoint that is on has one period that has not ended, another has none',
    sql: `SELECT w.id, w.state, count(p.endpoint) AS open FROM webhook_endpoint w
      LEFT JOIN webhook_period p ON p.endpoint = w.endpoint AND p.until_event IS NULL
      GROUP BY w.endpoint HAVING open <> (w.state = 'on')`,
    text: ({ id, state, open }) => `${id} is ${state} with ${open} open periods`,
  },
  {
    name: 'nothing is due for an endpoint that is not on',
    sql: `SELECT d.event, w.id FROM delivery d JOIN webhook_endpoint w ON w.endpoint = d.endpoint
      WHERE d.due_at IS NOT NULL AND w.state <> 'on'`,
    text: ({ event, id }) => `event ${event} is due for ${id}, which is not on`,
  },
  {
    name: 'what is delivered has a text',
    sql: 'SELECT d.event FROM delivery d JOIN event e ON e.event = d.event WHERE e.body IS NULL',
    text: ({ event }) => `event ${event} has a delivery and no text`,
  },
  {
    name: 'no row points at nothing',
    sql: 'SELECT "table" FROM pragma_foreign_key_check',
    text: ({ table }) => `a row of ${table} points at nothing`,
  },
];

/** Everything that one query can find. */
export function checkInvariants(store: Store, find: Find): void {
  for (const { sql, text } of INVARIANTS) for (const row of store.all(`${sql} LIMIT ${ROWS_MAX}`)) find(text(row));
}

/**
 * Compares what listings report with what happened: transfers by currency with what went to the world and came from it,
 * and the kept totals with those of the transfers.
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
  const folded = JSON.stringify(store.all(FOLDED_TOTALS));
  const kept = JSON.stringify(store.all(KEPT_TOTALS));
  if (folded !== kept) find(`the totals of listings are kept as ${kept}, the transactions make ${folded}`);
}

const ENDED = `SELECT kind, in_code, in_chain, in_value FROM transfer
  WHERE status = 'COMPLETED' AND kind IN ('withdraw', 'deposit')`;
const FOLDED_TOTALS = `SELECT customer, kind, count(*) AS transfers, CAST(sum(usd_cents) AS text) AS usd_cents,
  CAST(sum(usd_rest) AS text) AS usd_rest FROM transfer WHERE status <> 'FAILED' GROUP BY customer, kind ORDER BY customer, kind`;
const KEPT_TOTALS = `SELECT customer, kind, transfers, CAST(usd_cents AS text) AS usd_cents,
  CAST(usd_rest AS text) AS usd_rest FROM transfer_total WHERE transfers <> 0 OR usd_cents <> 0 OR usd_rest <> 0 ORDER BY customer, kind`;
