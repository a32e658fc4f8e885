import type { Randomness } from '../../domain/clock.ts';

const CHARACTERS = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** What a person, an upload or a folder is known by: 80 random bits, in letters that any file system keeps apart. */
export function randomId(randomness: Randomness): string {
  let id = '';
  for (const byte of randomness.bytes(CHARACTERS)) id += ALPHABET.charAt(byte & 31);
  return id;
}
