import type { RailName } from '../domain/rails/rail.ts';
import type { Asset } from './assets.ts';

/** What a rail costs and how long it takes at this service. Made up, in the order of what banks charge. */
export type RailTerms = {
  /** The `direct` fee, in minor units of the rail's currency; charged in `currency_out`, on top. */
  feeMinor: bigint;
  /** From acceptance to settlement on the service's clock. Short, so that a rehearsal is. */
  settleMs: number;
};

export const RAIL_TERMS: Readonly<Record<RailName, RailTerms>> = {
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
  WEB3: { feeMinor: 0n, settleMs: 500 },
};

/** Half a dollar in billionths, for a transfer on any chain: about what the network's own fee is. */
const WEB3_FEE_USD_NANOS = 500_000_000n;

/** The fee of a payout by `rail`, in minor units of the asset that is sent. Rounded down. */
export function directFeeMinor(rail: RailName, asset: Asset): bigint {
  if (rail !== 'WEB3') return RAIL_TERMS[rail].feeMinor;
  return (WEB3_FEE_USD_NANOS * 10n ** BigInt(asset.currency.decimals)) / asset.usdNanos;
}
