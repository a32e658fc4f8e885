import { attributeOf } from '../../../platform/xlsx/xml-scanner.ts';
import type { CellStyle } from './cell-styles.ts';

/** What a cell's attributes say of it, besides where it is. */
export type CellKind = {
  /** The attributes behind the reference, as they are written. */
  written: string;
  type: string | null;
  style: CellStyle;
};

export const GENERAL: CellStyle = { format: null, isDate: false, isStruck: false };

/** The kinds of a sheet's cells. That of a column's last cell is nearly always that of its next one too. */
export class CellKinds {
  readonly #styles: readonly CellStyle[];
  readonly #ofColumns: CellKind[] = [];

  constructor(styles: readonly CellStyle[]) {
    this.#styles = styles;
  }

  /** Of a cell whose attributes are those in `attributes` from `from` on. */
  of(column: number, attributes: string, from: number): CellKind {
    const last = this.#ofColumns[column];
    if (last !== undefined && last.written.length === attributes.length - from && attributes.endsWith(last.written))
      return last;
    const written = attributes.slice(from);
    // A cell without one has the first style.
    const style = this.#styles[Number(attributeOf(written, 's') ?? 0)] ?? GENERAL;
    const kind = { written, type: attributeOf(written, 't'), style };
    this.#ofColumns[column] = kind;
    return kind;
  }

  last(column: number): CellKind | undefined {
    return this.#ofColumns[column];
  }
}

const BEFORE_REFERENCE = '<c r="';
const BEFORE_VALUE = '><v>';
const BEHIND_VALUE = '</v></c>';
const QUOTE = 0x22;

/** Reads a cell as nearly all are written, of the kind of the one above it: `<c r="B7" s="1" t="s"><v>12</v></c>`. */
export class UsualCell {
  column = -1;
  kind: CellKind = { written: '', type: null, style: GENERAL };
  /** As it is written. */
  value = '';

  /** Where the cell at `at` ends; -1 where it is written otherwise. */
  read(xml: string, at: number, kinds: CellKinds): number {
    if (!xml.startsWith(BEFORE_REFERENCE, at)) return -1;
    let next = at + BEFORE_REFERENCE.length;
    let column = 0;
    let unit = xml.charCodeAt(next);
    for (; unit >= 65 && unit <= 90; unit = xml.charCodeAt(++next)) column = column * 26 + unit - 64;
    while (unit >= 48 && unit <= 57) unit = xml.charCodeAt(++next);
    const kind = kinds.last(column - 1);
    if (unit !== QUOTE || kind === undefined || !xml.startsWith(kind.written, next + 1)) return -1;
    const begin = next + 1 + kind.written.length;
    if (!xml.startsWith(BEFORE_VALUE, begin)) return -1;
    const end = xml.indexOf('<', begin + BEFORE_VALUE.length);
    if (end === -1 || !xml.startsWith(BEHIND_VALUE, end)) return -1;
    this.column = column - 1;
    this.kind = kind;
    this.value = xml.slice(begin + BEFORE_VALUE.length, end);
    return end + BEHIND_VALUE.length;
  }
}
