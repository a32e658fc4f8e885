import assert from 'node:assert/strict';
import { type Asset, assetOf } from '../accounts/assets.ts';
import type { Core } from '../core.ts';
import { recordEvent } from '../events.ts';
import { isWithinTolerance, sellQuote } from '../market/conversion.ts';
import { marketRate } from '../market/pairs.ts';
import type { Row } from '../store/database.ts';
import { AMOUNT_MAX } from './amount-checks.ts';
import type { TransferRail } from './rail-terms.ts';
import { type Ending, FAILURE_OF, type FailureCode } from './rehearsal.ts';
import { returnPayout } from './returns.ts';
import { takeFromTotals } from './totals.ts';
import { givingLegs, takingLegs } from './transfer-legs.ts';

/** Steps that one transaction takes at most; the rest follow in the next. */
const STEPS_MAX = 256;

/**
 * Takes every step that is due at this moment of the service's clock: settles transfers, returns those that are to be
 * returned. Runs inside a transaction; says how many steps it took.
 */
export function takeDueSteps(core: Core): number {
  const rows = core.store.all(DUE, Math.floor(core.clock.wallMs()), STEPS_MAX);
  for (const row of rows) {
    if (row.step === 'return') returnPayout(core, row);
    else endTransfer(core, row, FAILURE_OF[row.outcome as Ending] ?? null);
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
 * The execution of a pending transfer: FAILED with a reason and everything given back, or COMPLETED where the market is
 * still within the tolerance and the cover is reserved or can be had now. Returns the new status.
 */
export function endTransfer(core: Core, row: Row, failure: FailureCode | null): 'COMPLETED' | 'FAILED' {
  const atMs = core.stamps.nowMs();
  const wrong = failure ?? execute(core, row, atMs);
  if (wrong === null) return 'COMPLETED';
  const transfer = Number(row.transfer);
  core.ledger.release(transfer, atMs);
  core.store.run(FAIL, atMs, wrong, transfer);
  recordEvent(core, transfer, 'transaction.updated', 'FAILED', atMs);
  const worth = { cents: Number(row.usd_cents), rest: Number(row.usd_rest) };
  takeFromTotals(core, Number(row.customer), String(row.kind), worth);
  return 'FAILED';
}

/** Says what is wrong, before anything is moved. */
function execute(core: Core, row: Row, atMs: number): FailureCode | null {
  const isConversion = row.asked_value !== null;
  const received = isConversion ? requote(core, row) : { inMinor: BigInt(String(row.in_value)), rate: null };
  if (received === null) return 'RATE_DRIFT';
  const transfer = Number(row.transfer);
  if (!core.ledger.post(transfer, atMs)) {
    if (!reserveLate(core, row, atMs)) return 'INSUFFICIENT_BALANCE';
    core.ledger.post(transfer, atMs);
  }
  const { inMinor, rate } = received;
  const customer = Number(row.customer);
  const rail = String(row.rail) as TransferRail;
  const { currency } = assetIn(row);
  core.ledger.move(transfer, atMs, givingLegs(core, { customer, rail, currency, inMinor, isConversion }));
  const isReturned = row.outcome === 'RETURN';
  const dueMs = isReturned ? atMs + core.settleMsOf(rail) : null;
  const step = isReturned ? 'return' : null;
  if (isConversion) core.store.run(COMPLETE_CONVERSION, atMs, step, dueMs, String(inMinor), rate, transfer);
  else core.store.run(COMPLETE, atMs, step, dueMs, transfer);
  recordEvent(core, transfer, 'transaction.updated', 'COMPLETED', atMs);
  if (dueMs !== null) core.dueAt(dueMs);
  return null;
}

/**
 * The market at execution (specification, section 1). A swap brings what it is worth now; a payee gets exactly what was
 * asked, and the liquidity bears the difference. Null outside the tolerance.
 */
function requote(core: Core, row: Row): { inMinor: bigint; rate: string } | null {
  const pair = core.market.pair(assetOut(row), assetIn(row));
  const outMinor = BigInt(String(row.out_value));
  const askedMinor = BigInt(String(row.asked_value));
  const { bid } = sellQuote(outMinor, pair);
  if (bid > AMOUNT_MAX || !isWithinTolerance(outMinor, askedMinor, pair)) return null;
  return { inMinor: row.rail === 'balance' ? bid : askedMinor, rate: marketRate(pair).rate };
}

/** What was not covered when the transfer was accepted may be by now. */
function reserveLate(core: Core, row: Row, atMs: number): boolean {
  const taking = {
    customer: Number(row.customer),
    rail: String(row.rail),
    currency: assetOut(row).currency,
    outMinor: BigInt(String(row.out_value)),
    conversionFeeMinor: BigInt(String(row.conversion_fee_value)),
    directFeeMinor: BigInt(String(row.fee_value)),
    isConversion: row.asked_value !== null,
  };
  return core.ledger.reserve(Number(row.transfer), atMs, takingLegs(core, taking));
}

function assetOut(row: Row): Asset {
  return keptAsset(row.out_code, row.out_chain);
}

function assetIn(row: Row): Asset {
  return keptAsset(row.in_code, row.in_chain);
}

function keptAsset(code: unknown, chain: unknown): Asset {
  const asset = assetOf(String(code), chain === null ? null : String(chain));
  assert(asset, 'a transfer is of currencies that the service keeps');
  return asset;
}

const DUE = 'SELECT * FROM transfer WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?';
const COMPLETE = "UPDATE transfer SET status = 'COMPLETED', updated_at = ?, step = ?, due_at = ? WHERE transfer = ?";
const COMPLETE_CONVERSION = `UPDATE transfer SET status = 'COMPLETED', updated_at = ?, step = ?, due_at = ?, in_value = ?,
  market_rate = ? WHERE transfer = ?`;
const FAIL = `UPDATE transfer SET status = 'FAILED', updated_at = ?, failure_code = ?, step = NULL, due_at = NULL
  WHERE transfer = ?`;
