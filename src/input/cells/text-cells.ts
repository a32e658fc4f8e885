import { type BetterRemedy, fault } from '../../domain/problem.ts';
import type { TextColumn } from '../../domain/problems/input-problems.ts';
import { codePoint } from '../../domain/rails/fields/reference-text.ts';
import { isPlainLatin, unseenIn, withoutUnseen } from '../../domain/strange-characters.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { isDoubtful, ungarbled } from '../source/garbled-text.ts';
import { isPlainAscii } from './plain-cell.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Characters that no name or text of a payment holds: control characters and line breaks, and halves of characters.
 * U+FFFD is what is left of a character that some program could not read.
 */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb\ufffd]/u;

/** Columns in which signs between letters are odd; a reference may have them. */
const NAMES: ReadonlySet<ColumnName> = new Set<ColumnName>(['name', 'account_name', 'entity_name']);

/**
 * The text of a cell, or null where it is empty. Refuses more than `max` characters and those that would be harmful; what
 * does not show is left out of the text, so that the rest of it can be checked.
 */
export function readText(cells: RowCells, column: TextColumn | 'reference', max: number): string | null {
  const text = cells.text(column);
  if (text === '') return null;
  if (text.length > max && Array.from(text).length > max)
    cells.error(
      column,
      column === 'reference' ? fault('reference_too_long', { max }) : fault(`${column}_too_long`, { column, max }),
    );
  return isPlainAscii(text) ? text : checkCharacters(cells, column, text);
}

/** Notes letters that are harmful, or that some program read in another encoding than they were written in. */
function checkCharacters(cells: RowCells, column: ColumnName, text: string): string {
  const refused = isPlainLatin(text) ? undefined : REFUSED.exec(text)?.[0];
  const unseen = refused === undefined ? unseenIn(text) : null;
  const written = refused === undefined && unseen === null ? ungarbled(text) : null;
  if (refused === '\ufffd') cells.error(column, fault('unreadable_character', { column }));
  else if (refused !== undefined)
    cells.error(column, fault('control_character', { column, character: codePoint(refused) }));
  else if (unseen !== null) return withoutUnseenNoted(cells, column, text, unseen);
  else if (written !== null)
    cells.error(column, { ...fault('garbled_text', { column, written }), suggestion: written });
  else if (NAMES.has(column) && isDoubtful(text)) cells.warn(column, fault('letters_doubtful', { column }));
  return text;
}

/** A bank compares names and references by each character, also by those that nobody sees. */
function withoutUnseenNoted(cells: RowCells, column: ColumnName, text: string, unseen: string): string {
  const what = fault('control_character', { column, character: codePoint(unseen) });
  const rest = withoutUnseen(text);
  const better: BetterRemedy = { do: 'write_alone', text: rest };
  cells.error(column, rest === '' ? what : { ...what, params: { ...what.params, better }, suggestion: rest });
  return rest;
}

/** What programs write where they have no name. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  'null (null) <null> nil none undefined n/a #n/a n.a. unknown tbd tba'.split(' '),
);

const PLACEHOLDER_LENGTH_MAX = 9;

/**
 * What people write in its place, in small letters without full stops, and which can be a name by chance: for tests, for
 * nobody, for somebody, or as the name of nobody in particular.
 */
const LIKE_PLACEHOLDERS: ReadonlySet<string> = new Set(
  (
    'test|tests|test test|test user|test payee|test name|test account|tester|testing|testtest|dummy|sample|example|demo|xx|xxx|' +
    'xxxx|xxxxx|x x|xxx xxx|yyy|zzz|aaa|abc|abc abc|asdf|qwerty|foo|foo bar|nn|n n|nomen nescio|tba|tbc|tbd|to be confirmed|' +
    'to be announced|to be determined|to be defined|pending|name|full name|first last|first name|last name|firstname lastname|' +
    'same|same as above|as above|ditto|idem|nobody|no name|noname|anonymous|payee|employee|john doe|jane doe|joe bloggs|' +
    'muster|max muster|mustermann|max mustermann|erika mustermann|beispiel|unbekannt|offen|folgt|siehe oben|dito|kein name|name vorname|' +
    'vorname nachname|essai|exemple|inconnu|inconnue|à définir|a definir|nom prénom|prénom nom|idem ci-dessus|prueba|ejemplo|' +
    'desconocido|desconocida|por definir|por confirmar|nombre|nombre apellido|fulano|fulano de tal|sin nombre|teste|exemplo|' +
    'desconhecido|desconhecida|nome|nome sobrenome|beltrano|sem nome|prova|esempio|sconosciuto|da definire|nome cognome|' +
    'proef|voorbeeld|onbekend|naam|voornaam achternaam|testowy|przykład|nieznany|nieznana|brak|' +
    'imię nazwisko|zkouška|příklad|neznámý|teszt|minta|ismeretlen|necunoscut|exemplu|deneme|' +
    'örnek|bilinmiyor|ad soyad|okänd|exempel|ukendt|eksempel|ukjent|tuntematon|esimerkki|тест|тестовый|неизвестно|не указано|' +
    'тестовий|невідомо|δοκιμή|άγνωστο|テスト|サンプル|未定|不明|测试|测试用户|張三|张三|未知|待定|테스트|홍길동|' +
    'اختبار|تجربة|غير معروف|בדיקה|परीक्षण|ทดสอบ|thử nghiệm|contoh|uji coba'
  )
    .split('|')
    .map(plain),
);

/** Few names have as many letters as a placeholder and begin and end with the same ones: only these are compared. */
const LIKE_PLACEHOLDER_SHAPES: ReadonlySet<number> = new Set(LIKE_PLACEHOLDERS.values().map(shapeOf));

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
  else if (isLikePlaceholder(name)) cells.warn(column, fault('name_like_placeholder'));
  else if (BEYOND_LATIN.test(name)) warnOfMixed(cells, column, name);
}

function isLikePlaceholder(name: string): boolean {
  return LIKE_PLACEHOLDER_SHAPES.has(shapeOf(name)) && LIKE_PLACEHOLDERS.has(plain(name));
}

/** As placeholders are compared: in small letters, without full stops (`N.N.`), with one blank between words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('.', '')
    .replace(/[\s_-]+/g, ' ')
    .trim();
}

/** A number of how many letters there are, the first and the last: the same for texts that are the same in `plain`. */
function shapeOf(text: string): number {
  let letters = 0;
  let first = 0;
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isBetweenWords(unit)) continue;
    last = unit;
    if (letters++ === 0) first = unit;
  }
  return letters + 64 * smallLetter(first) + 1_021 * smallLetter(last);
}

function isBetweenWords(unit: number): boolean {
  if (unit > 0x5f && unit < 0x80) return false;
  if (unit < 0x80) return unit <= 0x20 || unit === 0x2d || unit === 0x2e || unit === 0x5f;
  return unit === 0xa0 || (unit >= 0x1680 && /\s/.test(String.fromCharCode(unit)));
}

/** Of an ASCII letter the one that has bit 5 set; of others as their language has it. */
function smallLetter(unit: number): number {
  return unit < 0x80 ? unit | 0x20 : String.fromCharCode(unit).toLowerCase().charCodeAt(0);
}

function warnOfMixed(cells: RowCells, column: 'name' | 'account_name', name: string): void {
  const word = name.split(/[^\p{L}\p{M}]+/u).find((part) => LATIN.test(part) && LIKE_LATIN.test(part));
  const letter = word === undefined ? undefined : LIKE_LATIN.exec(word)?.[0];
  if (word === undefined || letter === undefined) return;
  const alphabet = /\p{Script=Greek}/u.test(letter) ? 'Greek' : 'Cyrillic';
  cells.warn(column, fault('name_mixed_alphabets', { letter, alphabet, word }));
}
