/** What becomes of a character of a name. Any larger number is the letter or digit that stands for it. */
const UNKNOWN = 0;
const LEFT_OUT = 1;
const ENDS_WORD = 2;
const BECOMES_SEVERAL = 3;

/** Characters from here on (and the few that become several letters) have the whole name normalised first. */
const TABLE_END = 0x2000;

/** Filled as characters are met. */
const folds = new Uint16Array(TABLE_END);

/** Letters with a stroke or a tail, which no normalisation takes off, and joined ones. `ae` and `oe` become `a` and `o`. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  æ: 'a',
  œ: 'o',
  ŧ: 't',
};

const [E, A, O, U] = [0x65, 0x61, 0x6f, 0x75];

/**
 * A mark of 32 bits that is the same for two names that people take for one: case, accents (`ü` is `u` and `ue`),
 * blanks, hyphens, full stops and apostrophes do not count, nor the order of the words (`Müller, Zoë` is `Zoe Mueller`).
 * Two other names have one mark once in four billion.
 */
export function nameMark(name: string): number {
  return markOf(name, false);
}

function markOf(name: string, isSpelledOut: boolean): number {
  let sum = 0;
  let word = 0;
  let before = 0;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    const letter = unit < TABLE_END ? folds[unit] || learn(unit) : otherLetter(unit);
    if (letter === BECOMES_SEVERAL && !isSpelledOut) return markOf(spelledOut(name), true);
    if (letter === LEFT_OUT) continue;
    if (letter === ENDS_WORD) {
      if (word !== 0) sum = (sum + mixed(word)) | 0;
      word = 0;
      before = 0;
      continue;
    }
    if (letter !== E || (before !== A && before !== O && before !== U)) word = Math.imul(word ^ letter, 2654435761) + 1;
    before = letter;
  }
  if (word !== 0) sum = (sum + mixed(word)) | 0;
  return sum >>> 0;
}

function learn(unit: number): number {
  folds[unit] = foldOf(String.fromCharCode(unit));
  return folds[unit] ?? UNKNOWN;
}

function foldOf(character: string): number {
  if ("'.`´ʼ".includes(character)) return LEFT_OUT;
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (plain === '') return LEFT_OUT;
  const base = BASE_LETTERS[plain] ?? plain;
  if (base === 'ß' || base === 'þ') return BECOMES_SEVERAL;
  if (!/^[\p{L}\p{N}]+$/u.test(base)) return ENDS_WORD;
  return base.length === 1 ? base.charCodeAt(0) : BECOMES_SEVERAL;
}

/** Beyond the table: typographic apostrophes and what cannot be seen do not count, blanks and dashes part words. */
function otherLetter(unit: number): number {
  if (unit === 0x2018 || unit === 0x2019) return LEFT_OUT;
  if (unit <= 0x200a || (unit >= 0x2010 && unit <= 0x205f)) return ENDS_WORD;
  if (unit <= 0x206f || unit === 0xfeff) return LEFT_OUT;
  const isCompatibility = unit >= 0xf900 && unit < 0xfffe;
  return isCompatibility ? BECOMES_SEVERAL : unit;
}

function spelledOut(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('þ', 'th');
}

function mixed(word: number): number {
  let mix = Math.imul(word ^ (word >>> 16), 2246822507);
  mix = Math.imul(mix ^ (mix >>> 13), 3266489909);
  return mix ^ (mix >>> 16);
}
