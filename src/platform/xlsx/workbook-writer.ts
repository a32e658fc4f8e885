import { cellName } from './cell-names.ts';
import { type CellComment, Comments, withShapes } from './comments.ts';
import { type CellLook, StyleBook } from './style-book.ts';
import { textElement, xmlAttribute } from './xml-text.ts';
import { ZipWriter } from './zip-writer.ts';

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

/** The user who last saved a workbook of ours, by its properties. Every spreadsheet program writes its own user there. */
export const SAVED_BY = 'payrun';

/** The names of what a workbook is made of. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** The kinds of content of a workbook's parts. */
export const CONTENT = {
  workbook: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  worksheet: 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml',
  styles: 'application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml',
  comments: 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
  vmlDrawing: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
  core: 'application/vnd.openxmlformats-package.core-properties+xml',
} as const;

export const CORE_RELATION = `${PACKAGE}/relationships/metadata/core-properties`;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const DRAWING_ID = 'rId1';

/** A workbook of these sheets; it opens with the first. Its `notes` are hidden names, which spreadsheet programs keep. */
export async function writeWorkbook(
  sheets: readonly NewSheet[],
  notes: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const zip = new ZipWriter();
  const styles = new StyleBook(null);
  const contents: [name: string, type: string][] = [];
  const add = async (name: string, type: string, text: string | AsyncIterable<string>) => {
    contents.push([name, type]);
    await zip.add(name, text);
  };
  for (const [at, sheet] of sheets.entries()) {
    const number = at + 1;
    const comments: CellComment[] = [];
    const options = { styles, namespace: MAIN, isSelected: at === 0, drawingId: DRAWING_ID, comments };
    await add(`xl/worksheets/sheet${number}.xml`, CONTENT.worksheet, newSheetXml(sheet, options));
    if (comments.length === 0) continue;
    const part = new Comments(null, MAIN, SAVED_BY);
    for (const comment of comments) part.add(comment);
    await add(`xl/comments${number}.xml`, CONTENT.comments, part.toString());
    await add(`xl/drawings/vmlDrawing${number}.vml`, CONTENT.vmlDrawing, withShapes(null, new Set(), comments));
    const relations = [
      [DRAWING_ID, `${RELATIONS}/vmlDrawing`, `/xl/drawings/vmlDrawing${number}.vml`],
      ['rId2', `${RELATIONS}/comments`, `/xl/comments${number}.xml`],
    ] as const;
    await zip.add(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationsXml(relations));
  }
  await add('xl/styles.xml', CONTENT.styles, styles.toString());
  await add('xl/workbook.xml', CONTENT.workbook, workbookXml(sheets, notes));
  await zip.add(
    'xl/_rels/workbook.xml.rels',
    relationsXml([
      ...sheets.map(
        (_, at) => [`rId${at + 1}`, `${RELATIONS}/worksheet`, `/xl/worksheets/sheet${at + 1}.xml`] as const,
      ),
      [`rId${sheets.length + 1}`, `${RELATIONS}/styles`, '/xl/styles.xml'],
    ]),
  );
  await add('docProps/core.xml', CONTENT.core, coreXml());
  await zip.add(
    '_rels/.rels',
    relationsXml([
      ['rId1', `${RELATIONS}/officeDocument`, '/xl/workbook.xml'],
      ['rId2', CORE_RELATION, '/docProps/core.xml'],
    ]),
  );
  await zip.add('[Content_Types].xml', contentTypesXml(contents));
  return zip.finish('[Content_Types].xml');
}

/** Who has saved a workbook last, as a part of it. */
export function coreXml(): string {
  const namespace = `${PACKAGE}/metadata/core-properties`;
  return `${HEAD}<cp:coreProperties xmlns:cp="${namespace}"><cp:lastModifiedBy>${SAVED_BY}</cp:lastModifiedBy></cp:coreProperties>`;
}

function workbookXml(sheets: readonly NewSheet[], notes: Readonly<Record<string, string>>): string {
  const listed = sheets.map(
    ({ name }, at) => `<sheet name="${xmlAttribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const names = Object.entries(notes).map(
    ([name, text]) => `<definedName name="${xmlAttribute(name)}" hidden="1">"${xmlAttribute(text)}"</definedName>`,
  );
  const defined = names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`;
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${listed.join('')}</sheets>${defined}</workbook>`;
}

export function relationsXml(relations: readonly (readonly [id: string, type: string, target: string])[]): string {
  const listed = relations.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`);
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${listed.join('')}</Relationships>`;
}

export function contentTypesXml(contents: readonly (readonly [name: string, type: string])[]): string {
  const listed = contents.map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`);
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${listed.join('')}</Types>`;
}

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
    const refusal = 'showErrorMessage="1" errorTitle="Not in the list" error="Choose one of the list."';
    return `<dataValidation type="list" allowBlank="1" ${refusal} sqref="${range}"><formula1>"${choices.join(',')}"</formula1></dataValidation>`;
  });
  if (lists.length === 0) return '';
  return `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
}
