import { placeOfCell } from '../../cells/cell-place.ts';
import { cellName } from '../../header/columns.ts';
import { decodeEscapes } from '../../source/xlsx/xml-scanner.ts';
import { textElement, xmlText } from '../../source/xlsx/xml-text.ts';
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
} from '../../source/xlsx/xml-tree.ts';

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
