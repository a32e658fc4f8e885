import { viewer } from '../../messages/viewer.ts';

/** An amount in major units as somebody typed it, exactly: `units` of 10 to the power of minus `scale`. */
export type TypedAmount = { units: bigint; scale: number };

const TEXT_MAX = 40;
const GROUPS = /[\s'’\u00a0\u202f]/g;

/**
 * Reads `1234.5`, `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`. Where a separator could be either (`1,234`, `1.234`), it is as
 * people of the viewer's language write it. Null for what is no amount.
 */
export function readTypedAmount(typed: string): TypedAmount | null {
  const text = typed.trim().replace(GROUPS, '');
  if (text === '' || text.length > TEXT_MAX || !/^\d[\d.,]*$/.test(text)) return null;
  const separator = decimalIn(text);
  const [whole = '', decimals = '', ...more] = separator === null ? [text] : text.split(separator);
  if (more.length > 0 || !/^\d*$/.test(decimals)) return null;
  if (!/^\d+$/.test(whole) && !/^\d{1,3}([.,])\d{3}(\1\d{3})*$/.test(whole)) return null;
  return { units: BigInt(`${whole.replace(/[.,]/g, '')}${decimals}`), scale: decimals.length };
}

/** The sign before the decimals; null where there are none. */
function decimalIn(text: string): '.' | ',' | null {
  const [point, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')];
  if (point === -1 && comma === -1) return null;
  if (point !== -1 && comma !== -1) return point > comma ? '.' : ',';
  const sign = point === -1 ? ',' : '.';
  const parts = text.split(sign);
  if (parts.length > 2) return null;
  const isThree = parts[1]?.length === 3 && (parts[0]?.length ?? 0) <= 3 && parts[0] !== '0';
  if (!isThree) return sign;
  return sign === (viewer().language === 'en' ? '.' : ',') ? sign : null;
}

/** Whether an amount in minor units of a currency with so many decimals is less than it (-1), as much (0) or more (1). */
export function compareTyped(minor: bigint, decimals: number, { units, scale }: TypedAmount): -1 | 0 | 1 {
  const [one, other] = [minor * 10n ** BigInt(scale), units * 10n ** BigInt(decimals)];
  return one < other ? -1 : one > other ? 1 : 0;
}
