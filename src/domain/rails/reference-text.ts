import type { Finding } from './rail.ts';

/** A set of characters that a scheme carries, and what to call it. */
export type CharacterSet = { pattern: RegExp; label: string };

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

/** Everything wrong with a reference on a rail that carries `max` characters of `set` (null: any). */
export function checkReferenceText(
  reference: string,
  rail: { name: string; max: number; set: CharacterSet | null },
): Finding[] {
  const found: Finding[] = [];
  const count = characters(reference, rail.max);
  if (count > rail.max)
    found.push({
      severity: 'error',
      code: 'reference_too_long',
      field: 'reference',
      message: `The reference has ${count} characters; ${rail.name} carries ${rail.max}.`,
      remedy: `Shorten the reference to ${rail.max} characters.`,
    });
  if (rail.set !== null && !rail.set.pattern.test(reference))
    found.push({
      severity: 'error',
      code: 'reference_characters',
      field: 'reference',
      message: `The reference has characters that ${rail.name} does not carry.`,
      remedy: `Use only ${rail.set.label}.`,
    });
  return found;
}

/** The count of characters (code points); exact where it could exceed `max`. */
export function characters(text: string, max: number): number {
  return text.length <= max ? text.length : Array.from(text).length;
}
