import * as sheetjs from '@e965/xlsx';
import { ConversionError } from './kinds.ts';
import { writeXlsx } from './sheet-builder.ts';

/** Records of BIFF: 2 bytes of their kind, 2 of their length. */
const BEGIN_OF_STREAM = 0x809;
const FILE_PASS = 0x2f;
const END_OF_STREAM = 0x0a;
const BIFF8 = 0x600;

/** The stream that has a newer workbook with a password. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Where a sheet is, and how high its rows are that say nothing of it. */
const SHEET_PLACE = 0x85;
const DEFAULT_HEIGHT = 0x225;
const IS_ZERO = 0x2;

/** A workbook of Excel 97 to 2003 as an XLSX workbook. Formulas become their stored results. */
export function oldWorkbookToXlsx(bytes: Buffer): Uint8Array {
  const stream = workbookStream(bytes);
  const read = sheetjs.read(stream, {
    type: 'buffer',
    dense: true,
    cellNF: true,
    cellStyles: true,
    cellText: false,
    cellHTML: false,
    cellFormula: false,
  });
  const book = sheetjs.utils.book_new();
  const properties: sheetjs.SheetProps[] = [];
  for (const [at, name] of read.SheetNames.entries()) {
    const sheet = read.Sheets[name];
    // Charts and macros have sheets of their own.
    if (sheet === undefined || (sheet['!type'] !== undefined && sheet['!type'] !== 'sheet')) continue;
    // XLSX says so once for all of them, which the library does not write.
    if (hidesRows(stream, at)) sheet['!rows'] = Array.from(sheet['!data'] ?? [], () => ({ hidden: true }));
    sheetjs.utils.book_append_sheet(book, sheet, name);
    properties.push({ Hidden: read.Workbook?.Sheets?.[at]?.Hidden ?? 0 });
  }
  if (properties.length === 0) throw new ConversionError('not_a_workbook');
  book.Workbook = { Sheets: properties, WBProps: { date1904: read.Workbook?.WBProps?.date1904 === true } };
  return writeXlsx(book);
}

/** The stream of the compound file that has the workbook. */
function workbookStream(bytes: Buffer): Buffer {
  if (bytes.includes(ENCRYPTED)) throw new ConversionError('workbook_encrypted');
  const file = sheetjs.CFB.read(bytes, { type: 'buffer' });
  const content = sheetjs.CFB.find(file, '/Workbook')?.content;
  if (content === undefined) {
    const isOlder = sheetjs.CFB.find(file, '/Book') !== null;
    throw new ConversionError(isOlder ? 'workbook_too_old' : 'not_a_workbook');
  }
  const stream = Buffer.from(content as Uint8Array);
  if (stream.length < 8 || stream.readUInt16LE(0) !== BEGIN_OF_STREAM) throw new ConversionError('workbook_damaged');
  if (stream.readUInt16LE(4) !== BIFF8) throw new ConversionError('workbook_too_old');
  if (isEncrypted(stream)) throw new ConversionError('workbook_encrypted');
  return stream;
}

/** The password's record is among those of the workbook as a whole, which come first. */
function isEncrypted(stream: Buffer): boolean {
  for (const { kind } of recordsFrom(stream, 0)) if (kind === FILE_PASS) return true;
  return false;
}

/** Whether a sheet, by its place among them, hides all rows that do not say otherwise. */
function hidesRows(stream: Buffer, sheet: number): boolean {
  const [place] = recordsFrom(stream, 0)
    .filter(({ kind }) => kind === SHEET_PLACE)
    .drop(sheet);
  if (place === undefined || place.content.length < 4) return false;
  const heights = recordsFrom(stream, place.content.readUInt32LE(0)).filter(({ kind }) => kind === DEFAULT_HEIGHT);
  return heights.some(({ content }) => content.length >= 2 && (content.readUInt16LE(0) & IS_ZERO) !== 0);
}

/** The records of a part of the stream, up to its end. */
function* recordsFrom(stream: Buffer, begin: number): Generator<{ kind: number; content: Buffer }> {
  let at = begin;
  while (at + 4 <= stream.length) {
    const kind = stream.readUInt16LE(at);
    const length = stream.readUInt16LE(at + 2);
    if (kind === END_OF_STREAM) return;
    yield { kind, content: stream.subarray(at + 4, at + 4 + length) };
    at += 4 + length;
  }
  throw new ConversionError('workbook_damaged');
}
