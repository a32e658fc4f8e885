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
