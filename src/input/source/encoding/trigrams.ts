/**
 * The letters of a text beyond ASCII, in small letters, each between its neighbours: `Jiří` has `iří` and `ří$`. Begin and
 * end of a word are `^` and `$`. Kana is katakana of full width.
 */
export function trigramsOf(text: string): string[] {
  const letters = Array.from(lowered(text));
  const found: string[] = [];
  for (const [at, letter] of letters.entries())
    if (letter > '\u007f' && isLetter(letter))
      found.push(neighbour(letters[at - 1], '^') + letter + neighbour(letters[at + 1], '$'));
  return found;
}

const HALF_WIDTH_KANA = /[\uff65-\uff9f]/;
const HIRAGANA = /[\u3041-\u3096]/g;
const KANA_DISTANCE = 0x60;

/** The Turkish İ stays what it is, because no other language has it. */
function lowered(text: string): string {
  const small = text.toLowerCase().replaceAll('i\u0307', 'İ');
  const wide = HALF_WIDTH_KANA.test(small) ? small.normalize('NFKC') : small;
  return wide.replace(HIRAGANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + KANA_DISTANCE));
}

function neighbour(letter: string | undefined, edge: string): string {
  return letter !== undefined && isLetter(letter) ? letter : edge;
}

function isLetter(character: string): boolean {
  return (character >= 'a' && character <= 'z') || (character > '\u007f' && /\p{L}/u.test(character));
}
