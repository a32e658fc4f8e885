import type { PayoutOrder } from '../domain/payee.ts';
import { HashTable } from './hash-table.ts';
import { combined } from './hash53.ts';
import { type Likeness, type SameAccount, warnOfRepeat } from './repeat-warnings.ts';
import type { RowCells } from './row-cells.ts';
import type { RowMarks } from './row-marks.ts';

/** What a table keeps of the first row with some hash, by its place there. */
const ROW = 0;
const NAME = 1;
const PAYEE = 2;
const AMOUNT = 3;
const ACCOUNT = 2;
const CURRENCY = 3;

/**
 * Warns of rows that repeat what an earlier row has: once a row, of what tells most. All of it can be meant (two
 * deliveries at one price, a salary split over two accounts, a couple with one account), so nothing here is an error.
 *
 * Rows are remembered by hashes, in two tables that take 60 megabytes for a million rows. Accounts and payee ids are
 * known by 53 bits: the chance that any two of a million different ones are taken for one is one in eighteen thousand.
 * Whether name, amount and account are those of the row so found is told by 32 bits, so that one repetition in four
 * billion is named wrongly or missed. All that follows is a warning too many or one too few.
 */
export class Repeats {
  readonly #accounts: HashTable;
  readonly #payees: HashTable;
  readonly #found: Likeness = {
    account: { row: 0, isSameName: false, isOtherPayee: false },
    payment: { row: 0, isSameName: false, isOtherPayee: false },
    payee: { row: 0, isSameName: false, isSameAccount: false },
    otherAccountRow: 0,
  };

  constructor(rowsExpected: number) {
    this.#accounts = new HashTable(rowsExpected);
    this.#payees = new HashTable(rowsExpected);
  }

  check(cells: RowCells, order: PayoutOrder, marks: RowMarks): void {
    this.#found.payee.row = 0;
    this.#found.otherAccountRow = 0;
    const isAccountKnown = this.#findAccount(cells.row, marks);
    const isPayeeKnown = marks.payee !== 0 && this.#findPayee(cells.row, marks);
    if (isAccountKnown || isPayeeKnown) warnOfRepeat(cells, order, this.#found);
  }

  #findAccount(row: number, marks: RowMarks): boolean {
    const { account, payment } = this.#found;
    payment.row = 0;
    account.row = 0;
    const table = this.#accounts;
    const payee = marks.payee >>> 0;
    const amount = marks.amount >>> 0;
    const first = table.claim(marks.account, row, marks.name, payee, amount);
    if (first === -1) return false;
    noteAccount(account, table, first, marks);
    if (table.at(first, AMOUNT) === amount) {
      noteAccount(payment, table, first, marks);
      return true;
    }
    // Only the first amount stands beside the account itself.
    const same = table.claim(combined(marks.account, marks.amount), row, marks.name, payee, amount);
    if (same !== -1) noteAccount(payment, table, same, marks);
    return true;
  }

  #findPayee(row: number, marks: RowMarks): boolean {
    const found = this.#found;
    const { payee } = found;
    const table = this.#payees;
    const account = marks.account >>> 0;
    const currency = marks.currency >>> 0;
    const first = table.claim(marks.payee, row, marks.name, account, currency);
    if (first === -1) return false;
    payee.row = table.at(first, ROW);
    payee.isSameName = table.at(first, NAME) === marks.name;
    payee.isSameAccount = table.at(first, ACCOUNT) === account;
    let comparable = first;
    if (table.at(first, CURRENCY) !== currency)
      comparable = table.claim(combined(marks.payee, marks.currency), row, marks.name, account, currency);
    if (comparable !== -1 && table.at(comparable, ACCOUNT) !== account)
      found.otherAccountRow = table.at(comparable, ROW);
    return true;
  }
}

function noteAccount(found: SameAccount, table: HashTable, slot: number, marks: RowMarks): void {
  const payee = table.at(slot, PAYEE);
  found.row = table.at(slot, ROW);
  found.isSameName = table.at(slot, NAME) === marks.name;
  found.isOtherPayee = payee !== 0 && marks.payee !== 0 && payee !== marks.payee >>> 0;
}
