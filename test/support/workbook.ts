import { type ZipEntry, zipOf } from './zip.ts';

export type SheetXml = {
  name: string;
  /** What stands between `<sheetData>` and its end. */
  rows: string;
  /** Before and behind the rows: columns, merged cells. */
  before?: string;
  behind?: string;
  state?: 'hidden' | 'veryHidden';
};

export type WorkbookXml = {
  sheets: SheetXml[];
  /** The `<si>` elements. */
  sharedStrings?: string[];
  /** The formats of the styles 1, 2, …; style 0 is General. */
  formats?: string[];
  is1904?: boolean;
  /** Whether its parts are stored as they are, and not packed. */
  isStored?: boolean;
  /** What is put into the archive besides, or instead of what is there by that name. */
  entries?: ZipEntry[];
};

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** A workbook written by hand, for what no program that is at hand writes. */
export function workbookOf(workbook: WorkbookXml): Buffer {
  const own = workbook.entries ?? [];
  const entries = entriesOf(workbook).filter(({ name }) => !own.some((entry) => entry.name === name));
  return zipOf([...entries, ...own].map((entry) => ({ isStored: workbook.isStored ?? false, ...entry })));
}

/** Rows of text cells (strings), number cells (numbers) and ready-made cells (`<c r="…`), from row 1. */
export function rowsOf(rows: readonly (readonly (string | number | null)[])[], firstRow = 1): string {
  return rows.map((cells, at) => rowOf(firstRow + at, cells)).join('');
}

export function rowOf(row: number, cells: readonly (string | number | null)[], attributes = ''): string {
  const written = cells.map((cell, column) => {
    const reference = `${letterOf(column)}${row}`;
    if (cell === null) return '';
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    if (cell.startsWith('<c')) return cell.replace('<c', `<c r="${reference}"`);
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  });
  return `<row r="${row}"${attributes}>${written.join('')}</row>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function letterOf(column: number): string {
  return column < 26 ? String.fromCharCode(65 + column) : letterOf(Math.floor(column / 26) - 1) + letterOf(column % 26);
}

function entriesOf({ sheets, sharedStrings = [], formats = [], is1904 = false }: WorkbookXml): ZipEntry[] {
  const sheetEntries = sheets.map(({ rows, before = '', behind = '' }, at) => ({
    name: `xl/worksheets/sheet${at + 1}.xml`,
    content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}">${before}<sheetData>${rows}</sheetData>${behind}</worksheet>`,
  }));
  const listed = sheets.map(({ name, state }, at) => {
    const visibility = state === undefined ? '' : ` state="${state}"`;
    return `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${visibility} r:id="rId${at + 1}"/>`;
  });
  const relations = [
    ...sheets.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
    relation('rIdStyles', 'styles', 'styles.xml'),
    relation('rIdStrings', 'sharedStrings', 'sharedStrings.xml'),
  ];
  const numFmts = formats.map((format, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escapeXml(format)}"/>`);
  const xfs = [0, ...formats.map((_, at) => 200 + at)].map(
    (id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0"/>`,
  );
  return [
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/></Types>`,
    },
    { name: '_rels/.rels', content: relationships([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${listed.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relationships(relations) },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${numFmts.join('')}</numFmts><cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${sharedStrings.join('')}</sst>` },
    ...sheetEntries,
  ];
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
}

function relationships(relations: readonly string[]): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`;
}
