import { fault } from '../../domain/problem.ts';
import type { TextColumn } from '../../domain/problems/input-problems.ts';
import { codePoint } from '../../domain/rails/fields/reference-text.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { isDoubtful, ungarbled } from '../source/garbled-text.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Characters that no name or text of a payment holds: control characters and line breaks, halves of characters, and
 * those that turn the reading direction, by which a text can show as another one. U+FFFD is what is left of a character
 * that some program could not read.
 */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/u;

const PLAIN_ASCII = /^[ -~]*$/;

/** Columns in which signs between letters are odd; a reference may have them. */
const NAMES: ReadonlySet<ColumnName> = new Set<ColumnName>(['name', 'account_name', 'entity_name']);

/** The text of a cell, or null where it is empty. Refuses more than `max` characters and those that would be harmful. */
export function readText(cells: RowCells, column: TextColumn | 'reference', max: number): string | null {
  const text = cells.text(column);
  if (text === '') return null;
  if (text.length > max && Array.from(text).length > max)
    cells.error(
      column,
      column === 'reference' ? fault('reference_too_long', { max }) : fault(`${column}_too_long`, { column, max }),
    );
  if (!PLAIN_ASCII.test(text)) checkCharacters(cells, column, text);
  return text;
}

/** Notes letters that are harmful, or that some program read in another encoding than they were written in. */
function checkCharacters(cells: RowCells, column: ColumnName, text: string): void {
  const refused = REFUSED.exec(text)?.[0];
  const written = refused === undefined ? ungarbled(text) : null;
  if (refused === '\ufffd') cells.error(column, fault('unreadable_character', { column }));
  else if (refused !== undefined)
    cells.error(column, fault('control_character', { column, character: codePoint(refused) }));
  else if (written !== null)
    cells.error(column, { ...fault('garbled_text', { column, written }), suggestion: written });
  else if (NAMES.has(column) && isDoubtful(text)) cells.warn(column, fault('letters_doubtful', { column }));
}

/** What programs write where they have no name. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'null (null) <null> nil none undefined n/a #n/a n.a. unknown tbd tba'.split(' '),
);

const PLACEHOLDER_LENGTH_MAX = 9;

const LATIN = /\p{Script=Latin}/u;
const LIKE_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** The first letters of both alphabets come behind all that Latin names have, but for Vietnamese ones. */
const BEYOND_LATIN = /[\u0370-\u1dff\u1f00-\uffff]/;

/** Notes a name that is none, or not the one that it seems to be. */
export function checkName(cells: RowCells, column: 'name' | 'account_name', name: string): void {
  if (name.length <= PLACEHOLDER_LENGTH_MAX && PLACEHOLDERS.has(name.toLowerCase()))
    cells.error(column, fault('name_placeholder'));
  // Nearly every name has a letter of ASCII. A character of private use stands for a letter that the font of a system has.
  else if (!/[A-Za-z]/.test(name) && !/[\p{L}\p{Co}]/u.test(name))
    if (/\p{N}/u.test(name)) cells.warn(column, fault('name_only_digits'));
    else cells.error(column, fault('name_without_letters'));
  else if (BEYOND_LATIN.test(name) && LIKE_LATIN.test(name) && name.split(/[^\p{L}\p{M}]+/u).some(isMixed))
    cells.warn(column, fault('name_mixed_alphabets'));
}

function isMixed(word: string): boolean {
  return LATIN.test(word) && LIKE_LATIN.test(word);
}
