import { z } from 'zod';
import { pairKey } from '../../domain/conversion.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import { amount, currencyName } from '../../domain/result.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';

export const total = z.strictObject({ currency: currencyName, planned: amount, sent: amount });

/** Decimals in major units. `currency` is `AUD`, and for crypto names the chain too: `USDC on polygon`. */
export type Total = z.output<typeof total>;

/**
 * What the payees of a run were to receive and what was sent to them, per currency, in order of first appearance. Both
 * are amounts of the orders, so they can be compared. Sent is what the service accepted and has not reported as failed;
 * what is in doubt is not in it. Rows without an order, because they have problems, are in neither.
 */
export function totalsOf(run: RunState): Total[] {
  const sums = new Map<string, { currency: Currency; planned: bigint; sent: bigint }>();
  for (const row of run.rows) {
    if (row.order === null) continue;
    const sum = sumOf(sums, row.order.currency);
    const amount = BigInt(row.order.amount_minor);
    sum.planned += amount;
    const payout = run.payouts.get(row.row);
    if (payout && isSent(payout)) sum.sent += amount;
  }
  return Array.from(sums, ([key, { currency, planned, sent }]) => ({
    currency: key,
    planned: formatMajor(planned, currency.decimals),
    sent: formatMajor(sent, currency.decimals),
  }));
}

export const convertedTotal = z.strictObject({
  from: currencyName,
  to: currencyName,
  received: amount,
  sent: amount,
  planned: amount.describe('What the plan would send for all of the pair.'),
});

/** What was sent from one currency for what payees receive in another. Decimals in major units. */
export type ConvertedTotal = z.output<typeof convertedTotal>;

/**
 * The same of the payouts that were converted, per pair of currencies: what their payees receive, what was sent for it,
 * and what the plan says would be for all of the pair.
 */
export function conversionsOf({ plan, payouts }: RunState): ConvertedTotal[] {
  const sums = new Map<string, { received: bigint; sent: bigint }>();
  for (const payout of payouts.values()) {
    if (!isSent(payout) || payout.sent.received === null) continue;
    const { amount_minor, currency, received } = payout.sent;
    const key = pairKey({ source: currency, currency: received.currency });
    const sum = sums.get(key) ?? { received: 0n, sent: 0n };
    sums.set(key, {
      received: sum.received + BigInt(received.amount_minor),
      sent: sum.sent + BigInt(amount_minor),
    });
  }
  return (plan?.conversions?.pairs ?? []).map((pair) => {
    const { received, sent } = sums.get(pairKey(pair)) ?? { received: 0n, sent: 0n };
    return {
      from: currencyLabel(pair.source),
      to: currencyLabel(pair.currency),
      received: formatMajor(received, pair.currency.decimals),
      sent: formatMajor(sent, pair.source.decimals),
      planned: formatMajor(BigInt(pair.sent_minor), pair.source.decimals),
    };
  });
}

function sumOf(
  sums: Map<string, { currency: Currency; planned: bigint; sent: bigint }>,
  currency: Currency,
): { planned: bigint; sent: bigint } {
  const key = currencyLabel(currency);
  const known = sums.get(key);
  if (known) return known;
  const sum = { currency, planned: 0n, sent: 0n };
  sums.set(key, sum);
  return sum;
}

/** Whether the service accepted it and has not reported it as failed. */
export function isSent(payout: PayoutState): payout is Extract<PayoutState, { state: 'accepted' | 'completed' }> {
  return payout.state === 'accepted' || payout.state === 'completed';
}
