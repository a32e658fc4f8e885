import { posix } from 'node:path';
import { type Archive, ArchiveError } from '../../source/xlsx/size-gate.ts';
import { wholeText } from '../../source/xlsx/text-chunks.ts';
import { xmlAttribute } from '../../source/xlsx/xml-text.ts';
import { nodeAttribute, XmlEdit, type XmlNode } from './xml-edit.ts';
import { type PartText, ZipWriter } from './zip-writer.ts';

const TYPES_PART = '[Content_Types].xml';

/** How one part is related to another: what it is to it, and where it is. */
export type Relation = { id: string; type: string; part: string };

/** A part that says more than this of others is none of a workbook. */
const SMALL_MAX = 64 * 1024 * 1024;

/**
 * A workbook whose parts are replaced, added or removed one by one, and all others taken as they are packed. The parts that
 * say how others hang together (relations, content types) follow.
 */
export class PackageEdit {
  readonly #archive: Archive;
  readonly #zip = new ZipWriter();
  readonly #written = new Set<string>();
  readonly #removed = new Set<string>();
  /** Parts that are held, as they are changed in several places. */
  readonly #edits = new Map<string, XmlEdit>();
  readonly #idsGiven = new Set<string>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  has(name: string): boolean {
    return this.#archive.names.includes(name) && !this.#removed.has(name);
  }

  /** The text of a part, or null where it is not there. */
  async text(name: string): Promise<string | null> {
    if (!this.has(name)) return null;
    if (this.#archive.bytesOf(name) > SMALL_MAX) throw new ArchiveError(`${name} is larger than any`);
    return wholeText(this.#archive.chunks(name));
  }

  /** A part that is changed in place; it is written when all is. */
  async edit(name: string, ifAbsent?: string): Promise<XmlEdit> {
    const known = this.#edits.get(name);
    if (known !== undefined) return known;
    const text = (await this.text(name)) ?? ifAbsent;
    if (text === undefined) throw new ArchiveError(`there is no part ${name}`);
    const edit = new XmlEdit(text);
    this.#edits.set(name, edit);
    return edit;
  }

  /** Writes a part, new or in place of what was there. */
  async write(name: string, text: PartText): Promise<void> {
    this.#written.add(name);
    await this.#zip.add(name, text);
  }

  /** Leaves a part out, with what it says of others. */
  async remove(name: string): Promise<void> {
    this.#removed.add(name).add(relationsPart(name));
    const types = await this.edit(TYPES_PART);
    for (const node of types.root.children) if (nodeAttribute(node, 'PartName') === `/${name}`) types.remove(node);
  }

  /** What a part is related to; external links left out. */
  async relations(part: string): Promise<Relation[]> {
    const name = relationsPart(part);
    if (!this.has(name)) return [];
    const { root } = await this.edit(name);
    return root.children
      .filter((node) => nodeAttribute(node, 'TargetMode') !== 'External')
      .map((node) => ({ id: nodeAttribute(node, 'Id') ?? '', type: typeOf(node), part: targetOf(part, node) }));
  }

  async relate(part: string, { id, type, part: target }: Relation): Promise<void> {
    const edit = await this.#relationsOf(part);
    edit.append(edit.root, `<${edit.prefix}Relationship Id="${id}" Type="${type}" Target="/${xmlAttribute(target)}"/>`);
  }

  async unrelate(part: string, id: string): Promise<void> {
    const edit = await this.#relationsOf(part);
    for (const node of edit.root.children) if (nodeAttribute(node, 'Id') === id) edit.remove(node);
  }

  /** Says what kind of content a new part has. */
  async declare(name: string, contentType: string): Promise<void> {
    const types = await this.edit(TYPES_PART);
    const isKnown = types.root.children.some((node) => nodeAttribute(node, 'PartName') === `/${name}`);
    if (isKnown) return;
    types.append(types.root, `<${types.prefix}Override PartName="/${name}" ContentType="${contentType}"/>`);
  }

  /** A name that no part has, such as `xl/comments7.xml`. */
  newName(begin: string, end: string): string {
    const taken = new Set([...this.#archive.names, ...this.#written].map((name) => name.toLowerCase()));
    for (let number = 1; ; number++) {
      const name = `${begin}${number}${end}`;
      if (!taken.has(name.toLowerCase())) return name;
    }
  }

  /** An id that no relation of a part has. */
  async newId(part: string): Promise<string> {
    const taken = new Set((await this.relations(part)).map(({ id }) => id));
    for (let number = 1; ; number++) {
      const id = `rIdPayrun${number}`;
      if (taken.has(id) || this.#idsGiven.has(`${part} ${id}`)) continue;
      this.#idsGiven.add(`${part} ${id}`);
      return id;
    }
  }

  /** The whole workbook. */
  async save(): Promise<Buffer> {
    for (const [name, edit] of this.#edits)
      if (!this.#removed.has(name) && !this.#written.has(name)) await this.write(name, edit.toString());
    for (const name of this.#archive.names)
      if (!this.#written.has(name) && !this.#removed.has(name))
        this.#zip.addPacked(name, await this.#archive.packed(name));
    return this.#zip.finish(TYPES_PART);
  }

  async #relationsOf(part: string): Promise<XmlEdit> {
    const namespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
    return this.edit(relationsPart(part), `<?xml version="1.0"?><Relationships xmlns="${namespace}"/>`);
  }
}

/** `xl/_rels/workbook.xml.rels` of `xl/workbook.xml`; `_rels/.rels` of the package, whose name is empty. */
export function relationsPart(part: string): string {
  const { dir, base } = posix.parse(part);
  return posix.join(dir, '_rels', `${base}.rels`);
}

/** The last word of a relation's type, which is the same in both kinds of workbooks. */
export function kindOf({ type }: Relation): string {
  return type.slice(type.lastIndexOf('/') + 1);
}

function typeOf(node: XmlNode): string {
  return nodeAttribute(node, 'Type') ?? '';
}

function targetOf(part: string, node: XmlNode): string {
  const target = nodeAttribute(node, 'Target') ?? '';
  return target.startsWith('/') ? posix.normalize(target.slice(1)) : posix.join(posix.dirname(part), target);
}
