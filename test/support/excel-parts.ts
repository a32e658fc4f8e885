import { zipOf } from './zip.ts';

type Style = { id: number; code?: string; quotePrefix?: boolean; bold?: boolean; struck?: boolean };

/** Styles of a cell, by what they show: the number formats that finance people use. */
const STYLES = {
  general: { id: 0 },
  text: { id: 49 },
  two: { id: 2 },
  grouped: { id: 4 },
  scientific: { id: 11 },
  date: { id: 14 },
  accounting: { id: 44 },
  account8: { id: 164, code: '00000000' },
  bank6: { id: 165, code: '000000' },
  sortCode: { id: 166, code: '00\\-00\\-00' },
  bsb: { id: 167, code: '000\\-000' },
  euro: { id: 168, code: '#,##0.00\\ "€"' },
  monthYear: { id: 169, code: 'mmm\\-yy' },
  negativeInBrackets: { id: 39 },
  /** A text with an apostrophe in front, which Excel keeps as a mark of the cell and not as a character. */
  apostrophe: { id: 49, quotePrefix: true },
  bold: { id: 0, bold: true },
  struck: { id: 0, struck: true },
} as const satisfies Record<string, Style>;

export type StyleName = keyof typeof STYLES;

/** A cell: its text or number; or more of it. */
export type Cell =
  | string
  | number
  | null
  | {
      /** A text, a number, true or false, or an error such as `#N/A`; absent where a formula's result is not kept. */
      value?: string | number | boolean;
      /** The number as it stands in the XML, where a program writes it in a way of its own. */
      raw?: string;
      isError?: boolean;
      formula?: string;
      style?: StyleName;
      /** Runs of formatted text, which together are the cell's. */
      runs?: string[];
    };

export type Row = Cell[] | { cells: Cell[]; isHidden?: boolean };

export type Sheet = {
  name: string;
  state?: 'hidden' | 'veryHidden';
  rows: Row[];
  /** From 0 (A). */
  hiddenColumns?: number[];
  /** As in `A1:C1`. */
  merges?: string[];
  /** The range of a table with its header, whose cells must be texts. */
  table?: string;
  autoFilter?: string;
  /** Choices by range. */
  validations?: Record<string, string[]>;
};

/** What programs do differently. */
export type Flavour = {
  /** Texts stand in the cells and not in a part of their own. */
  isInline?: boolean;
  /** Rows and cells say where they are. */
  hasReferences?: boolean;
  application?: string;
  is1904?: boolean;
  /** Texts of a document made in Excel's "Strict" form have other names for everything. */
  isStrict?: boolean;
};

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

/** A workbook as Excel writes it, with the features that its sheets ask for. */
export function workbookOf(sheets: Sheet[], flavour: Flavour = {}): Buffer {
  const texts = new Map<string, number>();
  const parts: Record<string, string> = {};
  const sheetXml = sheets.map((sheet, at) => worksheet(sheet, at, texts, flavour));
  parts['[Content_Types].xml'] = contentTypes(sheets, flavour);
  parts['_rels/.rels'] = relations([
    ['officeDocument', 'xl/workbook.xml'],
    ['extended-properties', 'docProps/app.xml'],
  ]);
  parts['xl/workbook.xml'] = workbookXml(sheets, flavour);
  parts['xl/_rels/workbook.xml.rels'] = relations([
    ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', 'styles.xml'],
    ...(flavour.isInline ? [] : [['sharedStrings', 'sharedStrings.xml'] as const]),
  ]);
  for (const [at, sheet] of sheets.entries()) {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = sheetXml[at] ?? '';
    if (sheet.table === undefined) continue;
    parts[`xl/worksheets/_rels/sheet${at + 1}.xml.rels`] = relations([['table', `../tables/table${at + 1}.xml`]]);
    parts[`xl/tables/table${at + 1}.xml`] = tableXml(sheet, at + 1);
  }
  parts['xl/styles.xml'] = stylesXml();
  if (!flavour.isInline) parts['xl/sharedStrings.xml'] = sharedStrings(texts);
  parts['docProps/app.xml'] =
    `${XML}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>${flavour.application ?? 'Microsoft Excel'}</Application></Properties>`;
  if (flavour.isStrict) for (const [path, text] of Object.entries(parts)) parts[path] = strict(text);
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })));
}

function strict(text: string): string {
  return text
    .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
    .replaceAll(RELATIONS, 'http://purl.oclc.org/ooxml/officeDocument/relationships')
    .replaceAll(
      'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties',
      'http://purl.oclc.org/ooxml/officeDocument/extendedProperties',
    )
    .replace('<workbook ', '<workbook conformance="strict" ');
}

function contentTypes(sheets: Sheet[], flavour: Flavour): string {
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const overrides = [
    ['/xl/workbook.xml', `${kind}.sheet.main+xml`],
    ...sheets.map((_, at) => [`/xl/worksheets/sheet${at + 1}.xml`, `${kind}.worksheet+xml`]),
    ...sheets.flatMap(({ table }, at) =>
      table === undefined ? [] : [[`/xl/tables/table${at + 1}.xml`, `${kind}.table+xml`]],
    ),
    ['/xl/styles.xml', `${kind}.styles+xml`],
    ...(flavour.isInline ? [] : [['/xl/sharedStrings.xml', `${kind}.sharedStrings+xml`]]),
    ['/docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml'],
  ];
  return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`).join('')}</Types>`;
}

function relations(targets: (readonly [type: string, target: string])[]): string {
  const list = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function workbookXml(sheets: Sheet[], flavour: Flavour): string {
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
  );
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${flavour.is1904 ? ' date1904="1"' : ''} defaultThemeVersion="166925"/><bookViews><workbookView activeTab="0"/></bookViews><sheets>${list.join('')}</sheets><calcPr calcId="191029"/></workbook>`;
}

function stylesXml(): string {
  const styles: Style[] = Object.values(STYLES);
  const formats = styles.flatMap(({ id, code }) =>
    code === undefined ? [] : [`<numFmt numFmtId="${id}" formatCode="${escaped(code)}"/>`],
  );
  const cells = styles.map(
    ({ id, quotePrefix, bold, struck }) =>
      `<xf numFmtId="${id}" fontId="${bold ? 1 : struck ? 2 : 0}" fillId="0" borderId="0" xfId="0"${quotePrefix ? ' quotePrefix="1"' : ''} applyNumberFormat="1"/>`,
  );
  return `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.join('')}</numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><strike/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

function sharedStrings(texts: ReadonlyMap<string, number>): string {
  const items = [...texts.keys()].map((item) => `<si>${item}</si>`);
  return `${XML}<sst xmlns="${MAIN}" count="${items.length}" uniqueCount="${items.length}">${items.join('')}</sst>`;
}

function worksheet(sheet: Sheet, at: number, texts: Map<string, number>, flavour: Flavour): string {
  const rows = sheet.rows.map((row, rowAt) => rowXml(row, rowAt + 1, texts, flavour));
  const { hiddenColumns = [], merges = [], autoFilter, validations = {} } = sheet;
  const columns = hiddenColumns.map(
    (column) => `<col min="${column + 1}" max="${column + 1}" width="9.14" hidden="1" customWidth="1"/>`,
  );
  const behind = [
    autoFilter === undefined ? '' : `<autoFilter ref="${autoFilter}"/>`,
    merges.length === 0
      ? ''
      : `<mergeCells count="${merges.length}">${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`,
    validationsXml(validations),
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
    sheet.table === undefined ? '' : '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
  ];
  return `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetViews><sheetView${at === 0 ? ' tabSelected="1"' : ''} workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/>${columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`}<sheetData>${rows.join('')}</sheetData>${behind.join('')}</worksheet>`;
}

function validationsXml(validations: Record<string, string[]>): string {
  const list = Object.entries(validations).map(
    ([range, choices]) =>
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${range}"><formula1>"${choices.join(',')}"</formula1></dataValidation>`,
  );
  return list.length === 0 ? '' : `<dataValidations count="${list.length}">${list.join('')}</dataValidations>`;
}

/** Empty rows are left out, as Excel does. */
function rowXml(row: Row, number: number, texts: Map<string, number>, flavour: Flavour): string {
  const { cells, isHidden = false } = Array.isArray(row) ? { cells: row } : row;
  const hasReferences = flavour.hasReferences !== false;
  if (cells.length === 0 && hasReferences) return '';
  const inside = cells.map((cell, at) => cellXml(cell, hasReferences ? columnName(at) + number : null, texts, flavour));
  return `<row${hasReferences ? ` r="${number}" spans="1:${cells.length}"` : ''}${isHidden ? ' hidden="1"' : ''}>${inside.join('')}</row>`;
}

function cellXml(cell: Cell, reference: string | null, texts: Map<string, number>, flavour: Flavour): string {
  if (cell === null) return reference === null ? '<c/>' : '';
  const { value, raw, isError, formula, style, runs } = typeof cell === 'object' ? cell : { value: cell };
  const place = `${reference === null ? '' : ` r="${reference}"`}${style === undefined ? '' : ` s="${Object.keys(STYLES).indexOf(style)}"`}`;
  const calculation = formula === undefined ? '' : `<f>${escaped(formula)}</f>`;
  if (raw !== undefined) return `<c${place}>${calculation}<v>${raw}</v></c>`;
  if (isError) return `<c${place} t="e">${calculation}<v>${value}</v></c>`;
  if (runs !== undefined) return textCell(place, runs.map(runXml).join(''), texts, flavour);
  if (value === undefined) return `<c${place}>${calculation}</c>`;
  if (typeof value === 'boolean') return `<c${place} t="b">${calculation}<v>${value ? 1 : 0}</v></c>`;
  if (typeof value === 'number') return `<c${place}>${calculation}<v>${value}</v></c>`;
  if (formula !== undefined) return `<c${place} t="str">${calculation}<v>${escaped(value)}</v></c>`;
  return textCell(place, textXml(value), texts, flavour);
}

function textCell(place: string, item: string, texts: Map<string, number>, flavour: Flavour): string {
  if (flavour.isInline) return `<c${place} t="inlineStr"><is>${item}</is></c>`;
  const index = texts.get(item) ?? texts.size;
  texts.set(item, index);
  return `<c${place} t="s"><v>${index}</v></c>`;
}

function textXml(text: string): string {
  return `<t${/^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : ''}>${escaped(text)}</t>`;
}

function runXml(text: string, at: number): string {
  return `<r>${at % 2 === 0 ? '' : '<rPr><b/><sz val="11"/></rPr>'}<t xml:space="preserve">${escaped(text)}</t></r>`;
}

function tableXml(sheet: Sheet, id: number): string {
  const range = sheet.table ?? '';
  const firstRow = Number(/\d+/.exec(range)?.[0] ?? 1);
  const header = sheet.rows[firstRow - 1] ?? [];
  const names = (Array.isArray(header) ? header : header.cells).map(String);
  const columns = names.map((name, at) => `<tableColumn id="${at + 1}" name="${escaped(name)}"/>`);
  return `${XML}<table xmlns="${MAIN}" id="${id}" name="Table${id}" displayName="Table${id}" ref="${range}" totalsRowShown="0"><autoFilter ref="${range}"/><tableColumns count="${names.length}">${columns.join('')}</tableColumns><tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>`;
}

function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
