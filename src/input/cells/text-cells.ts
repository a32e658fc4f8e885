import type { ColumnName } from '../header/synonyms.ts';
import { isDoubtful, ungarbled } from '../source/garbled-text.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Characters that no name or text of a payment holds: control characters and line breaks, halves of characters, and
 * those that turn the reading direction, by which a text can show as another one. U+FFFD is what is left of a character
 * that some program could not read.
 */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** Columns in which signs between letters are odd; a reference may have them. */
const NAMES: ReadonlySet<ColumnName> = new Set<ColumnName>(['name', 'account_name', 'entity_name']);

/** The text of a cell, or null where it is empty. Refuses more than `max` characters and those that would be harmful. */
export function readText(cells: RowCells, column: ColumnName, max: number): string | null {
  const text = cells.text(column);
  if (text === '') return null;
  if (text.length > max && Array.from(text).length > max)
    cells.error(column, {
      code: `${column}_too_long`,
      message: `${label(column)} has more than ${max} characters.`,
      remedy: `Shorten it to ${max} characters.`,
    });
  if (!isPlainAscii(text)) refuseCharacters(cells, column, text);
  return text;
}

/** `The account name` of `account_name`. */
function label(column: ColumnName): string {
  return `The ${column.replaceAll('_', ' ')}`;
}

function refuseCharacters(cells: RowCells, column: ColumnName, text: string): void {
  const found = REFUSED.exec(text)?.[0];
  if (found === undefined) noteWrongEncoding(cells, column, text);
  else noteRefused(cells, column, found);
}

/** Letters that some program read in another encoding than they were written in. */
function noteWrongEncoding(cells: RowCells, column: ColumnName, text: string): void {
  const written = ungarbled(text);
  if (written !== null)
    cells.error(column, {
      code: 'garbled_text',
      message: `${label(column)} was read in a wrong encoding by some program before: it was probably “${written}”.`,
      remedy: 'Write it so. Where many are wrong, open the file anew as UTF-8 in the program that made this one.',
      suggestion: written,
    });
  else if (NAMES.has(column) && isDoubtful(text))
    cells.warn(column, {
      code: 'letters_doubtful',
      message: `${label(column)} looks like one that was read in a wrong encoding.`,
      remedy:
        'If it is wrong, open the file in the program that made it and save it as CSV UTF-8; else nothing is to be done.',
    });
}

function noteRefused(cells: RowCells, column: ColumnName, found: string): void {
  if (found === '\ufffd')
    cells.error(column, {
      code: 'unreadable_character',
      message: `${label(column)} has a character that could not be read and shows as \ufffd.`,
      remedy: 'Type the text again, and save the file as CSV UTF-8.',
    });
  else
    cells.error(column, {
      code: 'control_character',
      message: `${label(column)} has a line break or another character that cannot be seen (${codePoint(found)}).`,
      remedy: 'Type the text again without it.',
    });
}

function isPlainAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit > 0x7e) return false;
  }
  return true;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
