/** Rows on a page where the request names no limit (`decisions.md`, shapes). */
export const PAGE_DEFAULT = 50;

/** The place after which the next page begins: the number of the last row of this one. Opaque to clients. */
export function cursorText(last: number): string {
  return `after_${last.toString(36)}`;
}

/** The row number in a cursor, or null for a text that is none. */
export function readCursor(cursor: string): number | null {
  const digits = /^after_([0-9a-z]{1,10})$/.exec(cursor)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}

/** Before the newest row there is: where a listing without a cursor begins. */
export const NEWEST = Number.MAX_SAFE_INTEGER;

/** Words in one search, at most; a search has at most 1,000 characters, so this is every word it can have. */
export const SEARCH_WORDS_MAX = 500;

/**
 * Text in the form in which it is compared: NFKC and case-folded. Folding goes by way of the upper case of the lower
 * case, so that `ß` and `ẞ` find `SS`, and the final sigma is the other sigma.
 */
export function foldText(text: string): string {
  // Nearly all text here is ASCII, where all of this is one step.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** The folded fields of one transaction, a line each: no word has a line end in it, so none can match across two. */
export function searchText(fields: readonly (string | null)[]): string {
  return fields.map((field) => (field === null ? '' : singleBlanks(foldText(field)))).join('\n');
}

/** With one blank where there is white space. Nearly every text has that already, and looking costs less than replacing. */
function singleBlanks(text: string): string {
  return /[^\S ]| {2}/u.test(text) ? text.replace(/\s+/gu, ' ') : text;
}

/** The different words of a search, folded. Those that stand inside another word are left out: it implies them. */
export function searchWords(search: string): string[] {
  const words = [...new Set(foldText(search).split(/\s+/u))].filter((word) => word !== '');
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}
