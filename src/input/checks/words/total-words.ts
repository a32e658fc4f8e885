import { amountTextOf } from '../../cells/amounts/amount.ts';
import { currenciesOfMark } from '../../cells/amounts/currency-signs.ts';

/** What people write beside a sum, in the languages of the headers and a few more. */
export const TOTAL_WORDS: ReadonlySet<string> = new Set(
  (
    'total totals totale totali totalen totaal totaux sum sums summe gesamt gesamtsumme gesamtbetrag endsumme zwischensumme ' +
    'insgesamt somme suma soma somma som summa subtotal subtotals subtotale subtotaal razem ogółem łącznie celkem součet ' +
    'toplam yekun összesen ukupno skupaj spolu yhteensä итого итог сумма всього разом σύνολο 合计 合計 总计 總計 总额 總額 小计 小計 합계 총계 รวม ' +
    'tổng jumlah المجموع الإجمالي'
  ).split(' '),
);

/** What is counted in a list. */
const COUNT_WORDS: ReadonlySet<string> = new Set(
  (
    'record records row rows payment payments payee payees payout payouts employee employees item items line lines entry entries ' +
    'transaction transactions transfer transfers count recipient recipients people anzahl zahlungen überweisungen datensätze ' +
    'zeilen sätze mitarbeiter personen posten empfänger lignes virements paiements nombre salariés bénéficiaires registros pagos ' +
    'líneas empleados transferencias beneficiarios pagamentos linhas funcionários righe pagamenti bonifici dipendenti regels ' +
    'betalingen medewerkers aantal wierszy przelewów pozycji liczba osób řádků plateb kişi kayıt 笔 人 条'
  ).split(' '),
);

/** Beside a word for a sum they leave no doubt that the sum of the payments is meant. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(
  (
    'grand batch overall final all of the for to in is amount value net pay paid payable due payroll salary salaries wages file ' +
    'der des die das aller zu zahlen zahlung auszahlung betrag netto lohn gehalt überweisung fällig für général générale à payer ' +
    'verser montant net de du des la le les a pagar general importe monto neto líquido valor geral importo generale da pagare ' +
    'te betalen bedrag algemeen do wypłaty zapłaty kwota genel'
  ).split(' '),
);

/** Headers of sums that are not the payments': hours, days, pieces, tax, gross, deductions. */
const OTHER_SUMS =
  /hour|stund|heure|hora|uren|godzin|days|tage|jours|qty|quantity|menge|units|tax|steuer|gross|brut|lord|deduct|abzug|abzüge|rate|fee/iu;

/** A line with more cells is a row. */
const CELLS_MAX = 5;

/** A label with more words is a sentence about something else. */
const LABEL_WORDS_MAX = 10;

/** A figure of a total line, and the index of its cell (0 is A). `isSure`: nothing but the payments can be added up in it. */
export type WordedFigure = { text: string; at: number; isSure: boolean };

/** A cell that is not empty; `isOfAccount`: in a column of accounts, banks or payees' numbers. */
type FilledCell = { at: number; text: string; isOfAccount: boolean };

/**
 * The figures of a line that says it is a total and has none in the column of amounts: `Total | 2 records | 1350.50 USD`,
 * `Total of 2 payments: 1,350.50`. Counts and dates are left out. None where a cell may be of a payout.
 */
export function figuresOfTotal(filled: readonly FilledCell[], headers: readonly string[]): WordedFigure[] {
  if (filled.length > CELLS_MAX) return [];
  const labels = filled.filter(({ text }) => isLabel(text));
  if (labels.length === 0 || !filled.every((cell) => labels.includes(cell) || isFigureOrCount(cell))) return [];
  const isOfCount = labels.some(({ text }) => !/\d/.test(text) && COUNT_WORDS.has(wordsOf(text).at(-1) ?? ''));
  const isPlain = labels.every(({ text }) => wordsOf(text).every(isPlainWord));
  return filled.flatMap(({ at, text }) =>
    figuresIn(text)
      .filter(({ isInteger, isMarked, isCounted }) => !isCounted && !(isOfCount && isInteger && !isMarked))
      .map((figure) => {
        const isOfOthers = !isLabel(text) && OTHER_SUMS.test(headers[at] ?? '');
        return { text: figure.text, at, isSure: figure.isMarked || (isPlain && !isOfOthers) };
      }),
  );
}

/** The number of payouts that a line gives: `Total Records | 2`, `No. of payments: | 12`; null where it gives none. */
export function countOfTotal(filled: readonly FilledCell[]): number | null {
  const [label, figure, other] = filled;
  if (label === undefined || figure === undefined || other !== undefined || !/^\d{1,9}$/.test(figure.text)) return null;
  const words = wordsOf(label.text);
  const isOfPayouts =
    COUNT_WORDS.has(words.at(-1) ?? '') && words.every((word) => isPlainWord(word) || OF_COUNT.has(word));
  return isOfPayouts && words.length > 1 ? Number(figure.text) : null;
}

/** Words that tell a count from a number of another kind: `Transaction 12` is none. */
const OF_COUNT: ReadonlySet<string> = new Set(
  'number no nr num numero número nombre anzahl aantal liczba numer'.split(' '),
);

function isLabel(text: string): boolean {
  const words = wordsOf(text);
  return words.length <= LABEL_WORDS_MAX && words.some((word) => TOTAL_WORDS.has(word));
}

function isPlainWord(word: string): boolean {
  return TOTAL_WORDS.has(word) || COUNT_WORDS.has(word) || PLAIN_WORDS.has(word) || currenciesOfMark(word) !== null;
}

/** Digits alone may be an account where accounts stand. */
function isFigureOrCount({ text, isOfAccount }: FilledCell): boolean {
  if (isOfAccount && /^\d+$/.test(text)) return false;
  return isDate(text) || isCount(text) || amountTextOf(text) !== null;
}

/** `2 records`. */
export function isCount(text: string): boolean {
  const words = wordsOf(text);
  return /^\d+\P{N}+$/u.test(text) && words.length > 0 && words.every((word) => COUNT_WORDS.has(word));
}

/** `2026-10`, `2026-10-30T08:00:00.000Z`, `30.10.2026`; no amount, as `2026.10` would be. */
const DATE =
  /\b(?:(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}|(?:19|20)\d\d[-/]\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:19|20)?\d\d)(?:[T ]\d{1,2}:[\d:.]+Z?|\b)/g;

/** A day, or a time of one. */
export function isDate(text: string): boolean {
  return /^\d/.test(text) && text.replace(DATE, '').trim() === '';
}

type Figure = { text: string; isInteger: boolean; isMarked: boolean; isCounted: boolean };

const NUMBER = /(\p{L}*)([^\p{L}\p{N}]*?)(-?\d(?:[\d.,'\u2019\u00a0\u202f ]*\d)?)\s*(\p{Sc}|\p{L}+)?/gu;

/** The numbers in a text, each with the sign or code of a currency beside it. */
function figuresIn(text: string): Figure[] {
  return [...text.replace(DATE, ' ').matchAll(NUMBER)].flatMap(
    ([, before = '', between = '', number = '', behind = '']) => {
      const sign = /\p{Sc}/u.exec(between)?.[0] ?? before;
      const mark = [behind, sign].find((each) => each !== '' && currenciesOfMark(each) !== null) ?? '';
      const numbers = amountTextOf(number) === null ? number.split(/\s+/) : [number];
      return numbers.map((each) => ({
        text: `${each} ${mark}`.trim(),
        isInteger: /^\d+$/.test(each),
        isMarked: mark !== '',
        isCounted: /^\d+$/.test(each) && [before, behind].some((word) => COUNT_WORDS.has(word.toLowerCase())),
      }));
    },
  );
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return words.filter((word) => word !== '');
}

/** A name with more words is a payee's. */
const NAME_WORDS_MAX = 4;

/** Whether a name is that of a total and nothing else: `TOTAL`, `Gesamtsumme`, `Grand total EUR`, and not `Total Energies`. */
export function isNameOfTotal(name: string): boolean {
  const words = wordsOf(name);
  return (
    words.length <= NAME_WORDS_MAX &&
    words.some((word) => TOTAL_WORDS.has(word)) &&
    words.every((word) => isPlainWord(word))
  );
}
