import { amountTextOf, type DecimalConvention, readAmount } from '../cells/amounts/amount.ts';
import { currenciesOfMark, currenciesOfMarks } from '../cells/amounts/currency-signs.ts';
import type { RowFacts } from '../cells/cell-facts.ts';
import type { Header } from '../header/columns.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { figuresOfTotal, isCount, isDate, TOTAL_WORDS, type WordedFigure, wordsOf } from './words/total-words.ts';

/** What a row that is no payout seems to be. */
export type Line =
  /** An amount without a payee. */
  | { kind: 'total'; isLabelled: boolean; hasFigure: boolean }
  /** A total that stands in another column than the amount, or among words. */
  | { kind: 'worded_total'; figures: readonly WordedFigure[] }
  /** Text without an amount or an account. */
  | { kind: 'footer'; column: ColumnName | null; text: string };

/** What people write at the end of a list. */
const FOOTER_WORDS: ReadonlySet<string> = new Set(
  (
    'printed print page pages prepared approved checked authorised authorized signed signature generated created exported ' +
    'date report end note notes gedruckt erstellt seite datum geprüft freigegeben unterschrift ende imprimé édité page ' +
    'signature impreso generado página fecha firma preparado aprobado impresso gerado data assinatura stampato firmato ' +
    'afgedrukt pagina handtekening wydrukowano strona podpis'
  ).split(' '),
);

/** Where a payout goes: a row with any of these is one, whatever else it lacks. */
const DESTINATION: readonly ColumnName[] = [
  'account_number',
  'national_clearing_code',
  'bic',
  'wallet_address',
  'external_account_id',
  'recipient_id',
];

/** Beside its amount, a total line without a word for it may have these. */
const OF_AMOUNT: ReadonlySet<ColumnName | null> = new Set(['amount', 'currency', 'chain', 'source_currency']);

/** A label is short: `Total`, `Grand total AUD`. */
const LABEL_WORDS_MAX = 4;

/** More words than a name has. */
const NAME_WORDS_MAX = 5;

const FOOTER_CELLS_MAX = 2;

/** What a row without a payee could be, were it under the table; null for a payout, mistaken or not. */
export function lineOf(
  { index, columns, cells: headers }: Header,
  cells: readonly string[],
  facts: RowFacts | null,
): Line | null {
  const amount = cells[index.amount]?.trim() ?? '';
  const name = cells[index.name]?.trim() ?? '';
  if (name !== '' && amount !== '' && !isTotalLabel(name)) return null;
  const filled: { at: number; column: ColumnName | null; text: string; isLabel: boolean; isOfAccount: boolean }[] = [];
  for (const [at, cell] of cells.entries()) {
    const text = cell.trim();
    const column = columns[at] ?? null;
    const isOfAccount = column !== null && DESTINATION.includes(column);
    if (text !== '') filled.push({ at, column, text, isLabel: isTotalLabel(text), isOfAccount });
  }
  const isUnknown = facts?.cells?.[index.amount]?.kind === 'formula_without_value';
  const figures = amount === '' && !isUnknown ? figuresOfTotal(filled, headers) : [];
  if (figures.length > 0) return { kind: 'worded_total', figures };
  const isTitled = FOOTER_WORDS.has(wordsOf(filled[0]?.text ?? '')[0] ?? '');
  const others = filled.filter(({ text, isLabel }) => !isLabel && !isCount(text) && !(isTitled && isDate(text)));
  const payee = others.some(({ column }) => column === 'name' || column === 'payee_id');
  if (others.some(({ isOfAccount }) => isOfAccount)) return null;
  const isOfFoot = isTitled || filled.some(({ isLabel }) => isLabel);
  if (amount === '' && !isUnknown) return footerOf(filled, isOfFoot);
  const isNumber = isUnknown || facts?.cells?.[index.amount]?.kind === 'number' || amountTextOf(amount) !== null;
  if (!isNumber || payee) return null;
  const hasFigure = !isUnknown;
  if (filled.some(({ isLabel }) => isLabel)) return { kind: 'total', isLabelled: true, hasFigure };
  // Where nothing of a sheet is calculated, names and accounts are formulas too.
  if (isUnknown && columns.some((column, at) => !OF_AMOUNT.has(column) && isFormula(facts, column, at))) return null;
  const beside = filled.filter(({ column }) => !OF_AMOUNT.has(column));
  const isBare = beside.every(({ column, text }) => column === null && amountTextOf(text) !== null);
  return isBare ? { kind: 'total', isLabelled: false, hasFigure } : null;
}

function isFormula(facts: RowFacts | null, column: ColumnName | null, at: number): boolean {
  return column !== null && facts?.cells?.[at]?.kind === 'formula_without_value';
}

/** Whether text in the column of names, right under the last payee, is no payee's name. */
export function isFooterText(text: string): boolean {
  const words = wordsOf(text);
  return (
    words.length > NAME_WORDS_MAX ||
    /[:=_]|\d[./-]\d/.test(text) ||
    FOOTER_WORDS.has(words[0] ?? '') ||
    words.some((word) => TOTAL_WORDS.has(word))
  );
}

/** The amounts that the text of a line can mean: two where the column proves no convention and the text leaves it open. */
export function readingsOf(text: string, facts: RowFacts | null, at: number, convention: DecimalConvention): string[] {
  if (facts?.cells?.[at]?.kind === 'number') return [text];
  const amount = amountTextOf(text);
  if (amount === null) return [];
  const conventions: DecimalConvention[] =
    convention === 'point' || convention === 'comma' ? [convention] : ['point', 'comma'];
  const sign = amount.isNegative ? '-' : '';
  return conventions
    .map((each) => readAmount(amount.number, amount.shape, each))
    .flatMap((reading) => (reading.ok ? [sign + reading.plain] : []));
}

/** The currencies that a line can mean, by its cell of the column `currency` or by a sign beside its amount; none where neither is. */
export function codesOf(currency: string, amount: string): readonly string[] {
  const byCell = currency === '' ? null : currenciesOfMark(currency);
  return byCell ?? currenciesOfMarks(amountTextOf(amount)?.marks ?? []);
}

/** `isTitled`: a word says what its figure or date is, so that no column does. */
function footerOf(filled: readonly { column: ColumnName | null; text: string }[], isTitled: boolean): Line | null {
  const isPayout = filled.some(
    ({ column, text }) => (column === 'rail' || column === 'currency') && !(isTitled && /^\d/.test(text)),
  );
  const [first] = filled;
  if (isPayout || first === undefined || filled.length > FOOTER_CELLS_MAX) return null;
  const column = filled.find((cell) => cell.column !== null)?.column ?? null;
  return { kind: 'footer', column, text: filled.map(({ text }) => text).join(' ') };
}

function isTotalLabel(text: string): boolean {
  const words = wordsOf(text);
  return words.length <= LABEL_WORDS_MAX && words.some((word) => TOTAL_WORDS.has(word));
}
