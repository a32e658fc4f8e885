import { headerOf, type Report } from './model/report.ts';
import { ownColumns, REPORT_COLUMNS, type ReportRow, type RowResult } from './model/rows.ts';
import type { ReportText } from './report-text.ts';

/** With it Excel reads UTF-8 as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The run's report as CSV: UTF-8 with a byte order mark, RFC 4180 quoting, CRLF. Written by hand because csv-stringify
 * takes four times as long for the same bytes; the tests read it back with csv-parse.
 */
export function csvText({ run }: Pick<Report, 'run'>): ReportText {
  const names = [...ownColumns(headerOf(run).input), ...REPORT_COLUMNS];
  return { start: () => [`${BYTE_ORDER_MARK}${names.map(csvCell).join(',')}\r\n`], row: rowLine, end: '' };
}

/** One cell as it stands in the file: defused, then quoted where it must be. */
export function csvCell(text: string): string {
  return PLAIN.test(text) ? text : quoted(defuse(text));
}

/** What most cells are, with nothing in it to quote or to defuse. One look instead of three. */
const PLAIN = /^(?:[A-Za-z0-9•.][A-Za-z0-9•. :@_/()+-]*)?$/;

/**
 * The text as a spreadsheet shows it and never runs it: an apostrophe goes before what a spreadsheet would take for a
 * formula (`=`, `+`, `-`, `@`, their full-width forms, after blanks too) and before a leading tab, line break or NUL. It
 * also goes before such a character after a semicolon, tab or line break inside the text: where a semicolon parts the
 * list (most of Europe), Excel cuts a CSV there and not at our quotes. Source: OWASP, CSV injection; CWE-1236.
 */
export function defuse(text: string): string {
  return text.replace(FORMULA_START, "$&'");
}

/** Whether a spreadsheet would take the text for a formula if it were typed into a cell. */
export function isFormulaLike(text: string): boolean {
  return !PLAIN.test(text) && FORMULA_LIKE.test(text);
}

const FORMULA_LIKE = /^(?:[\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠])/;

const FORMULA_START = /^(?=[\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠])|[;\t\r\n](?=[^\S\t\r\n]*[=+\-@＝＋－＠])/g;

/** RFC 4180, section 2. Semicolons and tabs are quoted too, for programs that part at those. */
function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const NEEDS_QUOTES = /[",;\t\r\n]/;

function rowLine({ cells, result }: ReportRow): string {
  let line = '';
  for (const cell of cells) line += `${csvCell(cell)},`;
  line += result.status;
  for (const { column, isMade } of COLUMNS_AFTER_STATUS) {
    const value = result[column];
    if (value === null) line += ',';
    else line += isMade || typeof value === 'number' ? `,${value}` : `,${csvCell(value)}`;
  }
  return `${line}\r\n`;
}

/**
 * Columns whose text payrun makes itself out of digits, letters, points and hyphens. They go out as they are: a negative
 * amount stays a number, and forty thousand times need no look.
 */
const MADE_COLUMNS: ReadonlySet<keyof RowResult> = new Set([
  'status',
  'sent_amount',
  'received_amount',
  'fees',
  'submitted_at',
  'finished_at',
  'attempts',
]);

const COLUMNS_AFTER_STATUS = REPORT_COLUMNS.slice(1).map((column) => ({ column, isMade: MADE_COLUMNS.has(column) }));
