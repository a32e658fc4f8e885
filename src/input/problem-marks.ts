import type { Problem } from '../domain/problem.ts';
import { placeOfCell } from './cell-place.ts';

/** So many problems of each severity are written into a workbook. */
export const PROBLEMS_WRITTEN = 10_000;

/** So many cells get a comment; a spreadsheet program becomes slow with more. */
export const COMMENTS_WRITTEN = 1_000;

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
  readonly #errors: Problem[] = [];
  readonly #warnings: Problem[] = [];
  #left = 0;

  add(problem: Problem): void {
    const kept = problem.severity === 'error' ? this.#errors : this.#warnings;
    if (kept.length < PROBLEMS_WRITTEN) kept.push(problem);
    else this.#left++;
  }

  /** How many are too many to be written. */
  get left(): number {
    return this.#left;
  }

  /** By row, those of the whole file first. */
  get all(): Problem[] {
    return [...this.#errors, ...this.#warnings].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  }
}

/** The marks of the problems on one sheet: one a cell. A problem of a whole row is marked in its first cell. */
export function cellMarks(problems: readonly Problem[], sheet: string | null): CellMark[] {
  const marks = new Map<string, CellMark & { texts: string[] }>();
  for (const problem of problems) {
    const cell = problem.cell ?? (problem.row === null ? null : `A${problem.row}`);
    const place = cell === null || problem.sheet !== sheet ? null : placeOfCell(cell);
    if (cell === null || place === null) continue;
    const { severity, column } = problem;
    const mark = marks.get(cell) ?? { ...place, severity, comment: null, isText: false, texts: [] };
    if (severity === 'error') mark.severity = 'error';
    mark.isText ||= problem.cell !== null && column !== null && column !== 'amount';
    mark.texts.push(commentText(problem));
    marks.set(cell, mark);
  }
  return [...marks.values()].map(({ texts, ...mark }, at) => ({
    ...mark,
    comment: at < COMMENTS_WRITTEN ? COMMENT_MARK + texts.join('\n\n') : null,
  }));
}

/** What somebody else has written in a comment: all of it before our mark. */
export function withoutOurs(comment: string): string {
  const at = comment.startsWith(COMMENT_MARK) ? 0 : comment.indexOf(`\n${COMMENT_MARK}`);
  return at === -1 ? comment : comment.slice(0, at).trimEnd();
}

function commentText({ severity, message, remedy, suggestion }: Problem): string {
  const lines = [`${severity}. ${message}`, remedy];
  if (suggestion !== undefined) lines.push(`Suggestion: ${suggestion}`);
  return lines.join('\n');
}
