import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { attribute, elementsOf, parsePart, type XmlElement } from './xml-tree.ts';

/** How one part is related to another: what it is to it, and where it is. */
export type Relation = {
  id: string;
  /** The last word of the relation's type, such as `worksheet`. It is the same in both kinds of workbooks. */
  kind: string;
  part: string;
};

export type Part = { document: XmlElement; root: XmlElement };

/** The parts of a workbook, and how they are related to each other. */
export class PackageParts {
  protected readonly archive: Archive;
  readonly #parts = new Map<string, Part>();

  constructor(archive: Archive) {
    this.archive = archive;
  }

  has(name: string): boolean {
    return this.archive.names.includes(name);
  }

  /** A small part as a tree, always the same one; null where it is not there. */
  async part(name: string): Promise<Part | null> {
    const known = this.#parts.get(name);
    if (known !== undefined || !this.has(name)) return known ?? null;
    return this.keep(name, await this.archive.text(name));
  }

  protected keep(name: string, xml: string): Part {
    const part = parsePart(xml);
    this.#parts.set(name, part);
    return part;
  }

  /** The parts that a part is related to; external links left out. The package itself has the empty name. */
  async relations(of: string): Promise<Relation[]> {
    const part = await this.part(relationsPart(of));
    return elementsOf(part?.root ?? null)
      .filter((element) => attribute(element, 'TargetMode') !== 'External')
      .map((element) => {
        const type = attribute(element, 'Type') ?? '';
        const target = attribute(element, 'Target') ?? '';
        return {
          id: attribute(element, 'Id') ?? '',
          kind: type.slice(type.lastIndexOf('/') + 1),
          part: target.startsWith('/') ? posix.normalize(target.slice(1)) : posix.join(posix.dirname(of), target),
        };
      });
  }

  async related(of: string, kind: string): Promise<Relation | null> {
    return (await this.relations(of)).find((relation) => relation.kind === kind) ?? null;
  }
}

/** `xl/_rels/workbook.xml.rels` of `xl/workbook.xml`; `_rels/.rels` of the package, whose name is empty. */
export function relationsPart(part: string): string {
  const { dir, base } = posix.parse(part);
  return posix.join(dir, '_rels', `${base}.rels`);
}
