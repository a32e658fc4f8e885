import { type Archive, ArchiveError } from '../../../platform/xlsx/archive.ts';
import { XmlError, XmlScanner } from '../../../platform/xlsx/xml-scanner.ts';
import type { RowFacts } from '../../cells/cell-facts.ts';
import type { TablePart } from '../table.ts';
import { CoveredCells } from './cell-range.ts';
import { type SheetContext, type SheetRow, SheetRows } from './sheet-rows.ts';
import type { SheetOutline } from './workbook.ts';

/** Rows are handed on in blocks of about so many: few, because those of a block outlive what is made while they are read. */
const BLOCK_ROWS = 32;

/** The rows of a sheet, in blocks without gaps. Ends with a fault where the sheet cannot be read to its end. */
export async function* sheetParts(
  archive: Archive,
  { part, merges }: Pick<SheetOutline, 'part' | 'merges'>,
  context: SheetContext,
): AsyncGenerator<TablePart> {
  const covered = new CoveredCells(merges);
  let last = 0;
  try {
    for await (const rows of sheetBlocks(archive, part, context)) {
      for (const block of withoutGaps(rows, covered)) yield block;
      last = rows.at(-1)?.row ?? last;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    yield { kind: 'fault', code: 'workbook_damaged', row: last === 0 ? null : last + 1 };
  }
}

/** The first rows of a sheet, at least `count` if it has so many. */
export async function firstRows(
  archive: Archive,
  part: string,
  context: SheetContext,
  count: number,
): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const block of sheetBlocks(archive, part, context, 1)) {
    rows.push(...block);
    if (rows.length >= count) break;
  }
  return rows;
}

/** Whether an error is about the file, and not a mistake of payrun. */
export function isDamage(error: unknown): boolean {
  return error instanceof ArchiveError || error instanceof XmlError;
}

async function* sheetBlocks(
  archive: Archive,
  part: string,
  context: SheetContext,
  size = BLOCK_ROWS,
): AsyncGenerator<SheetRow[]> {
  const sink = new SheetRows(context);
  const scanner = new XmlScanner(sink);
  let rows: SheetRow[] = [];
  for await (const chunk of archive.texts(part)) {
    // What comes behind the rows is only read for its checksum.
    if (sink.isDone) continue;
    scanner.push(chunk);
    for (const row of sink.take()) rows.push(row);
    if (rows.length < size) continue;
    yield rows;
    rows = [];
  }
  if (!sink.isDone) throw new XmlError('the rows have no end');
  if (rows.length > 0) yield rows;
}

/** Sheets leave out empty rows, which can be a million. */
function* withoutGaps(rows: readonly SheetRow[], merged: CoveredCells): Generator<TablePart> {
  let records: string[][] = [];
  let facts: (RowFacts | null)[] = [];
  let firstRow = 0;
  for (const { row, texts, facts: cells, isHidden, struck } of rows) {
    if (row !== firstRow + records.length) {
      if (records.length > 0) yield { kind: 'records', firstRow, records, facts };
      records = [];
      facts = [];
      firstRow = row;
    }
    records.push(texts);
    const covered = merged.of(row - 1, texts);
    if (cells === null && struck === null && covered === null && !isHidden) facts.push(null);
    else facts.push({ cells, isHidden, ...(struck !== null && { struck }), ...(covered !== null && { covered }) });
  }
  if (records.length > 0) yield { kind: 'records', firstRow, records, facts };
}
