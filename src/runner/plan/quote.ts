import type { Client, ReadFailure } from '../../client/client.ts';
import type { Priority } from '../../client/line.ts';
import type { RequestBody } from '../../client/wire.ts';
import { isConverted } from '../../domain/conversion.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { currencyKey } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { PlannedTotal } from '../../domain/plan.ts';

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
    const { value, code: of } = side;
    const message = { code: 'quote_of_another' as const, value, of, asked: currencyLabel(source) };
    return { ok: false, kind: 'unreadable', message };
  }
  return { ok: true, quote: { sentMinor, fees: feesOf(data.fees, source) } };
}

/** What is charged for sending `minor` of a currency as it is; null where the service does not give it in that currency. */
async function askForFees(
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

/** Kinds of payouts whose price is asked for: more than there are rails and chains, and a bound for named accounts. */
const QUOTES_MAX = 200;

/** Payouts of one currency that cost the same. */
type Kind = { to: QuotedFor; count: bigint; minor: bigint };

/**
 * What payees receive per currency, in the order of their first row, and what that costs by the service's own quotes.
 * The fees are null where the service gives no quote of a payout in its own currency. Those of payouts that are converted
 * are no part of them: they are charged in another currency. Without a client no fees are asked for.
 */
export async function plannedTotals(client: Client | null, rows: Iterable<RunRow>): Promise<PlannedTotal[]> {
  const totals = new Map<string, { total: PlannedTotal; minor: bigint; kinds: Map<string, Kind> }>();
  for (const { order } of rows) {
    if (order === null) continue;
    const { currency } = order;
    let sum = totals.get(currencyKey(currency));
    if (!sum) {
      sum = { total: { currency, payouts: 0, planned_minor: '0', fees_minor: null }, minor: 0n, kinds: new Map() };
      totals.set(currencyKey(currency), sum);
    }
    const minor = BigInt(order.amount_minor);
    sum.total.payouts++;
    sum.minor += minor;
    if (isConverted(order)) continue;
    const { name, to } = kindOf(order);
    const kind = sum.kinds.get(name) ?? { to, count: 0n, minor: 0n };
    kind.count++;
    kind.minor += minor;
    sum.kinds.set(name, kind);
  }
  const planned: PlannedTotal[] = [];
  for (const { total, minor, kinds } of totals.values()) {
    const fees = client && (await feesOfKinds(client, total.currency, [...kinds.values()]));
    planned.push({ ...total, planned_minor: String(minor), fees_minor: fees === null ? null : String(fees) });
  }
  return planned;
}

async function feesOfKinds(client: Client, currency: Currency, kinds: readonly Kind[]): Promise<bigint | null> {
  if (kinds.length > QUOTES_MAX) return null;
  let minor = 0n;
  for (const kind of kinds) {
    const fees = await askForFees(client, { currency, ...kind });
    if (fees === null) return null;
    minor += fees.eachMinor * kind.count + fees.sharedMinor;
  }
  return minor;
}
