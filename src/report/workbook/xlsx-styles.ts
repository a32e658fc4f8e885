import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import type { Language, Viewer } from '../../messages/viewer.ts';
import { xmlAttribute } from '../../platform/xlsx/xml-text.ts';
import { COLOURS, type Colour, OUTCOMES, TONES } from '../html/look.ts';

/** How a cell of a report looks. Colours are those of the page by day. */
export type CellStyle = {
  /** A number format; where there is none the cell is text, and stays text when it is edited. */
  format?: string;
  colour?: Colour;
  fill?: Colour;
  isBold?: boolean;
  /** In points. */
  size?: number;
  align?: 'left' | 'right';
  /** A spreadsheet shows the text, and asks nothing of it: it begins like a formula. */
  isQuoted?: boolean;
};

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The built-in number format "Text". */
const TEXT_FORMAT = 49;

/** Numbers of formats below this are the built-in ones. */
const FIRST_FORMAT = 164;

const FONT_SIZE = 11;

/** The styles of a workbook, made as they are asked for. Style 0 is what cells without a style have. */
export class XlsxStyles {
  readonly #formats = new Map<string, number>();
  readonly #fonts = new Map<string, number>([[fontXml({}), 0]]);
  readonly #fills = new Map<string, number>([
    ['<fill><patternFill patternType="none"/></fill>', 0],
    ['<fill><patternFill patternType="gray125"/></fill>', 1],
  ]);
  readonly #cells = new Map<string, number>([['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>', 0]]);

  /** The number of a style. */
  of(style: CellStyle): number {
    const format = style.format === undefined ? TEXT_FORMAT : this.#formatOf(style.format);
    const font = numberOf(this.#fonts, fontXml(style));
    const fill = style.fill === undefined ? 0 : numberOf(this.#fills, fillXml(style.fill));
    const quoted = style.isQuoted ? ' quotePrefix="1"' : '';
    const horizontal = style.align === undefined ? '' : ` horizontal="${style.align}"`;
    const alignment = `<alignment${horizontal} vertical="top"/>`;
    return numberOf(
      this.#cells,
      `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0"${quoted} applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1">${alignment}</xf>`,
    );
  }

  toString(): string {
    const formats = Array.from(
      this.#formats,
      ([code, id]) => `<numFmt numFmtId="${id}" formatCode="${xmlAttribute(code)}"/>`,
    );
    return [
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="${MAIN}">`,
      formats.length === 0 ? '' : section('numFmts', formats),
      section('fonts', this.#fonts.keys()),
      section('fills', this.#fills.keys()),
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      section('cellXfs', this.#cells.keys()),
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    ].join('');
  }

  #formatOf(code: string): number {
    const known = this.#formats.get(code) ?? FIRST_FORMAT + this.#formats.size;
    this.#formats.set(code, known);
    return known;
  }
}

/** A status has the colours that it has on the page. */
export function statusStyles(styles: XlsxStyles): Map<ReportStatus, number> {
  return new Map(
    OUTCOMES.map(({ status }) => [
      status,
      styles.of({ colour: TONES[status], fill: `${TONES[status]}-soft`, isBold: true }),
    ]),
  );
}

/** Of an amount in a currency with so many decimals: thousands are grouped, and all decimals shown. */
export function amountFormat(decimals: number): string {
  return decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`;
}

/**
 * A date and time to the second, in the reader's date format. The format includes the time zone, since spreadsheets
 * have none.
 */
export function momentFormat({ language, timeZone }: Viewer): string {
  return `${DAYS[language]} hh:mm:ss "${timeZone}"`;
}

const DAYS: Readonly<Record<Language, string>> = {
  en: 'yyyy-mm-dd',
  de: 'dd.mm.yyyy',
  es: 'dd/mm/yyyy',
  fr: 'dd/mm/yyyy',
  pt: 'dd/mm/yyyy',
};

function fontXml({ colour, isBold = false, size = FONT_SIZE }: CellStyle): string {
  const bold = isBold ? '<b/>' : '';
  const coloured = colour === undefined ? '' : `<color rgb="${argb(colour)}"/>`;
  return `<font>${bold}<sz val="${size}"/>${coloured}<name val="Calibri"/></font>`;
}

function fillXml(colour: Colour): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${argb(colour)}"/><bgColor indexed="64"/></patternFill></fill>`;
}

function argb(colour: Colour): string {
  return `FF${COLOURS[colour].light.slice(1).toUpperCase()}`;
}

function numberOf(known: Map<string, number>, xml: string): number {
  const at = known.get(xml) ?? known.size;
  known.set(xml, at);
  return at;
}

function section(name: string, elements: Iterable<string>): string {
  const all = [...elements];
  return `<${name} count="${all.length}">${all.join('')}</${name}>`;
}
