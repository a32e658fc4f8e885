import type { Client } from '../../client/client.ts';
import { isConverted } from '../../domain/conversion.ts';
import type { Currency } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { currencyKey } from '../../domain/money.ts';
import type { PlannedTotal } from '../../domain/plan.ts';
import { askForFees, kindOf, type QuotedFor } from './quote.ts';

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
    const fees = client && (await feesOf(client, total.currency, [...kinds.values()]));
    planned.push({ ...total, planned_minor: String(minor), fees_minor: fees === null ? null : String(fees) });
  }
  return planned;
}

async function feesOf(client: Client, currency: Currency, kinds: readonly Kind[]): Promise<bigint | null> {
  if (kinds.length > QUOTES_MAX) return null;
  let minor = 0n;
  for (const kind of kinds) {
    const fees = await askForFees(client, { currency, ...kind });
    if (fees === null) return null;
    minor += fees.eachMinor * kind.count + fees.sharedMinor;
  }
  return minor;
}
