import type { Client, ReadFailure } from '../../client/client.ts';
import type { Priority } from '../../client/rate-limit.ts';
import type { RequestBody } from '../../client/wire.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import type { PayoutOrder } from '../../domain/payee.ts';

export type Money = RequestBody<'transaction.transfer'>['currency_out'];

/** Where the money would go, as far as it is known: without either, to the balance. */
export type QuotedFor = Pick<RequestBody<'quote.get'>, 'destination' | 'external_account_id'>;

/** What payouts have in common that are quoted together: a rail, or an account whose rail only the service knows. */
export function kindOf({ destination }: PayoutOrder): { name: string; to: QuotedFor } {
  if (destination.kind === 'account') return { name: destination.rail, to: { destination: destination.rail } };
  const { external_account_id } = destination;
  return { name: `to ${external_account_id}`, to: { external_account_id } };
}

/** What has to be sent, in minor units of the source, and what is charged on top of it. Null: not given in that currency. */
export type Quote = { sentMinor: bigint; fees: QuotedFees | null };

/** `shared` grows with the amount, `each` is charged for every payout. */
export type QuotedFees = { sharedMinor: bigint; eachMinor: bigint };

export type QuoteResult = { ok: true; quote: Quote } | ReadFailure;

/** What `receivedMinor` of `currency` costs in `source` at this moment. It moves nothing and binds nobody. */
export async function askForQuote(
  client: Client,
  asked: { source: Currency; currency: Currency; receivedMinor: bigint; to: QuotedFor },
  priority: Priority,
): Promise<QuoteResult> {
  const { source, currency, receivedMinor, to } = asked;
  const request = { currency_in: moneyOf(receivedMinor, currency), currency_out: moneyOf(0n, source), ...to };
  const answer = await client.read('quote.get', request, priority);
  if (!answer.ok) return answer;
  const { data } = answer;
  // The placeholder's side is the one that is asked for, and `direction` names which amount of the spread applies.
  const side = data[data.direction];
  const sentMinor = BigInt(side.value);
  if (!isOf(side, source) || sentMinor === 0n) {
    const message = `quote.get answered with ${side.value} ${side.code}, and not with an amount of ${currencyLabel(source)}`;
    return { ok: false, kind: 'unreadable', message };
  }
  return { ok: true, quote: { sentMinor, fees: feesOf(data.fees, source) } };
}

/** What is charged for sending `minor` of a currency as it is; null where the service does not give it in that currency. */
export async function askForFees(
  client: Client,
  { currency, minor, to }: { currency: Currency; minor: bigint; to: QuotedFor },
): Promise<QuotedFees | null> {
  const request = { currency_in: moneyOf(0n, currency), currency_out: moneyOf(minor, currency), ...to };
  const quote = await client.read('quote.get', request);
  return quote.ok ? feesOf(quote.data.fees, currency) : null;
}

/** As the wire writes an amount. */
export function moneyOf(minor: bigint | string, { code, chain, decimals }: Currency): Money {
  return { value: String(minor), code, decimals, ...(chain === null ? {} : { chain }) };
}

type WireFee = { type: string; value: WireMoney };
type WireMoney = { value: string; code: string; decimals: number; chain?: string | null | undefined };

function feesOf(fees: readonly WireFee[], source: Currency): QuotedFees | null {
  const sum: QuotedFees = { sharedMinor: 0n, eachMinor: 0n };
  for (const { type, value } of fees) {
    if (!isOf(value, source)) return null;
    if (type === 'direct') sum.eachMinor += BigInt(value.value);
    else sum.sharedMinor += BigInt(value.value);
  }
  return sum;
}

function isOf({ code, decimals, chain }: WireMoney, of: Currency): boolean {
  return code === of.code && (chain ?? of.chain) === of.chain && decimals === of.decimals;
}
