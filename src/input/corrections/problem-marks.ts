import { type Problem, problemPlace, type WordedProblem } from '../../domain/problem.ts';
import { linkTo, placeOfCell } from '../../platform/xlsx/cell-names.ts';
import type { NewCell, NewSheet } from '../../platform/xlsx/workbook-writer.ts';
import { LISTS } from './xlsx/annotation.ts';

/** So many problems are written into a workbook: with what stands above them they fill a sheet. */
export const PROBLEMS_WRITTEN = 1_048_000;

/** So many cells get a comment; a spreadsheet program becomes slow with more. */
export const COMMENTS_WRITTEN = 10_000;

/** What a comment of ours begins with, alone or behind another person's comment. */
export const COMMENT_MARK = 'payrun: ';

/** The words for problems in a copy of the file, in the language of its reader. */
export type MarkWords = {
  language: keyof typeof LISTS;
  severities: Readonly<Record<Problem['severity'], string>>;
  suggestion(text: string): string;
  /** What the user does with the copy. */
  advice: string;
  /** So many problems did not fit. */
  left(count: number): string;
  /** So many of all marked cells have a comment. */
  commented(all: number, some: number): string;
  /** None of these is a header that payrun reads, so the sheet is never taken for one of payouts. */
  headers: readonly [
    place: string,
    severity: string,
    message: string,
    value: string,
    remedy: string,
    suggestion: string,
  ];
  row(row: number): string;
  wholeFile: string;
};

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
export class ProblemsToWrite<Of extends Problem = WordedProblem> {
  readonly #errors: Of[] = [];
  readonly #warnings: Of[] = [];
  #left = 0;

  add(problem: Of): void {
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
  get all(): Of[] {
    return [...this.#errors, ...this.#warnings].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  }
}

/**
 * The marks of the problems on one sheet, given by row: one a cell, by row too. A problem of a whole row is marked in its
 * first cell. Where there are too many cells for comments, those with errors have them.
 */
export function cellMarks(problems: readonly WordedProblem[], sheet: string | null, words: MarkWords): CellMark[] {
  const marks: CellMark[] = [];
  const errors = cellsOf(problems, sheet)
    .filter(({ severity }) => severity === 'error')
    .take(COMMENTS_WRITTEN);
  let errorsLeft = COMMENTS_WRITTEN;
  let warningsLeft = COMMENTS_WRITTEN - errors.reduce((count) => count + 1, 0);
  for (const { problems: ofCell, ...mark } of cellsOf(problems, sheet)) {
    const isCommented = mark.severity === 'error' ? errorsLeft-- > 0 : warningsLeft-- > 0;
    const comment = isCommented
      ? COMMENT_MARK + ofCell.map((problem) => commentText(problem, words)).join('\n\n')
      : null;
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

/** Another person's part of a comment: all of it before our mark. */
export function withoutOurs(comment: string): string {
  const at = comment.startsWith(COMMENT_MARK) ? 0 : comment.indexOf(`\n${COMMENT_MARK}`);
  return at === -1 ? comment : comment.slice(0, at).trimEnd();
}

function commentText({ severity, message, remedy, suggestion }: WordedProblem, words: MarkWords): string {
  const lines = [`${words.severities[severity]}. ${message}`, remedy];
  if (suggestion !== undefined) lines.push(words.suggestion(suggestion));
  return lines.join('\n');
}

const WIDTHS = [18, 10, 60, 30, 60, 30];

/** A spreadsheet's cell takes 32,767 characters, and a problem needs fewer. */
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
  words: MarkWords;
};

/** The sheet that lists every problem, each with a link to its cell. */
export function problemsSheet({
  problems,
  left,
  marks,
  sheet,
  names,
  isOfText = false,
  words,
}: ProblemsSheet): NewSheet {
  const { name, title, ofText } = LISTS[words.language];
  const lines: NewCell[][] = [
    [{ text: title, look: 'header' }, ...(isOfText ? [{ text: ofText }] : [])],
    [{ text: words.advice }],
  ];
  if (left > 0) lines.push([{ text: words.left(left) }]);
  if (marks > COMMENTS_WRITTEN) lines.push([{ text: words.commented(marks, COMMENTS_WRITTEN) }]);
  lines.push(words.headers.map((text) => ({ text, look: 'header' })));
  return {
    name: nameBeside(name, names),
    columns: WIDTHS.map((width) => ({ width, isText: true })),
    rows: linesOf(lines, problems, sheet, words),
    frozenRows: lines.length,
  };
}

function* linesOf(
  head: readonly NewCell[][],
  problems: readonly WordedProblem[],
  sheet: string,
  words: MarkWords,
): Generator<NewCell[]> {
  yield* head;
  for (const problem of problems) yield problemLine(problem, sheet, words);
}

function problemLine(problem: WordedProblem, sheet: string, words: MarkWords): NewCell[] {
  const { severity, cell, row, message, value, remedy, suggestion } = problem;
  const target = cell ?? (row === null ? null : `A${row}`);
  const place = placeText(problem, words);
  return [
    target === null ? { text: place } : { text: place, link: linkTo(problem.sheet ?? sheet, target) },
    { text: words.severities[severity], look: severity },
    { text: message },
    { text: (value ?? '').slice(0, TEXT_MAX) },
    { text: remedy },
    { text: (suggestion ?? '').slice(0, TEXT_MAX) },
  ];
}

function placeText(problem: WordedProblem, words: MarkWords): string {
  const { sheet, row, cell } = problem;
  if (row === null) return words.wholeFile;
  if (cell !== null) return problemPlace(problem);
  return sheet === null ? words.row(row) : `${sheet}, ${words.row(row)}`;
}

function nameBeside(plain: string, names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  let name = plain;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${plain} (${number})`;
  return name;
}
