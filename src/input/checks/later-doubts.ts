import type { Fault, Problem } from '../../domain/problem.ts';
import type { Header } from '../header/columns.ts';
import { roughAmount, type TableSample } from './table-sample.ts';
import { accountsBeside, isIban, plainAccount, whichAccount } from './which-account.ts';
import { amountsBeside, isDoubtfulAmount, whichAmount } from './which-amount.ts';
import { isSecond } from './words/second-words.ts';

/** A column that is empty in the first rows, and is a question where a row further down fills it. */
export type LaterDoubt = {
  column: number;
  /** Whether the text of a cell may raise the question; false for nearly every one. */
  mayRaise: (text: string) => boolean;
  /** The question, by the whole row; null where it is none. */
  questionOf: (cells: readonly string[]) => Fault | null;
};

/**
 * Other accounts and amounts that come later than the rows by which the whole file is judged: a `New IBAN` that only the
 * hundredth payee has. Their rows are errors, and the others are paid as they stand.
 */
export function laterDoubts(header: Header, sample: TableSample): LaterDoubt[] {
  if (sample.rows.length === 0) return [];
  const accounts = accountsBeside(header).filter((at) => saysNoOther(header, sample, at));
  const amounts = amountsBeside(header);
  const doubtful = amounts.filter(
    (at) => isDoubtfulAmount(header, at) && sample.filled(at).every((cell) => !isAmountOfSome(cell)),
  );
  return [
    ...accounts.map((column): LaterDoubt => {
      const isNamed = isSecond(header.cells[column] ?? '', 'account_number');
      return {
        column,
        mayRaise: (text) => isNamed || isIban(plainAccount(text)),
        questionOf: (cells) => questionIn(whichAccount(header, sample.over(cells), [column])),
      };
    }),
    ...doubtful.map(
      (column): LaterDoubt => ({
        column,
        mayRaise: isAmountOfSome,
        questionOf: (cells) => questionIn(whichAmount(header, sample.over(cells), amounts)),
      }),
    ),
  ];
}

/** Whether the first rows leave a column empty, or repeat in it the accounts that are paid. */
function saysNoOther({ index }: Header, sample: TableSample, at: number): boolean {
  const plain = (row: readonly string[], place: number) => plainAccount(sample.cell(row, place));
  return sample.rows.every((row) => plain(row, at) === '' || plain(row, at) === plain(row, index.account_number));
}

function isAmountOfSome(cell: string): boolean {
  return (roughAmount(cell) ?? 0) !== 0;
}

/** A question about the header, without its place. */
function questionIn([question]: readonly Problem[]): Fault | null {
  return question === undefined ? null : { code: question.code, params: question.params };
}
