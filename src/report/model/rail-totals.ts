import { pairKey, rateOf } from '../../domain/conversion.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isSent } from './totals.ts';

/** The payouts of one currency on one rail. Amounts are decimals in major units, of what payees receive, as in `totalsOf`. */
export type RailTotal = {
  currency: string;
  /** Null where the input names an account at the service, and so no rail. */
  rail: string | null;
  payouts: number;
  completed: number;
  planned: string;
  sent: string;
};

/** What was to be paid and what was sent per currency and rail: currencies in order of first appearance, rails within. */
export function railTotalsOf(run: RunState): RailTotal[] {
  const byCurrency = new Map<string, Map<string | null, Sum>>();
  for (const { row, order } of run.rows) {
    if (order === null) continue;
    addPayout(sumOf(byCurrency, order), BigInt(order.amount_minor), run.payouts.get(row));
  }
  return Array.from(byCurrency, ([currency, rails]) =>
    Array.from(rails, ([rail, { decimals, payouts, completed, planned, sent }]) => ({
      currency,
      rail,
      payouts,
      completed,
      planned: formatMajor(planned, decimals),
      sent: formatMajor(sent, decimals),
    })),
  ).flat();
}

type Sum = { decimals: number; payouts: number; completed: number; planned: bigint; sent: bigint };

function sumOf(byCurrency: Map<string, Map<string | null, Sum>>, { currency, destination }: PayoutOrder): Sum {
  const key = currencyLabel(currency);
  const rails = byCurrency.get(key) ?? new Map<string | null, Sum>();
  byCurrency.set(key, rails);
  const rail = destination.kind === 'account' ? destination.rail : null;
  const sum = rails.get(rail) ?? { decimals: currency.decimals, payouts: 0, completed: 0, planned: 0n, sent: 0n };
  rails.set(rail, sum);
  return sum;
}

function addPayout(sum: Sum, amount: bigint, payout: PayoutState | undefined): void {
  sum.payouts++;
  sum.planned += amount;
  if (payout === undefined || !isSent(payout)) return;
  sum.sent += amount;
  if (payout.state === 'completed') sum.completed++;
}

/** What completed payouts cost, in the currency that was sent. `planned` is null where the plan does not say. */
export type FeeTotal = { currency: string; payouts: number; fees: string; planned: string | null };

/** The fees per currency that was sent. Payouts that failed are not in it, as in the rows of a report. */
export function feesOf(run: RunState): FeeTotal[] {
  const sums = new Map<string, { currency: Currency; payouts: number; fees: bigint }>();
  for (const payout of run.payouts.values()) {
    if (payout.state !== 'completed') continue;
    const { sent_currency: currency, fees_minor } = payout.final;
    const key = currencyLabel(currency);
    const sum = sums.get(key) ?? { currency, payouts: 0, fees: 0n };
    sums.set(key, { currency, payouts: sum.payouts + 1, fees: sum.fees + BigInt(fees_minor) });
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

/** By currency that is sent; null where the service did not say what some of them cost. */
function plannedFees({ plan }: RunState): Map<string, bigint | null> {
  const sums = new Map<string, bigint | null>();
  const add = (currency: Currency, minor: string | null) => {
    const key = currencyLabel(currency);
    const sum = sums.has(key) ? sums.get(key) : 0n;
    sums.set(key, minor === null || sum === null || sum === undefined ? null : sum + BigInt(minor));
  };
  for (const { currency, fees_minor } of plan?.totals ?? []) add(currency, fees_minor);
  for (const { source, fees_minor } of plan?.conversions?.pairs ?? []) add(source, fees_minor);
  return sums;
}

/** At which rate one currency was sent for another: units of `to` for one of `from`. `paid` is null before any was sent. */
export type RateTotal = { from: string; to: string; planned: string; paid: string | null };

export function ratesOf({ plan, payouts }: RunState): RateTotal[] {
  const pairs = plan?.conversions?.pairs ?? [];
  const sums = new Map(pairs.map((pair) => [pairKey(pair), { received: 0n, sent: 0n }]));
  for (const payout of payouts.values()) {
    if (!isSent(payout) || payout.sent.received === null) continue;
    const { currency: source, amount_minor, received } = payout.sent;
    const sum = sums.get(pairKey({ source, currency: received.currency }));
    if (sum === undefined) continue;
    sum.received += BigInt(received.amount_minor);
    sum.sent += BigInt(amount_minor);
  }
  return pairs.map((pair) => {
    const sum = sums.get(pairKey(pair));
    return {
      from: currencyLabel(pair.source),
      to: currencyLabel(pair.currency),
      planned: rateOf(pair, { received: BigInt(pair.planned_minor), sent: BigInt(pair.quoted_minor) }),
      paid: sum === undefined || sum.sent === 0n ? null : rateOf(pair, sum),
    };
  });
}
