import { wireMoney } from '../accounts/assets.ts';
import { maskNumber } from '../accounts/external-accounts.ts';
import type { Row } from '../store/database.ts';
import { isoText } from '../time/clock.ts';
import { wireFees } from './fees.ts';
import { FAILURES, type Transfer, transferOf } from './transfer.ts';

/** Transaction record of section 2.4. */
export function transactionRecord(transfer: Transfer) {
  const { sent, received, rail, proofOfPurpose } = transfer;
  return {
    id: transfer.id,
    created_at: isoText(transfer.createdMs),
    status: transfer.status,
    currency_in: wireMoney(received.minor, received.asset.currency),
    currency_out: wireMoney(sent.minor, sent.asset.currency),
    external_reference: transfer.externalReference,
    external_reference_type: transfer.externalReferenceType,
    fees: wireFees(transfer.fees, sent.asset.currency, rail),
    metadata: {
      description: transfer.description ?? undefined,
      payout_reference: transfer.payoutReference,
      price_pair: pricePair(transfer),
      rail,
      proof_of_purpose: proofOfPurpose === null ? undefined : JSON.parse(proofOfPurpose),
      required_fields: requiredFields(transfer),
    },
  };
}

/** Numbers by the specification, for people to look at. The caller sells what it sends, so the side is the bid. */
function pricePair({ rate }: Transfer) {
  return rate === null
    ? undefined
    : { marketRate: Number(rate.rate), direction: 'bid', tickSize: Number(rate.tickSize) };
}

function requiredFields({ reference, orderingAccount }: Transfer) {
  return {
    ...(reference !== null && { reference: { value: reference, label: 'Reference' } }),
    ...(orderingAccount !== null && { ordering_account: { value: orderingAccount, label: 'Sent in the name of' } }),
  };
}

/** Rows for `transactionDetail`: transfers `t` joined with their external accounts. */
export const DETAIL_ROW = `SELECT t.*, a.id AS account_id, a.type AS account_type_name, a.account_name, a.account_number,
  a.wallet_address, a.fingerprint FROM transfer t LEFT JOIN external_account a ON a.account = t.account`;

/** The record with what `transaction.get` adds, of a row of `DETAIL_ROW`. `then`: how the transfer stood at another time. */
export function transactionDetail(row: Row, then: Partial<Transfer> = {}) {
  const transfer = { ...transferOf(row), ...then };
  const isWallet = row.account_type_name === 'WEB3';
  const destination = transfer.account !== null && {
    id: row.account_id,
    type: row.account_type_name,
    account_name: row.account_name,
    account_number: maskNumber(String(isWallet ? row.wallet_address : row.account_number)),
    fingerprint: row.fingerprint,
  };
  const { failure } = transfer;
  return {
    ...transactionRecord(transfer),
    external_account_metadata: destination || null,
    failure_reason: failure === null ? null : { code: failure, message: FAILURES[failure] ?? '' },
  };
}
