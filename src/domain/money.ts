import { type Currency, currencyLabel } from './currencies.ts';
import type { Sum } from './problems/payment-problems.ts';

/** An amount in minor units of its currency. */
export type Money = { readonly minor: bigint; readonly currency: Currency };

/** Longest amount text that is read: 40 characters hold more money than there is, in any currency. */
const AMOUNT_TEXT_MAX = 40;

export type AmountText =
  | { ok: true; minor: bigint }
  | { ok: false; code: 'amount_not_a_number' | 'amount_too_many_decimals' | 'amount_too_long' };

/**
 * Reads a plain decimal in major units: digits, at most one point, an optional leading minus. No grouping, no sign of
 * a currency, no exponent: conventions are settled before, over the whole column. Excess decimals are an error unless
 * they are zeros.
 */
export function parseMajor(text: string, decimals: number): AmountText {
  const minor = shortMinor(text, decimals);
  return minor === -1 ? parseAnyMajor(text, decimals) : { ok: true, minor: BigInt(minor) };
}

/** The minor units of the amounts that most are, which a number holds exactly: few digits, no sign. -1 for all others. */
function shortMinor(text: string, decimals: number): number {
  if (text.length === 0 || text.length > SHORT_MAX) return -1;
  let minor = 0;
  let fraction = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) {
      minor = minor * 10 + digit;
      if (fraction !== -1) fraction++;
    } else if (digit === POINT && fraction === -1 && at > 0) fraction = 0;
    else return -1;
  }
  const missing = decimals - Math.max(fraction, 0);
  const factor = POWERS_OF_TEN[missing];
  return factor === undefined ? -1 : minor * factor;
}

/** Nine digits and six zeros more stay below 2^53. */
const SHORT_MAX = 9;
const POINT = -2;
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

function parseAnyMajor(text: string, decimals: number): AmountText {
  if (text.length > AMOUNT_TEXT_MAX) return { ok: false, code: 'amount_too_long' };
  const parts = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (!parts) return { ok: false, code: 'amount_not_a_number' };
  const [, sign, whole = '', fractionText = ''] = parts;
  const fraction = fractionText.replace(/0+$/, '');
  if (fraction.length > decimals) return { ok: false, code: 'amount_too_many_decimals' };
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  return { ok: true, minor: sign === '-' ? -minor : minor };
}

/** The major-unit decimal of a minor amount, always with all of the currency's decimals: `1234.50`. */
export function formatMajor(minor: bigint, decimals: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `1,234.50 AUD`, for people. */
export function formatForPeople(amount: Money): string {
  const plain = formatMajor(amount.minor, amount.currency.decimals);
  return `${groupThousands(plain)} ${currencyLabel(amount.currency)}`;
}

/** The amount and its currency as texts, for the words of messages. */
export function sumOf({ minor, currency }: Money): Sum {
  return { amount: formatMajor(minor, currency.decimals), currency: currencyLabel(currency) };
}

/** `1,234.50` of the plain decimal `1234.50`, for people only: nothing of ours reads it back. */
export function groupThousands(plain: string): string {
  const [whole = '', fraction] = plain.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `AUD` or `USDC|polygon`: one text for each (code, chain). */
export function currencyKey(of: Currency): string {
  return of.chain === null ? of.code : `${of.code}|${of.chain}`;
}
