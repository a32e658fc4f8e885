import { type Currency, crypto, fiat } from '../../domain/currencies.ts';

/** A currency that the service keeps, with what the market says of it and what a rehearsal customer begins with. */
export type Asset = {
  readonly currency: Currency;
  /** US dollars for one major unit, in billionths: exact, where a binary fraction is not. */
  readonly usdNanos: bigint;
  /** The least that a conversion sends, in minor units: about one US dollar. */
  readonly minimumMinor: bigint;
  /** `native`: the coin of a chain. `dollar`: worth a US dollar by its issuer's promise, or one. */
  readonly kind: 'fiat' | 'dollar' | 'native';
  /** Opening balance of a rehearsal customer, in major units. */
  readonly openingMajor: bigint;
};

type Terms = readonly [code: string, kind: Asset['kind'], usdNanos: bigint, minimumMinor: bigint, openingMajor: bigint];

/** Mid-market prices are made up, near those of 2026. The admin port sets others, and lets them walk. */
const FIAT: readonly Terms[] = [
  ['AUD', 'fiat', 660_000_000n, 1_00n, 1_000_000_000n],
  ['USD', 'dollar', 1_000_000_000n, 1_00n, 1_000_000_000n],
  ['SGD', 'fiat', 770_000_000n, 1_00n, 1_000_000_000n],
  ['HKD', 'fiat', 128_500_000n, 8_00n, 10_000_000_000n],
  ['CNY', 'fiat', 140_000_000n, 7_00n, 10_000_000_000n],
  ['MXN', 'fiat', 54_000_000n, 20_00n, 10_000_000_000n],
  ['COP', 'fiat', 250_000n, 4_000_00n, 10_000_000_000_000n],
  ['BRL', 'fiat', 185_000_000n, 5_00n, 10_000_000_000n],
  ['GBP', 'fiat', 1_320_000_000n, 1_00n, 1_000_000_000n],
  ['EUR', 'fiat', 1_150_000_000n, 1_00n, 1_000_000_000n],
  ['INR', 'fiat', 11_400_000n, 100_00n, 100_000_000_000n],
  ['AED', 'fiat', 272_300_000n, 4_00n, 10_000_000_000n],
  ['IDR', 'fiat', 60_000n, 20_000_00n, 10_000_000_000_000n],
];

const CRYPTO: readonly (readonly [chains: readonly string[], terms: Terms])[] = [
  [
    ['ethereum', 'polygon', 'arbitrum'],
    ['USDC', 'dollar', 1_000_000_000n, 1_000_000n, 1_000_000_000n],
  ],
  [
    ['ethereum', 'polygon', 'arbitrum'],
    ['USDT', 'dollar', 1_000_000_000n, 1_000_000n, 1_000_000_000n],
  ],
  [
    ['ethereum', 'arbitrum'],
    ['ETH', 'native', 3_000_000_000_000n, 500_000_000_000_000n, 1_000_000n],
  ],
];

/** Every asset of `decisions.md`, "Money, markets, limits", in the order in which balances are listed. */
export const ASSETS: readonly Asset[] = [
  ...FIAT.map((terms) => asset(fiat(terms[0]), terms)),
  ...CRYPTO.flatMap(([chains, terms]) => chains.map((chain) => asset(crypto(terms[0], chain), terms))),
];

function asset(currency: Currency | null, [code, kind, usdNanos, minimumMinor, openingMajor]: Terms): Asset {
  if (!currency) throw new Error(`${code} is not in the table of currencies`);
  return { currency, kind, usdNanos, minimumMinor, openingMajor };
}

const BY_KEY = new Map(ASSETS.map((asset) => [`${asset.currency.code}|${asset.currency.chain ?? ''}`, asset]));

/** The asset of (code, chain), or null where the service does not keep it. */
export function assetOf(code: string, chain: string | null): Asset | null {
  return BY_KEY.get(`${code}|${chain ?? ''}`) ?? null;
}

/** A Currency object of section 2.1. */
export type WireMoney = { value: string; code: string; decimals: number; chain?: string };

export function wireMoney(minor: bigint, { code, chain, decimals }: Currency): WireMoney {
  const value = String(minor);
  return chain === null ? { value, code, decimals } : { value, code, decimals, chain };
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
