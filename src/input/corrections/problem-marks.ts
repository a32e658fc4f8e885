import type { Problem, WordedProblem } from '../../domain/problem.ts';
import { placeOfCell } from '../../platform/xlsx/cell-names.ts';

/** So many problems are written into a workbook: with what stands above them they fill a sheet. */
export const PROBLEMS_WRITTEN = 1_048_000;

/** So many cells get a comment; a spreadsheet program becomes slow with more. */
export const COMMENTS_WRITTEN = 10_000;

/** What a comment of ours begins with, alone or behind what somebody else has written there. */
export const COMMENT_MARK = 'payrun: ';

/** What is written at one cell of the user's sheet. Row and column count from 0. */
export type CellMark = {
  row: number;
  column: number;
  severity: Problem['severity'];
  /** Null where there are more comments than a spreadsheet program bears. */
  comment: string | null;
  /** Whether the cell holds an identifier or a text, whose zeros a number format would lose. */
  isText: boolean;
};

/** Takes the problems of a file as they come; errors are never crowded out by warnings. */
export class ProblemsToWrite {
  readonly #errors: WordedProblem[] = [];
  readonly #warnings: WordedProblem[] = [];
  #left = 0;

  add(problem: WordedProblem): void {
    if (problem.severity === 'warning') this.#warnings.push(problem);
    else this.#errors.push(problem);
    if (this.#errors.length + this.#warnings.length <= PROBLEMS_WRITTEN) return;
    this.#left++;
    if (this.#warnings.pop() === undefined) this.#errors.pop();
  }

  /** How many are too many to be written. */
  get left(): number {
    return this.#left;
  }

  /** By row, those of the whole file first. */
  get all(): WordedProblem[] {
    return [...this.#errors, ...this.#warnings].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  }
}

/**
 * The marks of the problems on one sheet, given by row: one a cell, by row too. A problem of a whole row is marked in its
 * first cell. Where there are too many cells for comments, those with errors have them.
 */
export function cellMarks(problems: readonly WordedProblem[], sheet: string | null): CellMark[] {
  const marks: CellMark[] = [];
  const errors = cellsOf(problems, sheet)
    .filter(({ severity }) => severity === 'error')
    .take(COMMENTS_WRITTEN);
  let errorsLeft = COMMENTS_WRITTEN;
  let warningsLeft = COMMENTS_WRITTEN - errors.reduce((count) => count + 1, 0);
  for (const { problems: ofCell, ...mark } of cellsOf(problems, sheet)) {
    const isCommented = mark.severity === 'error' ? errorsLeft-- > 0 : warningsLeft-- > 0;
    const comment = isCommented ? COMMENT_MARK + ofCell.map(commentText).join('\n\n') : null;
    marks.push({ ...mark, comment });
  }
  return marks;
}

type MarkedCell = Omit<CellMark, 'comment'> & { problems: WordedProblem[] };

/** The cells with problems, row by row. */
function* cellsOf(problems: readonly WordedProblem[], sheet: string | null): Generator<MarkedCell> {
  let cells = new Map<number, MarkedCell>();
  let row = 0;
  for (const problem of problems) {
    if (problem.row === null || problem.sheet !== sheet) continue;
    if (problem.row !== row) {
      yield* cells.values();
      cells = new Map();
      row = problem.row;
    }
    const place = { row: row - 1, column: placeOfCell(problem.cell ?? '')?.column ?? 0 };
    const { severity, column } = problem;
    const marked = cells.get(place.column) ?? { ...place, severity, isText: false, problems: [] };
    if (severity === 'error') marked.severity = 'error';
    marked.isText ||= problem.cell !== null && column !== null && column !== 'amount';
    marked.problems.push(problem);
    cells.set(place.column, marked);
  }
  yield* cells.values();
}

/** What somebody else has written in a comment: all of it before our mark. */
export function withoutOurs(comment: string): string {
  const at = comment.startsWith(COMMENT_MARK) ? 0 : comment.indexOf(`\n${COMMENT_MARK}`);
  return at === -1 ? comment : comment.slice(0, at).trimEnd();
}

function commentText({ severity, message, remedy, suggestion }: WordedProblem): string {
  const lines = [`${severity}. ${message}`, remedy];
  if (suggestion !== undefined) lines.push(`Suggestion: ${suggestion}`);
  return lines.join('\n');
}
