import type { Sheet } from 'hucre/xlsx';
import { storedZip } from '../../corrections/xlsx/stored-zip.ts';
import type { CellStyle } from './number-format.ts';
import { type Archive, ArchiveError } from './size-gate.ts';
import { sheetSkeleton } from './skeleton.ts';
import { wholeText } from './text-chunks.ts';

/** Cells that are shown as one. Rows from 1, columns from 0 (A), both ends included. */
export type MergedCells = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number };

/** How a sheet is laid out: all of it but its rows. */
export type SheetOutline = {
  name: string;
  /** The part of the archive that has its rows. */
  part: string;
  isHidden: boolean;
  hiddenColumns: ReadonlySet<number>;
  /** Whether rows are hidden that do not say otherwise (`zeroHeight`). */
  hidesRows: boolean;
  merges: readonly MergedCells[];
};

export type Workbook = {
  sheets: readonly SheetOutline[];
  styles: readonly CellStyle[];
  is1904: boolean;
  /** The part with the texts that cells share, or null. */
  sharedStrings: string | null;
};

/** More styles than any program allows. */
const STYLES_MAX = 65_536;

/** Everything but rows, texts and pictures is small: the library is not given more than this, so that it cannot be flooded. */
const OUTLINE_MAX = 16 * 1024 * 1024;

const OUTLINE_ROOTS: ReadonlySet<string> = new Set(['workbook', 'styleSheet', 'Types', 'Relationships']);

type ReadXlsx = typeof import('hucre/xlsx').readXlsx;

/**
 * Reads everything of a workbook but its rows, through hucre, which knows how the parts of a workbook hang together, what
 * a style shows and which of them are dates. It gets a small workbook that it cannot choke on: the sheets without their
 * rows, no pictures, no charts. In the only cell of each sheet stands the name of its part. (Its own reading of a hundred
 * thousand rows takes 600 megabytes, half of them for shared texts.)
 */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const { parts, styleCount, sharedStrings } = await outlineParts(archive);
  const { readXlsx } = await import('hucre/xlsx');
  try {
    const zip = storedZip(parts);
    const names: string[] = [];
    const isWanted = ({ name }: { name: string }) => {
      names.push(name);
      return false;
    };
    const { dateSystem } = await readXlsx(zip, { sheets: isWanted });
    const sheets: SheetOutline[] = [];
    let styles: readonly CellStyle[] | null = null;
    for (const at of names.keys()) {
      const sheet = await readSheet(readXlsx, zip, at);
      if (sheet === null) continue;
      const outline = outlineOf(sheet, parts);
      sheets.push(outline);
      styles ??= await readStyles(readXlsx, parts, { at, part: outline.part, count: styleCount });
    }
    return { sheets, styles: styles ?? [], is1904: dateSystem === '1904', sharedStrings };
  } catch (error) {
    throw new ArchiveError('the workbook cannot be read', { cause: error });
  }
}

/** Null for a sheet without rows: some are only a chart, and the library misses their part of cells. */
async function readSheet(readXlsx: ReadXlsx, zip: Uint8Array, at: number): Promise<Sheet | null> {
  try {
    return (await readXlsx(zip, { sheets: [at] })).sheets[0] ?? null;
  } catch (error) {
    if (error instanceof Error && error.message.includes('missing worksheet file')) return null;
    throw error;
  }
}

/** What each style shows: the library tells it of cells, so a sheet is given one number in each style. */
async function readStyles(
  readXlsx: ReadXlsx,
  parts: ReadonlyMap<string, string>,
  { at, part, count }: { at: number; part: string; count: number },
): Promise<CellStyle[]> {
  const rows = Array.from(
    { length: count },
    (_, style) => `<row r="${style + 1}"><c r="A${style + 1}" s="${style}"><v>1</v></c></row>`,
  );
  const withStyles = new Map(parts).set(part, `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`);
  const { sheets } = await readXlsx(storedZip(withStyles), { sheets: [at], readStyles: true });
  return rows.map((_, style) => {
    const cell = sheets[0]?.cells?.get(`${style},0`);
    const format = cell?.style?.numFmt ?? null;
    return {
      format: format === null || /^(?:general|@)$/i.test(format) ? null : format,
      isDate: cell?.type === 'date',
      isStruck: cell?.style?.font?.strikethrough === true,
    };
  });
}

type OutlineParts = { parts: Map<string, string>; styleCount: number; sharedStrings: string | null };

/** Parts are known by their first element, not by their names, which every program chooses by itself. */
async function outlineParts(archive: Archive): Promise<OutlineParts> {
  const roots = new Map<string, string>();
  for (const name of archive.names)
    if (/\.(?:xml|rels)$/i.test(name)) roots.set(name, rootOf(await firstChunk(archive, name)));
  const parts = new Map<string, string>();
  let styleCount = 0;
  let length = 0;
  const add = (name: string, text: string) => {
    length += text.length;
    if (length > OUTLINE_MAX) throw new ArchiveError('the workbook has more about its rows than any has');
    parts.set(name, text);
  };
  for (const [name, root] of roots) {
    if (!OUTLINE_ROOTS.has(root)) continue;
    if (archive.bytesOf(name) > OUTLINE_MAX) throw new ArchiveError(`${name} is larger than any`);
    const text = await wholeText(archive.chunks(name));
    if (root === 'styleSheet') styleCount = Math.min(text.match(/<(?:[\w.-]+:)?xf[\s/>]/g)?.length ?? 0, STYLES_MAX);
    add(name, text);
  }
  for (const [name, root] of roots) if (root === 'worksheet') add(name, await sheetSkeleton(archive, name, mark(name)));
  const [sharedStrings = null, ...others] = archive.names.filter((name) => roots.get(name) === 'sst');
  // Programs would not agree on which of them the cells mean.
  if (others.length > 0) throw new ArchiveError('the texts that cells share are there twice');
  return { parts, styleCount, sharedStrings };
}

/** The row that a skeleton gets: see `readWorkbook`. */
function mark(part: string): string {
  const name = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<row r="1"><c r="A1" t="inlineStr"><is><t>${name}</t></is></c></row>`;
}

async function firstChunk(archive: Archive, name: string): Promise<string> {
  for await (const chunk of archive.chunks(name)) return Buffer.from(chunk.subarray(0, 4_096)).toString('latin1');
  return '';
}

function rootOf(text: string): string {
  const plain = text.replaceAll('\0', '').replace(/<!--.*?-->/gs, '');
  return /<(?:[\w.-]+:)?([A-Za-z]\w*)/.exec(plain)?.[1] ?? '';
}

/** The library does not tell of it. */
const HIDES_ROWS = /<(?:[\w.-]+:)?sheetFormatPr\s[^>]*zeroHeight=["'](?:1|true)["']/;

function outlineOf(sheet: Sheet, parts: ReadonlyMap<string, string>): SheetOutline {
  const part = String(sheet.rows[0]?.[0] ?? '');
  const hiddenColumns = new Set<number>();
  for (const [at, column] of (sheet.columns ?? []).entries())
    if (column.hidden === true || column.width === 0) hiddenColumns.add(at);
  return {
    name: sheet.name,
    part,
    isHidden: sheet.hidden === true || sheet.veryHidden === true,
    hiddenColumns,
    hidesRows: HIDES_ROWS.test(parts.get(part) ?? ''),
    merges: (sheet.merges ?? []).map(({ startRow, endRow, startCol, endCol }) => ({
      firstRow: startRow + 1,
      lastRow: endRow + 1,
      firstColumn: startCol,
      lastColumn: endCol,
    })),
  };
}
