/** Encodings of one byte a character in which programs write text that is not Unicode, with where they are used. */
export const LEGACY_ENCODINGS = {
  'windows-1252': 'Western Europe',
  'windows-1250': 'Central Europe',
  'windows-1254': 'Turkish',
  macintosh: 'Mac',
  'windows-1251': 'Cyrillic',
  'windows-1253': 'Greek',
  'windows-1257': 'Baltic',
  'iso-8859-2': 'Central Europe',
  'iso-8859-15': 'Western Europe',
} as const;

export type LegacyEncoding = keyof typeof LEGACY_ENCODINGS;

export const LEGACY_NAMES = Object.keys(LEGACY_ENCODINGS) as [LegacyEncoding, ...LegacyEncoding[]];

/** Those that Excel writes for names in Latin letters, by how many do. The others are read only where --encoding names them. */
export const CANDIDATES: readonly LegacyEncoding[] = ['windows-1252', 'windows-1250', 'windows-1254', 'macintosh'];

export function isLegacy(encoding: string | null): encoding is LegacyEncoding {
  return encoding !== null && Object.hasOwn(LEGACY_ENCODINGS, encoding);
}

const tables = new Map<LegacyEncoding, readonly string[]>();

/** The characters of an encoding, by their byte. */
export function characterTable(encoding: LegacyEncoding): readonly string[] {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(encoding);
  const table = Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)));
  tables.set(encoding, table);
  return table;
}

export function characterOf(encoding: LegacyEncoding, byte: number): string {
  return characterTable(encoding)[byte] ?? '\ufffd';
}
