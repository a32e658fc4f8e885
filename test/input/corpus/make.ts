import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAYROLL_FILES, PEOPLE_FILES, PROGRAM_FILES, type TextFile } from './text-files.ts';
import { workbooks } from './workbooks.ts';

/** The letters of the Polish text, by their byte in windows-1250. */
const WINDOWS_1250: Readonly<Record<string, number>> = {
  ...{ Ł: 0xa3, ł: 0xb3, ś: 0x9c, Ś: 0x8c, ż: 0xbf, Ż: 0xaf, ą: 0xb9, ę: 0xea, ó: 0xf3, ć: 0xe6, ń: 0xf1, ź: 0x9f },
};

/** The bytes of every text file that is made here, by name. */
export function textFiles(): [name: string, bytes: Buffer][] {
  const files = { ...PROGRAM_FILES, ...PAYROLL_FILES, ...PEOPLE_FILES };
  return Object.entries(files).map(([name, file]) => [name, bytesOf(file)]);
}

function bytesOf({ lines, encoding, newline = '\n', endsOpen = false }: TextFile): Buffer {
  const text = lines.join(newline) + (endsOpen ? '' : newline);
  switch (encoding) {
    case 'utf-8-bom':
      return Buffer.from(`\ufeff${text}`);
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'windows-1252':
      return Buffer.from(Array.from(text, windows1252));
    case 'windows-1250':
      return Buffer.from(Array.from(text, (letter) => WINDOWS_1250[letter] ?? letter.charCodeAt(0)));
    default:
      return Buffer.from(text);
  }
}

/** Latin letters stand where Unicode has them; of the others the corpus needs one. */
function windows1252(letter: string): number {
  return letter === '’' ? 0x92 : letter.charCodeAt(0);
}

if (import.meta.main)
  for (const [name, bytes] of [...textFiles(), ...workbooks()]) writeFileSync(join(import.meta.dirname, name), bytes);
