import type { ShownCheck } from '../../app/check/check-result.ts';
import { hasHeader, headerIdentity, layoutsLike } from '../../app/check/headers.ts';
import type { FileLayout, FileLayouts, LayoutColumns } from '../../app/people/file-layouts.ts';
import { isColumnName, type meaningOfText } from './column-words.ts';

type Shown = Pick<ShownCheck, 'columns' | 'header_row' | 'format'>;

/** What precedes the id of a layout that people saved, where the layout of a product is named by its name. */
export const SAVED = 'saved:';

/** A layout is offered for a file that has so many of its headers, or all. */
const SHARED_MIN = 3;

export type LayoutsHere = {
  /** The one that people saved for exactly these headers. */
  named: FileLayout | null;
  /** Whether the columns map to something else by now. */
  isChanged: boolean;
  /** Others that people saved for headers like these, and it. */
  offered: readonly FileLayout[];
  /** Those of products. */
  known: readonly string[];
  /** Whether the file has headers that a layout can name. */
  maySave: boolean;
};

/** The layouts that a file may have. */
export async function layoutsHere(layouts: FileLayouts, result: Shown): Promise<LayoutsHere> {
  const now = layoutOf(result);
  const headers = new Set(Object.keys(now));
  const maySave = isNameable(result);
  const named = maySave ? await layouts.ofHeaders(headers) : null;
  const shared = ({ columns }: FileLayout) => Object.keys(columns).filter((header) => headers.has(header)).length;
  const all = maySave ? await layouts.list() : [];
  return {
    named,
    isChanged: named !== null && Object.entries(named.columns).some(([header, means]) => now[header] !== means),
    offered: all.filter((one) => shared(one) >= Math.min(SHARED_MIN, Object.keys(one.columns).length)),
    known: layoutsLike(result.columns.map(({ header }) => header)),
    maySave,
  };
}

/** A layout names few enough headers to be kept and compared whole. */
const HEADERS_MAX = 1_000;

/** Of a file without a header, cells stand in its place; a bank file has columns of its own. */
export function isNameable({ columns, header_row, format }: Shown): boolean {
  const isSmall = columns.length > 0 && columns.length <= HEADERS_MAX;
  return header_row !== null && format === undefined && isSmall && hasHeader(columns);
}

/** What each header maps to, as the form chooses it. `chosenOf`: by letters, what of a column is chosen; null or empty for nothing. */
export function layoutOf(
  { columns }: Pick<ShownCheck, 'columns'>,
  chosenOf: (letters: string) => ReturnType<typeof meaningOfText> = () => null,
): LayoutColumns {
  const named = columns.filter(({ header }) => header.trim() !== '');
  return Object.fromEntries(
    named.map(({ column, header, means }) => {
      const chosen = chosenOf(column) || means;
      return [headerIdentity(header), chosen !== null && isColumnName(chosen) ? chosen : null];
    }),
  );
}
