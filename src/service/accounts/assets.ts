import { type Currency, crypto, fiat } from '../../domain/currencies.ts';
import { PRICES, type Price } from '../market/prices.ts';

/** A currency that the service keeps, with what the market says of it and what a rehearsal customer begins with. */
export type Asset = Price & {
  readonly currency: Currency;
  /** Opening balance of a rehearsal customer, in major units. */
  readonly openingMajor: bigint;
};

const FIAT: readonly (readonly [code: string, openingMajor: bigint])[] = [
  ['AUD', 1_000_000_000n],
  ['USD', 1_000_000_000n],
  ['SGD', 1_000_000_000n],
  ['HKD', 10_000_000_000n],
  ['CNY', 10_000_000_000n],
  ['MXN', 10_000_000_000n],
  ['COP', 10_000_000_000_000n],
  ['BRL', 10_000_000_000n],
  ['GBP', 1_000_000_000n],
  ['EUR', 1_000_000_000n],
  ['INR', 100_000_000_000n],
  ['AED', 10_000_000_000n],
  ['IDR', 10_000_000_000_000n],
];

const CRYPTO: readonly (readonly [code: string, chains: readonly string[], openingMajor: bigint])[] = [
  ['USDC', ['ethereum', 'polygon', 'arbitrum'], 1_000_000_000n],
  ['USDT', ['ethereum', 'polygon', 'arbitrum'], 1_000_000_000n],
  ['ETH', ['ethereum', 'arbitrum'], 1_000_000n],
];

/** Every asset of `decisions.md`, "Money, markets, limits", in the order in which balances are listed. */
export const ASSETS: readonly Asset[] = [
  ...FIAT.map(([code, openingMajor]) => asset(fiat(code), code, openingMajor)),
  ...CRYPTO.flatMap(([code, chains, openingMajor]) =>
    chains.map((chain) => asset(crypto(code, chain), code, openingMajor)),
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

/** What an amount is worth: whole US cents, and the rest in 10^-9 of a cent. */
export type UsdWorth = { cents: number; rest: number };

const RESTS_IN_CENT = 10n ** 9n;

/** The worth of an amount, rounded down to 10^-9 of a cent. `usdAttos`: dollars for one major unit, in units of 10^-18. */
export function usdWorth(amountMinor: bigint, { decimals }: Currency, usdAttos: bigint): UsdWorth {
  const rests = (amountMinor * usdAttos * RESTS_IN_CENT) / 10n ** BigInt(decimals + 16);
  if (rests >= USD_CENTS_MAX * RESTS_IN_CENT) return { cents: Number(USD_CENTS_MAX), rest: 0 };
  return { cents: Number(rests / RESTS_IN_CENT), rest: Number(rests % RESTS_IN_CENT) };
}

/** US dollars of a sum of worths, rounded once, to the nearest cent. */
export function dollarsOf(cents: bigint, rest: bigint): number {
  return Number((cents * RESTS_IN_CENT + rest + RESTS_IN_CENT / 2n) / RESTS_IN_CENT) / 100;
}

function asset(currency: Currency | null, code: string, openingMajor: bigint): Asset {
  const price = PRICES[code];
  if (!currency || !price) throw new Error(`${code} is not in the tables of currencies and prices`);
  return { currency, openingMajor, ...price };
}
