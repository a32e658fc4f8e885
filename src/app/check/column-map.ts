import { z } from 'zod';
import { text } from '../../domain/entries/members.ts';
import { maskIdentifier } from '../../domain/mask.ts';
import { type MappedColumn, meaningOf, placesOf } from '../../input/header/columns.ts';
import { headerKey } from '../../input/header/header-key.ts';
import { meaningIn } from '../../input/header/layout-of.ts';
import { nearMisses } from '../../input/header/near-miss.ts';
import { isOfSender } from '../../input/header/sender-words.ts';
import { COLUMN_NAMES, type ColumnName } from '../../input/header/synonyms.ts';
import { columnByValues, looksLikeAccount } from '../../input/header/value-kinds.ts';
import { namePartKeys } from '../../input/header/vocabulary.ts';
import type { ReadResult } from '../../input/read-result.ts';
import { columnLetters } from '../../platform/xlsx/cell-names.ts';

/** So many rows under the header show what their columns are. */
export const ROWS_LOOKED_AT = 20;

const VALUES_SHOWN = 3;
const VALUE_LETTERS = 40;

/** Headers that are compared with our words, which takes time: a sheet may have a thousand. */
const HEADERS_COMPARED = 64;

/** Each column of a file as a person maps it, in the order of the file; without those that have no header. */
export const columnMap = z.array(
  z.object({
    column: text.describe('Its letters.'),
    values: z.array(text).describe('The first three that differ; accounts masked to the last four.'),
    /** Why it maps to what it does, or to nothing; null where nothing is known of it. */
    by: z.enum(['option', 'job', 'remembered', 'layout', 'header', 'values']).nullable(),
    /** What it may be, where it maps to nothing. */
    suggested: z.enum(COLUMN_NAMES).nullable(),
    /** Whether no other column may be the same: then it is filled in, for a person to confirm. */
    isAlone: z.boolean(),
  }),
);

export type ColumnMap = z.output<typeof columnMap>;

type Suggested = { at: number; column: ColumnName | null };

/** What a file shows of its columns. `rows`: the first under its header. */
export function columnMapOf(read: ReadResult, rows: readonly (readonly string[])[]): ColumnMap {
  const { header } = read.input;
  const filled = header.map((_, at) => rows.map((row) => row[at]?.trim() ?? '').filter((value) => value !== ''));
  const reasons = reasonsOf(read);
  const suggested = suggestionsOf(read, filled, reasons);
  const suggestedAt = new Map(suggested.map(({ at, column }) => [at, column]));
  return [...header.keys()]
    .filter((at) => header[at]?.trim() !== '')
    .map((at) => {
      const column = suggestedAt.get(at) ?? null;
      return {
        column: columnLetters(at),
        values: valuesShown(filled[at] ?? [], read.columns[at] ?? column),
        by: reasons[at] ?? null,
        suggested: column,
        isAlone: column !== null && suggested.filter((one) => one.column === column).length === 1,
      };
    });
}

/** Of each column. */
function reasonsOf({ input: { header }, columns, mapping }: ReadResult): ColumnMap[number]['by'][] {
  const sources = new Map<number, MappedColumn['source']>();
  for (const { header: named, source } of mapping) for (const at of placesOf(named, header)) sources.set(at, source);
  const inLayout = meaningIn(header);
  return header.map((cell, at) => {
    const source = sources.get(at);
    if (source !== undefined) return source;
    const column = columns[at] ?? null;
    if (inLayout(cell) === column) return 'layout';
    if (column === null) return null;
    return meaningOf(cell) !== null || namePartKeys().has(headerKey(cell)) ? 'header' : 'values';
  });
}

/** What columns that map to nothing may be: what the file has no column for yet, by their headers, else by their values. */
function suggestionsOf(
  { input: { header }, columns }: ReadResult,
  filled: readonly (readonly string[])[],
  reasons: readonly ColumnMap[number]['by'][],
): Suggested[] {
  const isOpen = (column: ColumnName | null) => column !== null && !columns.includes(column);
  const free = [...header.keys()].filter(
    (at) => (columns[at] ?? null) === null && reasons[at] === null && !isOfSender(header[at] ?? ''),
  );
  return free.flatMap((at, nth) => {
    const [near, other] = nth < HEADERS_COMPARED ? nearMisses(header[at] ?? '') : [];
    const byHeader = other === undefined ? (near?.column ?? null) : null;
    const column = isOpen(byHeader) ? byHeader : columnByValues(filled[at] ?? []);
    return isOpen(column) ? [{ at, column }] : [];
  });
}

const IDENTIFIERS: ReadonlySet<ColumnName | null> = new Set<ColumnName>(['account_number', 'wallet_address']);

function valuesShown(values: readonly string[], column: ColumnName | null): string[] {
  const first = [...new Set(values)].slice(0, VALUES_SHOWN);
  return first.map((value) => {
    if (IDENTIFIERS.has(column) || looksLikeAccount(value)) return maskIdentifier(value);
    return value.length > VALUE_LETTERS ? `${value.slice(0, VALUE_LETTERS)}…` : value;
  });
}
