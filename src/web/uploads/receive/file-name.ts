import { extname } from 'node:path';
import { OTHER_SPREADSHEETS } from '../../../input/source/file-kinds.ts';

const NAME_MAX = 120;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** What people call a file, from what a browser says of it: its last part, without what cannot be seen. */
export function shownName(said: string): string {
  const last = said.split(/[/\\]/).at(-1) ?? '';
  const letters = [...last.normalize('NFC').replace(UNPRINTABLE, '').trim()];
  if (letters.length <= NAME_MAX) return letters.join('');
  const kind = extname(last);
  return `${letters.slice(0, NAME_MAX - kind.length).join('')}${kind}`;
}

/** Why a file with that name is not taken, and what to do about it. */
export function kindFault(name: string): { what: string; remedy: string } {
  const extension = extname(name).toLowerCase();
  const what = extension === '' ? `“${name}” has no ending that says what it is.` : `“${name}” is a ${extension} file.`;
  const remedy = OTHER_SPREADSHEETS.has(extension)
    ? 'Open it in your spreadsheet program and save it as .xlsx or CSV UTF-8, then upload that.'
    : 'Upload a spreadsheet: an .xlsx, .csv, .tsv or .txt file.';
  return { what, remedy };
}
