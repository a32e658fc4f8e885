import { assert } from '../../domain/refusal.ts';
import { parseIso } from '../../domain/time.ts';
import { localIso } from '../../messages/local-time.ts';
import { viewer } from '../../messages/viewer.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { textElement } from '../../platform/xlsx/xml-text.ts';
import { isFormulaLike } from '../csv.ts';
import { amountFormat, type CellStyle, momentFormat, type XlsxStyles } from './xlsx-styles.ts';

/** A cell takes so many characters; of a longer text its begin stands there, and all of it in the CSV. */
const CELL_MAX = 32_767;

/** What a spreadsheet keeps of a number. One of more digits is text, so that none of them is lost. */
const DIGITS_KEPT = 15;

/** Of 1970-01-01 in a spreadsheet. */
const UNIX_DAY = 25_569;

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Writes the cells of sheets as XML, each by its type. An empty cell is none. */
export class CellWriter {
  readonly #styles: XlsxStyles;
  readonly #text: number;
  readonly #quoted: number;
  readonly #moment: number;
  readonly #count: number;
  readonly #amounts = new Map<number, number>();
  /** The day of the moment before: a run has few. */
  #day = { date: '', serial: 0 };

  constructor(styles: XlsxStyles) {
    this.#styles = styles;
    this.#text = styles.of({});
    this.#quoted = styles.of({ isQuoted: true });
    this.#moment = styles.of({ format: momentFormat(viewer()), align: 'left' });
    this.#count = styles.of({ format: '#,##0' });
  }

  text(reference: string, text: string, style?: CellStyle): string {
    if (text === '') return '';
    const isQuoted = isFormulaLike(text);
    if (style !== undefined) return textXml(reference, text, this.#styles.of({ ...style, isQuoted }));
    return textXml(reference, text, isQuoted ? this.#quoted : this.#text);
  }

  /** A text with a style that is known to hold no formula. */
  styled(reference: string, text: string, style: number): string {
    return textXml(reference, text, style);
  }

  /** A cell that is only filled. */
  blank(reference: string, style: CellStyle): string {
    return `<c r="${reference}" s="${this.#styles.of(style)}"/>`;
  }

  count(reference: string, count: number): string {
    return numberXml(reference, String(count), this.#count);
  }

  /** A plain decimal of ours, as a number where a spreadsheet keeps all of its digits. */
  amount(reference: string, decimal: string): string {
    if (!isKept(decimal)) return this.text(reference, decimal);
    const point = decimal.indexOf('.');
    const decimals = point === -1 ? 0 : decimal.length - point - 1;
    const style = this.#amounts.get(decimals) ?? this.#styles.of({ format: amountFormat(decimals) });
    this.#amounts.set(decimals, style);
    return numberXml(reference, decimal, style);
  }

  /** A moment of ISO 8601 in UTC, as `isoUtc` writes it. The cell has it by the reader's clock. */
  moment(reference: string, utc: string): string {
    const iso = localIso(Date.parse(utc));
    const date = iso.slice(0, 10);
    if (date !== this.#day.date) this.#day = { date, serial: serialOf(`${date}T00:00:00Z`) };
    const hours = Number(iso.slice(11, 13));
    const seconds = (hours * 60 + Number(iso.slice(14, 16))) * 60 + Number(iso.slice(17, 23));
    return numberXml(reference, String(this.#day.serial + seconds / DAY_SECONDS), this.#moment);
  }
}

function serialOf(midnight: string): number {
  const ms = parseIso(midnight);
  assert(ms !== null, `${midnight} is no day of ours`);
  return ms / DAY_MS + UNIX_DAY;
}

/** Whether the text is a number as we write it and a spreadsheet keeps it: no zeros or signs that would be lost. */
export function isKept(decimal: string): boolean {
  if (!PLAIN_DECIMAL.test(decimal)) return false;
  return decimal.length <= DIGITS_KEPT || significantDigits(decimal) <= DIGITS_KEPT;
}

const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d{1,18})?$/;

function significantDigits(decimal: string): number {
  return decimal.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
}

function numberXml(reference: string, value: string, style: number): string {
  return `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
}

function textXml(reference: string, text: string, style: number): string {
  return `<c r="${reference}" s="${style}" t="inlineStr"><is>${textElement('', text.slice(0, CELL_MAX))}</is></c>`;
}

/** A sheet as far as it is known before its rows. */
export type SheetHead = { widths: readonly number[]; frozenRows: number; isSelected: boolean };

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export function sheetStart({ widths, frozenRows, isSelected }: SheetHead): string {
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  const pane =
    frozenRows === 0
      ? ''
      : `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/>`;
  const view = `<sheetView${isSelected ? ' tabSelected="1"' : ' '} showGridLines="${isSelected ? 0 : 1}" workbookViewId="0">${pane}</sheetView>`;
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols.join('')}</cols><sheetData>`;
}

/** `columns` and `rows` that are filtered, with the header; 0 of them for none. */
export function sheetEnd(columns: number, rows: number): string {
  const filter = columns === 0 ? '' : `<autoFilter ref="A1:${cellName(columns - 1, rows)}"/>`;
  return `</sheetData>${filter}</worksheet>`;
}
