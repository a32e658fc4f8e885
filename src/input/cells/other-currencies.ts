import { type Header, placesOf } from '../header/columns.ts';
import { headerKey } from '../header/header-key.ts';

/** Parts of the words for a currency in headers, as keys have them. */
const CURRENCY_WORDS =
  /currency|denominat|ccy|wahrung|devise|moneda|divisa|moeda|valuta|waluta|parabirimi|mena|货币|币种|通貨/;

/** Parts of the words for an amount. */
const AMOUNT_WORDS =
  /amount|amt|value|total|sum(?:me|ma|a|)|betrag|montant|importe|importo|monto|valore?|bedrag|kwota|castka|tutari?|belopp|belob|belop|osszeg|iznos|сумма|сума|ποσο|金额|金額/;

/** Of accounts: what is paid to one may be in another currency. */
const OF_ACCOUNT =
  /account|bank|iban|konto|compte|cuenta|conta|conto|rekening|rachun|uctu|hesap|szamla|счет|сметк|账户|帳戶|口座|계좌/;

/**
 * `amounts`: the header of the amounts. `isOfAmounts`: whether this one names their currency, as `Invoice Currency` of
 * `Invoice Amount`.
 */
export type OtherCurrency = { at: number; header: string; amounts: string; isOfAmounts: boolean };

/**
 * Headers about a currency that are not that of the payment. One that a person ignores is none of them where that person says
 * which the amounts are too: to ignore `Invoice Currency` does not change that `Amount` may be in it.
 */
export function otherCurrencyColumns({ cells, columns, mapping, index }: Header): OtherCurrency[] {
  const given = new Map(mapping.flatMap(({ header, column }) => placesOf(header, cells).map((at) => [at, column])));
  const isAmountGiven = given.get(index.amount) === 'amount';
  const amounts = headerKey(cells[index.amount] ?? '');
  return cells.flatMap((cell, at) => {
    const column = columns[at] ?? null;
    const key = headerKey(cell);
    if ((column !== null && column !== 'source_currency') || !CURRENCY_WORDS.test(key)) return [];
    const isOfAmounts = index.amount !== -1 && isPair(amounts, key);
    const isAnswered = given.has(at) && (isAmountGiven || OF_ACCOUNT.test(key));
    if (!isOfAmounts && (column !== null || isAnswered)) return [];
    return [{ at, header: cell.trim(), amounts: (cells[index.amount] ?? '').trim(), isOfAmounts }];
  });
}

/** Whether two headers are of the same thing, one its amount and the other its currency: `Rechnungsbetrag`, `Rechnungswährung`. */
function isPair(amounts: string, currency: string): boolean {
  const of = currency.replace(CURRENCY_WORDS, '');
  const amount = amounts.replace(AMOUNT_WORDS, '');
  const isOfAnyAmount = of !== '' && of.replace(AMOUNT_WORDS, '') === '';
  return isOfAnyAmount || (of !== '' && of === amount && amount !== amounts);
}
