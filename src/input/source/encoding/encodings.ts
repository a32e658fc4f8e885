import { isUnread, NO_LETTER, UNREAD_ENCODINGS, type Unread } from './unread.ts';

/** Encodings that programs use for text that is not Unicode. */
export const LEGACY_NAMES = [
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'macintosh',
  'windows-1251',
  'windows-1253',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'gb18030',
  'shift_jis',
] as const;

export type LegacyEncoding = (typeof LEGACY_NAMES)[number];

/** Encodings that a text without a byte order mark may have, and that may be given for one. */
export const ASKED_NAMES = [...LEGACY_NAMES, 'utf-8'] as const;

export type AskedEncoding = (typeof ASKED_NAMES)[number];

export function isLegacy(encoding: string): encoding is LegacyEncoding {
  return LEGACY_NAMES.some((name) => name === encoding);
}

const UNICODE = ['utf-8', 'utf-16le', 'utf-16be'] as const;

export type Encoding = (typeof UNICODE)[number] | LegacyEncoding;

export const ENCODING_NAMES = [...LEGACY_NAMES, ...UNICODE] as const;

/** Those of one or more bytes a character. ASCII is one byte in all of them. */
export type MultiByteEncoding = 'gb18030' | 'shift_jis';

export type OneByteEncoding = Exclude<LegacyEncoding, MultiByteEncoding>;

/** The bytes of a character that has several, as Latin-1 shows them (Encoding Standard, sections 10.2 and 12.3). */
const SEVERAL_BYTES: Readonly<Record<MultiByteEncoding, RegExp>> = {
  gb18030: /[\x81-\xfe](?:[\x40-\x7e\x80-\xfe]|[\x30-\x39][\x81-\xfe][\x30-\x39])/g,
  shift_jis: /[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]/g,
};

export function isMultiByte(encoding: Encoding): encoding is MultiByteEncoding {
  return Object.hasOwn(SEVERAL_BYTES, encoding);
}

/**
 * Bytes, as Latin-1 shows them, with another character in place of each byte of a character of several: their second byte
 * can be that of an ASCII letter, or of `|`.
 */
export function withoutSecondBytes(bytes: string, encoding: MultiByteEncoding): string {
  return bytes.replace(SEVERAL_BYTES[encoding], ({ length }) => '\u0100'.repeat(length));
}

const tables = new Map<OneByteEncoding, readonly string[]>();

/** The characters of an encoding, by their byte. */
export function characterTable(encoding: OneByteEncoding): readonly string[] {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  // In one call: a call for each byte takes many times as long.
  const table = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)).split('');
  tables.set(encoding, table);
  return table;
}

/** Whether an encoding is of East Asia, where characters have several bytes. */
export function isEastAsian(encoding: LegacyEncoding | Unread): boolean {
  return isUnread(encoding) ? UNREAD_ENCODINGS[encoding].letters === null : isMultiByte(encoding);
}

/** The text of bytes that Latin-1 shows. */
export function readAs(encoding: AskedEncoding | Unread, bytes: string): string {
  const table = tableOf(encoding);
  if (table === null) return new TextDecoder(encoding).decode(Buffer.from(bytes, 'latin1'));
  return Array.from(bytes, (byte) => table[byte.charCodeAt(0)] ?? '\ufffd').join('');
}

/** The characters of an encoding, by their byte; null where a character has several. */
function tableOf(encoding: AskedEncoding | Unread): readonly string[] | null {
  if (encoding === 'utf-8') return null;
  if (isUnread(encoding)) return unreadTable(encoding);
  return isMultiByte(encoding) ? null : characterTable(encoding);
}

const unreadTables = new Map<Unread, readonly string[]>();

/** Its characters, by their byte; null where they have several. */
function unreadTable(encoding: Unread): readonly string[] | null {
  const known = unreadTables.get(encoding);
  if (known !== undefined) return known;
  const { letters: beyondAscii } = UNREAD_ENCODINGS[encoding];
  if (beyondAscii === null) return null;
  const ascii = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte));
  const letters = Array.from(beyondAscii, (letter) => (letter === NO_LETTER ? '\ufffd' : letter));
  const table = [...ascii, ...letters];
  unreadTables.set(encoding, table);
  return table;
}

/** The bytes of each character of one or two bytes, as Latin-1 shows them. */
export function bytesByCharacter(encoding: LegacyEncoding): ReadonlyMap<string, string> {
  if (!isMultiByte(encoding))
    return inverse(characterTable(encoding).map((sign, at) => [sign, String.fromCharCode(at)]));
  const pairs: string[] = [];
  for (let first = 0x81; first <= 0xfe; first++)
    for (let second = 0x40; second <= 0xfe; second++) pairs.push(String.fromCharCode(first, second));
  const singles = Array.from({ length: 0xff }, (_, byte) => String.fromCharCode(byte));
  // What is not a pair reads as several characters, and has no place in the table.
  return inverse([...singles, ...pairs].map((bytes) => [readAs(encoding, bytes), bytes]));
}

/** Of several bytes for one character the first serve. */
function inverse(entries: readonly (readonly [character: string, bytes: string])[]): ReadonlyMap<string, string> {
  const isOne = ([character]: readonly [string, string]) =>
    Array.from(character).length === 1 && character !== '\ufffd';
  return new Map(entries.filter(isOne).toReversed());
}
