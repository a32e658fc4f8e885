import type { Randomness } from '../domain/clock.ts';

/** Crockford's base32: no I, L, O or U, so that a token survives being read aloud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TOKEN_CHARACTERS = 13;

/** `PR` and 65 random bits. Every attempt has one of its own, at the end of its description. */
export function newToken(randomness: Randomness): string {
  let token = 'PR';
  for (const byte of randomness.bytes(TOKEN_CHARACTERS)) token += ALPHABET.charAt(byte & 31);
  return token;
}

/** Whether `token` stands in the text as a whole word: a longer word that contains it is another's. */
export function hasToken(text: string | null | undefined, token: string): boolean {
  if (!text || token === '') return false;
  const at = text.lastIndexOf(token);
  if (at < 0) return false;
  return !isWord(text.charAt(at - 1)) && !isWord(text.charAt(at + token.length));
}

/** Whether any attempt's token stands in the text. */
export function hasSomeToken(text: string | null | undefined): boolean {
  return tokensIn(text).length > 0;
}

/** Every attempt's token that stands in the text as a whole word, in its order. */
export function tokensIn(text: string | null | undefined): string[] {
  return text?.match(/(?<![\p{L}\p{N}_])PR[0-9A-HJKMNP-TV-Z]{13}(?![\p{L}\p{N}_])/gu) ?? [];
}

/** The description that is sent: the payer's own note, then the token. */
export function describe(note: string | null, token: string): string {
  return note ? `${note} ${token}` : token;
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
