import {
  attribute,
  childOf,
  elementsOf,
  insert,
  insertBefore,
  parsePart,
  partXml,
  setAttribute,
  withAttribute,
  type XmlElement,
  xmlOf,
} from './xml-tree.ts';

/** How payrun makes cells look. */
export type CellLook = 'header' | 'example' | 'error' | 'warning' | 'link';

/**
 * The colours of looks. Spreadsheet programs offer nearly the same red and yellow: a mark of ours is known by its colour
 * when the workbook comes back, and no other colour is taken for one.
 */
const FILLS: Readonly<Partial<Record<CellLook, string>>> = {
  header: 'FFDDEBF7',
  error: 'FFFFC8CE',
  warning: 'FFFFEC9C',
};

const MARKS: ReadonlySet<string | undefined> = new Set([FILLS.error, FILLS.warning]);

const FONTS: Readonly<Partial<Record<CellLook, string>>> = {
  header: '<b/><sz val="11"/><name val="Calibri"/>',
  example: '<i/><sz val="11"/><color rgb="FF7F7F7F"/><name val="Calibri"/>',
  link: '<u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/>',
};

/** The built-in number format "Text". */
const TEXT_FORMAT = '49';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const FIRST_XF = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';

/** The sections of a style sheet that a cell's style points into, in their order, with what each has at least. */
const SECTIONS: readonly (readonly [name: string, least: string])[] = [
  ['fonts', '<font><sz val="11"/><name val="Calibri"/></font>'],
  ['fills', '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'],
  ['borders', '<border><left/><right/><top/><bottom/><diagonal/></border>'],
  ['cellStyleXfs', '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'],
  ['cellXfs', FIRST_XF],
];

const AFTER_XFS = ['cellStyles', 'dxfs', 'tableStyles', 'colors', 'extLst'];

type Change = { fill?: number | undefined; font?: number | undefined; isText?: boolean };

/** The styles of a workbook, to which those are added that marks and new cells need. */
export class StyleBook {
  readonly #document: XmlElement;
  readonly #root: XmlElement;
  readonly #sections = new Map<string, XmlElement>();
  /** The cell styles of the workbook itself. */
  readonly #xfs: readonly XmlElement[];
  /** The workbook's own fills that are marks of an earlier annotation. */
  readonly #marks: ReadonlySet<number>;
  /** The numbers of what is added, by what it is. */
  readonly #added = new Map<string, number>();

  /** Of a style sheet, or of none. */
  constructor(xml: string | null, namespace = MAIN) {
    const part = parsePart(xml ?? `<?xml version="1.0" encoding="UTF-8"?><styleSheet xmlns="${namespace}"/>`);
    this.#document = part.document;
    this.#root = part.root;
    this.#xfs = elementsOf(childOf(this.#root, 'cellXfs'), 'xf');
    this.#marks = new Set(elementsOf(childOf(this.#root, 'fills')).flatMap((fill, at) => (isMark(fill) ? [at] : [])));
    const later = new Set([...SECTIONS.map(([name]) => name), ...AFTER_XFS]);
    for (const [name, least] of SECTIONS) {
      later.delete(name);
      if (childOf(this.#root, name) === null) insertBefore(this.#root, later, `<${name}></${name}>`);
      const section = childOf(this.#root, name) ?? this.#root;
      if (elementsOf(section).length === 0) insert(section, least);
      this.#sections.set(name, section);
    }
  }

  /** Whether any style has a mark. */
  get hasMarks(): boolean {
    return this.#marks.size > 0;
  }

  /** A cell's style with a mark. Where digits are a name they stay as they are typed. */
  marked(base: number, look: 'error' | 'warning', isText: boolean): number {
    return this.#derived(base, { fill: this.#fillOf(look), isText: isText && this.#isGeneral(base) });
  }

  /** A cell's style without a mark. */
  unmarked(base: number): number {
    const fill = Number(this.#attributeOf(base, 'fillId') ?? 0);
    return this.#marks.has(fill) ? this.#derived(base, { fill: 0 }) : base;
  }

  /** A cell's style whose text stays as it is typed. */
  ofText(base: number): number {
    return this.#derived(base, { isText: true });
  }

  /** The style of a new cell. */
  own(look: CellLook | undefined, isText: boolean): number {
    if (look === undefined) return isText ? this.#derived(null, { isText }) : 0;
    return this.#derived(null, { isText, fill: this.#fillOf(look), font: this.#fontOf(look) });
  }

  toString(): string {
    for (const section of this.#sections.values()) setAttribute(section, 'count', elementsOf(section).length);
    return partXml(this.#document);
  }

  #attributeOf(base: number, name: string): string | null {
    const xf = this.#xfs[base];
    return xf === undefined ? null : attribute(xf, name);
  }

  #isGeneral(base: number): boolean {
    const id = this.#attributeOf(base, 'numFmtId') ?? '0';
    if (id === '0') return true;
    const formats = elementsOf(childOf(this.#root, 'numFmts'), 'numFmt');
    const format = formats.find((element) => attribute(element, 'numFmtId') === id);
    return format !== undefined && /^general$/i.test(attribute(format, 'formatCode') ?? '');
  }

  #derived(base: number | null, { fill, font, isText = false }: Change): number {
    return this.#once(`style ${base} ${fill} ${font} ${isText}`, 'cellXfs', () => {
      const xf = base === null ? undefined : this.#xfs[base];
      let tag = xf?.tag ?? FIRST_XF;
      const set = (name: string, value: number | string, apply: string) => {
        tag = withAttribute(withAttribute(tag, name, value), apply, '1');
      };
      if (fill !== undefined) set('fillId', fill, 'applyFill');
      if (font !== undefined) set('fontId', font, 'applyFont');
      if (isText) set('numFmtId', TEXT_FORMAT, 'applyNumberFormat');
      return xf === undefined ? tag : xmlOf({ ...xf, tag });
    });
  }

  #fillOf(look: CellLook): number | undefined {
    const rgb = FILLS[look];
    if (rgb === undefined) return undefined;
    const inner = `<patternFill patternType="solid"><fgColor rgb="${rgb}"/><bgColor indexed="64"/></patternFill>`;
    return this.#once(`fill ${look}`, 'fills', () => `<fill>${inner}</fill>`);
  }

  #fontOf(look: CellLook): number | undefined {
    const inner = FONTS[look];
    return inner === undefined ? undefined : this.#once(`font ${look}`, 'fonts', () => `<font>${inner}</font>`);
  }

  /** The number of what is added to a section, once for each key. */
  #once(key: string, name: string, xmlOfNew: () => string): number {
    const section = this.#sections.get(name) ?? this.#root;
    const at = this.#added.get(key) ?? elementsOf(section).length;
    if (!this.#added.has(key)) insert(section, xmlOfNew());
    this.#added.set(key, at);
    return at;
  }
}

function isMark(fill: XmlElement): boolean {
  const pattern = childOf(fill, 'patternFill');
  const colour = childOf(pattern, 'fgColor');
  return colour !== null && MARKS.has(attribute(colour, 'rgb')?.toUpperCase());
}
