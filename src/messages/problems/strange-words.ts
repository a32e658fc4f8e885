import type { StrangeCharacter } from '../../domain/strange-characters.ts';

/** `Character 3 of the cell is “٣” (U+0663), a digit of another script.` */
export function strangeText({ character, at, kind, like = '', byte }: StrangeCharacter): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const place = `Character ${at} of the cell`;
  switch (kind) {
    case 'unseen':
      return `${place}${byte === undefined ? '' : `, byte ${byte} of the file,`} is ${code}, which cannot be seen.`;
    case 'digit':
      return `${place} is “${character}” (${code}), a digit of another script for ${like}.`;
    case 'form':
      return `${place} is “${character}” (${code}), another form of “${like}”.`;
  }
}
