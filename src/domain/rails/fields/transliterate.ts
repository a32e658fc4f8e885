import { asciiOf } from '../../strange-characters.ts';

/** Letters that are not a base letter with a mark, as German, the Nordic languages, Polish and others write them without. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ð: 'd', þ: 'th' },
  ...{ ł: 'l', đ: 'd', ħ: 'h', ı: 'i', ŋ: 'n', ŧ: 't', ĸ: 'k' },
};

/** The letters of Russian as on its road signs and maps (BGN/PCGN), and what its neighbours have besides. */
const CYRILLIC: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l' },
  ...{ м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh' },
  ...{ щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya', і: 'i', ї: 'yi', є: 'ye', ґ: 'g', ў: 'u' },
  ...{ ђ: 'dj', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c', џ: 'dz', ѓ: 'g', ќ: 'k', ѕ: 'dz' },
};

/** ISO 843 (ELOT 743), letter by letter. */
const GREEK: Readonly<Record<string, string>> = {
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm' },
  ...{ ν: 'n', ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
};

const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries({ ...LATIN, ...CYRILLIC, ...GREEK }));

/**
 * Signs, and what stands for each of them: the first of these that the rail carries. Blanks of other widths and `№` are
 * not among them, because Unicode itself says what they are made of.
 */
const SIGNS: readonly (readonly [signs: string, instead: readonly string[]])[] = [
  ['‘’‚‛′`´ʼ', ["'", ' ']],
  ['“”„‟″«»"', ['"', "'", ' ']],
  ['‐‑‒–—―−_~', ['-', ' ']],
  ['\t', [' ']],
  ['\\|', ['/', ' ']],
  ['[{', ['(', ' ']],
  [']}', [')', ' ']],
  [';', [',', ' ']],
  ['…', ['...', ' ']],
  ["/-.,:()'", [' ']],
  ['&', ['+']],
];

const INSTEAD_OF: ReadonlyMap<string, readonly string[]> = new Map(
  SIGNS.flatMap(([signs, instead]) => Array.from(signs, (sign) => [sign, instead] as const)),
);

/**
 * The text in characters that a rail carries, or null where one of the others has no usual form. What is carried stays as
 * it is. Meant to be shown to a person, who decides.
 */
export function transliterate(text: string, isCarried: (text: string) => boolean): string | null {
  const characters = Array.from(text.normalize('NFC'));
  let result = '';
  for (const [at, character] of characters.entries()) {
    const written = isCarried(character) ? character : replacement(character, characters, at, isCarried);
    if (written === null) return null;
    result += written;
  }
  return result.replace(/ {2,}/g, ' ').trim();
}

function replacement(
  character: string,
  characters: string[],
  at: number,
  isCarried: (text: string) => boolean,
): string | null {
  const sign = INSTEAD_OF.get(character)?.find(isCarried);
  if (sign !== undefined) return sign;
  const plain = asciiOf(character);
  if (plain !== character && isCarried(plain)) return plain;
  const lower = character.toLowerCase();
  const isSpanish = lower === 'ü' && isBetweenSpanishLetters(characters, at);
  const letters = isSpanish ? 'u' : (LETTERS.get(lower) ?? withoutMarks(lower));
  if (letters === null || !isCarried(letters)) return null;
  if (lower === character) return letters;
  return isAmongCapitals(characters, at) ? letters.toUpperCase() : letters.charAt(0).toUpperCase() + letters.slice(1);
}

/** The base letter of é, or the letters of ά without the accent; null where nothing is left to write. */
function withoutMarks(character: string): string | null {
  const base = character.normalize('NFKD').replace(/\p{M}/gu, '');
  if (base === '') return null;
  return Array.from(base, (letter) => LETTERS.get(letter) ?? letter).join('');
}

/** The ü of `pingüino` is a u that is spoken; German has none between g and e or i. */
function isBetweenSpanishLetters(characters: string[], at: number): boolean {
  return characters[at - 1]?.toLowerCase() === 'g' && /[eií]/i.test(characters[at + 1] ?? '');
}

/** Whether the letter beside a capital is one too: `Ä` is AE in ÄRZTE, and Ae in Ärzte. */
function isAmongCapitals(characters: string[], at: number): boolean {
  const beside = [characters[at + 1], characters[at - 1]].find((character) => /\p{L}/u.test(character ?? ''));
  return beside !== undefined && beside !== beside.toLowerCase();
}
