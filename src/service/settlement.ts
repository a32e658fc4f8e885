import assert from 'node:assert/strict';
import type { RailName } from '../domain/rails/rail.ts';
import { keptCurrency } from './balances.ts';
import type { Core } from './core.ts';
import { recordEvent } from './outbox.ts';
import { payoutLegs } from './payouts.ts';
import { type Ending, FAILURE_OF, type FailureCode } from './rehearsal.ts';
import { searchText } from './search-text.ts';
import type { Row } from './store/database.ts';
import { addToTotals } from './totals.ts';

/** Steps that one transaction takes at most; the rest follow in the next. */
const STEPS_MAX = 256;

/**
 * Takes every step that is due at this moment of the service's clock: settles payouts, returns those that are to be
 * returned. Runs inside a transaction; says how many steps it took.
 */
export function takeDueSteps(core: Core): number {
  const rows = core.store.all(DUE, Math.floor(core.clock.wallMs()), STEPS_MAX);
  for (const row of rows) {
    if (row.step === 'return') returnPayout(core, row);
    else endPayout(core, row, FAILURE_OF[row.outcome as Ending] ?? null);
  }
  return rows.length;
}

/** When the next step is due (Unix ms), or null. */
export function nextDueMs(core: Core): number | null {
  const due = core.store.get('SELECT min(due_at) AS due FROM transfer WHERE due_at IS NOT NULL')?.due ?? null;
  return due === null ? null : Number(due);
}

/** The row of a transaction, or undefined. */
export function findTransfer(core: Core, id: string): Row | undefined {
  return core.store.get('SELECT * FROM transfer WHERE id = ?', id);
}

/**
 * The execution of a pending payout: FAILED with a reason, or COMPLETED where its cover is reserved or can be had now.
 * Returns the new status.
 */
export function endPayout(core: Core, row: Row, failure: FailureCode | null): 'COMPLETED' | 'FAILED' {
  const transfer = Number(row.transfer);
  const atMs = core.stamps.nowMs();
  const wrong = failure ?? execute(core, row, transfer, atMs);
  if (wrong === null) {
    const isReturned = row.outcome === 'RETURN';
    const dueMs = isReturned ? atMs + core.settleMsOf(String(row.rail) as RailName) : null;
    core.store.run(COMPLETE, atMs, isReturned ? 'return' : null, dueMs, transfer);
    recordEvent(core, transfer, 'transaction.updated', 'COMPLETED', atMs);
    if (dueMs !== null) core.dueAt(dueMs);
    return 'COMPLETED';
  }
  core.ledger.release(transfer, atMs);
  core.store.run(FAIL, atMs, wrong, transfer);
  recordEvent(core, transfer, 'transaction.updated', 'FAILED', atMs);
  addToTotals(core, Number(row.customer), String(row.kind), -1, -Number(row.usd_cents));
  return 'FAILED';
}

/** Posts what was reserved and lets the money leave by the rail. Says what is wrong where there is no cover. */
function execute(core: Core, row: Row, transfer: number, atMs: number): FailureCode | null {
  const currency = keptCurrency(String(row.out_code), row.out_chain as string | null);
  const rail = String(row.rail);
  const amountMinor = BigInt(String(row.out_value));
  if (!core.ledger.post(transfer, atMs)) {
    const feeMinor = BigInt(String(row.fee_value));
    const legs = payoutLegs(core, Number(row.customer), rail, currency, amountMinor, feeMinor);
    if (!core.ledger.reserve(transfer, atMs, legs)) return 'INSUFFICIENT_BALANCE';
    core.ledger.post(transfer, atMs);
  }
  const debit = core.ledger.account(`rail:${rail}`, currency);
  core.ledger.move(transfer, atMs, [{ debit, credit: core.ledger.account('world', currency), amountMinor }]);
  return null;
}

/**
 * A bank return after COMPLETED (`decisions.md`): a new deposit of the amount that names the original; the fee is kept,
 * and the original stays COMPLETED, because a final status stays. Returns the deposit's id.
 */
export function returnPayout(core: Core, row: Row): string {
  assert(row.status === 'COMPLETED', 'only a completed payout can be returned');
  const atMs = core.stamps.nowMs();
  const id = core.stamps.id('txn', atMs);
  const currency = keptCurrency(String(row.out_code), row.out_chain as string | null);
  const amountMinor = BigInt(String(row.out_value));
  const description = `Return of ${row.id}`;
  const payoutReference = `PO${core.stamps.characters(12).toUpperCase()}`;
  const { lastId } = core.store.run(
    INSERT_RETURN,
    id,
    atMs,
    atMs,
    description,
    payoutReference,
    row.id ?? null,
    row.transfer ?? null,
  );
  const text = searchText([id, description, null, payoutReference, String(row.id), accountName(core, row)]);
  core.store.run(
    'INSERT INTO transfer_search (customer, transfer, text) VALUES (?, ?, ?)',
    row.customer ?? null,
    lastId,
    text,
  );
  addToTotals(core, Number(row.customer), 'deposit', 1, Number(row.usd_cents));
  const debit = core.ledger.account('world', currency);
  const credit = core.ledger.account(`customer:${Number(row.customer)}`, currency);
  core.ledger.move(lastId, atMs, [{ debit, credit, amountMinor }]);
  recordEvent(core, lastId, 'transaction.created', 'COMPLETED', atMs);
  core.store.run(
    "UPDATE transfer SET step = NULL, due_at = NULL, outcome = 'RETURNED' WHERE transfer = ?",
    row.transfer ?? null,
  );
  return id;
}

function accountName(core: Core, row: Row): string | null {
  const sql = 'SELECT account_name FROM external_account WHERE account = ?';
  return (core.store.get(sql, row.account ?? null)?.account_name ?? null) as string | null;
}

const DUE = 'SELECT * FROM transfer WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?';
const COMPLETE = "UPDATE transfer SET status = 'COMPLETED', updated_at = ?, step = ?, due_at = ? WHERE transfer = ?";
const FAIL = `UPDATE transfer SET status = 'FAILED', updated_at = ?, failure_code = ?, step = NULL, due_at = NULL
  WHERE transfer = ?`;
const INSERT_RETURN = `INSERT INTO transfer (id, customer, kind, status, created_at, updated_at, recipient, account,
  in_code, in_chain, in_value, out_code, out_chain, out_value, fee_value, rail, description, reference,
  payout_reference, external_reference, external_reference_type, outcome, step, due_at, usd_cents)
  SELECT ?, customer, 'deposit', 'COMPLETED', ?, ?, recipient, account, out_code, out_chain, out_value, out_code,
  out_chain, out_value, '0', rail, ?, NULL, ?, ?, 'RETURN', 'RETURN', NULL, NULL, usd_cents
  FROM transfer WHERE transfer = ?`;
