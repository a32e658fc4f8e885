import type { Problem } from '../../domain/problem.ts';
import type { Wording } from '../../domain/wording.ts';
import { cellName, type Header, type MappedColumn, TELLING } from './columns.ts';
import { headerIdentity, headerKey, keysOf } from './header-key.ts';
import { type NearMiss, nearMisses } from './near-miss.ts';
import { type ColumnName, NAME_PARTS, synonymsOf, TAX_WORDS, wordsIn } from './synonyms.ts';

/** A header row whose problems are still to be found. */
export type HeaderRow = Pick<Header, 'row' | 'cells' | 'columns' | 'index'>;

/** A header that may mean a column which the file has not. */
export type LikelyHeader = NearMiss & { at: number; header: string };

/** Of more headers that we do not know, the rest is not compared with our words: a sheet may have thousands. */
const HEADERS_COMPARED = 64;

/** A header is shown with so many characters. */
const HEADER_SHOWN = 40;

const PART_KEYS: ReadonlySet<string> = new Set(Object.values(NAME_PARTS).flatMap(wordsIn).flatMap(keysOf));

const TAX_KEYS: ReadonlySet<string> = new Set(Object.values(TAX_WORDS).flatMap(wordsIn).flatMap(keysOf));

/** Which headers, of those that name no column, may mean one that the file has not. */
export function likelyHeaders({ cells, columns, index }: HeaderRow, said: readonly MappedColumn[]): LikelyHeader[] {
  const ignored = new Set(said.map(({ header }) => headerIdentity(header)));
  const unknown = [...cells.entries()].filter(
    ([at, cell]) => columns[at] === null && cell.trim() !== '' && !ignored.has(headerIdentity(cell)),
  );
  return unknown.slice(0, HEADERS_COMPARED).flatMap(([at, cell]) =>
    nearMisses(cell)
      .filter(({ column }) => index[column] === -1)
      .map((miss) => ({ ...miss, at, header: cell.trim() })),
  );
}

export function twiceProblem({ cells, row, index }: HeaderRow, column: ColumnName, at: number): Problem {
  const header = cells[at]?.trim() ?? '';
  return {
    ...problemAt(row, at),
    code: 'column_twice',
    column,
    value: cells[at] ?? null,
    message: `The headers in ${cellName(index[column], row)} and ${cellName(at, row)} both name the column ${column}.`,
    remedy:
      headerIdentity(header) === headerIdentity(cells[index[column]] ?? '')
        ? 'Put the values into one of the two columns and remove or rename the other.'
        : { code: 'merge_or_ignore_column', header },
  };
}

/** A required column is missing: with the header that may be it, where there is one. */
export function missingProblem(header: HeaderRow, column: ColumnName, likely: readonly LikelyHeader[]): Problem {
  const [meant, other] = likely.filter((miss) => miss.column === column);
  if (meant !== undefined)
    return {
      ...problemAt(header.row, meant.at),
      code: 'column_missing',
      column,
      value: meant.header,
      message: `There is no column ${column}. ${questionOf(meant)}${other === undefined ? '' : ` Or is it ${shown(other.header)} in ${cellName(other.at, header.row)}?`}`,
      remedy: remedyOf(meant),
      ...(other === undefined && meant.likeness === 'misspelt' && { suggestion: column }),
    };
  const synonyms = synonymsOf(column).slice(0, 3);
  const { message, remedy } = (column === 'name' && missingName(header)) || {
    message: `There is no column ${column}${column === 'rail' ? `, and none of ${TELLING.join(', ')} that would tell the rail` : ''}.`,
    remedy: { code: 'add_or_map_column', column, synonyms } as const,
  };
  return { ...problemAt(header.row, null), code: 'column_missing', column, message, remedy };
}

/** What a person said of headers that are not there. To ignore what is not there does no harm. */
export function absentProblems({ cells, row }: HeaderRow, said: readonly MappedColumn[]): Problem[] {
  const present = new Set(cells.map(headerIdentity));
  return said
    .filter(({ header, source }) => source !== 'remembered' && !present.has(headerIdentity(header)))
    .map(({ header, column, source }) => ({
      ...problemAt(row, null),
      severity: column === null ? 'warning' : 'error',
      code: 'mapped_header_absent',
      column,
      value: header,
      message: `There is no header ${shown(header)}, which ${source === 'job' ? 'the job' : 'the mapping'} ${column === null ? 'ignores' : `maps to ${column}`}.`,
      remedy: { code: 'mend_or_unmap_header', row, isOfJob: source === 'job' },
    }));
}

/** Headers that may mean an optional column. A required one that is missing is an error, and says so itself. */
export function nearMissProblems(
  { row }: HeaderRow,
  likely: readonly LikelyHeader[],
  missing: readonly ColumnName[],
): Problem[] {
  const optional = likely.filter(({ column, likeness }) => {
    const isWorthAsking = likeness !== 'unsure' || column === 'account_number';
    return isWorthAsking && !missing.includes(column);
  });
  return optional.map((miss) => ({
    ...problemAt(row, miss.at),
    severity: 'warning',
    code: 'column_near_miss',
    column: miss.column,
    value: miss.header,
    message: `${questionOf(miss)} As it is, nothing of it is used.`,
    remedy: remedyOf(miss),
    ...(isOnlyOne(miss, optional) && miss.likeness === 'misspelt' && { suggestion: miss.column }),
  }));
}

/** Beside a column for first or last names, the column of names may hold the other part only. */
export function namePartProblems(header: HeaderRow): Problem[] {
  const name = header.cells[header.index.name] ?? '';
  if (!ONE_WORD_NAMES.has(headerKey(name))) return [];
  return besideProblems(header, 'name', PART_KEYS, (part) => ({
    code: 'name_in_parts',
    message: `Payees are named by ${shown(name)} alone, and nothing of ${part} is used.`,
    remedy: 'Make sure that the column holds the whole name, as the bank knows it.',
  }));
}

/** Beside a column for a tax, the column of amounts may hold the sums without it, or may not. */
export function taxProblems(header: HeaderRow): Problem[] {
  const amount = header.cells[header.index.amount] ?? '';
  return besideProblems(header, 'amount', TAX_KEYS, (tax) => ({
    code: 'amount_beside_tax',
    message: `What is paid is the amount in ${shown(amount)} alone, and nothing of ${tax} is added.`,
    remedy: 'Make sure that the column holds what the payee is to get, the tax included where it is due.',
  }));
}

/** A warning about a column that is there, where a header with one of these keys names no column; it is told that header. */
function besideProblems(
  { cells, row, columns, index }: HeaderRow,
  column: ColumnName,
  keys: ReadonlySet<string>,
  said: (beside: string) => Pick<Problem, 'code' | 'message' | 'remedy'>,
): Problem[] {
  const at = cells.findIndex((cell, at) => columns[at] === null && keys.has(headerKey(cell)));
  if (at === -1 || index[column] === -1) return [];
  return [
    {
      ...problemAt(row, index[column]),
      severity: 'warning',
      column,
      value: cells[index[column]] ?? '',
      ...said(`${shown(cells[at] ?? '')} in ${cellName(at, row)}`),
    },
  ];
}

/** Words that mean the whole name by themselves, and the last name beside a column for the first. */
const ONE_WORD_NAMES: ReadonlySet<string> = new Set(['name', 'nom', 'nombre', 'nome', 'naam']);

/** Why there may be no name though the file has names. */
function missingName({ cells, columns, row, index }: HeaderRow): Pick<Problem, 'message' | 'remedy'> | null {
  const parts = cells.filter((cell, at) => columns[at] === null && PART_KEYS.has(headerKey(cell)));
  if (parts.length > 0)
    return {
      message: `There is no column name, only parts of names in ${parts.map(shown).join(' and ')}.`,
      remedy: 'Add a column name that holds the whole name, as the bank knows it.',
    };
  const holder = cells[index.account_name];
  if (holder === undefined) return null;
  return {
    message: `There is no column name; ${shown(holder)} in ${cellName(index.account_name, row)} names the account only.`,
    remedy: { code: 'add_or_map_name', shown: shown(holder), header: holder.trim() },
  };
}

function questionOf({ header, column, likeness }: LikelyHeader): string {
  return likeness === 'unsure'
    ? `The header ${shown(header)} can mean several things: is it ${column}?`
    : `${shown(header)}: did you mean ${column}?`;
}

function remedyOf({ header, column }: LikelyHeader): Wording {
  return { code: 'rename_or_map_header', header, column };
}

function isOnlyOne(miss: LikelyHeader, among: readonly LikelyHeader[]): boolean {
  return among.every((other) => other === miss || (other.column !== miss.column && other.at !== miss.at));
}

/** A header in a message, cut and in quotes. */
export function shown(header: string): string {
  const text = header.replace(/\s+/g, ' ').trim();
  return `\`${text.length > HEADER_SHOWN ? `${text.slice(0, HEADER_SHOWN)}…` : text}\``;
}

/** An error at a cell of the header, or at its row. */
export function problemAt(row: number, at: number | null): Omit<Problem, 'code' | 'message' | 'remedy'> {
  return {
    severity: 'error',
    sheet: null,
    row,
    column: null,
    cell: at === null ? null : cellName(at, row),
    value: null,
  };
}
