import { allFakers } from '@faker-js/faker';
import { LEGACY_NAMES, type LegacyEncoding } from '../../../src/input/source/encoding/encodings.ts';
import { UNREAD, UNREAD_ENCODINGS, type Unread } from '../../../src/input/source/encoding/unread.ts';
import { encoded } from './encode.ts';
import { textsIn } from './names.ts';
import type { NamesByLanguage } from './payroll-files.ts';

/** A name in an encoding in which its bytes are valid UTF-8, of another text. */
export type ByChance = { name: string; encoding: LegacyEncoding | Unread; bytes: Buffer };

/** Names as they are written and in capitals, and Chinese ones together, whose bytes in an older encoding are valid UTF-8. */
export function namesValidByChance(names: NamesByLanguage): ByChance[] {
  const texts = new Set<string>();
  const chinese = new Set<string>();
  for (const [language, { first, last }] of names)
    if (language === 'zh')
      for (const [at, given] of first.entries())
        for (let next = 0; next < NAMES_TOGETHER; next++) chinese.add(`${last[(at + next) % last.length]}${given}`);
    else if (!SYLLABLES.has(language)) for (const name of [...first, ...last]) texts.add(name).add(name.toUpperCase());
  return [
    ...[...texts].flatMap((name) => [...LEGACY_NAMES, ...UNREAD].flatMap((encoding) => validIn(encoding, name))),
    ...[...chinese].flatMap((name) => validIn('gb18030', name)),
  ];
}

/** Each Chinese given name stands behind so many family names. */
const NAMES_TOGETHER = 40;

const SYLLABLES: ReadonlySet<string> = new Set(['ja', 'kana', 'tw', 'ko']);

function validIn(encoding: LegacyEncoding | Unread, name: string): ByChance[] {
  const bytes = isOfDos(encoding) ? bytesInDos(name, encoding) : encoded(name, encoding as LegacyEncoding);
  if (bytes === null || bytes.every((byte) => byte < 0x80)) return [];
  const isValid = !bytes.toString('utf8').includes('\ufffd');
  return isValid ? [{ name, encoding, bytes }] : [];
}

function isOfDos(encoding: LegacyEncoding | Unread): encoding is Unread {
  return Object.hasOwn(UNREAD_ENCODINGS, encoding);
}

/** The bytes of a name in an encoding that payrun does not read; null where it has not all of its letters. */
export function bytesInDos(name: string, encoding: Unread): Buffer | null {
  const { letters } = UNREAD_ENCODINGS[encoding];
  if (letters === null) return null;
  const codes = Array.from(name, (letter) => (letter < '\x80' ? letter.charCodeAt(0) : 128 + letters.indexOf(letter)));
  return codes.includes(127) ? null : Buffer.from(codes);
}

/** First and last names, towns and streets of all locales of @faker-js/faker (MIT) with letters beyond ASCII. */
export function namesOfTheWorld(): string[] {
  const definitions = Object.values(allFakers).flatMap(({ rawDefinitions: { person, location } }) => [
    person?.first_name,
    person?.last_name,
    location?.city_name,
    location?.street_name,
  ]);
  return [...new Set(definitions.flatMap(textsIn))].filter((name) => /\P{ASCII}/u.test(name));
}
