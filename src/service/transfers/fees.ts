import type { Currency } from '../../domain/currencies.ts';
import type { RailName } from '../../domain/rails/rail.ts';
import { type Asset, assetOf, type WireMoney, wireMoney } from '../accounts/assets.ts';
import type { Market } from '../market/market.ts';
import { conversionFee, midUp, type Pair } from '../market/pairs.ts';

/** How money leaves: by a rail of the specification, or not at all, in a swap. */
export type TransferRail = RailName | 'balance';

/** What a rail costs and how long it takes at this service. Made up, in the order of what banks charge. */
type RailTerms = {
  /** The `direct` fee, in minor units of the rail's currency (WEB3: US cents); charged in `currency_out`, on top. */
  feeMinor: bigint;
  /** From acceptance to settlement on the service's clock. Short, so that a rehearsal is. */
  settleMs: number;
};

export const RAIL_TERMS: Readonly<Record<TransferRail, RailTerms>> = {
  AUD_NPP: { feeMinor: 20n, settleMs: 300 },
  USD_ACH: { feeMinor: 25n, settleMs: 1_000 },
  USD_WIRE: { feeMinor: 12_00n, settleMs: 1_200 },
  USD_SWIFT: { feeMinor: 20_00n, settleMs: 1_500 },
  SGD_SWIFT: { feeMinor: 25_00n, settleMs: 1_500 },
  HKD_SWIFT: { feeMinor: 150_00n, settleMs: 1_500 },
  HKD_FPS: { feeMinor: 2_00n, settleMs: 300 },
  HKD_CHATS: { feeMinor: 50_00n, settleMs: 1_000 },
  CNY_SWIFT: { feeMinor: 140_00n, settleMs: 1_500 },
  MXN_SPEI: { feeMinor: 4_00n, settleMs: 400 },
  MXN_SWIFT: { feeMinor: 350_00n, settleMs: 1_500 },
  COP_SWIFT: { feeMinor: 80_000_00n, settleMs: 1_500 },
  BRL_PIX: { feeMinor: 1_00n, settleMs: 300 },
  BRL_SWIFT: { feeMinor: 100_00n, settleMs: 1_500 },
  GBP_FPS: { feeMinor: 20n, settleMs: 300 },
  EUR_SEPA: { feeMinor: 20n, settleMs: 700 },
  EUR_SWIFT: { feeMinor: 18_00n, settleMs: 1_500 },
  INR_IMPS: { feeMinor: 5_00n, settleMs: 400 },
  INR_SWIFT: { feeMinor: 1_500_00n, settleMs: 1_500 },
  AED_SWIFT: { feeMinor: 75_00n, settleMs: 1_500 },
  IDR_SWIFT: { feeMinor: 300_000_00n, settleMs: 1_500 },
  // Half a dollar on any chain: about what the network's own fee is.
  WEB3: { feeMinor: 50n, settleMs: 500 },
  balance: { feeMinor: 0n, settleMs: 200 },
};

/** The fiat code that a rail pays, with which its name begins, or null for WEB3, which pays any crypto asset. */
export function currencyOfRail(rail: RailName): string | null {
  return rail === 'WEB3' ? null : rail.slice(0, rail.indexOf('_'));
}

/** The fee of `rail` in minor units of `from`, the asset that is sent: where that is another, at mid, rounded up. */
function directFeeMinor(market: Market, rail: TransferRail, from: Asset): bigint {
  if (rail === 'balance') return 0n;
  const { feeMinor } = RAIL_TERMS[rail];
  const charged = assetOf(currencyOfRail(rail) ?? 'USD', null);
  if (!charged) throw new Error(`${rail} is charged in a currency that the service does not keep`);
  return charged === from ? feeMinor : midUp(feeMinor, market.pair(charged, from));
}

/** What a transfer costs, in minor units of `currency_out`, on top of the amount. */
export type Fees = {
  conversionMinor: bigint;
  /** The rate of the conversion's fee, in hundredths of a percent. */
  conversionBps: number;
  directMinor: bigint;
};

export const NO_FEES: Fees = Object.freeze({ conversionMinor: 0n, conversionBps: 0, directMinor: 0n });

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
