import { bytesByCharacter, type Encoding } from '../../../src/input/source/encoding/encodings.ts';

const tables = new Map<Encoding, ReadonlyMap<string, string>>();

/** The bytes of a text; null where the encoding has not all of its characters. */
export function encoded(text: string, encoding: Encoding): Buffer | null {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tables.get(encoding) ?? bytesByCharacter(encoding);
  tables.set(encoding, table);
  const bytes = Array.from(text, (character) => table.get(character));
  return bytes.includes(undefined) ? null : Buffer.from(bytes.join(''), 'latin1');
}
