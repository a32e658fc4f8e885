import { letterDistance } from '../input/header/near-miss.ts';

/** The one known word that was probably meant: written in another way (`only-valid`, `onlyValid`), or with a slip. */
export function nearestKey(typed: string, known: readonly string[]): string | null {
  const letters = lettersOf(typed);
  const slipsMax = letters.length < 4 ? 0 : letters.length < 7 ? 1 : 2;
  const distances = known.map((word) => letterDistance(letters, lettersOf(word), slipsMax));
  const least = Math.min(...distances);
  const nearest = known.filter((_, at) => distances[at] === least);
  return least <= slipsMax && nearest.length === 1 ? (nearest[0] ?? null) : null;
}

function lettersOf(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
