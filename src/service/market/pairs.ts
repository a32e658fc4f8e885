import { formatMajor } from '../../domain/money.ts';
import type { Asset } from '../accounts/assets.ts';

/** What a conversion costs and how exact it has to be, in hundredths of a percent. */
export type PairTerms = {
  /** From the mid-market price to each side of the spread. */
  readonly halfSpreadBps: bigint;
  /** The `percentage` fee, of what is sent and on top of it. */
  readonly feeBps: bigint;
  /** How far an implied rate may be from the market's, either way (`decisions.md`, "Money, markets, limits"). */
  readonly toleranceBps: bigint;
};

/**
 * In each, the tolerance is at most half the spread and the fee together. So a customer that converts at the far edge of
 * the tolerance has still paid more than it was worth at mid, and no way round through any currencies, nor a payout that
 * comes back, gains at prices that stand still.
 */
export const DOLLARS: PairTerms = { halfSpreadBps: 5n, feeBps: 10n, toleranceBps: 10n };
export const OTHERS: PairTerms = { halfSpreadBps: 25n, feeBps: 30n, toleranceBps: 50n };

export const BPS = 10_000n;

/** Two assets and the mid-market price between them, exact. */
export type Pair = {
  /** What is sent. */
  readonly from: Asset;
  /** What is received. */
  readonly to: Asset;
  /** One minor unit of `from` is worth `numerator / denominator` minor units of `to`. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly terms: PairTerms;
};

/** `usdAttos` of each: US dollars for one major unit, in units of 10^-18, more than zero. */
export function pairOf(from: Asset, to: Asset, usdAttos: { from: bigint; to: bigint }): Pair {
  const isDollars = from.kind === 'dollar' && to.kind === 'dollar';
  return {
    from,
    to,
    numerator: usdAttos.from * 10n ** BigInt(to.currency.decimals),
    denominator: usdAttos.to * 10n ** BigInt(from.currency.decimals),
    terms: isDollars ? DOLLARS : OTHERS,
  };
}

/** Significant digits of a market rate, at least, at the prices of the table. */
const RATE_DIGITS = 6;
const RATE_DECIMALS_MAX = 36;

/** `metadata.price_pair` of a record: decimal texts, for people. No amount is reckoned with them. */
export type MarketRate = { rate: string; tickSize: string };

/** Major units of `to` for one of `from` at mid, rounded down to a whole number of the pair's ticks. */
export function marketRate(pair: Pair): MarketRate {
  const decimals = rateDecimals(pair.from, pair.to);
  const { from, to } = pair;
  const scale = 10n ** BigInt(decimals + from.currency.decimals);
  const ticks = (pair.numerator * scale) / (pair.denominator * 10n ** BigInt(to.currency.decimals));
  return { rate: formatMajor(ticks, decimals), tickSize: formatMajor(1n, decimals) };
}

/** By the table and not by the market, so that a pair's tick stays the same while prices move. */
function rateDecimals(from: Asset, to: Asset): number {
  let decimals = 0;
  const least = 10n ** BigInt(RATE_DIGITS - 1);
  while (decimals < RATE_DECIMALS_MAX && (from.usdNanos * 10n ** BigInt(decimals)) / to.usdNanos < least) decimals += 1;
  return decimals;
}

/** One amount at the two sides of the spread, in minor units. `bid` is at most what it is worth at mid, `ask` at least. */
export type TwoSides = { readonly bid: bigint; readonly ask: bigint };

/** What `outMinor` of `from` is worth in minor units of `to`: who sells it receives the bid. Bid down, ask up. */
export function sellQuote(outMinor: bigint, { numerator, denominator, terms }: Pair): TwoSides {
  return {
    bid: divideDown(outMinor * numerator * (BPS - terms.halfSpreadBps), denominator * BPS),
    ask: divideUp(outMinor * numerator * (BPS + terms.halfSpreadBps), denominator * BPS),
  };
}

/**
 * What `inMinor` of `to` costs in minor units of `from`: who wants it pays the ask. Bid down, ask up. The ask is the
 * least amount whose own bid is `inMinor` or more.
 */
export function buyQuote(inMinor: bigint, { numerator, denominator, terms }: Pair): TwoSides {
  return {
    bid: divideDown(inMinor * denominator * BPS, numerator * (BPS + terms.halfSpreadBps)),
    ask: divideUp(inMinor * denominator * BPS, numerator * (BPS - terms.halfSpreadBps)),
  };
}

/** At mid, in minor units of `to`, rounded down. */
export function midDown(outMinor: bigint, { numerator, denominator }: Pair): bigint {
  return divideDown(outMinor * numerator, denominator);
}

/** At mid, in minor units of `to`, rounded up. */
export function midUp(outMinor: bigint, { numerator, denominator }: Pair): bigint {
  return divideUp(outMinor * numerator, denominator);
}

/** The `percentage` fee of a conversion, in minor units of what is sent. Rounded up. */
export function conversionFee(outMinor: bigint, { terms }: Pair): bigint {
  return divideUp(outMinor * terms.feeBps, BPS);
}

/**
 * Whether `inMinor` is what `outMinor` brings now, within the tolerance either way. What a quote of either side says
 * now is always within it: of a small amount in a currency of few decimals, rounding alone can be more.
 */
export function isWithinTolerance(outMinor: bigint, inMinor: bigint, pair: Pair): boolean {
  const { bid } = sellQuote(outMinor, pair);
  const difference = inMinor < bid ? bid - inMinor : inMinor - bid;
  if (difference * BPS <= bid * pair.terms.toleranceBps) return true;
  return inMinor < bid && buyQuote(inMinor, pair).ask === outMinor;
}

/** Of amounts that are not negative. */
function divideDown(dividend: bigint, divisor: bigint): bigint {
  return dividend / divisor;
}

/** Of amounts that are not negative. */
function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
