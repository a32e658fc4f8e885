import { Refusal } from '../../domain/refusal.ts';
import { type Delimiter, endOfCell } from '../source/csv.ts';
import { sniffDelimiter } from '../source/csv-table.ts';
import { bytesByCharacter, type Encoding, isMultiByte, withoutSecondBytes } from '../source/encoding/encodings.ts';
import { headText, type Survey } from '../source/sniff.ts';

/** The texts that cells get: by row, then by column, both from 0 and counted as the reading of the file counts them. */
export type CellTexts = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** The new bytes, and what the cells held, in the order of the file. */
export type PatchedCsv = { bytes: Buffer; old: OldCell[] };

export type OldCell = { row: number; column: number; text: string };

/**
 * The bytes of a text file with some of its cells replaced. All other bytes stay as they are: encoding, mark, delimiter,
 * line ends and quotes. Each byte (in UTF-16, each unit) stands for one character of a text in which delimiters, quotes
 * and line ends are what they are in the file, whatever else those characters are; in `marks` nothing else is one of them.
 */
export function patchCsv(bytes: Buffer, survey: Survey, texts: CellTexts): PatchedCsv {
  const { delimiter, hasSeparatorLine } = sniffDelimiter(headText(survey));
  const { encoding, markBytes } = survey;
  const units = unitsOf(bytes.subarray(markBytes), encoding);
  const marks = isMultiByte(encoding) ? withoutSecondBytes(units, encoding) : units;
  const pieces: string[] = [];
  const old: OldCell[] = [];
  let copied = 0;
  let [row, column] = [0, 0];
  for (let from = hasSeparatorLine ? units.indexOf('\n') + 1 : 0; from < units.length; ) {
    const end = endOfCell(marks, from, delimiter);
    // What cannot be divided is not read either.
    if (end < 0) break;
    const text = texts.get(row)?.get(column);
    if (text !== undefined) {
      const span = units.slice(from, end);
      old.push({ row, column, text: textOf(unquoted(span), encoding) });
      pieces.push(units.slice(copied, from), unitsOfText(quotedAs(span, text, delimiter), encoding));
      copied = end;
    }
    const isLast = marks[end] !== delimiter;
    [row, column] = isLast ? [row + 1, 0] : [row, column + 1];
    from = end + (units.startsWith('\r\n', end) ? 2 : 1);
  }
  pieces.push(units.slice(copied));
  return { bytes: Buffer.concat([bytes.subarray(0, markBytes), bytesOf(pieces.join(''), encoding)]), old };
}

function unquoted(span: string): string {
  return span.startsWith('"') ? span.slice(1, -1).replaceAll('""', '"') : span;
}

/** In quotes where the cell was, or where the text needs them. */
function quotedAs(span: string, text: string, delimiter: Delimiter): string {
  if (!span.startsWith('"') && !text.includes(delimiter) && !/["\r\n]/.test(text)) return text;
  return `"${text.replaceAll('"', '""')}"`;
}

function unitsOf(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf-16le') return bytes.toString('utf16le');
  if (encoding === 'utf-16be') return Buffer.from(bytes).swap16().toString('utf16le');
  return bytes.toString('latin1');
}

function bytesOf(units: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(units, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(units, 'utf16le').swap16();
  return Buffer.from(units, 'latin1');
}

function textOf(units: string, encoding: Encoding): string {
  return encoding.startsWith('utf-16') ? units : new TextDecoder(encoding).decode(Buffer.from(units, 'latin1'));
}

/** A text in the units of the file. Refuses (kind `usage`) a character that the file's encoding does not have. */
function unitsOfText(text: string, encoding: Encoding): string {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8').toString('latin1');
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return text;
  const table = bytesByCharacter(encoding);
  return Array.from(text, (character) => {
    const units = table.get(character);
    if (units === undefined) throw new Refusal({ code: 'character_not_in_encoding', encoding, character });
    return units;
  }).join('');
}
