import assert from 'node:assert/strict';
import { assetOf } from '../accounts/assets.ts';
import type { Core } from '../core.ts';
import { recordEvent } from '../events.ts';
import { searchText } from '../search-text.ts';
import type { Row } from '../store/database.ts';
import { addToTotals } from './totals.ts';

/**
 * A bank return after COMPLETED (`decisions.md`): a new deposit of what had arrived, in the currency in which it had,
 * that names the original. The fees are kept, and the original stays COMPLETED, because a final status stays. Returns
 * the deposit's id.
 */
export function returnPayout(core: Core, row: Row): string {
  assert(row.status === 'COMPLETED' && row.account !== null, 'only a completed payout can be returned');
  const atMs = core.stamps.nowMs();
  const id = core.stamps.id('txn', atMs);
  const customer = Number(row.customer);
  const asset = assetOf(String(row.in_code), row.in_chain as string | null);
  assert(asset, 'what arrived was a currency of the service');
  const amountMinor = BigInt(String(row.in_value));
  const worth = core.market.usdWorth(amountMinor, asset);
  const description = `Return of ${row.id}`;
  const payoutReference = `PO${core.stamps.characters(12).toUpperCase()}`;
  const texts = [description, payoutReference, String(row.id)];
  const { lastId } = core.store.run(INSERT, id, atMs, atMs, ...texts, worth.cents, worth.rest, Number(row.transfer));
  const text = searchText([id, description, null, payoutReference, String(row.id), accountName(core, row)]);
  core.store.run('INSERT INTO transfer_search (customer, transfer, text) VALUES (?, ?, ?)', customer, lastId, text);
  addToTotals(core, customer, 'deposit', worth);
  const debit = core.ledger.account('world', asset.currency);
  const credit = core.ledger.account(`customer:${customer}`, asset.currency);
  core.ledger.move(lastId, atMs, [{ debit, credit, amountMinor }]);
  recordEvent(core, lastId, 'transaction.created', 'COMPLETED', atMs);
  core.store.run(RETURNED, Number(row.transfer));
  return id;
}

function accountName(core: Core, row: Row): string | null {
  const sql = 'SELECT account_name FROM external_account WHERE account = ?';
  return (core.store.get(sql, row.account ?? null)?.account_name ?? null) as string | null;
}

const RETURNED = "UPDATE transfer SET step = NULL, due_at = NULL, outcome = 'RETURNED' WHERE transfer = ?";
const INSERT = `INSERT INTO transfer (id, customer, kind, status, created_at, updated_at, recipient, account,
  in_code, in_chain, in_value, out_code, out_chain, out_value, fee_value, rail, description, reference,
  payout_reference, external_reference, external_reference_type, outcome, step, due_at, usd_cents,
  usd_rest)
  SELECT ?, customer, 'deposit', 'COMPLETED', ?, ?, recipient, account, in_code, in_chain, in_value, in_code,
  in_chain, in_value, '0', rail, ?, NULL, ?, ?, 'RETURN', 'RETURN', NULL, NULL, ?, ?
  FROM transfer WHERE transfer = ?`;
