const HASH = 0x23;
const SLASH = 0x2f;

/**
 * Whether a row is a comment: it begins with `#` or `//`, as programs write notes above and under a table. `#1` is a number,
 * and a row of which several cells begin so is a header (`#Data;#Opis`).
 */
export function isCommentLine(cells: readonly string[]): boolean {
  const first = cells[0] ?? '';
  const code = first.charCodeAt(0);
  if (code !== HASH && code !== SLASH && code > 0x20) return false;
  if (!/^\s*(?:#+\s*[^\s\d#]|\/\/)/.test(first)) return false;
  return !cells.some((cell, at) => at > 0 && cell.charCodeAt(0) === HASH);
}

/** The cells of a header that is written as a comment (`# Name,IBAN,Amount`), without the sign in front. */
export function uncommented(cells: string[]): string[] {
  return isCommentLine(cells) && cells.length > 1 ? cells.with(0, (cells[0] ?? '').replace(/^\s*[#/]+\s*/, '')) : cells;
}
