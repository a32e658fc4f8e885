import { maskIdentifier } from '../../domain/mask.ts';
import { columnOf, meaningOf } from '../../input/header/columns.ts';
import { headerIdentity } from '../../input/header/header-key.ts';
import { layoutsLike, meaningInLayout } from '../../input/header/layout-of.ts';
import type { ColumnName } from '../../input/header/synonyms.ts';
import { looksLikeAccount } from '../../input/header/value-kinds.ts';
import { columnLetters } from '../../platform/xlsx/cell-names.ts';

export type { ColumnName };
export { columnLetters, headerIdentity, layoutsLike };

const KNOWN_OF_A_HEADER = 2;

/**
 * Whether a row is a header, and not a payout of a sheet that has none: two of its cells are headers that payrun knows by
 * themselves, or none of them holds a figure. Explicit columns prove nothing.
 */
export function hasHeader(columns: readonly { header: string }[]): boolean {
  const known = new Set(columns.map(({ header }) => columnOf(header)).filter((column) => column !== null));
  return known.size >= KNOWN_OF_A_HEADER || columns.every(({ header }) => !/\p{Nd}/u.test(header) || isWords(header));
}

/** Words that a number stands beside, and no code of an account or a currency. */
function isWords(header: string): boolean {
  return /\p{L}{4}/u.test(header) && !/[A-Z]{4}\p{Nd}|\p{Nd}[A-Z]{4}/u.test(header);
}

/** What a header means in the layout of this name, or else by its own words; null where neither knows it. */
export function meaningBy(layout: string): (header: string) => ColumnName | null {
  const inLayout = meaningInLayout(layout);
  return (header) => {
    const known = inLayout(header);
    return known === undefined ? meaningOf(header) : known;
  };
}

/** A header of more letters is a text, and is cut. */
const HEADER_LETTERS = 80;

/** A header as it is shown. Where the file has none, what stands in its place may be an account: it is masked. */
export function shownHeader(header: string): string {
  if (looksLikeAccount(header.trim())) return maskIdentifier(header);
  return header.length > HEADER_LETTERS ? `${header.slice(0, HEADER_LETTERS)}…` : header;
}
