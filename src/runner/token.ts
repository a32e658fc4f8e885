import type { Randomness } from '../platform/clock.ts';

/** Crockford's base32: no I, L, O or U, so that a token survives being read aloud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TOKEN_CHARACTERS = 13;

/** `PR` and 65 random bits. Every attempt has one of its own, at the end of its description. */
export function newToken(randomness: Randomness): string {
  let token = 'PR';
  for (const byte of randomness.bytes(TOKEN_CHARACTERS)) token += ALPHABET.charAt(byte & 31);
  return token;
}

/** Whether `token` stands in the text as a whole word, in any case: a longer word that contains it is another's. */
export function hasToken(text: string | null | undefined, token: string): boolean {
  return token !== '' && (endsWithToken(text, token) || tokensIn(text).includes(token));
}

/** As `describe` puts it there, which services rarely change: a look in place of a search. */
function endsWithToken(text: string | null | undefined, token: string): boolean {
  if (!text?.endsWith(token) || !TOKEN.test(token)) return false;
  return text.length === token.length || text[text.length - token.length - 1] === ' ';
}

const TOKEN = /^PR[0-9A-HJKMNP-TV-Z]{13}$/;

/** Whether any attempt's token stands in the text. */
export function hasSomeToken(text: string | null | undefined): boolean {
  return tokensIn(text).length > 0;
}

/** Every attempt's token that stands in the text as a whole word, in its order. Services change descriptions to other cases. */
export function tokensIn(text: string | null | undefined): string[] {
  const words = text?.match(/(?<![\p{L}\p{N}_])pr[0-9a-hjkmnp-tv-z]{13}(?![\p{L}\p{N}_])/giu) ?? [];
  return words.map((word) => word.toUpperCase());
}

/** The description that is sent: the payer's own note, then the token. */
export function describe(note: string | null, token: string): string {
  return note ? `${note} ${token}` : token;
}
