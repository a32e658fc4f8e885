import type { Currency } from '../../../domain/currencies.ts';
import { shownNumber } from '../../source/xlsx/number-format.ts';
import type { AmountFormat, RowCells } from '../row-cells.ts';
import { currenciesOfMark, described, marksOfFormat } from './currency-signs.ts';

/** A workbook has a few formats; one that somebody made has as many as there are cells. */
const FORMATS_SEEN_MAX = 1_000;

/**
 * Notes where a number's format shows the amount as another one. A percentage is no amount: false. The rest is a
 * warning, because formats are put on whole columns by a button, and prove less than what somebody wrote.
 */
export function agreesWithFormat(cells: RowCells, text: string, format: string, currency: Currency | null): boolean {
  const shown = formatOf(cells, format);
  if (shown.isPercentage) {
    cells.error('amount', {
      code: 'amount_is_percentage',
      message: `The sheet shows a percentage, and the cell holds ${text}.`,
      remedy: 'Write the amount itself, and format the cell as a number.',
    });
    return false;
  }
  noteCurrency(cells, shown, currency);
  noteDecimals(cells, text, shown, currency);
  return true;
}

function formatOf(cells: RowCells, format: string): AmountFormat {
  const seen = cells.formats.get(format);
  if (seen !== undefined) return seen;
  const shown = { ...shownNumber(format), marks: marksOfFormat(format) };
  if (cells.formats.size < FORMATS_SEEN_MAX) cells.formats.set(format, shown);
  return shown;
}

function noteCurrency(cells: RowCells, { marks }: AmountFormat, currency: Currency | null): void {
  if (currency === null) return;
  const other = marks.find((mark) => !currenciesOfMark(mark)?.includes(currency.code));
  if (other === undefined) return;
  cells.warn('amount', {
    code: 'amount_shown_in_other_currency',
    message: `The sheet shows the amount in ${described(other)}, and ${currency.code} is paid, the currency of the row.`,
    remedy: "If the column currency is right, change the cell's number format.",
  });
}

/** Of decimals that the currency does not have it is said already. */
function noteDecimals(
  cells: RowCells,
  text: string,
  { isCut, decimals }: AmountFormat,
  currency: Currency | null,
): void {
  const point = text.indexOf('.');
  const written = point === -1 ? 0 : text.length - point - 1;
  const isRounded = decimals !== null && written > decimals && written <= (currency?.decimals ?? 0);
  if (!isCut && !isRounded) return;
  cells.warn('amount', {
    code: 'amount_shown_rounded',
    message: `The sheet shows the amount ${isCut ? 'in thousands' : 'rounded'}, and ${text} is what the cell holds.`,
    remedy: 'Make sure that this is what is to be paid: show all its digits in the sheet, or round the amount itself.',
  });
}
