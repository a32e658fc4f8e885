import type { CharacterSetName } from '../../problems/account-problems.ts';
import { error, type Found, NOTHING, type RailName, suggesting, warning } from '../rail.ts';
import { transliterate } from './transliterate.ts';

/** What a rail does with the reference. */
export type ReferenceRule = {
  /** In characters. */
  max: number;
  /** What the rail carries; without it any character. */
  set?: CharacterSetName;
  /** What every bank on the rail is known to show, where that is less than what the rail carries. */
  safe?: CharacterSetName;
  /** What else is wrong with a reference in which nothing is so far. */
  also?: (reference: string) => readonly Found[];
};

/** The characters that schemes carry. */
const PATTERNS: Readonly<Record<CharacterSetName, RegExp>> = {
  /**
   * The SWIFT X character set without line breaks, which SEPA shares: ISO 15022 / EPC217-08, section 1.4. A text must not
   * begin with `-` or `:`, which SWIFT takes for the begin of a field.
   */
  swift: /^(?![-:])[a-zA-Z0-9/\-?:().,'+ ]*$/,
  /** The `concepto de pago` of SPEI (Banxico, Circular 14/2017). */
  letters_digits_blanks: /^[a-zA-Z0-9 ]*$/,
  /** What the files and core systems of older schemes have. */
  ascii: /^[ -~]*$/,
  /** Files of the ACH have one byte for each character. */
  latin_1: /^[ -~\u00a0-\u00ff]*$/,
  /** What the older Bacs carries is what every bank shows; of other signs some banks make blanks. */
  bacs: /^[a-zA-Z0-9.&/ -]*$/,
};

/** So many strange characters are named. */
const STRANGERS_SHOWN = 10;

/** Everything wrong with a reference on a rail, which carries none where the rule is null. */
export function checkReferenceText(reference: string, rail: RailName, rule: ReferenceRule | null): readonly Found[] {
  if (rule === null) return reference === '' ? NOTHING : warning('reference_not_carried');
  const { max, set, safe, also } = rule;
  const found: Found[] = [];
  const has = characters(reference, max);
  if (has > max) found.push(...error('reference_too_long', { max, rail, has, arrives: cutAt(reference, max) }));
  if (set !== undefined && !PATTERNS[set].test(reference)) {
    const example = exampleOf(reference, rail, rule, safe ?? set);
    const strange = strangers(reference, set);
    const wrong = error('reference_characters', { rail, strange, begin: reference.charAt(0), set, example });
    found.push(...suggesting(wrong, example));
  } else if (safe !== undefined && !PATTERNS[safe].test(reference)) {
    const example = exampleOf(reference, rail, rule, safe);
    const unsafe = warning('reference_may_change', { strange: strangers(reference, safe), set: safe, example });
    found.push(...suggesting(unsafe, example));
  }
  return found.length === 0 && also !== undefined ? also(reference) : found;
}

/** The count of characters (code points); exact where it could exceed `max`. */
export function characters(text: string, max: number): number {
  return text.length <= max ? text.length : Array.from(text).length;
}

/** The first `max` characters: what arrives where a bank cuts the rest off. */
export function cutAt(text: string, max: number): string {
  return Array.from(text).slice(0, max).map(visible).join('');
}

/** What could be written instead, where that has nothing wrong itself. */
function exampleOf(reference: string, rail: RailName, rule: ReferenceRule, set: CharacterSetName): string | undefined {
  const text = transliterate(reference, (part) => strangers(part, set).length === 0);
  if (text === null) return undefined;
  const example = PATTERNS[set].test(text) ? text : text.replace(/^[-: ]+/, '');
  return example === '' || checkReferenceText(example, rail, rule).length > 0 ? undefined : example;
}

/** Each character that is not of the set, once; the first ten. What a set forbids at the begin alone is of it. */
function strangers(text: string, set: CharacterSetName): string[] {
  const found = new Set<string>();
  for (const character of text.normalize('NFC'))
    if (!PATTERNS[set].test(`x${character}`)) found.add(visible(character));
  return [...found].slice(0, STRANGERS_SHOWN);
}

/** The character, or `U+200B` for one that shows as nothing or as something else. */
function visible(character: string): string {
  return /[\p{C}\p{Z}]/u.test(character) && character !== ' ' ? codePoint(character) : character;
}

/** `U+200B`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
