import type { Client } from '../../client/client.ts';
import { isConverted } from '../../domain/conversion.ts';
import type { RunRow } from '../../domain/entry.ts';
import { currencyKey } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { PlannedTotal } from '../../domain/plan.ts';

/** Kinds of payouts whose price is asked for: more than there are rails and chains, and a bound for named accounts. */
const QUOTES_MAX = 200;

/** Payouts that cost the same: of one currency by one rail, or to one account whose rail only the service knows. */
type Kind = { order: PayoutOrder; count: bigint; minor: bigint };

/**
 * What payees receive per currency, in the order of their first row, and what that costs by the service's own quotes.
 * The fees are null where the service gives no quote of a payout in its own currency. Those of payouts that are converted
 * are no part of them: they are charged in another currency.
 */
export async function plannedTotals(client: Client, rows: Iterable<RunRow>): Promise<PlannedTotal[]> {
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
    const kind = sum.kinds.get(kindOf(order)) ?? { order, count: 0n, minor: 0n };
    sum.kinds.set(kindOf(order), { order, count: kind.count + 1n, minor: kind.minor + minor });
  }
  const planned: PlannedTotal[] = [];
  for (const { total, minor, kinds } of totals.values()) {
    const fees = await feesOf(client, [...kinds.values()]);
    planned.push({ ...total, planned_minor: String(minor), fees_minor: fees === null ? null : String(fees) });
  }
  return planned;
}

function kindOf({ destination }: PayoutOrder): string {
  return destination.kind === 'account' ? destination.rail : `to ${destination.external_account_id}`;
}

async function feesOf(client: Client, kinds: Kind[]): Promise<bigint | null> {
  if (kinds.length > QUOTES_MAX) return null;
  let fees = 0n;
  for (const kind of kinds) {
    const fee = await feeOf(client, kind);
    if (fee === null) return null;
    fees += fee;
  }
  return fees;
}

/** What the payouts of one kind cost, in their own currency: what is charged for each, and what is a share of their sum. */
async function feeOf(client: Client, { order, count, minor }: Kind): Promise<bigint | null> {
  const { code, chain, decimals } = order.currency;
  const money = (value: string) => ({ value, code, decimals, ...(chain === null ? {} : { chain }) });
  const { destination } = order;
  const quote = await client.read('quote.get', {
    currency_in: money('0'),
    currency_out: money(String(minor)),
    ...(destination.kind === 'account'
      ? { destination: destination.rail }
      : { external_account_id: destination.external_account_id }),
  });
  if (!quote.ok) return null;
  let fees = 0n;
  for (const { type, value } of quote.data.fees) {
    if (value.code !== code || (value.chain ?? null) !== chain || value.decimals !== decimals) return null;
    fees += type === 'direct' ? BigInt(value.value) * count : BigInt(value.value);
  }
  return fees;
}
