import { maskNumber } from '../accounts/external-accounts.ts';
import type { Row } from '../store/database.ts';
import { isoText } from '../time/clock.ts';
import { keptCurrency, wireMoney } from './balances.ts';
import { wireFees } from './fees.ts';
import { FAILURES, type FailureCode } from './rehearsal.ts';

/** Transaction record of section 2.4, from a row of `transfer`. */
export function transactionRecord(row: Row) {
  const sent = keptCurrency(String(row.out_code), textOrNull(row.out_chain));
  const received = keptCurrency(String(row.in_code), textOrNull(row.in_chain));
  const fees = {
    conversionMinor: BigInt(String(row.conversion_fee_value)),
    conversionBps: Number(row.conversion_fee_bps),
    directMinor: BigInt(String(row.fee_value)),
  };
  return {
    id: row.id,
    created_at: isoText(Number(row.created_at)),
    status: row.status,
    currency_in: wireMoney(String(row.in_value), received),
    currency_out: wireMoney(String(row.out_value), sent),
    external_reference: row.external_reference,
    external_reference_type: row.external_reference_type,
    fees: wireFees(fees, sent, String(row.rail)),
    metadata: {
      description: row.description ?? undefined,
      payout_reference: row.payout_reference,
      price_pair: pricePair(row),
      rail: row.rail,
      proof_of_purpose: row.proof_of_purpose === null ? undefined : JSON.parse(String(row.proof_of_purpose)),
      required_fields: requiredFields(row),
    },
  };
}

function requiredFields({ reference, ordering_account }: Row) {
  return {
    ...(reference !== null && { reference: { value: reference, label: 'Reference' } }),
    ...(ordering_account !== null && { ordering_account: { value: ordering_account, label: 'Sent in the name of' } }),
  };
}

/** The same with what `transaction.get` adds. The row is joined with its external account. */
export function transactionDetail(row: Row) {
  const isWallet = row.account_type_name === 'WEB3';
  return {
    ...transactionRecord(row),
    external_account_metadata:
      row.account === null
        ? null
        : {
            id: row.account_id,
            type: row.account_type_name,
            account_name: row.account_name,
            account_number: maskNumber(String(isWallet ? row.wallet_address : row.account_number)),
            fingerprint: row.fingerprint,
          },
    failure_reason:
      row.failure_code === null
        ? null
        : { code: row.failure_code, message: FAILURES[row.failure_code as FailureCode] ?? '' },
  };
}

/** Numbers by the specification, for people to look at. Who converts sells what it sends, so the side is the bid. */
function pricePair({ market_rate, tick_size }: Row) {
  if (market_rate === null) return undefined;
  return { marketRate: Number(market_rate), direction: 'bid', tickSize: Number(tick_size) };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}
