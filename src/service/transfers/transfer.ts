import assert from 'node:assert/strict';
import { type Asset, assetOf, type UsdWorth } from '../accounts/assets.ts';
import type { Core } from '../core.ts';
import { searchText } from '../listing.ts';
import type { MarketRate } from '../market/pairs.ts';
import type { Row } from '../store/database.ts';
import type { Fees, TransferRail } from './fees.ts';
import { addToTotals } from './totals.ts';

export type Amount = { asset: Asset; minor: bigint };

/** A transfer before it has a number. */
export type NewTransfer = {
  id: string;
  customer: number;
  kind: 'withdraw' | 'deposit' | 'buy' | 'sell';
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  createdMs: number;
  recipient: number | null;
  /** The external account that it goes to. */
  account: number | null;
  received: Amount;
  sent: Amount;
  fees: Fees;
  /** What a conversion is to bring; null where nothing is converted. */
  askedMinor: bigint | null;
  rate: MarketRate | null;
  /** JSON. */
  proofOfPurpose: string | null;
  rail: TransferRail;
  description: string | null;
  reference: string | null;
  payoutReference: string;
  externalReference: string;
  externalReferenceType: string;
  outcome: Ending | 'RETURNED';
  /** What happens to it next, and when by the service's clock (Unix ms). */
  step: 'settle' | 'return' | null;
  dueMs: number | null;
  worth: UsdWorth;
  orderingAccount: string | null;
};

export type Transfer = NewTransfer & { number: number; failure: FailureCode | null };

/** A row of `transfer`. */
export function transferOf(row: Row): Transfer {
  const text = (column: string): string | null => (row[column] === null ? null : String(row[column]));
  const number = (column: string): number | null => (row[column] === null ? null : Number(row[column]));
  const rate = text('market_rate');
  return {
    number: Number(row.transfer),
    id: String(row.id),
    customer: Number(row.customer),
    kind: row.kind as Transfer['kind'],
    status: row.status as Transfer['status'],
    createdMs: Number(row.created_at),
    recipient: number('recipient'),
    account: number('account'),
    received: { asset: keptAsset(row.in_code, row.in_chain), minor: BigInt(String(row.in_value)) },
    sent: { asset: keptAsset(row.out_code, row.out_chain), minor: BigInt(String(row.out_value)) },
    fees: {
      conversionMinor: BigInt(String(row.conversion_fee_value)),
      conversionBps: Number(row.conversion_fee_bps),
      directMinor: BigInt(String(row.fee_value)),
    },
    askedMinor: row.asked_value === null ? null : BigInt(String(row.asked_value)),
    rate: rate === null ? null : { rate, tickSize: String(row.tick_size) },
    proofOfPurpose: text('proof_of_purpose'),
    rail: row.rail as TransferRail,
    description: text('description'),
    reference: text('reference'),
    payoutReference: String(row.payout_reference),
    externalReference: String(row.external_reference),
    externalReferenceType: String(row.external_reference_type),
    outcome: row.outcome as Transfer['outcome'],
    step: row.step as Transfer['step'],
    dueMs: number('due_at'),
    worth: { cents: Number(row.usd_cents), rest: Number(row.usd_rest) },
    orderingAccount: text('ordering_account'),
    failure: row.failure_code as FailureCode | null,
  };
}

export function findTransfer(core: Core, id: string): Transfer | null {
  const row = core.store.get('SELECT * FROM transfer WHERE id = ?', id);
  return row ? transferOf(row) : null;
}

/** Writes the row, what a search finds it by, and its part of the totals; returns its number. `accountName`: of the destination. */
export function writeTransfer(core: Core, transfer: NewTransfer, accountName: string | null): number {
  const { id, customer, kind, status, createdMs, received, sent, fees, rate, worth } = transfer;
  const { description, reference, payoutReference, externalReference } = transfer;
  const texts = [description, reference, payoutReference, externalReference];
  const { lastId } = core.store.run(
    INSERT,
    ...[id, customer, kind, status, createdMs, createdMs, transfer.recipient, transfer.account],
    ...[received.asset.currency.code, received.asset.currency.chain, String(received.minor)],
    ...[sent.asset.currency.code, sent.asset.currency.chain, String(sent.minor)],
    ...[String(fees.directMinor), String(fees.conversionMinor), fees.conversionBps],
    ...[transfer.askedMinor === null ? null : String(transfer.askedMinor), rate?.rate ?? null, rate?.tickSize ?? null],
    ...[transfer.proofOfPurpose, transfer.rail, ...texts, transfer.externalReferenceType],
    ...[transfer.outcome, transfer.step, transfer.dueMs, worth.cents, worth.rest, transfer.orderingAccount],
  );
  core.store.run(INSERT_SEARCH, customer, lastId, searchText([id, ...texts, accountName]));
  addToTotals(core, customer, kind, worth);
  return lastId;
}

function keptAsset(code: unknown, chain: unknown): Asset {
  const asset = assetOf(String(code), chain === null ? null : String(chain));
  assert(asset, 'a transfer is of currencies that the service keeps');
  return asset;
}

const INSERT = `INSERT INTO transfer (id, customer, kind, status, created_at, updated_at, recipient, account,
  in_code, in_chain, in_value, out_code, out_chain, out_value, fee_value, conversion_fee_value, conversion_fee_bps,
  asked_value, market_rate, tick_size, proof_of_purpose, rail, description, reference, payout_reference,
  external_reference, external_reference_type, outcome, step, due_at, usd_cents, usd_rest, ordering_account)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_SEARCH = 'INSERT INTO transfer_search (customer, transfer, text) VALUES (?, ?, ?)';

/** How a payout will end. Only a name that begins with `REHEARSE_` chooses another end than `COMPLETE`. */
export type Ending = 'COMPLETE' | 'FUNDS' | 'KYB' | 'SANCTIONS' | 'MONITORING' | 'CLOSED' | 'STUCK' | 'RETURN';

/** Why a transfer failed, as `failure_reason` of `transaction.get` tells it. */
export const FAILURES = {
  INSUFFICIENT_BALANCE: 'The balance did not cover the amount and the fee at execution.',
  RECIPIENT_VERIFICATION: 'The verification of the recipient as a business failed.',
  SANCTIONS_SCREENING: 'The sanctions screening refused the recipient.',
  TRANSACTION_MONITORING: 'The transaction monitoring refused the payout.',
  RATE_DRIFT: 'The market moved away from the rate that was asked for, by more than the tolerance.',
  ACCOUNT_CLOSED: 'The destination account is closed.',
  REJECTED_BY_BANK: 'The bank of the destination refused the payout.',
} as const;

export type FailureCode = keyof typeof FAILURES;

/** The failure of each ending that is one (specification, section 3, and `decisions.md`, "Rehearsal values"). */
export const FAILURE_OF: Readonly<Partial<Record<Ending, FailureCode>>> = {
  FUNDS: 'INSUFFICIENT_BALANCE',
  KYB: 'RECIPIENT_VERIFICATION',
  SANCTIONS: 'SANCTIONS_SCREENING',
  MONITORING: 'TRANSACTION_MONITORING',
  CLOSED: 'ACCOUNT_CLOSED',
};

const NAMED: ReadonlySet<string> = new Set(['FUNDS', 'KYB', 'SANCTIONS', 'MONITORING', 'CLOSED', 'STUCK', 'RETURN']);

/**
 * The ending that the names choose: the account's if it names one, else the recipient's. The word has to be whole, so
 * `REHEARSE_CLOSEDOWN` chooses nothing; what follows it is free, so that several payees can have the same ending.
 */
export function endingOf(accountName: string, recipientName: string | null): Ending {
  return namedEnding(accountName) ?? namedEnding(recipientName ?? '') ?? 'COMPLETE';
}

function namedEnding(name: string): Ending | null {
  if (!name.startsWith('REHEARSE_')) return null;
  const word = /^REHEARSE_([A-Z]+)(?![A-Za-z0-9])/.exec(name)?.[1] ?? '';
  return NAMED.has(word) ? (word as Ending) : null;
}
