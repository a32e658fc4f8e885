import { placeOfCell } from '../../cells/cell-place.ts';
import { cellName } from '../../header/columns.ts';
import { decodeEscapes, decodeXml } from '../../source/xlsx/xml-scanner.ts';
import { textElement, xmlText } from '../../source/xlsx/xml-text.ts';
import { nodeAttribute, XmlEdit, type XmlNode } from './xml-edit.ts';

/** A comment at a cell. Row and column count from 0. */
export type CellComment = { row: number; column: number; text: string };

/** Comments that are begun by "tc=" stand for a conversation, which programs show in their place. */
const CONVERSATION = 'tc=';

type Known = { node: XmlNode | null; runs: string | null; isGone: boolean };

/** The comments of a sheet, somebody's own and ours. */
export class CommentPart {
  readonly #edit: XmlEdit;
  readonly #author: string;
  readonly #authors: XmlNode;
  readonly #list: XmlNode;
  readonly #known = new Map<string, Known>();
  #authorId: number | null = null;

  /** Of what the sheet has, or of nothing. */
  constructor(xml: string | null, namespace: string, author: string) {
    const empty = `<?xml version="1.0"?><comments xmlns="${namespace}"><authors></authors><commentList></commentList></comments>`;
    const own = new XmlEdit(xml ?? empty);
    const isWhole = own.child('authors') !== null && own.child('commentList') !== null;
    this.#edit = isWhole ? own : new XmlEdit(empty);
    this.#author = author;
    this.#authors = this.#edit.child('authors') ?? this.#edit.root;
    this.#list = this.#edit.child('commentList') ?? this.#edit.root;
    for (const node of this.#list.children)
      this.#known.set(nodeAttribute(node, 'ref') ?? '', { node, runs: null, isGone: false });
  }

  /** Cuts each comment to what `kept` leaves of it. Gives the cells that have none left, as `row,column` from 0. */
  cut(kept: (text: string) => string): Set<string> {
    const gone = new Set<string>();
    for (const [cell, known] of this.#known) {
      const runs = this.#runsOf(known);
      const text = runs.map((run) => run.text).join('');
      const rest = kept(text);
      if (rest === text) continue;
      known.isGone = rest === '';
      const place = placeOfCell(cell);
      if (known.isGone && place !== null) gone.add(`${place.row},${place.column}`);
      if (!known.isGone) known.runs = this.#cutRuns(runs, rest.length);
    }
    return gone;
  }

  /** Writes a comment, behind somebody's own where there is one. Gives whether the cell had none. */
  add({ row, column, text }: CellComment): boolean {
    const cell = cellName(column, row + 1);
    const known = this.#known.get(cell);
    if (known === undefined || known.isGone) {
      this.#known.set(cell, { node: known?.node ?? null, runs: this.#run('', text), isGone: false });
      return true;
    }
    if (this.#isConversation(known)) return false;
    const runs = known.runs ?? this.#cutRuns(this.#runsOf(known), Number.POSITIVE_INFINITY);
    known.runs = runs + this.#run('', `\n\n${text}`);
    return false;
  }

  toString(): string {
    for (const [cell, { node, runs, isGone }] of this.#known) {
      if (isGone && node !== null) this.#edit.remove(node);
      else if (runs === null || isGone) continue;
      else if (node === null) this.#edit.append(this.#list, this.#comment(cell, this.#authorNumber(), runs));
      else this.#edit.replace(node, this.#comment(cell, Number(nodeAttribute(node, 'authorId') ?? 0), runs));
    }
    return this.#edit.toString();
  }

  #comment(cell: string, author: number, runs: string): string {
    const p = this.#edit.prefix;
    return `<${p}comment ref="${cell}" authorId="${author}"><${p}text>${runs}</${p}text></${p}comment>`;
  }

  #run(properties: string, text: string): string {
    const p = this.#edit.prefix;
    return `<${p}r>${properties}${textElement(p, text)}</${p}r>`;
  }

  #authorNumber(): number {
    if (this.#authorId !== null) return this.#authorId;
    const { children } = this.#authors;
    const known = children.findIndex((node) => this.#edit.inner(node) === this.#author);
    const p = this.#edit.prefix;
    if (known === -1) this.#edit.append(this.#authors, `<${p}author>${xmlText(this.#author)}</${p}author>`);
    this.#authorId = known === -1 ? children.length : known;
    return this.#authorId;
  }

  #isConversation({ node }: Known): boolean {
    const author = node === null ? undefined : this.#authors.children[Number(nodeAttribute(node, 'authorId') ?? 0)];
    return author !== undefined && this.#edit.inner(author).startsWith(CONVERSATION);
  }

  /** The pieces of a comment's text, with how each looks. */
  #runsOf({ node }: Known): { properties: string; text: string }[] {
    const text = node === null ? null : this.#edit.child('text', node);
    const runs = text?.children.filter(({ name }) => name === 'r' || name === 't') ?? [];
    return runs.map((run) => {
      const written = run.name === 't' ? run : this.#edit.child('t', run);
      const properties = run.name === 't' ? null : this.#edit.child('rPr', run);
      return {
        properties: properties === null ? '' : this.#edit.text(properties),
        text: written === null ? '' : decodeEscapes(decodeXml(this.#edit.inner(written))),
      };
    });
  }

  #cutRuns(runs: readonly { properties: string; text: string }[], length: number): string {
    let left = length;
    let written = '';
    for (const { properties, text } of runs) {
      if (left <= 0) break;
      written += this.#run(properties, text.slice(0, left));
      left -= text.length;
    }
    return written;
  }
}
