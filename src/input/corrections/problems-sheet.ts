import { problemPlace, type WordedProblem } from '../../domain/problem.ts';
import { linkTo } from '../../platform/xlsx/cell-names.ts';
import type { NewCell, NewSheet } from '../../platform/xlsx/workbook-writer.ts';
import { COMMENTS_WRITTEN } from './problem-marks.ts';
import { OF_TEXT_FILE, PROBLEMS_NAME, PROBLEMS_TITLE } from './xlsx/annotation.ts';

/** None of these is a header that payrun reads, so the sheet is never taken for one of payouts. */
const HEADERS = ['Place', 'Severity', 'Problem', 'What the cell holds', 'How to mend it', 'Suggestion'] as const;

const WIDTHS = [18, 10, 60, 30, 60, 30];

/** A spreadsheet's cell takes 32,767 characters, and nobody reads so many here. */
const TEXT_MAX = 500;

export type ProblemsSheet = {
  problems: readonly WordedProblem[];
  /** How many problems there are beside those. */
  left: number;
  /** How many cells are marked. */
  marks: number;
  /** The sheet that the problems' cells are in. */
  sheet: string;
  /** The names of the workbook's other sheets. */
  names: readonly string[];
  /** Whether the workbook is the copy of a text file. */
  isOfText?: boolean;
};

/** The sheet that lists every problem, each with a link to its cell. */
export function problemsSheet({ problems, left, marks, sheet, names, isOfText = false }: ProblemsSheet): NewSheet {
  const lines: NewCell[][] = [
    [{ text: PROBLEMS_TITLE, look: 'header' }, ...(isOfText ? [{ text: OF_TEXT_FILE }] : [])],
    [{ text: 'Mend the marked cells, save, and check this workbook again: this sheet and the comments do no harm.' }],
  ];
  if (left > 0)
    lines.push([{ text: `${left.toLocaleString('en')} more problems are not written here: mend these first.` }]);
  if (marks > COMMENTS_WRITTEN) {
    const [all, some] = [marks, COMMENTS_WRITTEN].map((count) => count.toLocaleString('en'));
    lines.push([
      { text: `Of ${all} marked cells ${some} have a comment, errors first. What is wrong with all is below.` },
    ]);
  }
  lines.push(HEADERS.map((text) => ({ text, look: 'header' })));
  return {
    name: nameBeside(names),
    columns: WIDTHS.map((width) => ({ width, isText: true })),
    rows: linesOf(lines, problems, sheet),
    frozenRows: lines.length,
  };
}

function* linesOf(head: readonly NewCell[][], problems: readonly WordedProblem[], sheet: string): Generator<NewCell[]> {
  yield* head;
  for (const problem of problems) yield problemLine(problem, sheet);
}

function problemLine(problem: WordedProblem, sheet: string): NewCell[] {
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
  let name: string = PROBLEMS_NAME;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${PROBLEMS_NAME} (${number})`;
  return name;
}
