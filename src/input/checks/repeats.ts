import type { PayoutOrder } from '../../domain/payee.ts';
import type { RowCells } from '../cells/row-cells.ts';
import { combined } from './hash53.ts';
import { type SameAccount, warnOfRepeat } from './repeat-warnings.ts';
import type { RowMarks } from './row-marks.ts';

/** Later rows are compared with these, and with no others. A million rows are one sheet of a spreadsheet program. */
const ROWS_REMEMBERED = 4_000_000;

/** The rows that came first, by a hash; the values count the rows that are remembered. */
type FirstRows = Map<number, number>;

/**
 * Warns of rows that repeat what an earlier row has: once a row, of what tells most. All of it can be meant (two
 * deliveries at one price, a salary split over two accounts, a couple with one account), so nothing here is an error.
 *
 * Accounts, payee ids and amounts are known by hashes of 53 bits: the chance that any two of a million different ones are
 * taken for one is one in eighteen thousand. Then a warning is one too many or one too few.
 */
export class Repeats {
  readonly #byAccount: FirstRows = new Map();
  /** By account and amount, where that is not the first amount of the account. */
  readonly #byPayment: FirstRows = new Map();
  readonly #byPayee: FirstRows = new Map();
  /** By payee and currency, where that is not the first currency of the payee. */
  readonly #byPayeeIn: FirstRows = new Map();
  // Columns and not objects: numbers of 53 bits take eight bytes each in an array, and three times that in an object.
  readonly #rows: number[] = [];
  readonly #accounts: number[] = [];
  readonly #payees: number[] = [];
  readonly #currencies: number[] = [];
  readonly #amounts: number[] = [];
  readonly #names: number[] = [];

  check(cells: RowCells, order: PayoutOrder, marks: RowMarks): void {
    const at = this.#remember(cells.row, marks);
    const { account, payee } = marks;
    const ofAccount = firstOf(this.#byAccount, account, at);
    const ofPayee = payee === 0 ? -1 : firstOf(this.#byPayee, payee, at);
    if (ofAccount === -1 && ofPayee === -1) return;
    const comparable = ofPayee === -1 ? -1 : this.#inCurrency(ofPayee, marks, at);
    warnOfRepeat(cells, order, {
      account: this.#likeness(ofAccount, marks),
      payment: this.#likeness(ofAccount === -1 ? -1 : this.#ofAmount(ofAccount, marks, at), marks),
      payee: {
        row: this.#rows[ofPayee] ?? 0,
        isSameName: this.#names[ofPayee] === marks.name,
        isSameAccount: this.#accounts[ofPayee] === account,
      },
      otherAccountRow: this.#accounts[comparable] === account ? 0 : (this.#rows[comparable] ?? 0),
    });
  }

  /** The place of the row among those that are remembered; -1 where there are too many. */
  #remember(row: number, { account, payee, currency, amount, name }: RowMarks): number {
    if (this.#rows.length >= ROWS_REMEMBERED) return -1;
    this.#accounts.push(account);
    this.#payees.push(payee);
    this.#currencies.push(currency);
    this.#amounts.push(amount);
    this.#names.push(name);
    return this.#rows.push(row) - 1;
  }

  #ofAmount(first: number, { account, amount }: RowMarks, at: number): number {
    return this.#amounts[first] === amount ? first : firstOf(this.#byPayment, combined(account, amount), at);
  }

  #inCurrency(first: number, { payee, currency }: RowMarks, at: number): number {
    return this.#currencies[first] === currency ? first : firstOf(this.#byPayeeIn, combined(payee, currency), at);
  }

  #likeness(first: number, { name, payee }: RowMarks): SameAccount {
    const other = this.#payees[first] ?? 0;
    return {
      row: this.#rows[first] ?? 0,
      isSameName: this.#names[first] === name,
      isOtherPayee: other !== 0 && payee !== 0 && other !== payee,
    };
  }
}

/** The first row of this key, or -1 where it is this one. */
function firstOf(rows: FirstRows, key: number, at: number): number {
  const first = rows.get(key);
  if (first === undefined && at !== -1) rows.set(key, at);
  return first ?? -1;
}
