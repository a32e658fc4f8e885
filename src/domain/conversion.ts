import type { Currency } from './currencies.ts';
import { currencyKey, formatMajor } from './money.ts';
import type { PayoutOrder } from './payee.ts';
import type { Ceilings, PlannedConversions, PlannedPair } from './plan.ts';

/** 0.5 %, for a payout and for all of a pair. */
export const CEILINGS_DEFAULT: Ceilings = Object.freeze({ payout_bps: 50, run_bps: 50 });

const BPS = 10_000n;

/** A payout that is paid from another currency than its payee receives. */
export type ConvertedOrder = PayoutOrder & { source: NonNullable<PayoutOrder['source']> };

export function isConverted(order: PayoutOrder): order is ConvertedOrder {
  return order.source !== null;
}

/** `EUR>USD`: one text for each pair. */
export function pairKey({ source, currency }: Pick<ConvertedOrder, 'source' | 'currency'>): string {
  return `${currencyKey(source)}>${currencyKey(currency)}`;
}

/** The plan's rate of the order's pair. */
export function pairOf(plan: PlannedConversions, order: ConvertedOrder): PlannedPair | null {
  return plan.pairs.find((pair) => pairKey(pair) === pairKey(order)) ?? null;
}

/** `part` of what `whole` is for `of`, rounded up: of amounts that are not negative, `of` more than zero. */
export function shareUp(part: bigint, whole: bigint, of: bigint): bigint {
  return (part * whole + of - 1n) / of;
}

/** What is sent for an amount by the plan's rate, in minor units, rounded up. */
export function plannedToSend(
  receivedMinor: bigint,
  rate: Pick<PlannedPair, 'planned_minor' | 'quoted_minor'>,
): bigint {
  return shareUp(receivedMinor, BigInt(rate.quoted_minor), BigInt(rate.planned_minor));
}

/** The most that may be sent where `minor` is planned: `bps` hundredths of a percent more, rounded down. */
export function mostToSend(minor: bigint, bps: number): bigint {
  return (minor * (BPS + BigInt(bps))) / BPS;
}

/** What is looked at of a payout, and of a plan, to find what may be sent. */
export type Payable = Pick<PayoutOrder, 'source' | 'currency' | 'amount_minor'>;
export type Rates = {
  pairs: readonly Pick<PlannedPair, 'source' | 'currency' | 'planned_minor' | 'quoted_minor' | 'sent_minor'>[];
  ceilings: Ceilings;
};

/** The most that the ceilings of a run's plan let it send of each currency, by its code, for these of its payouts. */
export function mostSent({ pairs, ceilings }: Rates, orders: Iterable<Payable>): Map<string, bigint> {
  const ofRows = new Map<string, bigint>();
  const byKey = new Map(pairs.map((pair) => [pairKey(pair), pair]));
  for (const { source, currency, amount_minor } of orders) {
    const key = source && pairKey({ source, currency });
    const pair = key === null ? undefined : byKey.get(key);
    if (key === null || pair === undefined) continue;
    const most = mostToSend(plannedToSend(BigInt(amount_minor), pair), ceilings.payout_bps);
    ofRows.set(key, (ofRows.get(key) ?? 0n) + most);
  }
  const sums = new Map<string, bigint>();
  for (const [key, pair] of byKey) {
    const inAll = mostToSend(BigInt(pair.sent_minor), ceilings.run_bps);
    const rows = ofRows.get(key) ?? 0n;
    sums.set(pair.source.code, (sums.get(pair.source.code) ?? 0n) + (rows < inAll ? rows : inAll));
  }
  return sums;
}

/** `0.5%` of hundredths of a percent. */
export function percentOf(bps: number): string {
  const [whole, part] = [
    Math.floor(bps / 100),
    String(bps % 100)
      .padStart(2, '0')
      .replace(/0+$/, ''),
  ];
  return part === '' ? `${whole}%` : `${whole}.${part}%`;
}

/** Decimals of a rate for people; no amount is reckoned with it. */
const RATE_DECIMALS = 8;

/**
 * What a whole unit of the source brings where `received` arrives for `sent` (minor units, of which `sent` is more than
 * zero), rounded down, without needless zeros.
 */
export function rateOf(
  { source, currency }: { source: Currency; currency: Currency },
  { received, sent }: { received: bigint; sent: bigint },
  decimals = RATE_DECIMALS,
): string {
  const scale = 10n ** BigInt(source.decimals + decimals);
  const rate = (received * scale) / (sent * 10n ** BigInt(currency.decimals));
  return formatMajor(rate, decimals).replace(/\.?0+$/, '');
}
