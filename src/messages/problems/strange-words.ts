import type { StrangeCharacter } from '../../domain/strange-characters.ts';
import { t } from '../translate.ts';

/** `Character 3 of the cell is “٣” (U+0663), a digit of another script.` */
export function strangeText({ character, at, kind, like = '', byte }: StrangeCharacter): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const place = t`Character ${at} of the cell`;
  switch (kind) {
    case 'unseen':
      return t`${place}${byte === undefined ? '' : t`, byte ${byte} of the file,`} is ${code}, which cannot be seen.`;
    case 'digit':
      return t`${place} is “${character}” (${code}), a digit of another script for ${like}.`;
    case 'form':
      return t`${place} is “${character}” (${code}), another form of “${like}”.`;
  }
}
