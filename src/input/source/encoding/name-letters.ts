import { IDEOGRAPHS, LETTER_STATISTICS, type NameLanguage } from './letter-statistics.ts';

/** So many pairs of neighbours a letter has, about: those of a trigram that was never seen are one of them. */
const NEIGHBOURS = 700;

/** How much the trigram itself, its halves, and no more than its letter count for its probability. */
const [WHOLE, HALVES, LETTER] = [0.55, 0.35, 0.1];

/** What a letter counts that no name has. */
const UNSEEN = 0.02;

/** So many ideographs are common in China or Japan, and syllables in Korea, and this part of those in names is in our lists. */
const COMMON_IDEOGRAPHS = 3_755;
const LISTED = 0.9;

const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** How often letters beyond ASCII stand beside which others in names of one language. */
export class NameLetters {
  readonly #trigrams = new Map<string, number>();
  readonly #left = new Map<string, number>();
  readonly #right = new Map<string, number>();
  readonly #letters = new Map<string, number>();
  readonly #ideographs: ReadonlySet<string>;
  #total = 0;

  /** Groups of trigrams that were counted once, twice, four times, and so on, divided by `/`; and ideographs. */
  constructor(statistics: string, ideographs: string) {
    this.#ideographs = new Set(ideographs.replace(/\s+/g, ''));
    for (const [power, group] of statistics.split('/').entries())
      for (const trigram of group.trim().split(/\s+/)) if (trigram !== '') this.#add(trigram, 2 ** power);
  }

  /** Whether it is known how often names of the language have a letter. */
  has(letter: string): boolean {
    return this.#letters.has(letter) || (this.#ideographs.size > 0 && IDEOGRAPH.test(letter));
  }

  /** The probability of all of them. */
  likenessOf(trigrams: readonly string[]): number {
    return trigrams.reduce((product, trigram) => product * this.#probabilityOf(trigram), 1);
  }

  #probabilityOf(trigram: string): number {
    const letter = trigram.slice(1, -1);
    if (this.#ideographs.size > 0 && IDEOGRAPH.test(letter))
      return this.#ideographs.has(letter) ? LISTED / this.#ideographs.size : (1 - LISTED) / COMMON_IDEOGRAPHS;
    const count = this.#letters.get(letter) ?? 0;
    const rate = (count + UNSEEN) / (this.#total + 2);
    if (count === 0) return rate / NEIGHBOURS;
    const whole = (this.#trigrams.get(trigram) ?? 0) / count;
    const left = (this.#left.get(trigram.slice(0, -1)) ?? 0) / count;
    const right = (this.#right.get(trigram.slice(1)) ?? 0) / count;
    return rate * (WHOLE * whole + HALVES * left * right + LETTER / NEIGHBOURS);
  }

  #add(trigram: string, count: number): void {
    increase(this.#trigrams, trigram, count);
    increase(this.#left, trigram.slice(0, 2), count);
    increase(this.#right, trigram.slice(1), count);
    increase(this.#letters, trigram.slice(1, 2), count);
    this.#total += count;
  }
}

function increase(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

const byLanguage = new Map<NameLanguage, NameLetters>();

export function lettersOf(language: NameLanguage): NameLetters {
  const known = byLanguage.get(language);
  if (known !== undefined) return known;
  const statistics: Partial<Record<NameLanguage, string>> = LETTER_STATISTICS;
  const ideographs: Partial<Record<NameLanguage, string>> = IDEOGRAPHS;
  const letters = new NameLetters(statistics[language] ?? '', ideographs[language] ?? '');
  byLanguage.set(language, letters);
  return letters;
}
