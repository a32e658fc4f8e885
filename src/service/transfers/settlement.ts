import assert from 'node:assert/strict';
import type { Core } from '../core.ts';
import { recordEvent } from '../events.ts';
import type { Leg, Owner } from '../ledger/ledger.ts';
import { isWithinTolerance, marketRate, sellQuote } from '../market/pairs.ts';
import { NO_FEES } from './fees.ts';
import { takeFromTotals } from './totals.ts';
import {
  type Ending,
  FAILURE_OF,
  type FailureCode,
  type NewTransfer,
  type Transfer,
  transferOf,
  writeTransfer,
} from './transfer.ts';
import { AMOUNT_MAX } from './transfer-checks.ts';

/** Steps that one transaction takes at most; the rest follow in the next. */
const STEPS_MAX = 256;

/**
 * Takes every step that is due at this moment of the service's clock: settles transfers, returns those that are to be
 * returned. Runs inside a transaction.
 */
export function takeDueSteps(core: Core): void {
  for (const row of core.store.all(DUE, Math.floor(core.clock.wallMs()), STEPS_MAX)) {
    const transfer = transferOf(row);
    if (transfer.step === 'return') returnPayout(core, transfer);
    else endTransfer(core, transfer, FAILURE_OF[transfer.outcome as Ending] ?? null);
  }
}

/** When the next step is due (Unix ms), or null. */
export function nextDueMs(core: Core): number | null {
  const due = core.store.get('SELECT min(due_at) AS due FROM transfer WHERE due_at IS NOT NULL')?.due ?? null;
  return due === null ? null : Number(due);
}

/** What it takes from the customer: the amount, to the liquidity where it is converted and else on its way out, and each fee. */
export function takingLegs({ ledger }: Core, { customer, rail, sent, fees, askedMinor }: NewTransfer): Leg[] {
  const { currency } = sent.asset;
  const debit = ledger.account(`customer:${customer}`, currency);
  const credit = ledger.account(askedMinor === null ? `rail:${rail}` : 'liquidity', currency);
  const legs: Leg[] = [{ debit, credit, amountMinor: sent.minor }];
  for (const amountMinor of [fees.conversionMinor, fees.directMinor])
    if (amountMinor > 0n) legs.push({ debit, credit: ledger.account('fees', currency), amountMinor });
  return legs;
}

/** What arrives: from the liquidity, where it is converted; to the customer in a swap, else by the rail to the world. */
function givingLegs({ ledger }: Core, { customer, rail, received, askedMinor }: Transfer, amountMinor: bigint): Leg[] {
  const leg = (debit: Owner, credit: Owner): Leg => ({
    debit: ledger.account(debit, received.asset.currency),
    credit: ledger.account(credit, received.asset.currency),
    amountMinor,
  });
  if (rail === 'balance') return [leg('liquidity', `customer:${customer}`)];
  const out = leg(`rail:${rail}`, 'world');
  return askedMinor === null ? [out] : [leg('liquidity', `rail:${rail}`), out];
}

/**
 * The execution of a pending transfer: FAILED with a reason and everything given back, or COMPLETED where the market is
 * still within the tolerance and the cover is reserved or can be had now. Returns the new status.
 */
export function endTransfer(core: Core, transfer: Transfer, failure: FailureCode | null): 'COMPLETED' | 'FAILED' {
  const atMs = core.stamps.nowMs();
  const wrong = failure ?? execute(core, transfer, atMs);
  if (wrong === null) return 'COMPLETED';
  core.ledger.release(transfer.number, atMs);
  core.store.run(FAIL, atMs, wrong, transfer.number);
  recordEvent(core, transfer.number, 'transaction.updated', 'FAILED', atMs);
  takeFromTotals(core, transfer.customer, transfer.kind, transfer.worth);
  return 'FAILED';
}

/** Says what is wrong, before anything is moved. */
function execute(core: Core, transfer: Transfer, atMs: number): FailureCode | null {
  const { number, rail } = transfer;
  const received =
    transfer.askedMinor === null ? transfer.received.minor : requote(core, transfer, transfer.askedMinor);
  if (received === null) return 'RATE_DRIFT';
  if (!core.ledger.post(number, atMs)) {
    // What was not covered when the transfer was accepted may be by now.
    if (!core.ledger.reserve(number, atMs, takingLegs(core, transfer))) return 'INSUFFICIENT_BALANCE';
    core.ledger.post(number, atMs);
  }
  core.ledger.move(number, atMs, givingLegs(core, transfer, received));
  const isReturned = transfer.outcome === 'RETURN';
  const dueMs = isReturned ? atMs + core.settleMsOf(rail) : null;
  const step = isReturned ? 'return' : null;
  if (transfer.askedMinor !== null) {
    const { rate } = marketRate(core.market.pair(transfer.sent.asset, transfer.received.asset));
    core.store.run(CONVERTED, String(received), rate, number);
  }
  core.store.run(COMPLETE, atMs, step, dueMs, number);
  recordEvent(core, number, 'transaction.updated', 'COMPLETED', atMs);
  if (dueMs !== null) core.dueAt(dueMs);
  return null;
}

/**
 * The market at execution (specification, section 1). A swap brings what it is worth now; a payee gets exactly what was
 * asked, and the liquidity bears the difference. Null outside the tolerance.
 */
function requote(core: Core, { sent, received, rail }: Transfer, askedMinor: bigint): bigint | null {
  const pair = core.market.pair(sent.asset, received.asset);
  const { bid } = sellQuote(sent.minor, pair);
  if (bid > AMOUNT_MAX || !isWithinTolerance(sent.minor, askedMinor, pair)) return null;
  return rail === 'balance' ? bid : askedMinor;
}

/**
 * A bank return after COMPLETED (`decisions.md`): a new deposit of what had arrived, in the currency in which it had,
 * that names the original. The fees are kept, and the original stays COMPLETED, because a final status stays. Returns
 * the deposit's id.
 */
export function returnPayout(core: Core, payout: Transfer): string {
  assert(payout.status === 'COMPLETED' && payout.account !== null, 'only a completed payout can be returned');
  const { customer, received } = payout;
  const atMs = core.stamps.nowMs();
  const id = core.stamps.id('txn', atMs);
  const deposit: NewTransfer = {
    ...payout,
    id,
    kind: 'deposit',
    createdMs: atMs,
    sent: received,
    fees: NO_FEES,
    askedMinor: null,
    rate: null,
    proofOfPurpose: null,
    description: `Return of ${payout.id}`,
    reference: null,
    payoutReference: `PO${core.stamps.characters(12).toUpperCase()}`,
    externalReference: payout.id,
    externalReferenceType: 'RETURN',
    outcome: 'RETURN',
    step: null,
    dueMs: null,
    worth: core.market.usdWorth(received.minor, received.asset),
    orderingAccount: null,
  };
  const account = core.store.get('SELECT account_name FROM external_account WHERE account = ?', payout.account);
  const number = writeTransfer(core, deposit, String(account?.account_name));
  const debit = core.ledger.account('world', received.asset.currency);
  const credit = core.ledger.account(`customer:${customer}`, received.asset.currency);
  core.ledger.move(number, atMs, [{ debit, credit, amountMinor: received.minor }]);
  recordEvent(core, number, 'transaction.created', 'COMPLETED', atMs);
  core.store.run(RETURNED, payout.number);
  return id;
}

const DUE = 'SELECT * FROM transfer WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?';
const COMPLETE = "UPDATE transfer SET status = 'COMPLETED', updated_at = ?, step = ?, due_at = ? WHERE transfer = ?";
const CONVERTED = 'UPDATE transfer SET in_value = ?, market_rate = ? WHERE transfer = ?';
const FAIL = `UPDATE transfer SET status = 'FAILED', updated_at = ?, failure_code = ?, step = NULL, due_at = NULL
  WHERE transfer = ?`;
const RETURNED = "UPDATE transfer SET step = NULL, due_at = NULL, outcome = 'RETURNED' WHERE transfer = ?";
