import { letterDistance } from '../input/header/near-miss.ts';

/** The one known word that was probably meant: written in another way (`only-valid`, `onlyValid`), or with a slip. */
export function nearestKey(typed: string, known: readonly string[]): string | null {
  const letters = lettersOf(typed);
  const slipsMax = letters.length < 4 ? 0 : letters.length < 7 ? 1 : 2;
  let best: string[] = [];
  let least = slipsMax;
  for (const word of known) {
    const distance = letterDistance(letters, lettersOf(word), slipsMax);
    if (distance > least) continue;
    if (distance < least) best = [];
    least = distance;
    best.push(word);
  }
  return best.length === 1 ? (best[0] ?? null) : null;
}

function lettersOf(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
