import type { PayoutOrder } from '../../domain/payee.ts';
import type { RowCells } from '../cells/row-cells.ts';
import { combined } from './hash53.ts';
import { type Likeness, type SameAccount, warnOfRepeat } from './repeat-warnings.ts';
import type { RowMarks } from './row-marks.ts';
import { RowTable } from './row-table.ts';

/** Where nothing is to be remembered under a hash: no negative number. */
const NOWHERE = 0;

/**
 * Warns of rows that repeat what an earlier row has: once a row, of what tells most. All of it can be meant (two
 * deliveries at one price, a salary split over two accounts, a couple with one account), so nothing here is an error.
 *
 * Rows are remembered by hashes, in a table that takes 44 megabytes for a million rows. Accounts and payee ids are known
 * by 53 bits: the chance that any two of a million different ones are taken for one is one in eighteen thousand.
 * Whether name, amount and account are those of the row so found is told by 32 bits, so that one repetition in four
 * billion is named wrongly or missed. All that follows is a warning too many or one too few.
 */
export class Repeats {
  readonly #table: RowTable;
  readonly #found: Likeness = {
    account: { row: 0, isSameName: false, isOtherPayee: false },
    payment: { row: 0, isSameName: false, isOtherPayee: false },
    payee: { row: 0, isSameName: false, isSameAccount: false },
    otherAccountRow: 0,
  };

  constructor(rowsExpected: number) {
    this.#table = new RowTable(rowsExpected);
  }

  check(cells: RowCells, order: PayoutOrder, marks: RowMarks): void {
    const table = this.#table;
    const { account, payee } = marks;
    const byAccount = table.ofAccount(account);
    const byPayee = payee === 0 ? NOWHERE : table.ofPayee(payee);
    const isPayeeKnown = payee !== 0 && byPayee >= 0;
    if (byAccount < 0 || byPayee < 0) table.add(cells.row, marks, account, byAccount, payee, byPayee);
    if (byAccount < 0 && !isPayeeKnown) return;
    this.#forget();
    if (byAccount >= 0) this.#noteAccount(cells.row, byAccount, marks);
    if (isPayeeKnown) this.#notePayee(cells.row, byPayee, marks);
    warnOfRepeat(cells, order, this.#found);
  }

  #forget(): void {
    const found = this.#found;
    found.account.row = 0;
    found.payment.row = 0;
    found.payee.row = 0;
    found.otherAccountRow = 0;
  }

  #noteAccount(row: number, first: number, marks: RowMarks): void {
    const table = this.#table;
    const { account, payment } = this.#found;
    note(account, table, first, marks);
    if (table.isAmount(first, marks.amount)) {
      note(payment, table, first, marks);
      return;
    }
    // Only the first amount stands beside the account itself.
    const both = combined(marks.account, marks.amount);
    const same = table.ofAccount(both);
    if (same >= 0) note(payment, table, same, marks);
    else table.add(row, marks, both, same, marks.payee, NOWHERE);
  }

  #notePayee(row: number, first: number, marks: RowMarks): void {
    const table = this.#table;
    const { payee } = this.#found;
    payee.row = table.row(first);
    payee.isSameName = table.isNamed(first, marks.name);
    payee.isSameAccount = table.isAccount(first, marks.account);
    let comparable = first;
    if (!table.isCurrency(first, marks.currency)) {
      const both = combined(marks.payee, marks.currency);
      comparable = table.ofPayee(both);
      if (comparable < 0) table.add(row, marks, marks.account, NOWHERE, both, comparable);
    }
    if (comparable >= 0 && !table.isAccount(comparable, marks.account))
      this.#found.otherAccountRow = table.row(comparable);
  }
}

function note(found: SameAccount, table: RowTable, entry: number, marks: RowMarks): void {
  const payee = table.payee(entry);
  found.row = table.row(entry);
  found.isSameName = table.isNamed(entry, marks.name);
  found.isOtherPayee = payee !== 0 && marks.payee !== 0 && payee !== marks.payee >>> 0;
}
