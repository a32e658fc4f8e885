import { type Cell, type CellStyle, openXlsx, type RoundtripWorkbook, type Sheet, saveXlsx } from 'hucre/xlsx';
import { assert } from '../../domain/refusal.ts';
import { type CellMark, withoutOurs } from '../problem-marks.ts';
import { PROBLEMS_TITLE } from '../problems-sheet.ts';
import { escapeTexts, LOOKS, type NewSheet, SAVED_BY, TEXT_FORMAT, writeSheetOf } from './workbook-writer.ts';

/** A cell that gets another text. Row and column count from 0. */
export type CellChange = { row: number; column: number; text: string; isText: boolean };

/** A user's workbook, to be written again with what it has: values, formats, widths, drop-downs, comments. */
export class WorkbookEditor {
  readonly #workbook: RoundtripWorkbook;

  private constructor(workbook: RoundtripWorkbook) {
    this.#workbook = workbook;
  }

  static async open(bytes: Uint8Array): Promise<WorkbookEditor> {
    return new WorkbookEditor(await openXlsx(bytes, { readStyles: true }));
  }

  /** The names of all sheets but those of an earlier annotation. */
  get sheetNames(): string[] {
    return this.#workbook.sheets.filter((sheet) => !isProblemsSheet(sheet)).map(({ name }) => name);
  }

  /** Whether the workbook is an annotation that nobody has saved since. */
  get isUntouchedAnnotation(): boolean {
    const { properties, sheets } = this.#workbook;
    return properties?.lastModifiedBy === SAVED_BY && sheets.some(isProblemsSheet);
  }

  /** Marks cells of a sheet, after the marks of an earlier annotation are removed. */
  mark(sheetName: string, marks: readonly CellMark[]): void {
    const sheet = this.#sheet(sheetName);
    const cells = sheet.cells ?? new Map<string, Cell>();
    sheet.cells = cells;
    for (const cell of cells.values()) unmark(cell);
    for (const { row, column, severity, comment, isText } of marks) {
      const cell = cellAt(sheet, cells, row, column);
      cell.style = { ...cell.style, ...LOOKS[severity] };
      if (isText && isGeneral(cell.style)) cell.style.numFmt = TEXT_FORMAT;
      if (comment === null) continue;
      const theirs = cell.comment?.text ?? '';
      const { author = SAVED_BY } = cell.comment ?? {};
      cell.comment = { author, text: theirs === '' ? comment : `${theirs}\n\n${comment}` };
    }
  }

  /** What a cell holds, as a text; empty where it holds nothing. */
  textOf(sheetName: string, row: number, column: number): string {
    const value = this.#sheet(sheetName).rows[row]?.[column] ?? null;
    if (value === null) return '';
    return typeof value === 'object' ? value.toISOString() : String(value);
  }

  /** Writes other texts into cells of a sheet. */
  change(sheetName: string, changes: readonly CellChange[]): void {
    const sheet = this.#sheet(sheetName);
    const cells = sheet.cells ?? new Map<string, Cell>();
    sheet.cells = cells;
    for (const { row, column, text, isText } of changes) {
      const cell = cellAt(sheet, cells, row, column);
      cells.set(`${row},${column}`, {
        value: text,
        type: 'string',
        style: { ...cell.style, ...(isText && { numFmt: TEXT_FORMAT }) },
        ...(cell.comment && { comment: cell.comment }),
      });
      const line = sheet.rows[row];
      if (line !== undefined) line[column] = text;
    }
  }

  /**
   * Puts the sheet of problems in front, in place of an earlier one. Charts, pivot tables and threaded comments are tied
   * to the number of their sheet, so where there are any, it comes last and is the one that the workbook opens with.
   */
  addProblems(problems: NewSheet): void {
    const { sheets } = this.#workbook;
    const isBound = sheets.some(isBoundToNumber);
    const kept = isBound ? sheets : sheets.filter((sheet) => !isProblemsSheet(sheet));
    const added: Sheet = { rows: [], ...writeSheetOf(problems) } as Sheet;
    const earlierAt = kept.findIndex(isProblemsSheet);
    if (earlierAt !== -1) kept.splice(earlierAt, 1, added);
    else if (isBound) kept.push(added);
    else kept.unshift(added);
    this.#workbook.sheets = kept;
    this.#workbook.activeSheet = kept.indexOf(added);
    this.#workbook.properties = { ...this.#workbook.properties, lastModifiedBy: SAVED_BY };
  }

  async save(): Promise<Uint8Array> {
    for (const sheet of this.#workbook.sheets) {
      quotePrintAreas(this.#workbook, sheet);
      escapeTexts(sheet);
    }
    return saveXlsx(this.#workbook);
  }

  #sheet(name: string): Sheet {
    const sheet = this.#workbook.sheets.find((other) => other.name === name);
    assert(sheet !== undefined, 'a sheet that was read is in the workbook');
    return sheet;
  }
}

function isProblemsSheet(sheet: Sheet): boolean {
  return sheet.rows[0]?.[0] === PROBLEMS_TITLE;
}

function isBoundToNumber(sheet: Sheet): boolean {
  const { charts, pivotTables, slicers, timelines, threadedComments } = sheet;
  return [charts, pivotTables, slicers, timelines, threadedComments].some((bound) => (bound?.length ?? 0) > 0);
}

/** The cell's details, made of its value where the library keeps nothing else. */
function cellAt(sheet: Sheet, cells: Map<string, Cell>, row: number, column: number): Cell {
  const key = `${row},${column}`;
  const known = cells.get(key);
  if (known !== undefined) return known;
  const value = sheet.rows[row]?.[column] ?? null;
  const type = value === null ? 'empty' : typeof value === 'object' ? 'date' : typeof value;
  const cell: Cell = { value, type: type as Cell['type'] };
  cells.set(key, cell);
  return cell;
}

function unmark(cell: Cell): void {
  if (cell.comment === undefined) return;
  const theirs = withoutOurs(cell.comment.text);
  if (theirs === cell.comment.text) return;
  if (theirs === '') delete cell.comment;
  else cell.comment = { ...cell.comment, text: theirs };
  if (cell.style?.fill !== undefined && isOurFill(cell.style)) delete cell.style.fill;
}

function isOurFill({ fill }: CellStyle): boolean {
  const rgb = fill?.type === 'pattern' ? fill.fgColor?.rgb : undefined;
  return rgb !== undefined && [LOOKS.error, LOOKS.warning].some((look) => colourOf(look) === rgb);
}

function colourOf({ fill }: CellStyle): string | undefined {
  return fill?.type === 'pattern' ? fill.fgColor?.rgb : undefined;
}

function isGeneral({ numFmt }: CellStyle): boolean {
  return numFmt === undefined || numFmt === '' || numFmt === 'General';
}

/**
 * The library writes a print area without quotes around the sheet's name, which a spreadsheet program takes for a damaged
 * file where the name has a blank. As a named range of the sheet it keeps its quotes.
 */
function quotePrintAreas(workbook: RoundtripWorkbook, sheet: Sheet): void {
  const { printArea, printTitlesRow, printTitlesColumn, ...rest } = sheet.pageSetup ?? {};
  if (printArea === undefined && printTitlesRow === undefined && printTitlesColumn === undefined) return;
  const name = `'${sheet.name.replaceAll("'", "''")}'`;
  const titles = [printTitlesColumn, printTitlesRow].filter((range) => range !== undefined);
  const ranges = workbook.namedRanges ?? [];
  if (printArea !== undefined)
    ranges.push({ name: '_xlnm.Print_Area', range: `${name}!${printArea}`, scope: sheet.name });
  if (titles.length > 0)
    ranges.push({
      name: '_xlnm.Print_Titles',
      range: titles.map((range) => `${name}!${range}`).join(','),
      scope: sheet.name,
    });
  workbook.namedRanges = ranges;
  sheet.pageSetup = rest;
}
