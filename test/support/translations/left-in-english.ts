/** German that `Intl` inserts. */
const GERMAN = /\b(?:und|oder|Deutschland|Januar|Donnerstag|Freitag)\b/g;

/** Not translated: codes, columns, elements, units, and text in backquotes or quotes. */
const NAMES =
  /`[^`]*`|"(?:\\.|[^"\\])*"|\blimits\.|\b[a-z]+(?:_[a-z0-9]+)+\b|\b(?:IBAN|MiB|KiB|GiB|Windows-\d+)\b|\b\d+ms\b|\b[a-z]+:\/\/\S+/g;

/**
 * What is left of a text outside the pseudo-language (`pseudo.ts`), apart from the values in `params`; empty if no word
 * is left.
 */
export function englishIn(text: string, params: object): string {
  let plain = text;
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  }
  // Longest first: a shorter one may be part of it.
  for (const given of stringsIn(params).sort((one, other) => other.length - one.length))
    plain = plain.replaceAll(given, ' ');
  const left = plain.replace(GERMAN, ' ').replace(NAMES, ' ').replace(/\s+/g, ' ').trim();
  return /\p{Ll}{2}/u.test(left) ? left : '';
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
