import { createHash } from 'node:crypto';
import { Refusal } from '../domain/refusal.ts';
import type { InputSource } from './file.ts';
import type { ReadResult } from './input.ts';
import { openTable } from './open-table.ts';
import { type CellMark, cellMarks, type ProblemsToWrite } from './problem-marks.ts';
import { problemsSheet } from './problems-sheet.ts';
import type { NewCell, NewColumn, NewSheet } from './xlsx/workbook-writer.ts';

/** A copy of an input with its problems marked in it. */
export type Annotation = {
  workbook: Uint8Array;
  /** How many cells are marked. */
  marks: number;
  /** How many problems were too many to be written. */
  left: number;
};

/** A text file of more rows is not made a workbook: spreadsheet programs take a minute to open it. */
export const ANNOTATED_ROWS_MAX = 100_000;

/** Widths of the columns of a text file, in characters. */
const WIDTH_LEAST = 8;
const WIDTH_MOST = 40;
const MARGIN = 2;

/** Columns whose cells can be digits with zeros in front. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  'payee_id',
  'account_number',
  'national_clearing_code',
  'reference',
  'phone_country_code',
  'phone_number',
  'registration_number',
  'postal_code',
  'recipient_id',
  'external_account_id',
]);

/** A spreadsheet's cell takes so many characters. */
const CELL_MAX = 32_767;

/**
 * The input with its problems marked, as a workbook: a workbook's own sheets with their values, formats and widths; of a
 * text file its cells, all of them text. Refuses (kind `usage`) a text file that is too long for that.
 */
export async function annotate(
  source: InputSource,
  result: ReadResult,
  problems: ProblemsToWrite,
): Promise<Annotation> {
  const marks = cellMarks(problems.all, result.sheet);
  const { left } = problems;
  const workbook =
    result.sheet === null
      ? await markedText(source, result, problems, marks)
      : await markedWorkbook(source, result, result.sheet, problems, marks);
  return { workbook, marks: marks.length, left };
}

/** The bytes that were read before. Refuses (kind `input`) where the file was changed meanwhile. */
export async function sameBytes(source: InputSource, sha256: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.open()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new Refusal('input', `${source.name} changed while it was read.`, 'Close it elsewhere and run again.');
}

async function markedWorkbook(
  source: InputSource,
  { input }: ReadResult,
  sheet: string,
  { all, left }: ProblemsToWrite,
  marks: CellMark[],
): Promise<Uint8Array> {
  const { WorkbookEditor } = await import('./xlsx/workbook-editor.ts');
  const editor = await WorkbookEditor.open(await sameBytes(source, input.sha256));
  editor.mark(sheet, marks);
  editor.addProblems(problemsSheet({ problems: all, left, marks: marks.length, sheet, names: editor.sheetNames }));
  return editor.save();
}

async function markedText(
  source: InputSource,
  result: ReadResult,
  { all, left }: ProblemsToWrite,
  marks: CellMark[],
): Promise<Uint8Array> {
  const { writeWorkbook } = await import('./xlsx/workbook-writer.ts');
  const sheet = await textSheet(source, result, marks);
  const list = problemsSheet({ problems: all, left, marks: marks.length, sheet: sheet.name, names: [sheet.name] });
  return writeWorkbook([list, sheet]);
}

async function textSheet(source: InputSource, result: ReadResult, marks: CellMark[]): Promise<NewSheet> {
  const rows = await textRows(source, result.input.sha256);
  for (const { row, column, severity, comment } of marks) {
    const line = rows[row];
    if (line === undefined) continue;
    while (line.length <= column) line.push({ text: '' });
    line[column] = { text: line[column]?.text ?? '', look: severity, ...(comment !== null && { note: comment }) };
  }
  return {
    name: sheetName(result.input.name),
    columns: columnsOf(rows, result),
    rows,
    frozenRows: result.headerRow ?? 0,
  };
}

async function textRows(source: InputSource, sha256: string): Promise<NewCell[][]> {
  const table = await openTable(source);
  if (table.sha256 !== sha256)
    throw new Refusal('input', `${source.name} changed while it was read.`, 'Close it elsewhere and run again.');
  const rows: NewCell[][] = [];
  if (!table.isReadable) return rows;
  for await (const part of table.parts()) {
    if (part.kind === 'fault') break;
    for (const [at, record] of part.records.entries())
      rows[part.firstRow - 1 + at] = record.map((text) => ({ text: text.slice(0, CELL_MAX) }));
    if (rows.length > ANNOTATED_ROWS_MAX)
      throw new Refusal(
        'usage',
        `${source.name} has more than ${ANNOTATED_ROWS_MAX.toLocaleString('en')} rows, too many for an annotated workbook.`,
        'Split the file, or take the problems from check --json.',
      );
  }
  return rows;
}

/** Identifiers stay as they are typed, so that what is mended keeps its zeros. */
function columnsOf(rows: readonly (readonly NewCell[])[], { input }: ReadResult): NewColumn[] {
  const count = rows.reduce((most, line) => Math.max(most, line.length), 0);
  return Array.from({ length: count }, (_, at) => {
    const longest = rows.reduce((most, line) => Math.max(most, line[at]?.text.length ?? 0), 0);
    const width = Math.min(Math.max(longest + MARGIN, WIDTH_LEAST), WIDTH_MOST);
    return { width, isText: IDENTIFIERS.has(input.columns[at] ?? '') };
  });
}

/** The file's name without its ending, as the name of a sheet may be. */
function sheetName(file: string): string {
  const name = file
    .replace(/\.[^.]*$/, '')
    .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
    .replace(/^'+|'+$/g, '')
    .trim()
    .slice(0, 31);
  return name === '' || name.toLowerCase() === 'history' ? 'Sheet1' : name;
}
