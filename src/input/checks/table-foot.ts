import type { RunRow } from '../../domain/entry.ts';
import type { DecimalConvention } from '../cells/amounts/amount.ts';
import type { Fault, RowFacts } from '../cells/cell-facts.ts';
import type { Header } from '../header/columns.ts';
import type { ForeignRow, RowReader } from '../rows.ts';
import { type AmountSums, isSum, sumsSince, sumsText } from './amount-sums.ts';
import { codesOf, isFooterText, type Line, lineOf, readingsOf } from './total-lines.ts';

/** More lines than people write under a table; what is above them is read as rows then. */
const HELD_MAX = 20;

type HeldRow = ForeignRow & { line: Line };

/** What a total line says, beside what the rows above it are. */
type Said = { text: string; codes: readonly string[]; readings: readonly string[]; isLabelled: boolean };

/**
 * Tells the lines under a table (totals, `Printed 25.11.2026`) from payouts that lack something. Only what comes next
 * tells which, so rows without a payee are held back until the next payout or the end of the table.
 */
export class TableFoot {
  readonly #header: Header;
  readonly #reader: RowReader;
  /** Where the columns are of which nearly every row has one. */
  readonly #accounts: readonly number[];
  #held: HeldRow[] = [];
  #lastRow = 0;
  /** What the rows added up to at the last line between payouts. */
  #before: AmountSums | null = null;
  #isContradicted = false;

  constructor(header: Header, reader: RowReader) {
    this.#header = header;
    this.#reader = reader;
    const { account_number, wallet_address, external_account_id } = header.index;
    this.#accounts = [account_number, wallet_address, external_account_id].filter((at) => at !== -1);
  }

  /** Whether a line that says it is the total has another figure than the rows: then the file contradicts itself. */
  get isContradicted(): boolean {
    return this.#isContradicted;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Whether the row is held back. Nearly every row has a name and an account, and is asked nothing else. */
  holds(row: number, cells: string[], facts: RowFacts | null): boolean {
    const isApart = row - this.#lastRow > 1;
    this.#lastRow = row;
    if (this.#hasPayee(cells)) return false;
    const line = this.#held.length < HELD_MAX ? lineOf(this.#header, cells, facts) : null;
    if (line === null || this.#header.firstError !== null || this.#reader.sums.rows === 0) return false;
    // A bare name right under the last payee is a row that somebody began, not a footer.
    const isOfNames = line.kind === 'footer' && (line.column === 'name' || line.column === 'payee_id');
    if (isOfNames && !isApart && this.#held.length === 0 && !isFooterText(line.text)) return false;
    this.#held.push({ row, cells, facts, line });
    return true;
  }

  #hasPayee(cells: readonly string[]): boolean {
    const { name } = this.#header.index;
    if (name === -1 || isEmpty(cells[name])) return false;
    for (const at of this.#accounts) if (!isEmpty(cells[at])) return true;
    return false;
  }

  /** Decides what the held rows are, at the end of the table or before the next payout, and gives those that are rows. */
  release(isEnd: boolean, convention: DecimalConvention): RunRow[] {
    const held = this.#held;
    this.#held = [];
    return held
      .map((each) => (isEnd ? this.#readAtEnd(each, convention) : this.#readBetween(each, convention)))
      .filter((row) => row !== null);
  }

  #readAtEnd(held: HeldRow, convention: DecimalConvention): RunRow | null {
    const { line } = held;
    if (line.kind === 'footer') {
      this.#reader.note(held, line.column, FOOTER, line.text);
      return null;
    }
    if (!line.hasFigure) {
      this.#reader.note(held, 'amount', WITHOUT_FIGURE);
      return null;
    }
    const { sums } = this.#reader;
    const said = this.#said(held, line.isLabelled, convention);
    if (saysSum(said, sums) || saysSum(said, sumsSince(this.#before, sums))) {
      this.#reader.note(held, 'amount', TOTAL);
      return null;
    }
    if (sums.unread === 0) {
      if (line.isLabelled) this.#isContradicted = true;
      return this.#reader.refuse(held, 'amount', differs(said, sums));
    }
    if (!line.isLabelled) return this.#reader.read(held.row, held.cells, convention, held.facts);
    this.#reader.note(held, 'amount', notCompared(sums.unread));
    return null;
  }

  #readBetween(held: HeldRow, convention: DecimalConvention): RunRow | null {
    const { sums } = this.#reader;
    const { line } = held;
    if (line.kind === 'total') {
      const said = this.#said(held, line.isLabelled, convention);
      const block = sumsSince(this.#before, sums);
      const isOfSeveral = sums.rows > 1 && (saysSum(said, sums) || (block.rows > 1 && saysSum(said, block)));
      if (line.isLabelled || isOfSeveral) {
        this.#before = sums;
        return this.#reader.refuse(held, 'amount', SUBTOTAL);
      }
    }
    return this.#reader.read(held.row, held.cells, convention, held.facts);
  }

  #said({ cells, facts }: HeldRow, isLabelled: boolean, convention: DecimalConvention): Said {
    const { amount, currency } = this.#header.index;
    const text = cells[amount]?.trim() ?? '';
    const codes = codesOf(currency === -1 ? '' : (cells[currency]?.trim() ?? ''), text);
    return { text, codes, readings: readingsOf(text, facts, amount, convention), isLabelled };
  }
}

const NOT_PAID = 'Nothing needs to be done: it is not paid.';

const TOTAL: Fault = {
  code: 'total_line',
  message: 'This line has the sum of the rows above it, so it is no payout.',
  remedy: NOT_PAID,
};

const WITHOUT_FIGURE: Fault = {
  code: 'formula_without_value',
  message:
    'This line stands under the payouts and has a formula alone, so it is taken for their sum and not for a payout. The file does not hold its result, so it could not be compared.',
  remedy: 'Open the file in your spreadsheet program, save it there, and check it again.',
};

const FOOTER: Fault = {
  code: 'footer_line',
  message: 'This line stands under the table and has no amount, so it is no payout.',
  remedy: `${NOT_PAID} If it is a payee, fill in the row.`,
};

const SUBTOTAL: Fault = {
  code: 'subtotal_line',
  message: 'This line has the sum of rows above it, or says so, and stands between payouts.',
  remedy: 'Remove it: a sum may only stand under the last payout.',
};

/** Whether there are only blanks; most cells begin with something else. */
function isEmpty(cell = ''): boolean {
  return cell === '' || (cell.charCodeAt(0) <= 0x20 && cell.trim() === '');
}

function saysSum({ readings, codes }: Said, sums: AmountSums): boolean {
  return readings.some((plain) => isSum(plain, codes, sums));
}

function differs({ text, codes, isLabelled }: Said, sums: AmountSums): Fault {
  const why = isLabelled ? '' : ', which has neither a name nor an account,';
  return {
    code: 'total_line_differs',
    message: `This line${why} says ${text}, and the rows above it add up to ${sumsText(codes, sums)}.`,
    remedy: isLabelled
      ? 'Find out which is right, and correct the line or the rows; a line without a purpose can be removed.'
      : 'Correct the sum or the rows; if the row is a payout, fill in its name and account.',
  };
}

function notCompared(unread: number): Fault {
  return {
    code: 'total_line',
    message: `This line says that it is a sum; it could not be compared, because the amounts of ${unread} ${unread === 1 ? 'row' : 'rows'} could not be read.`,
    remedy: 'Mend those rows first.',
  };
}
