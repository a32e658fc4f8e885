import { rateOf } from '../../domain/conversion.ts';
import { type Currency, fiat } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';

/** An amount as ISO 20022 can state it. `units`: hundred-thousandths of the currency, of which no amount has parts. */
export type IsoAmount = { currency: string; units: bigint };

/** `ActiveOrHistoricCurrencyAndAmount`: so many digits, and so many of them behind the point. */
const DIGITS_MAX = 18;
const DECIMALS_MAX = 5;

/** `BaseOneRate`. */
const RATE_DIGITS_MAX = 11;
const RATE_DECIMALS = 10;

/** Null where ISO 20022 cannot state it: a crypto asset has no code of ISO 4217, and another amount has too many digits. */
export function isoAmount(minor: string, { code, chain, decimals }: Currency): IsoAmount | null {
  if (chain !== null || fiat(code) === null) return null;
  const scale = 10n ** BigInt(Math.abs(DECIMALS_MAX - decimals));
  const value = BigInt(minor);
  if (value < 0n || (decimals > DECIMALS_MAX && value % scale !== 0n)) return null;
  const amount = { currency: code, units: decimals > DECIMALS_MAX ? value / scale : value * scale };
  return digitsOf(decimalText(amount)) > DIGITS_MAX ? null : amount;
}

/** `1234.50`: with the currency's own decimals, and more only where the amount has more. */
export function decimalText({ currency, units }: IsoAmount): string {
  const decimals = fiat(currency)?.decimals ?? 0;
  const text = formatMajor(units, DECIMALS_MAX);
  let end = text.length;
  while (end > text.length - (DECIMALS_MAX - decimals) && text[end - 1] === '0') end--;
  return text[end - 1] === '.' ? text.slice(0, end - 1) : text.slice(0, end);
}

/** The sum of amounts of one currency; null where it has too many digits for `DecimalNumber`. */
export function sumText(sum: IsoAmount): string | null {
  const text = decimalText(sum);
  return digitsOf(text) > DIGITS_MAX ? null : text;
}

export function amountElement(name: string, amount: IsoAmount): string {
  return `<${name} Ccy="${amount.currency}">${decimalText(amount)}</${name}>`;
}

/** Units of `received` for one of `sent`, rounded down to the digits that there are; null where none is left. */
export function isoRate(sent: IsoAmount, received: IsoAmount): string | null {
  if (sent.units === 0n) return null;
  const of = ({ currency }: IsoAmount): Currency => ({ code: currency, chain: null, decimals: DECIMALS_MAX });
  const amounts = { received: received.units, sent: sent.units };
  const [whole = '', fraction = ''] = rateOf(
    { source: of(sent), currency: of(received) },
    amounts,
    RATE_DECIMALS,
  ).split('.');
  if (whole.length > RATE_DIGITS_MAX) return null;
  const kept = fraction.slice(0, RATE_DIGITS_MAX - whole.length).replace(/0+$/, '');
  const rate = kept === '' ? whole : `${whole}.${kept}`;
  return rate === '0' ? null : rate;
}

function digitsOf(decimal: string): number {
  return decimal.length - (decimal.includes('.') ? 1 : 0);
}
