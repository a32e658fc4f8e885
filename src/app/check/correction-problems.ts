import type { RunRow } from '../../domain/entry.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { Corrections, type Mismatch, mismatchRemedy } from '../retry/corrections.ts';
import type { NotRetriable, Retriable } from '../retry/retriable.ts';

type Found = Pick<RunRow, 'row' | 'cells'> & Mismatch;

/**
 * How a sheet is read that corrects rows of a run, by the rule of `retry --from`: each row of it that corrects none is an
 * error. Where the run has no such row any more, that is one error of the whole file.
 */
export function correctionProblems(
  retried: Retriable | NotRetriable,
): Required<Pick<ReadOptions, 'onRow' | 'corrects'>> {
  if ('message' in retried) return { onRow: () => {}, corrects: () => [ofFile(retried)] };
  const corrections = new Corrections(retried);
  const found: Found[] = [];
  return {
    onRow: ({ row, cells, order }) => {
      const match = order === null ? null : corrections.take(row, cells, order);
      if (match !== null && !match.ok) found.push({ row, cells, ...match });
    },
    corrects: ({ sheet, columns }) => found.map((one) => problemOf(one, sheet, columns, mismatchRemedy(retried))),
  };
}

function problemOf(
  { row, cells, column, why }: Found,
  sheet: string | null,
  columns: readonly (string | null)[],
  remedy: string,
): Problem {
  const at = column === null ? -1 : columns.indexOf(column);
  const isThere = at >= 0;
  const place = isThere ? { column, cell: cellName(at, row), value: cells[at] ?? null } : {};
  return problemAt('error', fault('corrects_no_row', { why, remedy }), { sheet, row, ...place });
}

function ofFile({ message, remedy }: NotRetriable): Problem {
  return problemAt('error', fault('nothing_to_correct', { why: message, remedy }));
}
