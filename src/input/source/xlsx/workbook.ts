import { type Archive, ArchiveError } from '../../../platform/xlsx/archive.ts';
import { PackageParts } from '../../../platform/xlsx/package-parts.ts';
import { isTrue, XmlError } from '../../../platform/xlsx/xml-scanner.ts';
import {
  attribute,
  childOf,
  elementsOf,
  parseNodes,
  relationId,
  type XmlElement,
} from '../../../platform/xlsx/xml-tree.ts';
import { type CellRange, rangeOf } from './cell-range.ts';
import { readStyles } from './cell-styles.ts';
import { readSharedTexts } from './shared-texts.ts';
import type { SheetContext } from './sheet-rows.ts';

/** How a sheet is laid out: all of it except its rows. */
export type SheetOutline = {
  name: string;
  /** The part of the archive that has its rows. */
  part: string;
  isHidden: boolean;
  hiddenColumns: ReadonlySet<number>;
  /** Whether rows that do not say otherwise are hidden (`zeroHeight`). */
  hidesRows: boolean;
  /** Cells that are shown as one. */
  merges: readonly CellRange[];
};

export type Workbook = {
  /** Its main part. */
  part: string;
  sheets: readonly SheetOutline[];
  /** What the cells of all sheets point to. */
  context: SheetContext;
};

/** Reads everything of a workbook except its rows. Throws an ArchiveError or an XmlError where it is damaged. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const parts = new PackageParts(archive);
  const main = await parts.related('', 'officeDocument');
  const root = main === null ? undefined : (await parts.part(main.part))?.root;
  if (main === null || root?.name !== 'workbook') throw new ArchiveError('there is no workbook');
  const relations = await parts.relations(main.part);
  const sheets: SheetOutline[] = [];
  for (const element of elementsOf(childOf(root, 'sheets'))) {
    const id = relationId(element.tag);
    const relation = relations.find((other) => other.id === id);
    // Some sheets are only a chart, and have no cells.
    if (relation?.kind === 'worksheet' && parts.has(relation.part))
      sheets.push(await readOutline(archive, element, relation.part));
  }
  const styles = relations.find(({ kind }) => kind === 'styles');
  const properties = childOf(root, 'workbookPr');
  return {
    part: main.part,
    sheets,
    context: {
      styles: await readStyles(styles === undefined ? null : await parts.part(styles.part)),
      is1904: properties !== null && isTrue(attribute(properties, 'date1904')),
      sharedStrings: await readSharedTexts(archive, await sharedStringsPart(archive)),
    },
  };
}

/** The part is known by its first element, not by its relation: programs would not agree which of two the cells mean. */
async function sharedStringsPart(archive: Archive): Promise<string | null> {
  const found: string[] = [];
  for (const name of archive.names.filter((part) => /\.xml$/i.test(part))) {
    const { value = '' } = await archive.texts(name).next();
    if (ROOT.exec(value.slice(0, HEAD_LENGTH).replace(/<!--.*?-->/gs, ''))?.[1] === 'sst') found.push(name);
  }
  if (found.length > 1) throw new ArchiveError('the texts that cells share are there twice');
  return found[0] ?? null;
}

const ROOT = /<(?:[\w.-]+:)?([A-Za-z]\w*)/;
const HEAD_LENGTH = 4_096;

const SHEET_COLUMNS_MAX = 16_384;

async function readOutline(archive: Archive, element: XmlElement, part: string): Promise<SheetOutline> {
  const { head, merges } = await readFrame(archive, part);
  const hiddenColumns = new Set<number>();
  for (const column of elementsOf(childOf(head, 'cols'))) {
    if (!isTrue(attribute(column, 'hidden')) && Number(attribute(column, 'width') ?? 1) !== 0) continue;
    const last = Math.min(Number(attribute(column, 'max')), SHEET_COLUMNS_MAX);
    for (let number = Number(attribute(column, 'min')) || 1; number <= last; number++) hiddenColumns.add(number - 1);
  }
  const format = childOf(head, 'sheetFormatPr');
  return {
    name: attribute(element, 'name') ?? '',
    part,
    isHidden: /hidden$/i.test(attribute(element, 'state') ?? ''),
    hiddenColumns,
    hidesRows: format !== null && isTrue(attribute(format, 'zeroHeight')),
    merges,
  };
}

/** What stands before the rows describes 16,384 columns at most. */
const HEAD_MAX = 4 * 1024 * 1024;

/** Merged cells stand soon behind the rows; of what follows only so much is looked at, and only so many of them. */
const TAIL_MAX = 4 * 1024 * 1024;
const MERGES_MAX = 10_000;

const ROWS_BEGIN = /<(?:[\w.-]+:)?sheetData(?:\s[^>]*)?\/?>/;
const ROWS_END = /<\/(?:[\w.-]+:)?sheetData\s*>/;
const MERGE = /<(?:[\w.-]+:)?mergeCell\s[^>]*?ref\s*=\s*["']([^"']*)/g;

/** Longer than the end of the rows is written, so that one that two chunks share is found. */
const OVERLAP = 128;

/** Nearly every sheet has less than this behind its rows, in bytes. */
const USUAL_TAIL = 64 * 1024;

/** The start or end of a comment, a CDATA section or an instruction: what looks like the end of the rows in one is not. */
const MAY_HIDE_END = /<[!?]|(?:--|\]\]|\?)>/;

/**
 * What stands around a sheet's rows: the elements before them, and its merged cells. The rows can be a thousand times as
 * much; they are passed over here and read elsewhere.
 */
async function readFrame(archive: Archive, part: string): Promise<{ head: XmlElement; merges: CellRange[] }> {
  const { head, isEmpty } = await readHead(archive, part);
  const tail = isEmpty
    ? await textBehind(archive, part, ROWS_BEGIN)
    : ((await usualTail(archive, part)) ?? (await textBehind(archive, part, ROWS_END)));
  const merges = tail.matchAll(MERGE).take(MERGES_MAX);
  return { head: headElement(head), merges: [...merges].flatMap(([, reference = '']) => rangeOf(reference) ?? []) };
}

async function readHead(archive: Archive, part: string): Promise<{ head: string; isEmpty: boolean }> {
  let text = '';
  for await (const chunk of archive.texts(part)) {
    text += chunk;
    const begin = ROWS_BEGIN.exec(text);
    if (begin !== null) return { head: text.slice(0, begin.index), isEmpty: begin[0].endsWith('/>') };
    if (text.length > HEAD_MAX) break;
  }
  throw new ArchiveError(`${part} has no rows`);
}

/** The text behind the rows, where it is certain that they end in the last part of the sheet; else null. */
async function usualTail(archive: Archive, part: string): Promise<string | null> {
  const from = archive.bytesOf(part) - USUAL_TAIL;
  if (from <= 0) return null;
  let text = '';
  for await (const chunk of archive.texts(part, from)) text += chunk;
  const end = MAY_HIDE_END.test(text) ? null : ROWS_END.exec(text);
  return end && text.slice(end.index + end[0].length);
}

/** The text behind the first such tag. */
async function textBehind(archive: Archive, part: string, tag: RegExp): Promise<string> {
  let text = '';
  let isBehind = false;
  for await (const chunk of archive.texts(part)) {
    if (text.length < TAIL_MAX) text += chunk;
    if (isBehind) continue;
    const found = tag.exec(text);
    isBehind = found !== null;
    text = found === null ? text.slice(-OVERLAP) : text.slice(found.index + found[0].length);
  }
  return text;
}

function headElement(head: string): XmlElement {
  const nodes = parseNodes(`${head}</worksheet>`);
  const element = nodes.find((node) => typeof node !== 'string');
  if (element === undefined) throw new XmlError('a sheet without an element');
  return element as XmlElement;
}
