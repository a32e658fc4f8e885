import type { Currency } from '../../../domain/currencies.ts';
import { parseMajor } from '../../../domain/money.ts';
import { type BetterRemedy, type Fault, fault } from '../../../domain/problem.ts';
import { asciiOf, strangeIn } from '../../../domain/strange-characters.ts';
import { type AmountFormat, shownNumber } from '../../source/xlsx/number-format.ts';
import type { RowCells } from '../row-cells.ts';
import { type AmountText, amountShape, amountTextOf, type DecimalConvention, readAmount } from './amount.ts';
import { currenciesOfMark, markOf, marksOfFormat } from './currency-signs.ts';

/** The service's amounts have at most 38 digits. */
const MINOR_LIMIT = 10n ** 38n;

/** With an unknown currency the amount is still checked, with as many decimals as any asset has. */
const DECIMALS_UNKNOWN = 18;

/** A workbook has a few formats; one that a program made can have as many as there are cells. */
const FORMATS_SEEN_MAX = 1_000;

/** Reads `amount` of a row as minor units of `currency`, or null with the problems noted. */
export function readAmountCell(
  cells: RowCells,
  currency: Currency | null,
  convention: DecimalConvention,
): bigint | null {
  const text = cells.text('amount');
  if (text === '') return cells.has('amount') ? refuse(cells, fault('amount_missing')) : null;
  const plain = readPlain(cells, text, currency, convention);
  if (plain === null) return null;
  const decimals = currency?.decimals ?? DECIMALS_UNKNOWN;
  const parsed = parseMajor(plain, decimals);
  if (!parsed.ok)
    return refuse(
      cells,
      parsed.code === 'amount_too_many_decimals'
        ? fault('amount_too_many_decimals', { currency: currency?.code ?? null, decimals })
        : fault('amount_too_large'),
    );
  if (parsed.minor <= 0n) return refuse(cells, fault('amount_not_positive', { amount: plain }));
  return parsed.minor >= MINOR_LIMIT ? refuse(cells, fault('amount_too_large')) : parsed.minor;
}

function refuse(cells: RowCells, what: Fault): null {
  cells.error('amount', what);
  return null;
}

/** The amount as a plain decimal with a point, or null with the problem noted. Digits and a point take the short way. */
function readPlain(
  cells: RowCells,
  text: string,
  currency: Currency | null,
  convention: DecimalConvention,
): string | null {
  const facts = cells.facts('amount');
  if (facts?.kind === 'number')
    // The number of a workbook's cell is no text that a person wrote in some convention.
    return facts.format === null || agreesWithFormat(cells, text, facts.format, currency) ? text : null;
  const shape = amountShape(text);
  const amount = shape === 'none' ? readAmountText(cells, text) : null;
  const reading =
    amount === null ? readAmount(text, shape, convention) : readAmount(amount.number, amount.shape, convention);
  if (!reading.ok) {
    const isScientific = /^-?\d+(?:[.,]\d+)?[eE][+-]?\d+$/.test(text);
    if (reading.code === 'amount_not_a_number' && isScientific) cells.error('amount', fault('amount_scientific'));
    else if (reading.code === 'amount_separators_mixed')
      cells.error('amount', fault('amount_separators_mixed', { cells: cells.contradiction }));
    else cells.error('amount', { ...fault(reading.code), ...writtenPlain(text, currency, convention) });
    return null;
  }
  if (amount === null) return reading.plain;
  const other = currency === null ? undefined : otherMark(amount.marks, currency);
  if (currency === null || other === undefined) return amount.isNegative ? `-${reading.plain}` : reading.plain;
  cells.error('amount', fault('amount_currency_differs', { mark: markOf(other), currency: currency.code }));
  return null;
}

/**
 * The amount in plain digits, as the column writes decimals, where its own are of another script or something in it does
 * not show; nothing where that is no amount, or could be two. Arabic has signs of its own for decimals and groups.
 */
function writtenPlain(
  text: string,
  currency: Currency | null,
  convention: DecimalConvention,
): { params?: { better: BetterRemedy }; suggestion?: string } {
  if (strangeIn(text) === null) return {};
  const decimal = convention === 'comma' ? ',' : '.';
  const amount = amountTextOf(asciiOf(text.replaceAll('\u066c', '').replaceAll('\u066b', decimal)).trim());
  if (amount === null || amount.isNegative || (currency !== null && otherMark(amount.marks, currency) !== undefined))
    return {};
  const reading = readAmount(amount.number, amount.shape, convention);
  if (!reading.ok) return {};
  const plain = reading.plain.replace('.', decimal);
  return { params: { better: { do: 'write_plain', text: plain } }, suggestion: plain };
}

/** An apostrophe in front is how people keep a spreadsheet program from changing a number. */
function readAmountText(cells: RowCells, text: string): AmountText | null {
  if (!/^['\u2019]/.test(text)) return amountTextOf(text);
  const rest = text.slice(1).trim();
  const amount = amountTextOf(rest);
  if (amount !== null) cells.warn('amount', { ...fault('leading_apostrophe'), suggestion: rest });
  return amount;
}

/** One that stands beside the number and cannot mean the row's currency. */
function otherMark(marks: readonly string[], { code }: Currency): string | undefined {
  return marks.find((mark) => !currenciesOfMark(mark)?.includes(code));
}

/**
 * Notes where a number's format shows the amount as another one. A percentage is no amount: false. The rest is a
 * warning, because formats are put on whole columns by a button, and prove less than what a person wrote.
 */
function agreesWithFormat(cells: RowCells, text: string, format: string, currency: Currency | null): boolean {
  const { isPercentage, isCut, decimals, marks } = formatOf(cells, format);
  if (isPercentage) {
    cells.error('amount', fault('amount_is_percentage', { holds: text }));
    return false;
  }
  const other = currency === null ? undefined : otherMark(marks, currency);
  if (currency !== null && other !== undefined)
    cells.warn('amount', fault('amount_shown_in_other_currency', { mark: markOf(other), currency: currency.code }));
  const point = text.indexOf('.');
  const written = point === -1 ? 0 : text.length - point - 1;
  // Decimals that the currency does not have are a problem of their own.
  const isRounded = decimals !== null && written > decimals && written <= (currency?.decimals ?? 0);
  if (isCut || isRounded) cells.warn('amount', fault('amount_shown_rounded', { holds: text, isInThousands: isCut }));
  return true;
}

function formatOf(cells: RowCells, format: string): AmountFormat {
  const seen = cells.formats.get(format);
  if (seen !== undefined) return seen;
  const shown = { ...shownNumber(format), marks: marksOfFormat(format) };
  if (cells.formats.size < FORMATS_SEEN_MAX) cells.formats.set(format, shown);
  return shown;
}
