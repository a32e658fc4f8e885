import { assert, Refusal } from '../../domain/refusal.ts';
import type { Archive } from '../../platform/xlsx/archive.ts';
import { LAST_ROW, type NewCell, type NewColumn, type NewSheet } from '../../platform/xlsx/workbook-writer.ts';
import { isIdentifier } from '../cells/cell-facts.ts';
import type { ReadResult } from '../read-result.ts';
import { changedMeanwhile, headOf, INPUT_BYTES_MAX, type InputSource, readWhole } from '../source/file.ts';
import { workbookKindOf } from '../source/file-kinds.ts';
import { openTable } from '../source/open-table.ts';
import { HEAD_BYTES } from '../source/sniff.ts';
import type { Table } from '../source/table.ts';
import { type CellMark, cellMarks, type MarkWords, type ProblemsToWrite, problemsSheet } from './problem-marks.ts';
import type { CellChange, WorkbookEditor } from './xlsx/workbook-editor.ts';

/** A copy of an input with its problems marked in it. */
export type Annotation = {
  workbook: Buffer;
  /** How many cells are marked. */
  marks: number;
  /** How many problems were too many to be written. */
  left: number;
};

/** Widths of the columns of a text file, in characters, by its first rows. */
const WIDTH_LEAST = 8;
const WIDTH_MOST = 40;
const MARGIN = 2;
const ROWS_MEASURED = 1_000;

/**
 * The input with its problems marked, as a workbook: a workbook's own sheets with their values, formats and widths; of a
 * text file its cells, all of them text. Refuses (kind `usage`) a text file that no spreadsheet program
 * would open.
 */
export async function annotate(
  source: InputSource,
  result: ReadResult,
  problems: ProblemsToWrite,
  words: MarkWords,
): Promise<Annotation> {
  const marks = cellMarks(problems.all, result.sheet, words);
  const { left } = problems;
  const workbook =
    result.sheet === null
      ? await markedText(source, result, problems, marks, words)
      : await markedWorkbook(source, { ...result, sheet: result.sheet }, problems, marks, words);
  const { openArchive } = await import('../../platform/xlsx/archive.ts');
  // A corrected copy is to be checked again.
  if (!(await openArchive(workbook)).ok)
    throw new Refusal({ code: 'too_large_to_annotate', name: source.name, rowsMax: null });
  return { workbook, marks: marks.length, left };
}

/** The bytes that were read before. Refuses (kind `input`) where the file was changed meanwhile. */
export async function sameBytes(source: InputSource, sha256: string): Promise<Buffer> {
  const { bytes, sha256: now } = await readWhole(source, INPUT_BYTES_MAX);
  if (bytes === null || now !== sha256) throw changedMeanwhile(source);
  return bytes;
}

/** The workbook that was read before, as XLSX. */
export async function sameArchive(source: InputSource, { input, encoding }: ReadResult): Promise<Archive> {
  const { openArchive } = await import('../../platform/xlsx/archive.ts');
  const { readWorkbookBytes } = await import('../source/xlsx/workbook-bytes.ts');
  const kind = workbookKindOf(await headOf(source, HEAD_BYTES), source.name);
  if (kind === null) throw changedMeanwhile(source);
  const { sha256, workbook } = await readWorkbookBytes(source, kind, encoding);
  if (typeof workbook === 'string' || sha256 !== (input.file_sha256 ?? input.sha256)) throw changedMeanwhile(source);
  const opened = await openArchive(workbook);
  assert(opened.ok, 'a workbook that was read can be read again');
  return opened.archive;
}

async function markedWorkbook(
  source: InputSource,
  result: ReadResult & { sheet: string },
  { all, left }: ProblemsToWrite,
  marks: CellMark[],
  words: MarkWords,
): Promise<Buffer> {
  const { sheet } = result;
  const { WorkbookEditor } = await import('./xlsx/workbook-editor.ts');
  const original = await WorkbookEditor.open(await sameArchive(source, result));
  const editor = result.edits.length === 0 ? original : await editedWorkbook(original, sheet, result);
  return editor.annotate(sheet, marks, (names) =>
    problemsSheet({ problems: all, left, marks: marks.length, sheet, names, words }),
  );
}

/** The workbook with the edits in its cells: those of a row that was deleted are empty. */
async function editedWorkbook(
  editor: WorkbookEditor,
  sheet: string,
  { edits, columns }: ReadResult,
): Promise<WorkbookEditor> {
  const { openArchive } = await import('../../platform/xlsx/archive.ts');
  const { WorkbookEditor } = await import('./xlsx/workbook-editor.ts');
  const deleted = new Set(edits.flatMap((edit) => (edit.kind === 'row_deleted' ? [edit.row - 1] : [])));
  const changes = new Map<string, CellChange>();
  const set = (row: number, column: number, text: string) =>
    changes.set(`${row},${column}`, { row, column, text, isText: columns[column] !== 'amount' });
  for (const edit of edits)
    if (edit.kind === 'cell' && !deleted.has(edit.row - 1)) set(edit.row - 1, edit.column, edit.new);
  for (const place of (await editor.textsOf(sheet, deleted)).keys()) {
    const [row = 0, column = 0] = place.split(',').map(Number);
    set(row, column, '');
  }
  const opened = await openArchive(await editor.change(sheet, [...changes.values()]));
  assert(opened.ok, 'a workbook that was written can be read');
  return WorkbookEditor.open(opened.archive);
}

async function markedText(
  source: InputSource,
  result: ReadResult,
  { all, left }: ProblemsToWrite,
  marks: CellMark[],
  words: MarkWords,
): Promise<Buffer> {
  const { writeWorkbook } = await import('../../platform/xlsx/workbook-writer.ts');
  const table = await openTable(source, { encoding: result.encoding });
  if (table.sha256 !== result.input.sha256) throw changedMeanwhile(source);
  const sheet: NewSheet = {
    name: sheetName(result.input.name),
    columns: await columnsOf(table, result),
    rows: markedRows(source, table, marks),
    frozenRows: result.headerRow ?? 0,
  };
  const list = problemsSheet({
    problems: all,
    left,
    marks: marks.length,
    sheet: sheet.name,
    names: [sheet.name],
    isOfText: true,
    words,
  });
  return writeWorkbook([list, sheet]);
}

/** Each row where it was, with its marks; cells that are missing are made for them. */
async function* markedRows(source: InputSource, table: Table, marks: readonly CellMark[]): AsyncGenerator<NewCell[]> {
  let row = 0;
  let at = 0;
  const marked = (texts: readonly string[]): NewCell[] => {
    const cells: NewCell[] = texts.map((text) => ({ text }));
    for (let mark = marks[at]; mark?.row === row; mark = marks[++at]) {
      const { column, severity, comment } = mark;
      while (cells.length <= column) cells.push({ text: '' });
      cells[column] = { text: cells[column]?.text ?? '', look: severity, ...(comment !== null && { note: comment }) };
    }
    row++;
    return cells;
  };
  for await (const part of table.parts()) {
    if (part.kind === 'fault') break;
    const first = part.firstRow - 1;
    if (first + part.records.length > LAST_ROW)
      throw new Refusal({ code: 'too_large_to_annotate', name: source.name, rowsMax: LAST_ROW });
    while (row < first) yield marked([]);
    for (const record of part.records) yield marked(record);
  }
  while (at < marks.length) yield marked([]);
}

/** Identifiers stay as they are typed, so that corrected ones keep their zeros. */
async function columnsOf(table: Table, { input }: ReadResult): Promise<NewColumn[]> {
  const widths: number[] = [];
  let rows = 0;
  for await (const part of table.parts()) {
    if (part.kind === 'fault' || rows > ROWS_MEASURED) break;
    rows += part.records.length;
    for (const record of part.records)
      for (const [at, text] of record.entries()) widths[at] = Math.max(widths[at] ?? 0, text.length);
  }
  return widths.map((longest, at) => ({
    width: Math.min(Math.max(longest + MARGIN, WIDTH_LEAST), WIDTH_MOST),
    isText: isKeptAsTyped(input.columns[at] ?? null),
  }));
}

function isKeptAsTyped(column: string | null): boolean {
  return column === 'reference' || (column !== null && isIdentifier(column));
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
