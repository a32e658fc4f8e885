import type { Header } from '../header/columns.ts';
import { headerIdentity, headerKey } from '../header/header-key.ts';

/** Parts of the words for a currency in headers, as keys have them. */
const CURRENCY_WORDS =
  /currency|denominat|ccy|wahrung|devise|moneda|divisa|moeda|valuta|waluta|parabirimi|mena|货币|币种|通貨/;

/** Parts of the words for an amount. */
const AMOUNT_WORDS =
  /amount|amt|value|total|sum(?:me|ma|a|)|betrag|montant|importe|importo|monto|valore?|bedrag|kwota|castka|tutari?|belopp|belob|belop|osszeg|iznos|сумма|сума|ποσο|金额|金額/;

/** `amounts`: the header of the amounts where this one names their currency, as `Invoice Currency` of `Invoice Amount`. */
export type OtherCurrency = { at: number; header: string; amounts: string | null };

/**
 * Headers about a currency that are not that of the payment. One that a person ignores is none of them, unless the
 * amounts are in it: to ignore it would not change them.
 */
export function otherCurrencyColumns({ cells, columns, mapping, index }: Header): OtherCurrency[] {
  const ignored = new Set(mapping.map(({ header }) => headerIdentity(header)));
  const amounts = headerKey(cells[index.amount] ?? '');
  return cells.flatMap((cell, at) => {
    const column = columns[at] ?? null;
    const key = headerKey(cell);
    if ((column !== null && column !== 'source_currency') || !CURRENCY_WORDS.test(key)) return [];
    const isOfAmounts = index.amount !== -1 && isPair(amounts, key);
    if (!isOfAmounts && (column !== null || ignored.has(headerIdentity(cell)))) return [];
    return [{ at, header: cell.trim(), amounts: isOfAmounts ? (cells[index.amount] ?? '').trim() : null }];
  });
}

/** Whether two headers are of the same thing, one its amount and the other its currency: `Rechnungsbetrag`, `Rechnungswährung`. */
function isPair(amounts: string, currency: string): boolean {
  const of = currency.replace(CURRENCY_WORDS, '');
  const amount = amounts.replace(AMOUNT_WORDS, '');
  const isOfAnyAmount = of !== '' && of.replace(AMOUNT_WORDS, '') === '';
  return isOfAnyAmount || (of !== '' && of === amount && amount !== amounts);
}
