import { type Currency, sameCurrency } from '../../src/domain/currencies.ts';
import type { RunRow } from '../../src/domain/entry.ts';
import type { Ceilings } from '../../src/domain/plan.ts';
import type { Random } from './random.ts';

/** What of the payroll is paid from other currencies, and how prices move meanwhile. */
export type Conversions = {
  /** That a row is. */
  share: number;
  ceilings: Ceilings;
  /** The mean time between two moves of a price while the weather lasts. */
  moveEveryMs: number;
  /** That a price moves between a quote and what is done with it. */
  moveAtQuote: number;
  /** How far a price is from where it began, at most, in hundredths of a percent. */
  moveBps: number;
};

export const SOURCES: readonly Currency[] = [
  { code: 'EUR', chain: null, decimals: 2 },
  { code: 'USD', chain: null, decimals: 2 },
  { code: 'GBP', chain: null, decimals: 2 },
  { code: 'IDR', chain: null, decimals: 2 },
  { code: 'USDC', chain: 'ethereum', decimals: 6 },
  { code: 'ETH', chain: 'arbitrum', decimals: 18 },
];

/** Null where nothing is converted. */
export function drawConversions(dice: Random): Conversions | null {
  if (dice.chance(0.5)) return null;
  const bps = (): number => dice.pick([0, 50, 300, 10_000, 10_000]);
  return {
    share: dice.pick([0.3, 0.6, 1]),
    ceilings: { payout_bps: bps(), run_bps: bps() },
    moveEveryMs: dice.pick([500, 5_000, 60_000, 1e9]),
    moveAtQuote: dice.pick([0, 0, 0.3, 0.7]),
    moveBps: dice.pick([20, 60, 200, 1_000]),
  };
}

/** The rows, some of them paid from another currency. */
export function convertedRows(rows: RunRow[], conversions: Conversions | null, dice: Random): RunRow[] {
  if (conversions === null) return rows;
  return rows.map((row) => {
    const { order } = row;
    const source = dice.pick(SOURCES);
    const isConverted = dice.chance(conversions.share);
    if (order === null || !isConverted || sameCurrency(source, order.currency)) return row;
    return { ...row, order: { ...order, source } };
  });
}
