import { assert } from '../domain/refusal.ts';

/** Characters of a comment, or of the reason for a decision. */
export const COMMENT_MAX = 500;

const LINES_MAX = 12;

/** What somebody wrote, as it is kept: a few lines of text, without marks that could make it look like another. */
export function cleanComment(text: string): string {
  const lines = text
    .normalize('NFC')
    .split(/\r\n|[\r\n]/)
    .map((line) => line.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim());
  const kept = lines.filter((line) => line !== '');
  return [...kept.slice(0, LINES_MAX - 1), kept.slice(LINES_MAX - 1).join(' ')].join('\n').trim();
}

export function isTooLong(comment: string): boolean {
  return [...comment].length > COMMENT_MAX;
}

/** What a use case is given was cleaned, and measured, where it was read. */
export function requireComment(comment: string): void {
  assert(comment === cleanComment(comment) && !isTooLong(comment), 'a comment as nobody may write it');
}
