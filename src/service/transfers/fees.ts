import type { Currency } from '../../domain/currencies.ts';
import type { Asset } from '../accounts/assets.ts';
import { conversionFee } from '../market/conversion.ts';
import type { Market } from '../market/market.ts';
import type { Pair } from '../market/pairs.ts';
import { type WireMoney, wireMoney } from './balances.ts';
import { directFeeMinor, type TransferRail } from './rail-terms.ts';

/** What a transfer costs, in minor units of `currency_out`, on top of the amount. */
export type Fees = {
  conversionMinor: bigint;
  /** The rate of the conversion's fee, in hundredths of a percent. */
  conversionBps: number;
  directMinor: bigint;
};

/** `pair`: of a conversion, or null. */
export function feesOf(market: Market, rail: TransferRail, from: Asset, outMinor: bigint, pair: Pair | null): Fees {
  return {
    conversionMinor: pair ? conversionFee(outMinor, pair) : 0n,
    conversionBps: pair ? Number(pair.terms.feeBps) : 0,
    directMinor: directFeeMinor(market, rail, from),
  };
}

/** Fee object of section 2.2. */
export type WireFee = { type: 'percentage' | 'direct'; value: WireMoney; label: string; rate: number };

/** Only fees that are something: of a swap the conversion's, of a payout the rail's, of a converting payout both. */
export function wireFees(fees: Fees, sent: Currency, rail: string): WireFee[] {
  const found: WireFee[] = [];
  if (fees.conversionMinor > 0n)
    found.push({
      type: 'percentage',
      value: wireMoney(fees.conversionMinor, sent),
      label: 'Conversion',
      rate: fees.conversionBps / 10_000,
    });
  if (fees.directMinor > 0n)
    found.push({ type: 'direct', value: wireMoney(fees.directMinor, sent), label: `${rail} payout`, rate: 0 });
  return found;
}
