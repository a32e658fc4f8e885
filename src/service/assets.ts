import { type Currency, crypto, fiat } from '../domain/currencies.ts';

/** A currency that the service keeps, with what it is worth and what a rehearsal customer begins with. */
export type Asset = {
  readonly currency: Currency;
  /** US dollars for one major unit, in billionths: exact, where a binary fraction is not. */
  readonly usdNanos: bigint;
  /** Opening balance of a rehearsal customer, in major units. */
  readonly openingMajor: bigint;
};

/** Mid-market prices are made up, near those of 2026: only totals are reckoned with them. */
const FIAT: readonly (readonly [code: string, usdNanos: bigint, openingMajor: bigint])[] = [
  ['AUD', 660_000_000n, 1_000_000_000n],
  ['USD', 1_000_000_000n, 1_000_000_000n],
  ['SGD', 770_000_000n, 1_000_000_000n],
  ['HKD', 128_500_000n, 10_000_000_000n],
  ['CNY', 140_000_000n, 10_000_000_000n],
  ['MXN', 54_000_000n, 10_000_000_000n],
  ['COP', 250_000n, 10_000_000_000_000n],
  ['BRL', 185_000_000n, 10_000_000_000n],
  ['GBP', 1_320_000_000n, 1_000_000_000n],
  ['EUR', 1_150_000_000n, 1_000_000_000n],
  ['INR', 11_400_000n, 100_000_000_000n],
  ['AED', 272_300_000n, 10_000_000_000n],
  ['IDR', 60_000n, 10_000_000_000_000n],
];

const CRYPTO: readonly (readonly [code: string, chains: readonly string[], usdNanos: bigint, openingMajor: bigint])[] =
  [
    ['USDC', ['ethereum', 'polygon', 'arbitrum'], 1_000_000_000n, 1_000_000_000n],
    ['USDT', ['ethereum', 'polygon', 'arbitrum'], 1_000_000_000n, 1_000_000_000n],
    ['ETH', ['ethereum', 'arbitrum'], 3_000_000_000_000n, 1_000_000n],
  ];

/** Every asset of `decisions.md`, "Money, markets, limits", in the order in which balances are listed. */
export const ASSETS: readonly Asset[] = [
  ...FIAT.map(([code, usdNanos, openingMajor]) => ({ currency: known(fiat(code), code), usdNanos, openingMajor })),
  ...CRYPTO.flatMap(([code, chains, usdNanos, openingMajor]) =>
    chains.map((chain) => ({ currency: known(crypto(code, chain), code), usdNanos, openingMajor })),
  ),
];

const BY_KEY = new Map(ASSETS.map((asset) => [`${asset.currency.code}|${asset.currency.chain ?? ''}`, asset]));

/** The asset of (code, chain), or null where the service does not keep it. */
export function assetOf(code: string, chain: string | null): Asset | null {
  return BY_KEY.get(`${code}|${chain ?? ''}`) ?? null;
}

/**
 * What one transfer counts for in totals, at most: ten billion dollars. Anybody may ask to send 10^38 of something and
 * have it fail for lack of cover; the sums that it is part of meanwhile must stay whole numbers of 64 bits.
 */
const USD_CENTS_MAX = 1_000_000_000_000n;

/** The worth of an amount in US cents, rounded down. */
export function usdCents(amountMinor: bigint, asset: Asset): number {
  const cents = (amountMinor * asset.usdNanos) / 10n ** BigInt(asset.currency.decimals + 7);
  return Number(cents < USD_CENTS_MAX ? cents : USD_CENTS_MAX);
}

function known(currency: Currency | null, code: string): Currency {
  if (!currency) throw new Error(`${code} is not in the table of currencies`);
  return currency;
}
