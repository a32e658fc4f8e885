import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { formatMajor } from '../../domain/money.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import {
  CONTENT,
  contentTypesXml,
  LAST_ROW,
  MAIN,
  RELATIONS,
  relationsXml,
} from '../../platform/xlsx/workbook-writer.ts';
import { xmlAttribute } from '../../platform/xlsx/xml-text.ts';
import { ZipWriter } from '../../platform/xlsx/zip-writer.ts';
import { HEAD_NAME, headerOf, headLine, type Report } from '../model/report.ts';
import { ownColumns, REPORT_COLUMNS, type ReportRow, type RowResult } from '../model/rows.ts';
import { type DraftFile, OWNER_ONLY, type ReportText } from '../report-text.ts';
import { CellWriter, sheetEnd, sheetStart } from './xlsx-sheet.ts';
import { type CellStyle, statusStyles, XlsxStyles } from './xlsx-styles.ts';
import { SUMMARY_WIDTHS, type SummaryCell, summaryRows } from './xlsx-summary.ts';

/** The part that `start`, `row` and `end` of a workbook's text make. */
const PAYOUTS_PART = 'xl/worksheets/sheet2.xml';

/** The text of the sheet with the payouts, and what else a workbook is made of, once the rows are written. */
type XlsxText = ReportText & { otherParts(): [name: string, text: string][] };

/**
 * The run's report as a workbook: a summary, then a sheet with the columns of `report.csv`, filtered, its header always
 * in view. Headings and statuses are in the reader's language. Amounts are numbers and times are dates; account numbers
 * and everything people wrote is text, and no text is ever a formula. A number of more than 15 digits is text, since a
 * spreadsheet would lose the rest.
 */
export function xlsxText(report: Report): XlsxText {
  const { run } = report;
  const { input } = headerOf(run);
  const styles = new XlsxStyles();
  const cells = new CellWriter(styles);
  const { headingText } = messages.headings;
  const names = [...ownColumns(input), ...REPORT_COLUMNS.map(headingText)];
  const widths = [
    ...ownWidths(run, names),
    ...REPORT_COLUMNS.map((column) => Math.max(WIDTHS[column], headingText(column).length + 2)),
  ];
  const rows = Math.min(run.rows.length, LAST_ROW - 1);
  const own = names.length - REPORT_COLUMNS.length;
  const amountAt = input.columns.indexOf('amount');
  const isNumberAt = (at: number) => at === amountAt || NUMBER_COLUMNS.has(REPORT_COLUMNS[at - own] ?? '');
  const write = rowWriter(run, cells, styles);
  let written = 0;
  return {
    *start() {
      yield sheetStart({ widths, frozenRows: 1, isSelected: false });
      const header = names.map((name, at) => cells.text(cellName(at, 1), name, isNumberAt(at) ? NUMBERS : HEADER));
      yield `<row r="1">${header.join('')}</row>`;
    },
    row: (row) => (written === rows ? '' : write(row, ++written + 1)),
    end: sheetEnd(names.length, rows + 1),
    otherParts() {
      const summary = summaryXml(summaryRows(report, run.rows.length - rows), cells);
      const filtered = `$A$1:$${cellName(names.length - 1, 1).slice(0, -1)}$${rows + 1}`;
      return workbookParts(summary, styles, { filtered, head: headLine(report) });
    },
  };
}

const HEADER: CellStyle = { isBold: true, fill: 'sunken' };
const NUMBERS: CellStyle = { ...HEADER, align: 'right' };

const WIDTHS: Readonly<Record<keyof RowResult, number>> = {
  status: 15,
  transaction_id: 28,
  recipient_id: 28,
  external_account_id: 28,
  sent_amount: 16,
  sent_currency: 16,
  received_amount: 16,
  received_currency: 16,
  fees: 12,
  submitted_at: 24,
  finished_at: 24,
  attempts: 10,
  token: 18,
  problem_code: 24,
  message: 60,
};

const MOMENTS: ReadonlySet<string> = new Set(['submitted_at', 'finished_at']);
const AMOUNTS: ReadonlySet<string> = new Set(['sent_amount', 'received_amount', 'fees']);
const NUMBER_COLUMNS: ReadonlySet<string> = new Set([...AMOUNTS, 'attempts']);

/** Rows by which the input's own columns are measured, and their widths in characters. */
const ROWS_MEASURED = 200;
const WIDTH_LEAST = 10;
const WIDTH_MOST = 40;

function ownWidths({ rows, header }: RunState, names: readonly string[]): number[] {
  const own = header?.input.header.length ?? 0;
  const measured = rows.values().take(ROWS_MEASURED).toArray();
  return names.slice(0, own).map((name, at) => {
    const longest = measured.reduce((most, { cells }) => Math.max(most, cells[at]?.length ?? 0), name.length);
    return Math.min(Math.max(longest + 2, WIDTH_LEAST), WIDTH_MOST);
  });
}

/** A row as XML, at its place in the sheet. */
function rowWriter(run: RunState, writer: CellWriter, styles: XlsxStyles): (row: ReportRow, at: number) => string {
  const own = run.header?.input.columns ?? [];
  const width = run.header?.input.header.length ?? 0;
  const amountAt = own.indexOf('amount');
  const letters = [...Array(width + REPORT_COLUMNS.length).keys()].map((at) => cellName(at, 1).slice(0, -1));
  const statuses = statusStyles(styles);
  return ({ cells, result, source: { order } }, at) => {
    let xml = `<row r="${at}">`;
    for (const [column, cell] of cells.entries()) {
      const reference = `${letters[column]}${at}`;
      const isAmount = column === amountAt && order !== null;
      xml += isAmount
        ? writer.amount(reference, formatMajor(BigInt(order.amount_minor), order.currency.decimals))
        : writer.text(reference, cell);
    }
    for (const [place, column] of REPORT_COLUMNS.entries()) {
      const value = result[column];
      if (value !== null) xml += resultCell(`${letters[width + place]}${at}`, column, value);
    }
    return `${xml}</row>`;
  };

  function resultCell(reference: string, column: keyof RowResult, value: string | number): string {
    if (typeof value === 'number') return writer.count(reference, value);
    if (column === 'status') return statusXml(reference, value as RowResult['status']);
    if (AMOUNTS.has(column)) return writer.amount(reference, value);
    return MOMENTS.has(column) ? writer.moment(reference, value) : writer.text(reference, value);
  }

  function statusXml(reference: string, status: RowResult['status']): string {
    return writer.styled(reference, messages.headings.statusCell(status), statuses.get(status) ?? 0);
  }
}

function summaryXml(rows: readonly (readonly SummaryCell[])[], writer: CellWriter): string {
  const lines = rows.map((cells, row) => {
    const xml = cells.map((cell, at) => summaryCell(cell, cellName(at, row + 1), writer));
    return `<row r="${row + 1}">${xml.join('')}</row>`;
  });
  return `${sheetStart({ widths: SUMMARY_WIDTHS, frozenRows: 0, isSelected: true })}${lines.join('')}${sheetEnd(0, 0)}`;
}

function summaryCell(cell: SummaryCell, reference: string, writer: CellWriter): string {
  if ('blank' in cell) return writer.blank(reference, cell.blank);
  if ('count' in cell) return writer.count(reference, cell.count);
  if ('amount' in cell) return writer.amount(reference, cell.amount);
  if ('moment' in cell) return writer.moment(reference, cell.moment);
  const isMissing = 'isMissing' in cell && cell.isMissing === true;
  const style: CellStyle | undefined = isMissing ? { colour: 'ink-2' } : cell.style;
  return writer.text(reference, 'id' in cell ? cell.id : cell.text, style);
}

/**
 * `filtered` is the range of the sheet with the payouts that has a filter, and whose first row is on every page of paper.
 * `head` is kept in a hidden name, which spreadsheet programs keep.
 */
function workbookParts(
  summary: string,
  styles: XlsxStyles,
  { filtered, head }: { filtered: string; head: string },
): [name: string, text: string][] {
  const { SHEETS } = messages.headings;
  const payouts = `'${xmlAttribute(SHEETS.payouts.replaceAll("'", "''"))}'`;
  const sheets = [SHEETS.summary, SHEETS.payouts].map(
    (name, at) => `<sheet name="${xmlAttribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const names = `<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="1" hidden="1">${payouts}!${filtered}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="1">${payouts}!$1:$1</definedName><definedName name="${HEAD_NAME}" hidden="1">"${head}"</definedName></definedNames>`;
  const parts: [name: string, type: string, text: string][] = [
    ['xl/worksheets/sheet1.xml', CONTENT.worksheet, summary],
    [
      'xl/workbook.xml',
      CONTENT.workbook,
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets.join('')}</sheets>${names}</workbook>`,
    ],
    ['xl/styles.xml', CONTENT.styles, styles.toString()],
  ];
  const types = parts.map(([name, type]): [string, string] => [name, type]);
  return [
    ...parts.map(([name, , text]): [string, string] => [name, text]),
    [
      'xl/_rels/workbook.xml.rels',
      relationsXml([
        ['rId1', `${RELATIONS}/worksheet`, '/xl/worksheets/sheet1.xml'],
        ['rId2', `${RELATIONS}/worksheet`, `/${PAYOUTS_PART}`],
        ['rId3', `${RELATIONS}/styles`, '/xl/styles.xml'],
      ]),
    ],
    ['_rels/.rels', relationsXml([['rId1', `${RELATIONS}/officeDocument`, '/xl/workbook.xml']])],
    ['[Content_Types].xml', contentTypesXml([...types, [PAYOUTS_PART, CONTENT.worksheet]])],
  ];
}

/** A workbook, of which the text is the sheet with the payouts: it is packed while it comes. */
export async function openWorkbookFile(path: string, text: XlsxText): Promise<DraftFile> {
  const handle = await open(path, 'wx', OWNER_ONLY);
  const zip = new ZipWriter();
  const sheet = new PassThrough({ objectMode: true, highWaterMark: 2 });
  const packed = zip.add(PAYOUTS_PART, sheet);
  // Where nobody waits for it any more, `close` was called because of another error.
  packed.catch(() => {});
  return {
    async write(xml) {
      if (!sheet.write(xml)) await Promise.race([once(sheet, 'drain'), packed]);
    },
    async finish() {
      sheet.end();
      await packed;
      for (const [name, part] of text.otherParts()) await zip.add(name, part);
      await writeWhole(handle, zip);
    },
    async close() {
      sheet.destroy();
      await handle.close();
    },
  };
}

async function writeWhole(handle: FileHandle, zip: ZipWriter): Promise<void> {
  await handle.writeFile(zip.finish('[Content_Types].xml'));
  await handle.sync();
}
