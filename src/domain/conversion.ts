import { currencyKey } from './money.ts';
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

/** What the plan says of the order's pair. */
export function pairOf(plan: PlannedConversions, order: ConvertedOrder): PlannedPair | null {
  return plan.pairs.find((pair) => pairKey(pair) === pairKey(order)) ?? null;
}

/** `part` of what `whole` is for `of`, rounded up: of amounts that are not negative, `of` more than zero. */
export function shareUp(part: bigint, whole: bigint, of: bigint): bigint {
  return (part * whole + of - 1n) / of;
}

/** What the plan's rate says is sent for an amount, in minor units, rounded up. */
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
