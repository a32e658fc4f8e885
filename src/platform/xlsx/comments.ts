import { cellName, placeOfCell } from './cell-names.ts';
import { decodeEscapes } from './xml-scanner.ts';
import { textElement, xmlText } from './xml-text.ts';
import {
  attribute,
  childOf,
  elementsOf,
  insert,
  parseNodes,
  parsePart,
  partXml,
  prefixed,
  prefixOf,
  remove,
  textOf,
  type XmlElement,
  xmlOf,
} from './xml-tree.ts';

/** A comment at a cell. Row and column count from 0. */
export type CellComment = { row: number; column: number; text: string };

/** Comments whose author begins with "tc=" stand for a conversation, which programs show in their place. */
const CONVERSATION = 'tc=';

/** A piece of a comment's text, with how it looks. */
type Run = { properties: string; text: string };

/** The comments of a sheet, the user's own and ours. */
export class Comments {
  readonly #document: XmlElement;
  readonly #authors: XmlElement;
  readonly #list: XmlElement;
  readonly #byCell: Map<string, XmlElement>;
  readonly #author: string;
  #authorId: number | null = null;

  /** Of the part that the sheet has, or of none. New comments are by `author`. */
  constructor(xml: string | null, namespace: string, author: string) {
    const empty = `<?xml version="1.0"?><comments xmlns="${namespace}"><authors></authors><commentList></commentList></comments>`;
    const own = parsePart(xml ?? empty);
    const isWhole = childOf(own.root, 'authors') !== null && childOf(own.root, 'commentList') !== null;
    const { document, root } = isWhole ? own : parsePart(empty);
    this.#document = document;
    this.#authors = childOf(root, 'authors') ?? root;
    this.#list = childOf(root, 'commentList') ?? root;
    this.#byCell = new Map(elementsOf(this.#list).map((element) => [attribute(element, 'ref') ?? '', element]));
    this.#author = author;
  }

  /** Cuts each comment to what `kept` leaves of it. Returns the cells that have none left, as `row,column` from 0. */
  cut(kept: (text: string) => string): Set<string> {
    const gone = new Set<XmlElement>();
    const cells = new Set<string>();
    for (const [cell, element] of this.#byCell) {
      const runs = runsOf(element);
      const text = runs.map((run) => run.text).join('');
      const rest = kept(text);
      if (rest === text) continue;
      if (rest !== '') {
        write(element, cutRuns(runs, rest.length));
        continue;
      }
      gone.add(element);
      this.#byCell.delete(cell);
      const place = placeOfCell(cell);
      if (place !== null) cells.add(`${place.row},${place.column}`);
    }
    remove(this.#list, (element) => gone.has(element));
    return cells;
  }

  /** Writes a comment, behind the user's own where there is one. Returns whether the cell had none. */
  add({ row, column, text }: CellComment): boolean {
    const cell = cellName(column, row + 1);
    const known = this.#byCell.get(cell);
    if (known === undefined) {
      const comment = `<comment ref="${cell}" authorId="${this.#authorNumber()}"><text>${runXml({ properties: '', text })}</text></comment>`;
      insert(this.#list, comment);
      const added = this.#list.children.at(-1);
      if (added !== undefined && typeof added !== 'string') this.#byCell.set(cell, added);
      return true;
    }
    if (!this.#isConversation(known)) write(known, [...runsOf(known), { properties: '', text: `\n\n${text}` }]);
    return false;
  }

  toString(): string {
    return partXml(this.#document);
  }

  #authorNumber(): number {
    if (this.#authorId !== null) return this.#authorId;
    const authors = elementsOf(this.#authors).map(textOf);
    if (!authors.includes(this.#author)) insert(this.#authors, `<author>${xmlText(this.#author)}</author>`);
    this.#authorId = authors.includes(this.#author) ? authors.indexOf(this.#author) : authors.length;
    return this.#authorId;
  }

  #isConversation(comment: XmlElement): boolean {
    const author = elementsOf(this.#authors)[Number(attribute(comment, 'authorId') ?? 0)];
    return textOf(author ?? null).startsWith(CONVERSATION);
  }
}

function runsOf(comment: XmlElement): Run[] {
  const runs = elementsOf(childOf(comment, 'text')).filter(({ name }) => name === 'r' || name === 't');
  return runs.map((run) => {
    const properties = childOf(run, 'rPr');
    return {
      properties: properties === null ? '' : xmlOf(properties),
      text: decodeEscapes(textOf(run.name === 't' ? run : childOf(run, 't'))),
    };
  });
}

function cutRuns(runs: readonly Run[], length: number): Run[] {
  let left = length;
  const kept: Run[] = [];
  for (const { properties, text } of runs) {
    if (left <= 0) break;
    kept.push({ properties, text: text.slice(0, left) });
    left -= text.length;
  }
  return kept;
}

function write(comment: XmlElement, runs: readonly Run[]): void {
  comment.children = parseNodes(prefixed(`<text>${runs.map(runXml).join('')}</text>`, prefixOf(comment.tag)));
}

function runXml({ properties, text }: Run): string {
  return `<r>${properties}${textElement('', text)}</r>`;
}

/** Where a comment's box is drawn. Row and column count from 0. */
export type ShapePlace = { row: number; column: number };

const BEGIN =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">';

const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';

/** Numbers of shapes are given out in blocks of so many. */
const BLOCK = 1_024;

/** How far a box reaches: columns to the right, rows down. */
const WIDTH = 4;
const HEIGHT = 7;

/**
 * The drawing of a sheet's comments, which programs want beside the comments themselves, with boxes removed and added. It is
 * of an old kind that need not be XML (programs write `<br>` in it), so it is taken for text.
 */
export function withShapes(drawing: string | null, removed: ReadonlySet<string>, added: readonly ShapePlace[]): string {
  const kept = removed.size === 0 || drawing === null ? drawing : withoutShapes(drawing, removed);
  const end = kept?.lastIndexOf('</xml>') ?? -1;
  if (kept === null || end === -1) {
    const blocks = Array.from({ length: Math.floor(added.length / BLOCK) + 1 }, (_, at) => at + 1).join(',');
    const layout = `<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${blocks}"/></o:shapelayout>`;
    return `${BEGIN}${layout}${SHAPE_TYPE}${shapes(added, BLOCK)}</xml>`;
  }
  if (added.length === 0) return kept;
  const type = kept.includes(' id="_x0000_t202"') ? '' : SHAPE_TYPE;
  const last = Math.max(BLOCK, ...Array.from(kept.matchAll(/id="_x0000_s(\d+)"/g), ([, id]) => Number(id)));
  return `${kept.slice(0, end)}${declared(kept, type + shapes(added, last + 1))}${kept.slice(end)}`;
}

/** The names that Excel gives to what a drawing is made of; another program's drawing may have others. */
function declared(drawing: string, xml: string): string {
  const head = drawing.slice(0, 2_000);
  return ['xmlns:v=', 'xmlns:o=', 'xmlns:x='].every((name) => head.includes(name))
    ? xml
    : xml.replaceAll('<v:shape ', `<v:shape ${BEGIN.slice('<xml '.length, -1)}`);
}

function withoutShapes(drawing: string, removed: ReadonlySet<string>): string {
  return drawing.replace(/<v:shape\s[^>]*>[\s\S]*?<\/v:shape>\s*/g, (shape) => {
    const row = /<x:Row>\s*(\d+)/.exec(shape)?.[1];
    const column = /<x:Column>\s*(\d+)/.exec(shape)?.[1];
    return /ObjectType="Note"/.test(shape) && removed.has(`${row},${column}`) ? '' : shape;
  });
}

function shapes(places: readonly ShapePlace[], firstId: number): string {
  return places.map((place, at) => shape(place, firstId + at)).join('');
}

function shape({ row, column }: ShapePlace, id: number): string {
  const top = Math.max(0, row - 1);
  const anchor = [column + 1, 15, top, 10, column + 1 + WIDTH, 15, top + HEIGHT, 4].join(', ');
  const look = 'style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"';
  const data = `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData>`;
  return `<v:shape id="_x0000_s${id}" type="#_x0000_t202" ${look}><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox><div style="text-align:left"></div></v:textbox>${data}</v:shape>`;
}
