import { ConversionError } from './kinds.ts';
import { openDocumentCell } from './open-document-cell.ts';
import { type Cell, COLUMNS_MAX, ROWS_MAX, SheetBuilder } from './sheet-builder.ts';

type Attributes = Readonly<Record<string, string>>;

/** Elements whose text is in no cell, and whose rows are in no sheet: comments, shapes, deleted rows. */
const PASSED_OVER =
  /^(?:office:annotation|office:forms|draw:.*|table:(?:shapes|tracked-changes|scenario|cell-range-source|detective))$/;

/** Groups of rows and of columns, which can be shown closed. */
const GROUPS: ReadonlySet<string> = new Set(['table:table-row-group', 'table:table-column-group']);

/** Sheets of a document that is made to have more. */
const SHEETS_MAX = 1_000;

const SPACES_MAX = 10_000;

type OpenRow = { repeated: number; isHidden: boolean; cells: { column: number; repeated: number; cell: Cell }[] };

/** Gathers the sheets of an OpenDocument spreadsheet from the tags and texts of its `content.xml`. */
export class OpenDocumentSheets {
  readonly sheets: SheetBuilder[] = [];
  /** Styles by which sheets, rows and columns are not shown: by family and name. */
  readonly #hiding = new Set<string>();
  #style = '';
  #sheet: SheetBuilder | null = null;
  #row: OpenRow | null = null;
  /** The next row and column of the sheet. */
  #rowAt = 0;
  #columnAt = 0;
  #sheetColumn = 0;
  #cell: Attributes | null = null;
  #paragraphs: string[] = [];
  #isInParagraph = false;
  #passed = 0;
  /** For each open group whether it is closed to the eye. */
  readonly #groups: boolean[] = [];

  open(name: string, attributes: Attributes): void {
    if (this.#passed > 0 || PASSED_OVER.test(name)) {
      this.#passed++;
      return;
    }
    if (GROUPS.has(name)) this.#groups.push(attributes['table:display'] === 'false');
    switch (name) {
      case 'style:style':
        this.#style = `${attributes['style:family']} ${attributes['style:name']}`;
        break;
      case 'style:table-properties':
        if (attributes['table:display'] === 'false') this.#hiding.add(this.#style);
        break;
      case 'style:table-row-properties':
        if (isZero(attributes['style:row-height'])) this.#hiding.add(this.#style);
        break;
      case 'style:table-column-properties':
        if (isZero(attributes['style:column-width'])) this.#hiding.add(this.#style);
        break;
      case 'table:table':
        this.#openSheet(attributes);
        break;
      case 'table:table-column':
        this.#takeColumn(attributes);
        break;
      case 'table:table-row':
        this.#openRow(attributes);
        break;
      case 'table:table-cell':
      case 'table:covered-table-cell':
        if (this.#cell !== null) throw new ConversionError('workbook_damaged');
        this.#cell = attributes;
        this.#paragraphs = [];
        break;
      case 'text:p':
      case 'text:h':
        this.#isInParagraph = true;
        this.#paragraphs.push('');
        break;
      case 'text:s':
        this.#write(' '.repeat(Math.min(SPACES_MAX, numberOf(attributes['text:c']))));
        break;
      case 'text:tab':
        this.#write('\t');
        break;
      case 'text:line-break':
        this.#write('\n');
        break;
    }
  }

  close(name: string): void {
    if (this.#passed > 0) {
      this.#passed--;
      return;
    }
    if (GROUPS.has(name)) this.#groups.pop();
    switch (name) {
      case 'table:table':
        this.#sheet = null;
        break;
      case 'table:table-row':
        this.#closeRow();
        break;
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.#closeCell();
        break;
      case 'text:p':
      case 'text:h':
        this.#isInParagraph = false;
        break;
    }
  }

  text(text: string): void {
    if (this.#passed === 0) this.#write(text.replace(/[\t\n\r ]+/g, ' '));
  }

  #write(text: string): void {
    if (!this.#isInParagraph || this.#cell === null) return;
    this.#paragraphs.push((this.#paragraphs.pop() ?? '') + text);
  }

  #openSheet(attributes: Attributes): void {
    // A table in a cell of another is none that people pay from.
    if (this.#sheet !== null) throw new ConversionError('workbook_damaged');
    if (this.sheets.length === SHEETS_MAX) throw new ConversionError('spreadsheet_too_large');
    this.#sheet = new SheetBuilder(attributes['table:name'] ?? '');
    this.#sheet.isHidden = this.#hiding.has(`table ${attributes['table:style-name']}`);
    this.sheets.push(this.#sheet);
    this.#rowAt = 0;
    this.#sheetColumn = 0;
  }

  #takeColumn(attributes: Attributes): void {
    const repeated = Math.min(COLUMNS_MAX, numberOf(attributes['table:number-columns-repeated']));
    if (this.#isHidden('table-column', attributes))
      for (let at = 0; at < repeated; at++) this.#sheet?.hideColumn(this.#sheetColumn + at);
    this.#sheetColumn += repeated;
  }

  /** `collapse` is a row that somebody hid, `filter` one that a filter hides. */
  #isHidden(family: string, attributes: Attributes): boolean {
    const visibility = attributes['table:visibility'] ?? 'visible';
    const isStyle = this.#hiding.has(`${family} ${attributes['table:style-name']}`);
    return visibility !== 'visible' || isStyle || this.#groups.includes(true);
  }

  #openRow(attributes: Attributes): void {
    const repeated = numberOf(attributes['table:number-rows-repeated']);
    this.#row = { repeated, isHidden: this.#isHidden('table-row', attributes), cells: [] };
    this.#columnAt = 0;
  }

  #closeCell(): void {
    const attributes = this.#cell ?? {};
    this.#cell = null;
    const repeated = numberOf(attributes['table:number-columns-repeated']);
    const cell = openDocumentCell(attributes, this.#paragraphs.join('\n'));
    if (cell !== null) this.#row?.cells.push({ column: this.#columnAt, repeated, cell });
    const [rows, columns] = [attributes['table:number-rows-spanned'], attributes['table:number-columns-spanned']];
    if (rows !== undefined || columns !== undefined) {
      const [high, wide] = [numberOf(rows), numberOf(columns)];
      if (high * wide > 1) this.#sheet?.merge(this.#rowAt, this.#columnAt, high, wide);
    }
    this.#columnAt = Math.min(COLUMNS_MAX, this.#columnAt + repeated);
  }

  /** Rows that are empty can be repeated a million times, and others as often as a sheet can hold. */
  #closeRow(): void {
    const { repeated, isHidden, cells } = this.#row ?? { repeated: 0, isHidden: false, cells: [] };
    const last = Math.min(ROWS_MAX, this.#rowAt + repeated);
    if (cells.length > 0) {
      if (this.#rowAt + repeated > ROWS_MAX) throw new ConversionError('workbook_damaged');
      for (let row = this.#rowAt; row < last; row++) {
        if (isHidden) this.#sheet?.hideRow(row);
        for (const { column, repeated: times, cell } of cells)
          for (let at = 0; at < times; at++) this.#sheet?.set(row, column + at, { ...cell });
      }
    }
    this.#rowAt = last;
    this.#row = null;
  }
}

/** A count of a document, 1 where it is not given. */
function numberOf(text: string | undefined): number {
  if (text === undefined) return 1;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new ConversionError('workbook_damaged');
  return Number(text);
}

function isZero(length: string | undefined): boolean {
  return length !== undefined && /^0(?:\.0+)?(?:[a-z]+)?$/.test(length);
}
