import { BPS, type Pair } from './pairs.ts';

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
