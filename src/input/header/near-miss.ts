import { fiat, isCrypto } from '../../domain/currencies.ts';
import { onFirstUse } from '../../domain/lazy/on-first-use.ts';
import { letterDistance, nearest } from '../../domain/misspelling.ts';
import { columnOf, spelledOut } from './columns.ts';
import { headerKey, keysOf } from './header-key.ts';
import { isOfSender } from './sender-words.ts';
import { COLUMN_NAMES, type ColumnName } from './synonyms.ts';
import { columnWords, unsureWordsOf, weakestReferenceKeys, weakReferenceKeys } from './vocabulary.ts';

/**
 * Why a header that names no column may mean one: it is misspelt (`Acount number`) or its words are turned round
 * (`Number Account`); it has something in addition (`Amount (AUD)`); or its word has other meanings too (`Konto`).
 */
export type Likeness = 'misspelt' | 'added' | 'unsure';

export type NearMiss = { column: ColumnName; likeness: Likeness };

const SLIPS_MAX = 2;

/** Of another matter than the payee, and a letter or two from our words. The owner of the account decides (`Employer name`). */
const OTHER_PARTY = /employer|employeur|contract|vertrag/;

/** One letter of these is a syllable or a word. */
const OF_SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Common headers of payrolls that are a letter or two from one of our words, and mean what they say. */
const MEANT_AS_WRITTEN: ReadonlySet<string> = new Set(
  [
    'cost code',
    'tax code',
    'job code',
    'pay code',
    'note',
    'notes',
    'date',
    'pay date',
    'rate',
    'bank',
    'bank name',
    // What members pay, a letter from the German word for an amount.
    'Beitrag',
    'Beiträge',
  ].map(headerKey),
);

/** A header or a word as it is compared: as one, and by its parts. */
type Compared = { key: string; tokens: string[]; inOrder: string };

/** One of our words. Its parts are made when a header of about its length and letters is compared with it. */
type Word = { column: ColumnName; text: string; key: string; letters: number; parts: Compared | null };

const unsureByKey = onFirstUse(
  (): ReadonlyMap<string, ColumnName> =>
    new Map(
      COLUMN_NAMES.flatMap((column) =>
        unsureWordsOf(column).flatMap((word) => keysOf(word).map((key) => [key, column] as const)),
      ),
    ),
);

/**
 * The columns that a header may mean though it names none of them, the likeliest alone: several only where they are
 * equally likely. None for a header that names a column.
 */
export function nearMisses(header: string): NearMiss[] {
  const key = headerKey(header);
  if (key === '' || columnOf(header) !== null) return [];
  const added = withoutAdditions(header);
  if (added !== null) return [{ column: added, likeness: 'added' }];
  const keys = [key, spelledOut(header), headerKey(bareHeader(header))];
  const unsure = keys.map((each) => unsureByKey().get(each)).find((column) => column !== undefined);
  if (unsure !== undefined) return [{ column: unsure, likeness: 'unsure' }];
  if (weakReferenceKeys().has(key) || weakestReferenceKeys().has(key)) return [];
  if (MEANT_AS_WRITTEN.has(key) || OTHER_PARTY.test(key) || isOfSender(header) || OF_SYLLABLES.test(header)) return [];
  return misspelt(header).map((column) => ({ column, likeness: 'misspelt' }));
}

/** The column of a mistyped column name, as `acount_number`; null where none is near. */
export function nearestColumnName(text: string): ColumnName | null {
  const known = columnOf(text);
  if (known !== null) return known;
  const [first, second] = misspelt(text);
  return first !== undefined && second === undefined ? first : null;
}

/** The words of a header, `accountNumber` and `account_number` alike, each as it is compared. */
function tokensOf(header: string): string[] {
  return header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}#№%°]+/u)
    .map(headerKey)
    .filter((token) => token !== '');
}

const words = onFirstUse((): readonly Word[] =>
  columnWords().map(({ column, text, keys: [key = ''] }) => ({
    column,
    text,
    key,
    letters: lettersOf(key),
    parts: null,
  })),
);

function compared(text: string): Compared {
  const tokens = tokensOf(text);
  const key = tokens.join('');
  return { key, tokens, inOrder: tokens.toSorted().join(' ') };
}

/** The columns whose words are the fewest slips away, if they are near enough. */
function misspelt(text: string): ColumnName[] {
  const header = compared(text);
  const letters = lettersOf(header.key);
  const alike = words().filter((word) => mayBeNear(letters, word.letters));
  return [...new Set(nearest(alike, (word) => distanceTo(header, word)).map(({ column }) => column))];
}

/** Which letters a key has: a bit for each, which letters of other alphabets share. */
function lettersOf(key: string): number {
  let letters = 0;
  for (let at = 0; at < key.length; at++) letters |= 1 << (key.charCodeAt(at) & 31);
  return letters;
}

/** Whether so few letters are in one of two keys only that slips can be all that is between them: each changes two at most. */
function mayBeNear(letters: number, others: number): boolean {
  let bits = letters ^ others;
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count <= 2 * SLIPS_MAX;
}

/** How far a header is from a word, or null where it is too far to be a slip. */
function distanceTo(header: Compared, word: Word): number | null {
  if (Math.abs(header.key.length - word.key.length) > SLIPS_MAX) return null;
  word.parts ??= compared(word.text);
  const { tokens, inOrder } = word.parts;
  if (header.tokens.length !== tokens.length) {
    const slips = slipsBetween(header.key, word.key);
    return slips === 1 ? slips : null;
  }
  if (header.tokens.length > 1 && header.inOrder === inOrder) return 1;
  let sum = 0;
  for (const [at, token] of header.tokens.entries()) {
    const slips = slipsBetween(token, tokens[at] ?? '');
    if (slips === null) return null;
    sum += slips;
  }
  return sum <= SLIPS_MAX ? sum : null;
}

/**
 * How many slips of the fingers are between two words, or null where there are more than words of their length allow:
 * none in up to three letters (`bic`, `pix`), one in up to nine, two in longer ones. Short words differ from others by one
 * letter (`note`, `nome`), so in four or five letters one may be missing, doubled or swapped, and none be another.
 */
export function slipsBetween(a: string, b: string): number | null {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  const max = shorter < 4 ? 0 : shorter < 10 ? 1 : SLIPS_MAX;
  if (Math.abs(a.length - b.length) > max || max === 0) return null;
  const distance = letterDistance(a, b, max);
  // A digit is never a slip of another: `address 1`, `address 2`.
  if (distance > max || /\d/.test(a) || /\d/.test(b)) return null;
  return shorter < 6 && a.length === b.length && !isSwap(a, b) ? null : distance;
}

function isSwap(a: string, b: string): boolean {
  const letters = (text: string) => [...text].sort().join('');
  return letters(a) === letters(b);
}

function withoutAdditions(header: string): ColumnName | null {
  return columnOf(bareHeader(header));
}

/** A header without what is in brackets and without a currency: `Betrag in EUR`, `Routing number (ABA)`. */
function bareHeader(header: string): string {
  const bare = header.replace(/[([{（].*?[)\]}）]/g, ' ');
  const words = bare.split(/[\s_\-/:.,]+/).filter((word) => !isCurrencyCode(word));
  const withoutIn = words.filter((word, at) => !(at === words.length - 1 && /^(?:in|en|em|w)$/i.test(word)));
  return withoutIn.join(' ');
}

function isCurrencyCode(word: string): boolean {
  const code = word.toUpperCase();
  return fiat(code) !== null || isCrypto(code) || /^[€$£¥₹]$/.test(word);
}
