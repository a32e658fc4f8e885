import { letterDistance, nearest } from '../domain/misspelling.ts';

/** The one known word that was probably meant: written in another way (`only-valid`, `onlyValid`), or with a slip. */
export function nearestKey(typed: string, known: readonly string[]): string | null {
  const letters = lettersOf(typed);
  const slipsMax = letters.length < 4 ? 0 : letters.length < 7 ? 1 : 2;
  const near = nearest(known, (word) => {
    const distance = letterDistance(letters, lettersOf(word), slipsMax);
    return distance > slipsMax ? null : distance;
  });
  return near.length === 1 ? (near[0] ?? null) : null;
}

function lettersOf(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
