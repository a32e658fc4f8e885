import { createHash } from 'node:crypto';
import { cleanText, cutText } from './xml.ts';

/** Max35Text. */
export const ID_MAX = 35;

/** Half of a SHA-256's half: a million ids of one beginning stay apart. */
const HASH_CHARACTERS = 16;

/**
 * An id as an element takes it: as it is where it fits; else its beginning and a hash of the whole, always the same for the
 * same id, and another for another.
 */
export function idText(id: string, max = ID_MAX): string {
  const clean = cleanText(id);
  if (clean === id && id !== '' && id.length <= max) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH_CHARACTERS);
  return `${cutText(clean, max - HASH_CHARACTERS - 1)}-${hash}`;
}
