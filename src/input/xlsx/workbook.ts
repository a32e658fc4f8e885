import type { Sheet } from 'hucre/xlsx';
import type { CellStyle } from './number-format.ts';
import { type Archive, ArchiveError } from './size-gate.ts';
import { sheetSkeleton } from './skeleton.ts';
import { storedZip } from './stored-zip.ts';
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

/**
 * Reads everything of a workbook but its rows, through hucre, which knows how the parts of a workbook hang together, what
 * a style shows and which of them are dates. It gets a small workbook that it cannot choke on: the sheets without their
 * rows, no pictures, no charts. In the first row of each sheet stands the name of its part; below, in the first sheet, one
 * number in each style. Its own reading of a hundred thousand rows takes 600 megabytes, half of them for shared texts.
 */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const { parts, styleCount, sharedStrings } = await outlineParts(archive);
  const { readXlsx } = await import('hucre/xlsx');
  const zip = storedZip(parts);
  try {
    const names: string[] = [];
    const isWanted = ({ name }: { name: string }) => {
      names.push(name);
      return false;
    };
    const { dateSystem } = await readXlsx(zip, { sheets: isWanted });
    const sheets: Sheet[] = [];
    for (const at of names.keys()) sheets.push(...(await readSheet(readXlsx, zip, at)));
    const [first] = sheets;
    const styles = first === undefined ? [] : stylesOf(first, styleCount);
    return { sheets: sheets.map(outlineOf), styles, is1904: dateSystem === '1904', sharedStrings };
  } catch (error) {
    throw new ArchiveError('the workbook cannot be read', { cause: error });
  }
}

/** Not every sheet has rows: some are only a chart, and the library knows no part of cells for those. */
async function readSheet(
  readXlsx: typeof import('hucre/xlsx').readXlsx,
  zip: Uint8Array,
  at: number,
): Promise<Sheet[]> {
  try {
    return (await readXlsx(zip, { sheets: [at], readStyles: true })).sheets;
  } catch (error) {
    if (error instanceof Error && error.message.includes('missing worksheet file')) return [];
    throw error;
  }
}

type OutlineParts = { parts: Map<string, string>; styleCount: number; sharedStrings: string | null };

/** Parts are known by their first element, not by their names, which every program chooses by itself. */
async function outlineParts(archive: Archive): Promise<OutlineParts> {
  const roots = new Map<string, string>();
  for (const name of archive.names)
    if (/\.(?:xml|rels)$/i.test(name)) roots.set(name, rootOf(await firstChunk(archive, name)));
  const parts = new Map<string, string>();
  let styleCount = 0;
  for (const [name, root] of roots) {
    if (!['workbook', 'styleSheet', 'Types', 'Relationships'].includes(root)) continue;
    const text = await wholeText(archive.chunks(name));
    if (root === 'styleSheet') styleCount = Math.min(text.match(/<(?:[\w.-]+:)?xf[\s/>]/g)?.length ?? 0, STYLES_MAX);
    parts.set(name, text);
  }
  for (const [name, root] of roots)
    if (root === 'worksheet') parts.set(name, await sheetSkeleton(archive, name, marks(name, styleCount)));
  const sharedStrings = [...roots].find(([, root]) => root === 'sst')?.[0] ?? null;
  return { parts, styleCount, sharedStrings };
}

/** The rows that a skeleton gets: see `readWorkbook`. */
function marks(part: string, styleCount: number): string {
  const name = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rows = [`<row r="1"><c r="A1" t="inlineStr"><is><t>${name}</t></is></c></row>`];
  for (let style = 0; style < styleCount; style++)
    rows.push(`<row r="${style + 2}"><c r="A${style + 2}" s="${style}"><v>1</v></c></row>`);
  return rows.join('');
}

async function firstChunk(archive: Archive, name: string): Promise<string> {
  for await (const chunk of archive.chunks(name)) return Buffer.from(chunk.subarray(0, 4_096)).toString('latin1');
  return '';
}

function rootOf(text: string): string {
  const plain = text.replaceAll('\0', '').replace(/<!--.*?-->/gs, '');
  return /<(?:[\w.-]+:)?([A-Za-z]\w*)/.exec(plain)?.[1] ?? '';
}

function stylesOf(sheet: Sheet, count: number): CellStyle[] {
  return Array.from({ length: count }, (_, style) => {
    const cell = sheet.cells?.get(`${style + 1},0`);
    const format = cell?.style?.numFmt ?? null;
    return {
      format: format === null || /^(?:general|@)$/i.test(format) ? null : format,
      isDate: cell?.type === 'date',
    };
  });
}

function outlineOf(sheet: Sheet): SheetOutline {
  const hiddenColumns = new Set<number>();
  for (const [at, column] of (sheet.columns ?? []).entries())
    if (column.hidden === true || column.width === 0) hiddenColumns.add(at);
  return {
    name: sheet.name,
    part: String(sheet.rows[0]?.[0] ?? ''),
    isHidden: sheet.hidden === true || sheet.veryHidden === true,
    hiddenColumns,
    merges: (sheet.merges ?? []).map(({ startRow, endRow, startCol, endCol }) => ({
      firstRow: startRow + 1,
      lastRow: endRow + 1,
      firstColumn: startCol,
      lastColumn: endCol,
    })),
  };
}
