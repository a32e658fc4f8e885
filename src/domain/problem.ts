import type { AccountProblems, ReferenceProblems } from './problems/account-problems.ts';
import type { BankFileProblems } from './problems/bank-file-problems.ts';
import type {
  AmountProblems,
  CellProblems,
  FileProblems,
  HeaderProblems,
  PayeeProblems,
} from './problems/input-problems.ts';
import type { OtherListProblems } from './problems/other-list-problems.ts';
import type { HistoryProblems, PaidStanding, RepeatProblems, TotalProblems } from './problems/payment-problems.ts';
import type { RowProblems } from './problems/row-problems.ts';
import type { StrangeCharacter } from './strange-characters.ts';

/** What the words of each problem are filled with, by its code. `messages/problems` has the words. */
export type ProblemParams = FileProblems &
  BankFileProblems &
  OtherListProblems &
  HeaderProblems &
  CellProblems &
  RowProblems &
  PayeeProblems &
  AmountProblems &
  AccountProblems &
  ReferenceProblems &
  RepeatProblems &
  TotalProblems &
  HistoryProblems;

/** A stable snake_case word, for programs too. */
export type ProblemCode = keyof ProblemParams;

/** What to do, where that is more certain than what the code alone advises. */
export type BetterRemedy =
  /** The rest of the cell cannot be seen, or does not belong there. */
  | { do: 'write_alone'; text: string }
  /** Digits of another script, or letters of another form. */
  | { do: 'write_plain'; text: string }
  /** The cell holds an IBAN of the UK. */
  | { do: 'split_iban'; account: string; sortCode: string }
  | { do: 'take_from_iban'; sortCode: string };

/**
 * What of any problem depends on the row: `absentColumn` is the column of ours that the file has not,
 * `oddCharacter` one of the cell that explains it.
 */
export type OfAny = { better?: BetterRemedy; absentColumn?: string; oddCharacter?: StrangeCharacter };

export type PaidBy = { run_id: string; how: PaidStanding };

/** What is wrong, before its place is known. */
export type Fault<Code extends ProblemCode = ProblemCode> = {
  code: Code;
  params: ProblemParams[Code] & OfAny;
  /** What the cell could hold instead, where that is safe to write. */
  suggestion?: string;
  /** Of `paid_before`: the last run that paid, perhaps paid, or is about to pay the same. */
  paid_by?: PaidBy;
};

/** The parameters may be left out where there are none. */
export function fault<Code extends ProblemCode>(
  code: Code,
  ...[params]: Record<never, never> extends ProblemParams[Code]
    ? [params?: ProblemParams[Code]]
    : [params: ProblemParams[Code]]
): Fault<Code> {
  return { code, params: (params ?? {}) as ProblemParams[Code] };
}

export type Severity = 'error' | 'warning';

/** Where a problem is; null for what does not apply, and all null for the whole file. */
export type ProblemPlace = {
  sheet: string | null;
  /** As the user's spreadsheet program numbers it: the header of a plain CSV is row 1. */
  row: number | null;
  /** The canonical column name of `columns`, for example `account_number`. */
  column: string | null;
  /** As in `F17`. */
  cell: string | null;
  /** The cell's text, identifiers masked to the last four unless the problem is about that very value. */
  value: string | null;
  /** Of a bank file, which has no cells. */
  place?: BankPlace;
};

/** Where something stands in a bank file: in an element, in a payment of an XML file, or at positions of a record, from 1. */
export type BankPlace =
  | { in: 'element'; element: string; line: number }
  /** `element`: below the payment's; null for the whole payment. */
  | { in: 'payment'; payment: number; line: number; element: string | null }
  /** `record`: its line in the file; `positions`: null for the whole record. */
  | { in: 'record'; record: number; positions: readonly [number, number] | null };

/** Something wrong at a cell of the input, or with the whole file. */
export type Problem = { severity: Severity } & ProblemPlace & Fault;

/** A problem in the words of one audience: what is wrong and how to correct it, in a sentence each. */
export type Worded = { message: string; remedy: string };
export type WordedProblem = Problem & Worded;

/** All problems of one kind: the same mistake in the same column. */
export type ProblemGroup = {
  severity: Severity;
  code: ProblemCode;
  column: string | null;
  count: number;
  /** The first few of them. */
  first: Problem[];
};

const OF_FILE: ProblemPlace = { sheet: null, row: null, column: null, cell: null, value: null };

/** A problem at what is known of its place. */
export function problemAt(severity: Severity, what: Fault, place: Partial<ProblemPlace> = {}): Problem {
  return { severity, ...OF_FILE, ...place, ...what };
}

/**
 * Where a problem is, as people find it in their spreadsheet: `Sheet1!F17`, `'July pay'!F17`, `F17` or `row 17`; in a bank
 * file `payment 12 (CdtTrfTxInf 12, line 345), Cdtr/Nm` or `record 12, positions 31-43`; empty for the whole file.
 */
export function problemPlace({
  sheet,
  cell,
  row,
  place,
}: Pick<ProblemPlace, 'sheet' | 'cell' | 'row' | 'place'>): string {
  if (place !== undefined) return bankPlace(place);
  if (cell !== null) return sheet === null ? cell : `${sheetInReference(sheet)}!${cell}`;
  if (row !== null) return sheet === null ? `row ${row}` : `${sheet}, row ${row}`;
  return '';
}

function bankPlace(place: BankPlace): string {
  switch (place.in) {
    case 'element':
      return `${place.element}, line ${place.line}`;
    case 'payment': {
      const { payment, line, element } = place;
      return `payment ${payment} (CdtTrfTxInf ${payment}, line ${line})${element === null ? '' : `, ${element}`}`;
    }
    case 'record': {
      const { record, positions } = place;
      return positions === null ? `record ${record}` : `record ${record}, positions ${positions[0]}-${positions[1]}`;
    }
  }
}

/** Parses a place in a bank file as `problemPlace` writes it; null for any other text. */
export function bankPlaceIn(text: string): BankPlace | null {
  const [, record, from, to] = /^record (\d+)(?:, positions (\d+)-(\d+))?$/.exec(text) ?? [];
  if (record !== undefined)
    return { in: 'record', record: Number(record), positions: to === undefined ? null : [Number(from), Number(to)] };
  const [, payment, at, below = null] = /^payment (\d+) \(CdtTrfTxInf \1, line (\d+)\)(?:, (.+))?$/.exec(text) ?? [];
  if (payment !== undefined) return { in: 'payment', payment: Number(payment), line: Number(at), element: below };
  const [, element, line] = /^(.+), line (\d+)$/.exec(text) ?? [];
  return element === undefined ? null : { in: 'element', element, line: Number(line) };
}

const PLAIN_SHEET = /^[\p{L}_][\p{L}\p{N}_.]*$/u;

/** `JUL26` is a cell, and `R1C1`, `R` and `C` are what cells are called in another way. */
const LIKE_CELL = /^(?:[A-Z]{1,3}\d+|R\d*(?:C\d*)?|C\d*)$/i;

/** A sheet's name in front of a cell, as spreadsheet programs write it and take it: in apostrophes unless it is one plain word. */
function sheetInReference(sheet: string): string {
  return PLAIN_SHEET.test(sheet) && !LIKE_CELL.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
}
