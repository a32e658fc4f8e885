/** More decimals than a program shows. */
const DECIMALS_MAX = 12;

/** What is shown of a number, from its first digit to its last, and the text around. */
const SHOWN = /^(\D*)(\d(?:.*\d)?)(\D*)$/su;

/**
 * The number format by which a value shows as a text: `00000123` for 123 shows the zeros, `1,234.50` the decimals, `€ 5`
 * the sign. Null where the text shows nothing that the value has not, or is another number.
 */
export function formatShowing(value: number, text: string): string | null {
  const [, before = '', digitsText, behind = ''] = SHOWN.exec(text.trim()) ?? [];
  if (digitsText === undefined || /\p{L}/u.test(digitsText)) return null;
  const body = bodyShowing(Math.abs(value), digitsText);
  if (body === null) return null;
  const format = quoted(before.replace(/[-\u2212(]\s*$/, '')) + body + quoted(behind.replace(/^\)/, ''));
  return format === '0' && Number.isInteger(value) ? null : format;
}

function bodyShowing(value: number, text: string): string | null {
  const digits = text.replace(/\D/g, '');
  const plain = withoutZeros(digits);
  for (let decimals = 0; decimals <= DECIMALS_MAX && decimals < digits.length; decimals++) {
    const fixed = value.toFixed(decimals).replace('.', '');
    if (withoutZeros(fixed) !== plain) continue;
    if (decimals > 0) return `0.${'0'.repeat(decimals)}`;
    const isPadded = digits.length > fixed.length || /[-/:]/.test(text);
    return isPadded ? text.replace(/\d/g, '0').replace(/[^0]/gu, (sign) => `\\${sign}`) : '0';
  }
  for (const cut of [1, 2])
    if (withoutZeros(Math.round(value / 1_000 ** cut).toString()) === plain) return `0${','.repeat(cut)}`;
  return null;
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

/** Text as a number format shows it. */
function quoted(text: string): string {
  const shown = text.replaceAll('"', '').trim();
  return shown === '' ? '' : `"${shown}"`;
}
