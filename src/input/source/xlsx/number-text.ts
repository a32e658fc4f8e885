/** What spreadsheet programs keep of a number. */
const DIGITS_KEPT = 15;

/**
 * A number of a workbook as a plain decimal of at most 15 significant digits, never with an exponent; null where it is
 * none. Programs write the same number as `12345678`, `12345678.0`, `1.2345678E7` and `12345678.000000002`.
 */
export function numberText(written: string): string | null {
  if (isShortInteger(written)) return written;
  if (written.trim() === '') return null;
  const value = Number(written);
  if (!Number.isFinite(value)) return null;
  return plainDecimal(Number(value.toPrecision(DIGITS_KEPT)));
}

function isShortInteger(text: string): boolean {
  if (text.length === 0 || text.length > DIGITS_KEPT || (text.charCodeAt(0) === 48 && text.length > 1)) return false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 48 || unit > 57) return false;
  }
  return true;
}

function plainDecimal(value: number): string {
  // Minus zero is written as 0 too.
  const text = value === 0 ? '0' : String(value);
  const exponentAt = text.indexOf('e');
  if (exponentAt === -1) return text;
  const exponent = Number(text.slice(exponentAt + 1));
  const sign = value < 0 ? '-' : '';
  const [whole = '', fraction = ''] = text.slice(sign.length, exponentAt).split('.');
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, '0');
}
