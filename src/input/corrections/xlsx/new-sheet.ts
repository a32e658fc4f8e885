import { cellName } from '../../header/columns.ts';
import { textElement, xmlAttribute } from '../../source/xlsx/xml-text.ts';
import type { CellComment } from './comments.ts';
import type { CellLook, StyleBook } from './style-book.ts';

/** A sheet as payrun makes it, of text cells only: what looks like a number or a formula stays the text that it is. */
export type NewSheet = {
  name: string;
  columns: readonly NewColumn[];
  rows: Iterable<readonly NewCell[]> | AsyncIterable<readonly NewCell[]>;
  /** Rows at the top that stay in view. */
  frozenRows: number;
};

export type NewColumn = {
  /** In characters. */
  width: number;
  /** Whether what is typed there stays as it is typed: a number would lose the zeros at its begin. */
  isText: boolean;
  /** The texts that the column's cells can be chosen from; empty where anything may be written. */
  choices?: readonly string[];
};

export type NewCell = {
  text: string;
  look?: CellLook;
  note?: string;
  /** Where a click leads, such as `'July'!F17`. */
  link?: string;
};

/** What spreadsheet programs have at most. */
export const LAST_ROW = 1_048_576;

/** More links than this on a sheet are taken for damage. */
const LINKS_MAX = 65_000;

/** A cell takes so many characters. */
const CELL_MAX = 32_767;

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type SheetXmlOptions = {
  styles: StyleBook;
  namespace: string;
  /** Whether the workbook opens with it. */
  isSelected: boolean;
  /** How the drawing of its comments is related to it. It is used where there are any. */
  drawingId: string;
  /** Gets the comments as they come. */
  comments: CellComment[];
};

/** A new sheet's XML, row by row. */
export async function* newSheetXml(sheet: NewSheet, options: SheetXmlOptions): AsyncGenerator<string> {
  const { columns, frozenRows } = sheet;
  const { styles, namespace, isSelected, drawingId, comments } = options;
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${namespace}"><sheetViews><sheetView${isSelected ? ' tabSelected="1"' : ''} workbookViewId="0">${frozen(frozenRows)}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>`;
  const styleOf = columns.map(({ isText }) => styles.own(undefined, isText));
  const cols = columns.map(
    ({ width }, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${styleOf[at] ?? 0}" customWidth="1"/>`,
  );
  yield `${cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`}<sheetData>`;
  const links: string[] = [];
  let row = 0;
  for await (const cells of sheet.rows) {
    row++;
    let xml = `<row r="${row}">`;
    for (const [column, cell] of cells.entries()) {
      const { text, look, note, link } = cell;
      const isText = columns[column]?.isText ?? false;
      const style = look === undefined ? (styleOf[column] ?? 0) : styles.own(look, isText);
      xml += cellXml(text, cellName(column, row), style);
      if (note !== undefined) comments.push({ row: row - 1, column, text: note });
      if (link !== undefined && links.length < LINKS_MAX)
        links.push(`<hyperlink ref="${cellName(column, row)}" location="${xmlAttribute(link)}"/>`);
    }
    yield `${xml}</row>`;
  }
  yield `</sheetData>${dropDowns(columns)}`;
  if (links.length > 0) yield `<hyperlinks>${links.join('')}</hyperlinks>`;
  if (comments.length > 0) yield `<legacyDrawing xmlns:r="${RELATIONS}" r:id="${drawingId}"/>`;
  yield '</worksheet>';
}

function cellXml(text: string, reference: string, style: number): string {
  const styled = style === 0 ? '' : ` s="${style}"`;
  if (text === '') return styled === '' ? '' : `<c r="${reference}"${styled}/>`;
  return `<c r="${reference}"${styled} t="inlineStr"><is>${textElement('', text.slice(0, CELL_MAX))}</is></c>`;
}

function frozen(rows: number): string {
  if (rows === 0) return '';
  return `<pane ySplit="${rows}" topLeftCell="A${rows + 1}" activePane="bottomLeft" state="frozen"/>`;
}

function dropDowns(columns: readonly NewColumn[]): string {
  const lists = columns.flatMap(({ choices = [] }, at) => {
    if (choices.length === 0) return [];
    const range = `${cellName(at, 2)}:${cellName(at, LAST_ROW)}`;
    const told = 'showErrorMessage="1" errorTitle="Not in the list" error="Choose one of the list."';
    return `<dataValidation type="list" allowBlank="1" ${told} sqref="${range}"><formula1>"${choices.join(',')}"</formula1></dataValidation>`;
  });
  if (lists.length === 0) return '';
  return `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
}
