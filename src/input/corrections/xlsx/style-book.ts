import { nodeAttribute, withAttribute, XmlEdit, type XmlNode } from './xml-edit.ts';

/** How payrun makes cells look. */
export type CellLook = 'header' | 'example' | 'error' | 'warning' | 'link';

/**
 * What marks a cell. Spreadsheet programs offer nearly the same red and yellow: a mark of ours is known by its colour when
 * the workbook comes back, and nobody's own colour is taken for one.
 */
const FILLS: Readonly<Partial<Record<CellLook, string>>> = {
  header: 'FFDDEBF7',
  error: 'FFFFC8CE',
  warning: 'FFFFEC9C',
};

const MARKS: ReadonlySet<string | null | undefined> = new Set([FILLS.error, FILLS.warning]);

const FONTS: Readonly<Partial<Record<CellLook, string>>> = {
  header: '<b/><sz val="11"/><name val="Calibri"/>',
  example: '<i/><sz val="11"/><color rgb="FF7F7F7F"/><name val="Calibri"/>',
  link: '<u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/>',
};

/** The built-in number format "Text". */
const TEXT_FORMAT = '49';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const FIRST_XF = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';

/** The parts of a style sheet that a cell's style points into, in their order, with what each of them has at least. */
const SECTIONS: readonly (readonly [name: string, least: string, count: number])[] = [
  ['fonts', '<font><sz val="11"/><name val="Calibri"/></font>', 1],
  ['fills', '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>', 2],
  ['borders', '<border><left/><right/><top/><bottom/><diagonal/></border>', 1],
  ['cellStyleXfs', '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>', 1],
  ['cellXfs', FIRST_XF, 1],
];

const AFTER_XFS = ['cellStyles', 'dxfs', 'tableStyles', 'colors', 'extLst'];

type Change = { fill?: number; font?: number; isText?: boolean };

/** The styles of a workbook, to which those are added that marks and new cells need. */
export class StyleBook {
  readonly #edit: XmlEdit;
  readonly #xfs: readonly XmlNode[];
  readonly #marks: ReadonlySet<number>;
  readonly #counts = new Map<string, number>();
  readonly #added = new Map<string, string[]>();
  readonly #known = new Map<string, number>();

  private constructor(xml: string) {
    this.#edit = new XmlEdit(xml);
    this.#xfs = this.#nodes('cellXfs', 'xf');
    const fills = this.#nodes('fills', 'fill');
    this.#marks = new Set(fills.keys().filter((at) => isMark(this.#edit, fills[at])));
    for (const [name, , least] of SECTIONS) {
      const node = this.#edit.child(name);
      this.#counts.set(name, node === null || node.children.length === 0 ? least : node.children.length);
    }
  }

  /** Of a style sheet, or of none. */
  static of(xml: string | null, namespace = MAIN): StyleBook {
    return new StyleBook(xml ?? `<?xml version="1.0" encoding="UTF-8"?><styleSheet xmlns="${namespace}"/>`);
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

  /** Whether any style has a mark. */
  get hasMarks(): boolean {
    return this.#marks.size > 0;
  }

  /** A cell's style whose text stays as it is typed. */
  ofText(base: number): number {
    return this.#derived(base, { isText: true });
  }

  /** The style of a new cell. */
  own(look: CellLook | undefined, isText: boolean): number {
    if (look === undefined && !isText) return 0;
    const fill = look === undefined || FILLS[look] === undefined ? undefined : this.#fillOf(look);
    const font = look === undefined || FONTS[look] === undefined ? undefined : this.#fontOf(look);
    return this.#derived(null, { isText, ...(fill !== undefined && { fill }), ...(font !== undefined && { font }) });
  }

  toString(): string {
    const later = new Set([...SECTIONS.map(([name]) => name), ...AFTER_XFS]);
    for (const [name, least] of SECTIONS) {
      later.delete(name);
      const added = (this.#added.get(name) ?? []).join('');
      const node = this.#edit.child(name);
      const count = this.#counts.get(name) ?? 0;
      if (node === null) this.#edit.insertBefore(later, this.#element(name, count, least + added));
      else {
        this.#edit.set(node, 'count', count);
        this.#edit.append(node, this.#prefixed(node.children.length === 0 ? least + added : added));
      }
    }
    return this.#edit.toString();
  }

  #element(name: string, count: number, inner: string): string {
    return this.#prefixed(`<${name} count="${count}">${inner}</${name}>`);
  }

  #prefixed(xml: string): string {
    return this.#edit.prefix === '' ? xml : xml.replace(/<(\/?)(?=[A-Za-z]+[\s/>])/g, `<$1${this.#edit.prefix}`);
  }

  #nodes(section: string, name: string): XmlNode[] {
    return this.#edit.child(section)?.children.filter((node) => node.name === name) ?? [];
  }

  #attributeOf(base: number, attribute: string): string | null {
    const xf = this.#xfs[base];
    return xf === undefined ? null : nodeAttribute(xf, attribute);
  }

  #isGeneral(base: number): boolean {
    const id = this.#attributeOf(base, 'numFmtId') ?? '0';
    if (id === '0') return true;
    const format = this.#nodes('numFmts', 'numFmt').find((node) => nodeAttribute(node, 'numFmtId') === id);
    return format !== undefined && /^general$/i.test(nodeAttribute(format, 'formatCode') ?? '');
  }

  #derived(base: number | null, { fill, font, isText = false }: Change): number {
    const key = `${base} ${fill} ${font} ${isText}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const node = base === null ? undefined : this.#xfs[base];
    const xml = node === undefined ? FIRST_XF : this.#edit.text(node);
    const tagEnd = node === undefined ? xml.length : node.inside - node.from;
    let tag = xml.slice(0, tagEnd);
    const set = (name: string, value: number | string, apply: string) => {
      tag = withAttribute(withAttribute(tag, name, String(value)), apply, '1');
    };
    if (fill !== undefined) set('fillId', fill, 'applyFill');
    if (font !== undefined) set('fontId', font, 'applyFont');
    if (isText) set('numFmtId', TEXT_FORMAT, 'applyNumberFormat');
    const at = this.#add('cellXfs', tag + xml.slice(tagEnd));
    this.#known.set(key, at);
    return at;
  }

  #fillOf(look: CellLook): number {
    const rgb = FILLS[look] ?? '';
    const inner = `<patternFill patternType="solid"><fgColor rgb="${rgb}"/><bgColor indexed="64"/></patternFill>`;
    return this.#once(`fill ${look}`, 'fills', `<fill>${inner}</fill>`);
  }

  #fontOf(look: CellLook): number {
    return this.#once(`font ${look}`, 'fonts', `<font>${FONTS[look] ?? ''}</font>`);
  }

  #once(key: string, section: string, xml: string): number {
    const at = this.#known.get(key) ?? this.#add(section, xml);
    this.#known.set(key, at);
    return at;
  }

  /** The number of what is added. */
  #add(section: string, xml: string): number {
    const at = this.#counts.get(section) ?? 0;
    this.#counts.set(section, at + 1);
    this.#added.set(section, [...(this.#added.get(section) ?? []), xml]);
    return at;
  }
}

function isMark(edit: XmlEdit, fill: XmlNode | undefined): boolean {
  const pattern = fill && edit.child('patternFill', fill);
  const colour = pattern && edit.child('fgColor', pattern);
  return colour !== null && colour !== undefined && MARKS.has(nodeAttribute(colour, 'rgb')?.toUpperCase());
}
