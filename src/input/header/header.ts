import type { Problem } from '../../domain/problem.ts';
import { columnsOf, type Header, indexOf, type MappedColumn, requiredColumns, TELLING } from './columns.ts';
import { headerIdentity } from './header-key.ts';
import {
  absentProblems,
  type LikelyHeader,
  likelyHeaders,
  missingProblem,
  namePartProblems,
  nearMissProblems,
  taxProblems,
  twiceProblem,
} from './header-problems.ts';
import type { ColumnName } from './synonyms.ts';

/**
 * Reads the header record. A missing required column and two headers for one column are a problem each; a header that is
 * nearly that of a column is one too, because what is under it would be ignored. `said` is what a person says that
 * headers mean, and goes before what they mean by themselves.
 */
export function readHeader(cells: string[], row: number, said: readonly MappedColumn[] = []): Header {
  const columns = columnsOf(cells, said);
  const index = indexOf(columns);
  const place = { cells, row, columns, index };
  const likely = likelyHeaders(place, said);
  const missing = requiredColumns(index)
    .filter((column) => index[column] === -1)
    .map((column) => (column === 'rail' ? railOrDistinctive(likely) : column));
  const problems: Problem[] = [];
  for (const [at, column] of columns.entries())
    if (column !== null && index[column] !== at) problems.push(twiceProblem(place, column, at));
  problems.push(...missing.map((column) => missingProblem(place, column, likely)));
  problems.push(...absentProblems(place, said));
  problems.push(...nearMissProblems(place, likely, missing), ...namePartProblems(place), ...taxProblems(place));
  const present = new Set(cells.map(headerIdentity));
  const mapping = said.filter(({ header }) => present.has(headerIdentity(header)));
  return { row, cells, columns, index, problems, firstError: firstErrorOf(problems), mapping };
}

/** Without a rail, what is missing may be the misspelt column that would tell it. */
function railOrDistinctive(likely: readonly LikelyHeader[]): ColumnName {
  const isLikely = (column: ColumnName) => likely.some((miss) => miss.column === column);
  return TELLING.find((column) => !isLikely('rail') && isLikely(column)) ?? 'rail';
}

/** Whether the columns are all that a payout needs. */
export function isComplete(columns: readonly (ColumnName | null)[]): boolean {
  const index = indexOf(columns);
  return requiredColumns(index).every((column) => index[column] !== -1);
}

/** Why no row can be paid, or null where the problems are warnings. */
export function firstErrorOf(problems: readonly Problem[]): Header['firstError'] {
  return problems.find(({ severity }) => severity === 'error') ?? null;
}
