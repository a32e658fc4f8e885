/** What `Intl` puts in of German itself. */
const GERMAN = /\b(?:und|oder|Deutschland|Januar|Donnerstag|Freitag)\b/g;

/** What is the same in every language: codes, columns, elements, units, and what stands in backquotes or quotes. */
const NAMES =
  /`[^`]*`|"(?:\\.|[^"\\])*"|\blimits\.|\b[a-z]+(?:_[a-z0-9]+)+\b|\b(?:IBAN|MiB|KiB|GiB|Windows-\d+)\b|\b\d+ms\b|\b[a-z]+:\/\/\S+/g;

/**
 * What of a text in the pseudo-language (`pseudo.ts`) stands in no text of it, less that of `params`, which it was filled with; empty
 * where no word is left.
 */
export function englishIn(text: string, params: object): string {
  let plain = text;
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  }
  // The longest first: another may be a part of it.
  for (const given of stringsIn(params).sort((one, other) => other.length - one.length))
    plain = plain.replaceAll(given, ' ');
  const left = plain.replace(GERMAN, ' ').replace(NAMES, ' ').replace(/\s+/g, ' ').trim();
  return /\p{Ll}{2}/u.test(left) ? left : '';
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
