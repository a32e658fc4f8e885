import type { Finding, RailName } from '../rail.ts';
import { transliterate } from './transliterate.ts';

/** A set of characters that a scheme carries, and what to call it. */
export type CharacterSet = { pattern: RegExp; label: string };

/** What a rail does with the reference. */
export type ReferenceRule = {
  name: RailName;
  max: number;
  /** What the rail carries; null: any character. */
  set: CharacterSet | null;
  /** What every bank on the rail is known to show, where that is less than what the rail carries. */
  safe?: CharacterSet;
};

/**
 * The SWIFT X character set without line breaks, which SEPA shares: ISO 15022 / EPC217-08, section 1.4. A text must not
 * begin with `-` or `:`, which SWIFT takes for the begin of a field.
 */
export const SWIFT_TEXT: CharacterSet = {
  pattern: /^(?![-:])[a-zA-Z0-9/\-?:().,'+ ]*$/,
  label: "unaccented letters, digits, blanks and / - ? : ( ) . , ' +, not beginning with - or :",
};

/** The `concepto de pago` of SPEI (Banxico, Circular 14/2017): letters, digits and blanks. */
export const LETTERS_DIGITS_BLANKS: CharacterSet = {
  pattern: /^[a-zA-Z0-9 ]*$/,
  label: 'unaccented letters, digits and blanks',
};

/** Printable ASCII: what the files and core systems of older schemes have. */
export const ASCII_TEXT: CharacterSet = {
  pattern: /^[ -~]*$/,
  label: 'unaccented letters, digits, blanks and the signs of an English keyboard',
};

/** So many strange characters are named. */
const STRANGERS_SHOWN = 10;

/** Everything wrong with a reference on a rail. */
export function checkReferenceText(reference: string, rule: ReferenceRule): Finding[] {
  const found: Finding[] = [];
  const count = characters(reference, rule.max);
  if (count > rule.max) found.push(tooLong(reference, rule, count));
  if (rule.set !== null && !rule.set.pattern.test(reference)) found.push(wrongCharacters(reference, rule, rule.set));
  else if (rule.safe !== undefined && !rule.safe.pattern.test(reference))
    found.push(unsafeCharacters(reference, rule, rule.safe));
  return found;
}

/** The count of characters (code points); exact where it could exceed `max`. */
export function characters(text: string, max: number): number {
  return text.length <= max ? text.length : Array.from(text).length;
}

/** The first `max` characters in quotes: what arrives where a bank cuts the rest off. */
export function cutAt(text: string, max: number): string {
  return `“${Array.from(text).slice(0, max).map(visible).join('')}”`;
}

function tooLong(reference: string, rule: ReferenceRule, count: number): Finding {
  return {
    severity: 'error',
    code: 'reference_too_long',
    field: 'reference',
    message: `The reference has ${count} characters; ${rule.name} carries ${rule.max}, so the payee would see ${cutAt(reference, rule.max)}.`,
    remedy: `Shorten the reference to ${rule.max} characters.`,
  };
}

function wrongCharacters(reference: string, rule: ReferenceRule, set: CharacterSet): Finding {
  const strange = strangers(reference, set);
  const what = strange === '' ? `a ${reference.charAt(0)} at its begin` : `characters (${strange})`;
  return withSuggestion(reference, rule, rule.safe ?? set, {
    severity: 'error',
    code: 'reference_characters',
    field: 'reference',
    message: `The reference has ${what} that ${rule.name} does not carry.`,
    remedy: `Use only ${set.label}.`,
  });
}

function unsafeCharacters(reference: string, rule: ReferenceRule, safe: CharacterSet): Finding {
  return withSuggestion(reference, rule, safe, {
    severity: 'warning',
    code: 'reference_may_change',
    field: 'reference',
    message: `The reference has characters (${strangers(reference, safe)}) that some banks replace or drop.`,
    remedy: `To be sure of what the payee sees, use only ${safe.label}.`,
  });
}

/** Adds what could be written instead, where that has nothing wrong itself. */
function withSuggestion(reference: string, rule: ReferenceRule, set: CharacterSet, finding: Finding): Finding {
  const text = transliterate(reference, (part) => strangers(part, set) === '');
  if (text === null) return finding;
  const suggestion = set.pattern.test(text) ? text : text.replace(/^[-: ]+/, '');
  if (suggestion === '' || checkReferenceText(suggestion, rule).length > 0) return finding;
  return { ...finding, remedy: `${finding.remedy} For example: “${suggestion}”.`, suggestion };
}

/** Each character that is not of the set, once; the first ten. What a set forbids at the begin alone is of it. */
function strangers(text: string, set: CharacterSet): string {
  const found = new Set<string>();
  for (const character of text.normalize('NFC')) if (!set.pattern.test(`x${character}`)) found.add(visible(character));
  return [...found].slice(0, STRANGERS_SHOWN).join(' ');
}

/** The character, or `U+200B` for one that shows as nothing or as something else. */
function visible(character: string): string {
  if (!/[\p{C}\p{Z}]/u.test(character) || character === ' ') return character;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
