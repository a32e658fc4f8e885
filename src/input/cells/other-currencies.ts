import type { Header } from '../header/columns.ts';
import { headerIdentity, headerKey } from '../header/header-key.ts';

/** Parts of the words for a currency in headers, as keys have them. */
const CURRENCY_WORDS =
  /currency|denominat|ccy|wahrung|devise|moneda|divisa|moeda|valuta|waluta|parabirimi|mena|货币|币种|通貨/;

/** Headers about a currency that name none of our columns. One that a person ignores is none of them. */
export function otherCurrencyColumns({ cells, columns, mapping }: Header): { at: number; header: string }[] {
  const ignored = new Set(mapping.map(({ header }) => headerIdentity(header)));
  return cells.flatMap((cell, at) =>
    columns[at] === null && CURRENCY_WORDS.test(headerKey(cell)) && !ignored.has(headerIdentity(cell))
      ? [{ at, header: cell.trim() }]
      : [],
  );
}
