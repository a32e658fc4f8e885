import { currencyLabel } from '../../domain/currencies.ts';
import { maskIdentifier } from '../../domain/mask.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { fault } from '../../domain/problem.ts';
import type { RowCells } from '../cells/row-cells.ts';
import type { Table } from '../source/table.ts';
import { FirstPlaces, NONE } from './first-places.ts';
import { accountColumn, combined, type RowMarks } from './row-marks.ts';

/** Later rows are compared with these, and with no others. A million rows are one sheet of a spreadsheet program. */
const ROWS_REMEMBERED = 4_000_000;

const ROWS_LEAST = 1_000;

/** A row of a payroll has about so many bytes of text. */
const ROW_BYTES = 128;

/** What is remembered of a row beside its account and payee: 32 bits each, at these places. */
const ROW = 0;
const CURRENCY = 1;
const AMOUNT = 2;
const NAME = 3;
const NUMBERS = 4;

/**
 * Warns of rows that repeat what an earlier row has: one warning a row, of what matters most. All of it can be meant (two
 * deliveries at one price, a salary split over two accounts, a couple with one account), so nothing here is an error.
 *
 * Accounts and payee ids are found by hashes of 53 bits: the chance that any two of a million different ones are taken
 * for one is one in eighteen thousand. What is found is compared by 32 bits. Then a warning is one too many or too few.
 */
export class Repeats {
  /** Of each row that is remembered, at its place. */
  readonly #accounts: FirstPlaces;
  readonly #payees: FirstPlaces;
  /** Of account and amount, and of payee and currency, of the rows that repeat an account or a payee. */
  readonly #combined = new FirstPlaces(ROWS_LEAST);
  /** The places of their rows. */
  readonly #rowsOfCombined: number[] = [];
  #remembered = 0;
  /** Arrays of numbers, because objects for each row of a million take ten times as much. */
  #numbers: Uint32Array;

  /** Where there are more rows than expected, what is remembered of them is moved, which takes memory and time. */
  constructor({ bytes, bank }: Pick<Table, 'bytes' | 'bank'>, hasPayeeIds: boolean) {
    const rowsExpected = bank?.paymentsExpected ?? bytes / ROW_BYTES;
    const rows = Math.min(Math.max(Math.ceil(rowsExpected), ROWS_LEAST), ROWS_REMEMBERED);
    this.#accounts = new FirstPlaces(rows);
    this.#payees = new FirstPlaces(hasPayeeIds ? rows : ROWS_LEAST);
    this.#numbers = new Uint32Array(NUMBERS * rows);
  }

  check(cells: RowCells, order: PayoutOrder, marks: RowMarks): void {
    const at = this.#remember(cells.row, marks);
    const { account, payee } = marks;
    const ofAccount = this.#accounts.firstOf(account, at);
    const ofPayee = payee === 0 ? NONE : this.#payees.firstOf(payee, at);
    if (ofAccount !== NONE || ofPayee !== NONE) this.#warn(cells, order, marks, { ofAccount, ofPayee, at });
  }

  /** The place of the row among those that are remembered; -1 where there are too many. */
  #remember(row: number, { currency, amount, name }: RowMarks): number {
    if (this.#remembered >= ROWS_REMEMBERED) return NONE;
    const at = this.#remembered++;
    if (this.#numbers.length < NUMBERS * this.#remembered) {
      const larger = new Uint32Array(2 * this.#numbers.length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const numbers = this.#numbers;
    const begin = NUMBERS * at;
    numbers[begin + ROW] = row;
    numbers[begin + CURRENCY] = currency;
    numbers[begin + AMOUNT] = amount;
    numbers[begin + NAME] = name;
    return at;
  }

  #of(at: number, place: number): number {
    return this.#numbers[NUMBERS * at + place] ?? 0;
  }

  #isSame(at: number, place: number, mark: number): boolean {
    return this.#of(at, place) === mark >>> 0;
  }

  #isOtherPayee(at: number, payee: number): boolean {
    return payee !== 0 && this.#payees.at(at) !== 0 && this.#payees.at(at) !== payee;
  }

  /** First what pays twice, last what is nearly always meant. */
  #warn(
    cells: RowCells,
    order: PayoutOrder,
    marks: RowMarks,
    { ofAccount, ofPayee, at }: { ofAccount: number; ofPayee: number; at: number },
  ): void {
    const { account, payee, name } = marks;
    const column = accountColumn(order.destination);
    const masked = maskIdentifier(cells.text(column));
    const row = ofAccount === NONE ? null : this.#of(ofAccount, ROW);
    const isSameName = row !== null && this.#isSame(ofAccount, NAME, name);
    const shared = row !== null && this.#isOtherPayee(ofAccount, payee) ? row : null;
    const payment = ofAccount === NONE ? NONE : this.#firstOfAmount(ofAccount, marks, at);
    const comparable = ofPayee === NONE ? NONE : this.#firstInCurrency(ofPayee, marks, at);
    if (payment !== NONE) {
      const isOtherPayee = this.#isOtherPayee(payment, payee);
      const same = {
        ...cells.earlier(this.#of(payment, ROW)),
        isOtherName: !this.#isSame(payment, NAME, name),
        isOtherPayee,
      };
      cells.warn(column, fault('possible_duplicate', same), masked);
    } else if (ofPayee !== NONE && !this.#isSame(ofPayee, NAME, name)) {
      const isSameAccount = this.#accounts.at(ofPayee) === account;
      cells.warn('name', fault('payee_name_differs', { ...cells.earlier(this.#of(ofPayee, ROW)), isSameAccount }));
    } else if (comparable !== NONE && this.#accounts.at(comparable) !== account) {
      const params = { ...cells.earlier(this.#of(comparable, ROW)), currency: currencyLabel(order.currency), shared };
      cells.warn(column, fault('payee_account_differs', params), masked);
    } else if (shared !== null)
      cells.warn(column, fault('account_shared', { ...cells.earlier(shared), isSameName }), masked);
    else if (row !== null && !isSameName) cells.warn('name', fault('account_name_differs', cells.earlier(row)));
    else if (ofPayee !== NONE) cells.warn('payee_id', fault('payee_repeated', cells.earlier(this.#of(ofPayee, ROW))));
  }

  /** The first row with the account and the amount. */
  #firstOfAmount(ofAccount: number, { account, amount }: RowMarks, at: number): number {
    if (this.#isSame(ofAccount, AMOUNT, amount)) return ofAccount;
    return this.#firstOfCombined(combined(account, amount), at);
  }

  /** The first row with the payee and the currency. */
  #firstInCurrency(ofPayee: number, { payee, currency }: RowMarks, at: number): number {
    if (this.#isSame(ofPayee, CURRENCY, currency)) return ofPayee;
    return this.#firstOfCombined(combined(payee, currency), at);
  }

  #firstOfCombined(hash: number, at: number): number {
    const rows = this.#rowsOfCombined;
    const found = this.#combined.firstOf(hash, at === NONE ? NONE : rows.length);
    if (found === NONE && at !== NONE) rows.push(at);
    return found === NONE ? NONE : (rows[found] ?? NONE);
  }
}
