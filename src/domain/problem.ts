import type { Wording } from './wording.ts';

/** Something wrong at a cell of the input (or, with null places, of the whole file). */
export type Problem = {
  severity: 'error' | 'warning';
  /** A stable snake_case word, for programs. */
  code: string;
  sheet: string | null;
  /** As the user's spreadsheet program numbers it: the header of a plain CSV is row 1. */
  row: number | null;
  /** The canonical column name of `columns`, for example `account_number`. */
  column: string | null;
  /** As in `F17`. */
  cell: string | null;
  /** The cell's text, identifiers masked to the last four unless the problem is about that very value. */
  value: string | null;
  /** What is wrong, in one sentence. */
  message: string;
  /** How to mend it, in one sentence. */
  remedy: Wording;
  /** What the cell could hold instead, where that is safe to write. */
  suggestion?: string;
  /** Of `paid_before`: the last run that paid, perhaps paid, or is about to pay the same. */
  paid_by?: PaidBy;
};

export type PaidBy = { run_id: string; how: 'paid' | 'perhaps' | 'waiting' };

/** A problem in the words of one audience. */
export type WordedProblem = Problem & { remedy: string };

/** All problems of one kind: the same mistake in the same column. */
export type ProblemGroup = {
  severity: Problem['severity'];
  code: string;
  column: string | null;
  count: number;
  /** The first few of them. */
  first: Problem[];
};

/**
 * Where a problem is, as people find it in their spreadsheet: `Sheet1!F17`, `'July pay'!F17`, `F17` or `row 17`; empty for
 * the whole file.
 */
export function problemPlace({ sheet, cell, row }: Pick<Problem, 'sheet' | 'cell' | 'row'>): string {
  if (cell !== null) return sheet === null ? cell : `${sheetInReference(sheet)}!${cell}`;
  if (row !== null) return sheet === null ? `row ${row}` : `${sheet}, row ${row}`;
  return '';
}

const PLAIN_SHEET = /^[\p{L}_][\p{L}\p{N}_.]*$/u;

/** `JUL26` is a cell, and `R1C1`, `R` and `C` are what cells are called in another way. */
const LIKE_CELL = /^(?:[A-Z]{1,3}\d+|R\d*(?:C\d*)?|C\d*)$/i;

/** A sheet's name in front of a cell, as spreadsheet programs write it and take it: in apostrophes unless it is one plain word. */
function sheetInReference(sheet: string): string {
  return PLAIN_SHEET.test(sheet) && !LIKE_CELL.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
}
