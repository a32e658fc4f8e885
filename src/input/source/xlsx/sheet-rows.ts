import {
  attributeOf,
  decodeEscapes,
  decodeXml,
  isTrue,
  XmlError,
  type XmlSink,
} from '../../../platform/xlsx/xml-scanner.ts';
import type { CellFacts } from '../../cells/cell-facts.ts';
import { columnOf } from './cell-range.ts';
import type { CellStyle } from './cell-styles.ts';
import { dateText, shownDate } from './cell-styles.ts';
import { numberText, zeroPadded } from './number-format.ts';
import type { SharedTexts } from './shared-texts.ts';
import { type CellKind, CellKinds, GENERAL, UsualCell } from './usual-cell.ts';

/** A row of a sheet as it is written there: what is missing at its end is empty. */
export type SheetRow = {
  /** From 1. */
  row: number;
  isHidden: boolean;
  texts: string[];
  facts: (CellFacts | undefined)[] | null;
  /** The columns of the cells whose text is struck through; null where none is. */
  struck: number[] | null;
};

/** What cells point to elsewhere in the workbook. */
export type SheetContext = {
  sharedStrings: SharedTexts;
  /** By their number. */
  styles: readonly CellStyle[];
  is1904: boolean;
};

const ROWS_MAX = 1_048_576;
const COLUMNS_MAX = 16_384;

/** Empty cells before a last one cost memory too: a few bytes of a made-up sheet must not ask for gigabytes. */
const CELLS_MAX = 20_000_000;

/** Gathers the rows of a sheet's XML, with every cell as text and what else is known of it. */
export class SheetRows implements XmlSink {
  isReadingText = false;
  /** Whether the rows are over; what comes behind them is none of them. */
  isDone = false;
  readonly #context: SheetContext;
  readonly #kinds: CellKinds;
  readonly #usual = new UsualCell();
  /** The facts of the plain numbers of a style, which they share. */
  readonly #numberFacts = new Map<CellStyle, CellFacts>();
  #rows: SheetRow[] = [];
  #isIn = false;
  #row: SheetRow = { row: 0, isHidden: false, texts: [], facts: null, struck: null };
  #cells = 0;
  #column = -1;
  #type: string | null = null;
  #style = GENERAL;
  #text = '';
  #hasFormula = false;
  #hasValue = false;
  #isPronunciation = false;

  constructor(context: SheetContext) {
    this.#context = context;
    this.#kinds = new CellKinds(context.styles);
  }

  /** The rows that are whole since the last call. */
  take(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  element(xml: string, at: number): number {
    const end = this.#isIn ? this.#usual.read(xml, at, this.#kinds) : -1;
    if (end === -1) return -1;
    this.#beginCell(this.#usual.column, this.#usual.kind);
    this.#hasValue = true;
    this.text(this.#usual.value);
    this.#closeCell();
    return end;
  }

  open(name: string, attributes: string): void {
    switch (name) {
      case 'c':
        if (this.#isIn) this.#openCell(attributes);
        break;
      case 'v':
        this.#hasValue = true;
        this.isReadingText = this.#isIn;
        break;
      case 't':
        this.isReadingText = this.#isIn && !this.#isPronunciation;
        break;
      case 'f':
        this.#hasFormula = true;
        break;
      case 'row':
        if (this.#isIn) this.#openRow(attributes);
        break;
      case 'rPh':
        this.#isPronunciation = true;
        break;
      case 'sheetData':
        this.#isIn = true;
        break;
    }
  }

  close(name: string): void {
    switch (name) {
      case 'c':
        if (this.#isIn) this.#closeCell();
        break;
      case 'v':
      case 't':
        this.isReadingText = false;
        break;
      case 'row':
        if (this.#isIn) this.#rows.push(this.#row);
        break;
      case 'rPh':
        this.#isPronunciation = false;
        break;
      case 'sheetData':
        this.#isIn = false;
        this.isDone = true;
        break;
    }
  }

  text(raw: string): void {
    this.#text += decodeXml(raw);
  }

  #openRow(attributes: string): void {
    const written = attributeOf(attributes, 'r');
    const row = written === null ? this.#row.row + 1 : Number(written);
    if (!(Number.isInteger(row) && row <= ROWS_MAX)) throw new XmlError('a row that no sheet has');
    // A row that comes twice could be shown with other cells than it is paid with; so could a cell.
    if (row <= this.#row.row) throw new XmlError('a row behind a later one');
    const isHidden = isTrue(attributeOf(attributes, 'hidden')) || Number(attributeOf(attributes, 'ht') ?? 1) === 0;
    this.#row = { row, isHidden, texts: [], facts: null, struck: null };
    this.#column = -1;
  }

  #openCell(attributes: string): void {
    // Nearly every cell begins with its reference.
    const behind = attributes.startsWith(' r="') ? attributes.indexOf('"', 4) + 1 : 0;
    const reference = behind === 0 ? attributeOf(attributes, 'r') : attributes.slice(4, behind - 1);
    const column = reference === null ? this.#column + 1 : columnOf(reference);
    if (column < 0 || column >= COLUMNS_MAX) throw new XmlError('a column that no sheet has');
    this.#beginCell(column, this.#kinds.of(column, attributes, behind));
  }

  #beginCell(column: number, { type, style }: CellKind): void {
    if (column <= this.#column) throw new XmlError('a cell behind a later one');
    this.#column = column;
    this.#type = type;
    this.#style = style;
    this.#text = '';
    this.#hasFormula = false;
    this.#hasValue = false;
  }

  #closeCell(): void {
    const text = this.#text;
    if (this.#hasFormula && text === '' && !(this.#type === 'str' && this.#hasValue)) {
      this.#set('', { kind: 'formula_without_value', format: this.#style.format, shown: null });
      return;
    }
    switch (this.#type) {
      case 's':
        this.#setShared(text);
        break;
      case 'str':
      case 'inlineStr':
        this.#set(decodeEscapes(text), undefined);
        break;
      case 'b':
        this.#set(isTrue(text.toLowerCase()) ? 'TRUE' : 'FALSE', { kind: 'boolean', format: null, shown: null });
        break;
      case 'e':
        this.#set(text, { kind: 'error', format: null, shown: null });
        break;
      case 'd':
        this.#set(text.replace(/T00:00:00(?:\.0+)?Z?$/, ''), { kind: 'date', format: this.#style.format, shown: null });
        break;
      default:
        this.#setNumber(text);
    }
  }

  #setShared(text: string): void {
    const shared = this.#context.sharedStrings.at(Number(text === '' ? Number.NaN : text));
    if (shared === undefined) throw new XmlError('a shared text that is not there');
    this.#set(shared, undefined);
  }

  #setNumber(written: string): void {
    if (written === '') return;
    const text = numberText(written);
    if (text === null) {
      this.#set(written, undefined);
      return;
    }
    const { format, isDate } = this.#style;
    const { is1904 } = this.#context;
    const date = isDate ? dateText(Number(text), is1904) : null;
    if (date !== null) {
      const shown = format === null ? null : shownDate(format, Number(text), is1904);
      this.#set(date, { kind: 'date', format, shown });
      return;
    }
    const shown = format === null ? null : zeroPadded(format, text);
    this.#set(text, shown === null ? this.#plainNumber() : { kind: 'number', format, shown });
  }

  #plainNumber(): CellFacts {
    let facts = this.#numberFacts.get(this.#style);
    if (facts === undefined) {
      facts = { kind: 'number', format: this.#style.format, shown: null };
      this.#numberFacts.set(this.#style, facts);
    }
    return facts;
  }

  #set(text: string, facts: CellFacts | undefined): void {
    if (text === '' && facts === undefined) return;
    const { texts } = this.#row;
    this.#cells += this.#column - texts.length + 1;
    if (this.#cells > CELLS_MAX) throw new XmlError('more cells than a sheet of payouts has');
    while (texts.length < this.#column) texts.push('');
    texts[this.#column] = text;
    if (this.#style.isStruck) {
      this.#row.struck ??= [];
      this.#row.struck.push(this.#column);
    }
    if (facts === undefined) return;
    this.#row.facts ??= [];
    this.#row.facts[this.#column] = facts;
  }
}
