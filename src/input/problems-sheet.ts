import { type Problem, problemPlace } from '../domain/problem.ts';
import { linkTo } from './cell-place.ts';
import { COMMENTS_WRITTEN } from './problem-marks.ts';
import type { NewCell, NewSheet } from './xlsx/workbook-writer.ts';

/** The first cell of the sheet of problems, by which an earlier one is known and no other sheet is taken for it. */
export const PROBLEMS_TITLE = 'Problems found by payrun';

/** The sheet's name, unless the workbook has a sheet of its own of that name. */
const NAME = 'Problems';

/** None of these is a header that payrun reads, so the sheet is never taken for one of payouts. */
const HEADERS = ['Place', 'Severity', 'Problem', 'What the cell holds', 'How to mend it', 'Suggestion'] as const;

const WIDTHS = [18, 10, 60, 30, 60, 30];

/** A spreadsheet's cell takes 32,767 characters, and nobody reads so many here. */
const TEXT_MAX = 500;

export type ProblemsSheet = {
  problems: readonly Problem[];
  /** How many problems there are beside those. */
  left: number;
  /** How many cells are marked. */
  marks: number;
  /** The sheet that the problems' cells are in. */
  sheet: string;
  /** The names of the workbook's other sheets. */
  names: readonly string[];
};

/** The sheet that lists every problem, each with a link to its cell. */
export function problemsSheet({ problems, left, marks, sheet, names }: ProblemsSheet): NewSheet {
  const lines: NewCell[][] = [
    [{ text: PROBLEMS_TITLE, look: 'header' }],
    [{ text: 'Mend the marked cells, save, and check this workbook again: this sheet and the comments do no harm.' }],
  ];
  if (left > 0)
    lines.push([{ text: `${left.toLocaleString('en')} more problems are not written here: mend these first.` }]);
  if (marks > COMMENTS_WRITTEN)
    lines.push([{ text: `Only the first ${COMMENTS_WRITTEN.toLocaleString('en')} marked cells have a comment.` }]);
  lines.push(HEADERS.map((text) => ({ text, look: 'header' })));
  const frozenRows = lines.length;
  for (const problem of problems) lines.push(problemLine(problem, sheet));
  return {
    name: nameBeside(names),
    columns: WIDTHS.map((width) => ({ width, isText: true })),
    rows: lines,
    frozenRows,
  };
}

function problemLine(problem: Problem, sheet: string): NewCell[] {
  const { severity, cell, row, message, value, remedy, suggestion } = problem;
  const target = cell ?? (row === null ? null : `A${row}`);
  const place = problemPlace(problem) || 'the whole file';
  return [
    target === null ? { text: place } : { text: place, link: linkTo(problem.sheet ?? sheet, target) },
    { text: severity, look: severity },
    { text: message },
    { text: (value ?? '').slice(0, TEXT_MAX) },
    { text: remedy },
    { text: (suggestion ?? '').slice(0, TEXT_MAX) },
  ];
}

function nameBeside(names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  let name = NAME;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${NAME} (${number})`;
  return name;
}
