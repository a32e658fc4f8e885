import { formatMajor, parseMajor } from '../../../../domain/money.ts';

/** Amounts of ISO 20022 have at most five decimals and 18 digits, control sums 17 decimals. */
const AMOUNT_DECIMALS = 5;
const AMOUNT_DIGITS = 18;
const SUM_DECIMALS = 17;
const FINER = 10n ** BigInt(SUM_DECIMALS - AMOUNT_DECIMALS);

/** A decimal of XML Schema as digits with at most one point, for example `0.5` of `+.5`. */
export function plainDecimal(text: string): string {
  if (/^\d+(?:\.\d+)?$/.test(text)) return text;
  const [whole = '', fraction = ''] = text.trim().replace(/^\+/, '').split('.');
  return `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** In units of the fifth decimal; null where the digits are too many. */
export function amountOf(plain: string): bigint | null {
  const digits = plain.replace('.', '').replace(/^0+/, '');
  if (digits.length > AMOUNT_DIGITS) return null;
  const parsed = parseMajor(plain, AMOUNT_DECIMALS);
  return parsed.ok ? parsed.minor : null;
}

/** Adds amounts up, whatever their currencies, as a control sum does. */
export class DecimalSum {
  #sum = 0n;

  add(amount: bigint): void {
    this.#sum += amount;
  }

  isStated(text: string): boolean {
    const parsed = parseMajor(plainDecimal(text), SUM_DECIMALS);
    return parsed.ok && parsed.minor === this.#sum * FINER;
  }

  /** `1234.5`. */
  get text(): string {
    const text = formatMajor(this.#sum, AMOUNT_DECIMALS);
    return text.replace(/(\.\d\d\d*?)0+$/, '$1');
  }
}
