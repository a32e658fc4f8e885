import { ConversionError } from './kinds.ts';
import { COLUMNS_MAX, SheetBuilder } from './sheet-builder.ts';

type Attributes = Readonly<Record<string, string>>;

/** What a browser does not show. */
const NEVER_SHOWN: ReadonlySet<string> = new Set(['head', 'noscript', 'script', 'style', 'template', 'title']);

/** Elements that have their text on lines of its own. */
const LINES: ReadonlySet<string> = new Set('address br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre ul'.split(' '));

/** A cell with one of these shows something else than its text. */
const FIELDS: ReadonlySet<string> = new Set(['input', 'math', 'object', 'option', 'select', 'svg', 'textarea']);

const HIDES = /(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

/** Lines above a table that can be titles of it, and how long they are at most. */
const TITLES_MAX = 8;
const TITLE_LENGTH_MAX = 500;

/** The most that HTML takes of each. */
const SPAN_MAX = 1_000;
const ROWS_SPANNED_MAX = 65_534;

/**
 * Gathers the tables of a web page from its tags and texts, each as a sheet, below the lines that stand above it. Tables
 * inside tables, and cells of which a part is hidden or a field of a form, are not clear: what people see is not what is
 * written.
 */
export class WebTables {
  readonly sheets: SheetBuilder[] = [];
  #sheet: SheetBuilder | null = null;
  #row = -1;
  #column = 0;
  #hiddenColumn = 0;
  /** How many rows more a cell above takes in each column. */
  #spans: number[] = [];
  #cell: string | null = null;
  #cellSpan = { rows: 1, columns: 1 };
  /** Text outside of tables, in lines. */
  #lines: string[] = [''];
  #unseen = 0;

  open(name: string, attributes: Attributes): void {
    if (this.#unseen > 0 || NEVER_SHOWN.has(name)) {
      this.#unseen++;
      return;
    }
    const isHidden = attributes.hidden !== undefined || HIDES.test(attributes.style ?? '');
    if (this.#cell !== null && (isHidden || name === 'table' || FIELDS.has(name)))
      throw new ConversionError('web_page_unclear');
    switch (name) {
      case 'table':
        this.#openTable(isHidden);
        break;
      case 'col':
        this.#takeColumn(isHidden, attributes);
        break;
      case 'tr':
        this.#openRow(isHidden);
        break;
      case 'td':
      case 'th':
        if (isHidden) throw new ConversionError('web_page_unclear');
        this.#openCell(attributes);
        break;
      case 'tbody':
      case 'thead':
      case 'tfoot':
      case 'colgroup':
        if (isHidden) throw new ConversionError('web_page_unclear');
        break;
      default:
        if (LINES.has(name)) this.#endLine();
    }
  }

  close(name: string): void {
    if (this.#unseen > 0) {
      this.#unseen--;
      return;
    }
    if (name === 'td' || name === 'th') this.#closeCell();
    else if (name === 'table') this.#closeTable();
    else if (LINES.has(name)) this.#endLine();
  }

  text(text: string): void {
    if (this.#unseen > 0) return;
    const shown = text.replace(/[\t\n\f\r ]+/g, ' ');
    if (this.#cell !== null) this.#cell += shown;
    else if (this.#sheet === null) this.#lines.push((this.#lines.pop() ?? '') + shown);
  }

  #endLine(): void {
    if (this.#cell !== null) this.#cell += '\n';
    else if (this.#sheet === null && this.#lines.at(-1) !== '') this.#lines.push('');
  }

  #openTable(isHidden: boolean): void {
    if (this.#sheet !== null) throw new ConversionError('web_page_unclear');
    this.#sheet = new SheetBuilder(`Table ${this.sheets.length + 1}`);
    this.#sheet.isHidden = isHidden;
    this.sheets.push(this.#sheet);
    const titles = this.#lines.map((line) => line.trim()).filter((line) => line !== '');
    this.#lines = [''];
    this.#row = -1;
    for (const title of titles.slice(-TITLES_MAX))
      this.#sheet.set(++this.#row, 0, { t: 's', v: title.slice(0, TITLE_LENGTH_MAX) });
    this.#spans = [];
    this.#hiddenColumn = 0;
  }

  #takeColumn(isHidden: boolean, attributes: Attributes): void {
    const columns = spanOf(attributes.span, SPAN_MAX);
    if (isHidden) for (let at = 0; at < columns; at++) this.#sheet?.hideColumn(this.#hiddenColumn + at);
    this.#hiddenColumn = Math.min(COLUMNS_MAX, this.#hiddenColumn + columns);
  }

  #openRow(isHidden: boolean): void {
    if (this.#sheet === null) return;
    this.#row++;
    this.#column = 0;
    if (isHidden) this.#sheet.hideRow(this.#row);
    this.#spans = this.#spans.map((rows) => Math.max(0, rows - 1));
  }

  #openCell({ colspan, rowspan }: Attributes): void {
    if (this.#sheet === null || this.#row < 0) throw new ConversionError('web_page_unclear');
    while ((this.#spans[this.#column] ?? 0) > 0) this.#column++;
    this.#cell = '';
    this.#cellSpan = { rows: spanOf(rowspan, ROWS_SPANNED_MAX), columns: spanOf(colspan, SPAN_MAX) };
  }

  #closeCell(): void {
    if (this.#cell === null || this.#sheet === null) return;
    const { rows, columns } = this.#cellSpan;
    const text = this.#cell
      .replace(/ *\n */g, '\n')
      .replace(/^\n+|\n+$/g, '')
      .trim();
    this.#cell = null;
    if (text !== '') this.#sheet.set(this.#row, this.#column, { t: 's', v: text });
    if (this.#column + columns > COLUMNS_MAX) throw new ConversionError('spreadsheet_too_large');
    if (rows * columns > 1) this.#sheet.merge(this.#row, this.#column, rows, columns);
    for (let at = 0; at < columns; at++) this.#spans[this.#column + at] = rows;
    this.#column += columns;
  }

  #closeTable(): void {
    this.#closeCell();
    this.#sheet = null;
  }
}

function spanOf(text: string | undefined, most: number): number {
  const span = Number.parseInt(text ?? '1', 10);
  return span >= 1 ? Math.min(span, most) : 1;
}
