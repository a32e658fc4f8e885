import { expect } from 'vitest';

/** Amounts as the wire carries them, in minor units. */
export type Wire = { value: string; code: string; decimals: number; chain?: string };

const amount =
  (code: string, decimals: number) =>
  (value: string | number | bigint): Wire => ({ value: String(value), code, decimals });
const asset =
  (code: string, decimals: number) =>
  (value: string | number | bigint, chain = 'ethereum'): Wire => ({ value: String(value), code, decimals, chain });

export const aud = amount('AUD', 2);
export const usd = amount('USD', 2);
export const gbp = amount('GBP', 2);
export const eur = amount('EUR', 2);
export const idr = amount('IDR', 2);
export const jpy = amount('JPY', 0);
export const usdc = asset('USDC', 6);
export const usdt = asset('USDT', 6);
export const eth = asset('ETH', 18);

/** Every currency that the service holds (`decisions.md`, "Money, markets, limits"), decimals by ISO 4217. */
export const FIAT = ['AUD', 'USD', 'SGD', 'HKD', 'CNY', 'MXN', 'COP', 'BRL', 'GBP', 'EUR', 'INR', 'AED', 'IDR'];
export const CRYPTO: readonly Wire[] = [
  ...['ethereum', 'polygon', 'arbitrum'].flatMap((chain) => [usdc(0, chain), usdt(0, chain)]),
  ...['ethereum', 'arbitrum'].map((chain) => eth(0, chain)),
];
export const HELD: readonly Wire[] = [...FIAT.map((code) => amount(code, 2)(0)), ...CRYPTO];

/** The same currency with another amount. */
export const of = (currency: Wire, value: string | number | bigint): Wire => ({ ...currency, value: String(value) });

/** The name of a currency in a list of rows. */
export const nameOf = ({ code, chain }: Wire): string => (chain ? `${code} on ${chain}` : code);

/** Parts of a million: `aside(1_000_000n, -4_900)` is half a percent less, rounded toward zero. */
export const aside = (value: bigint, ppm: number): bigint => value + (value * BigInt(ppm)) / 1_000_000n;

/** A fee's value by its rate, a fraction of at most nine places, rounded up (toward the service). */
export function shareOf(value: bigint, rate: number): bigint {
  const billionths = BigInt(Math.round(rate * 1e9));
  return (value * billionths + 999_999_999n) / 1_000_000_000n;
}

/** Any amount above zero of a currency, in an expectation. */
export const some = (currency: Wire): object => ({ ...currency, value: expect.stringMatching(/^[1-9]\d*$/) });
