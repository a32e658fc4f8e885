import { z } from 'zod';
import { pairKey, rateOf } from '../../domain/conversion.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import { amount, currencyName } from '../../domain/result.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';

// Amounts are decimals in major units. `currency` is `AUD`, and for crypto names the chain too: `USDC on polygon`.

export const total = z.strictObject({ currency: currencyName, planned: amount, sent: amount });
export type Total = z.output<typeof total>;

/**
 * What the payees of a run were to receive and what was sent to them, per currency, in order of first appearance. Both
 * are amounts of the orders, so they can be compared. Sent is what the service accepted and has not reported as failed;
 * what is in doubt is not in it. Rows without an order, because they have problems, are in neither.
 */
export function totalsOf(run: RunState, sumsByRail = sumsOf(run)): Total[] {
  return Array.from(sumsByRail, ([currency, rails]) => {
    const sums = [...rails.values()];
    const decimals = sums[0]?.decimals ?? 0;
    const allOf = (which: 'planned' | 'sent') => {
      const minor = sums.reduce((sum, rail) => sum + rail[which], 0n);
      return formatMajor(minor, decimals);
    };
    return { currency, planned: allOf('planned'), sent: allOf('sent') };
  });
}

/** The payouts of one currency on one rail; `rail` is null where the input names an account at the service. */
export type RailTotal = Total & { rail: string | null; payouts: number; completed: number };

/** What was to be paid and what was sent per currency and rail: currencies in order of first appearance, rails within. */
export function railTotalsOf(run: RunState, sumsByRail = sumsOf(run)): RailTotal[] {
  return Array.from(sumsByRail, ([currency, rails]) =>
    Array.from(rails, ([rail, { decimals, payouts, completed, planned, sent }]) => {
      return {
        currency,
        rail,
        payouts,
        completed,
        planned: formatMajor(planned, decimals),
        sent: formatMajor(sent, decimals),
      };
    }),
  ).flat();
}

type Sum = { decimals: number; payouts: number; completed: number; planned: bigint; sent: bigint };

/** By the label of the currency that payees receive, and by rail within. */
export type Sums = ReadonlyMap<string, ReadonlyMap<string | null, Sum>>;

/** Goes through all rows: what shows several totals of a run makes them once. */
export function sumsOf(run: RunState): Sums {
  const byCurrency = new Map<string, Map<string | null, Sum>>();
  for (const { row, order } of run.rows) {
    if (order === null) continue;
    const { currency, destination } = order;
    const rails = entryOf(byCurrency, currencyLabel(currency), () => new Map<string | null, Sum>());
    const rail = destination.kind === 'account' ? destination.rail : null;
    const nothing = { decimals: currency.decimals, payouts: 0, completed: 0, planned: 0n, sent: 0n };
    const sum = entryOf(rails, rail, () => nothing);
    const amount = BigInt(order.amount_minor);
    const payout = run.payouts.get(row);
    sum.payouts++;
    sum.planned += amount;
    if (payout !== undefined && isSent(payout)) sum.sent += amount;
    if (payout?.state === 'completed') sum.completed++;
  }
  return byCurrency;
}

export const convertedTotal = z.strictObject({
  from: currencyName,
  to: currencyName,
  received: amount,
  sent: amount,
  planned: amount.describe('What the plan would send for all of the pair.'),
});

/**
 * Of the payouts that were converted, per pair of currencies: what their payees receive, what was sent for it, and what the
 * plan would send for all of the pair.
 */
export function conversionsOf(run: RunState): z.output<typeof convertedTotal>[] {
  return pairsOf(run).map(({ pair, received, sent }) => ({
    from: currencyLabel(pair.source),
    to: currencyLabel(pair.currency),
    received: formatMajor(received, pair.currency.decimals),
    sent: formatMajor(sent, pair.source.decimals),
    planned: formatMajor(BigInt(pair.sent_minor), pair.source.decimals),
  }));
}

/** At which rate one currency was sent for another: units of `to` for one of `from`. `paid` is null before any was sent. */
export type RateTotal = { from: string; to: string; planned: string; paid: string | null };

export function ratesOf(run: RunState): RateTotal[] {
  return pairsOf(run).map(({ pair, received, sent }) => ({
    from: currencyLabel(pair.source),
    to: currencyLabel(pair.currency),
    planned: rateOf(pair, { received: BigInt(pair.planned_minor), sent: BigInt(pair.quoted_minor) }),
    paid: sent === 0n ? null : rateOf(pair, { received, sent }),
  }));
}

/** The pairs of the plan, with what was sent of each, in minor units. */
function pairsOf({ plan, payouts }: RunState) {
  const sums = new Map<string, { received: bigint; sent: bigint }>();
  for (const payout of payouts.values()) {
    if (!isSent(payout) || payout.sent.received === null) continue;
    const { currency: source, amount_minor, received } = payout.sent;
    const sum = entryOf(sums, pairKey({ source, currency: received.currency }), () => ({ received: 0n, sent: 0n }));
    sum.received += BigInt(received.amount_minor);
    sum.sent += BigInt(amount_minor);
  }
  return (plan?.conversions?.pairs ?? []).map((pair) => {
    return { pair, ...(sums.get(pairKey(pair)) ?? { received: 0n, sent: 0n }) };
  });
}

/** What completed payouts cost, in the currency that was sent. `planned` is null where the plan does not have it. */
export type FeeTotal = { currency: string; payouts: number; fees: string; planned: string | null };

/** The fees per currency that was sent. Payouts that failed are not in it, as in the rows of a report. */
export function feesOf(run: RunState): FeeTotal[] {
  const sums = new Map<string, { currency: Currency; payouts: number; fees: bigint }>();
  for (const payout of run.payouts.values()) {
    if (payout.state !== 'completed') continue;
    const { sent_currency: currency, fees_minor } = payout.final;
    const sum = entryOf(sums, currencyLabel(currency), () => ({ currency, payouts: 0, fees: 0n }));
    sum.payouts++;
    sum.fees += BigInt(fees_minor);
  }
  const planned = plannedFees(run);
  return Array.from(sums, ([key, { currency, payouts, fees }]) => {
    const plan = planned.get(key) ?? null;
    return {
      currency: key,
      payouts,
      fees: formatMajor(fees, currency.decimals),
      planned: plan === null ? null : formatMajor(plan, currency.decimals),
    };
  });
}

/** By currency that is sent; null where the service did not give what some of them cost. */
function plannedFees({ plan }: RunState): Map<string, bigint | null> {
  const sums = new Map<string, bigint | null>();
  const add = (currency: Currency, minor: string | null) => {
    const sum = entryOf(sums, currencyLabel(currency), () => 0n);
    sums.set(currencyLabel(currency), minor === null || sum === null ? null : sum + BigInt(minor));
  };
  for (const { currency, fees_minor } of plan?.totals ?? []) add(currency, fees_minor);
  for (const { source, fees_minor } of plan?.conversions?.pairs ?? []) add(source, fees_minor);
  return sums;
}

/** Whether the service accepted it and has not reported it as failed. */
export function isSent(payout: PayoutState): payout is Extract<PayoutState, { state: 'accepted' | 'completed' }> {
  return payout.state === 'accepted' || payout.state === 'completed';
}

/** What the map has for the key, made where it has nothing. */
function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
