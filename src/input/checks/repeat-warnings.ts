import { currencyLabel } from '../../domain/currencies.ts';
import { maskIdentifier } from '../../domain/mask.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { type Fault, fault } from '../../domain/problem.ts';
import type { RowCells } from '../cells/row-cells.ts';
import { accountColumn } from './row-marks.ts';

/** An earlier row that pays the same account. Row 0 is none. */
export type SameAccount = { row: number; isSameName: boolean; isOtherPayee: boolean };

/** What earlier rows have in common with a row. Row 0 is none. */
export type Likeness = {
  /** The first row with this account. */
  account: SameAccount;
  /** The first row with this account, amount and currency. */
  payment: SameAccount;
  /** The first row with this payee_id. */
  payee: { row: number; isSameName: boolean; isSameAccount: boolean };
  /** The first row with this payee_id and currency, where its account is another. */
  otherAccountRow: number;
};

/** Notes what tells most of a row's likeness to earlier ones: first what pays twice, last what is nearly always meant. */
export function warnOfRepeat(cells: RowCells, order: PayoutOrder, found: Likeness): void {
  const { account, payment, payee, otherAccountRow } = found;
  const { row, isSameName } = account;
  const shared = row !== 0 && account.isOtherPayee ? row : null;
  if (payment.row !== 0)
    warnAtAccount(
      cells,
      order,
      fault('possible_duplicate', {
        row: payment.row,
        isOtherName: !payment.isSameName,
        isOtherPayee: payment.isOtherPayee,
      }),
    );
  else if (payee.row !== 0 && !payee.isSameName)
    cells.warn('name', fault('payee_name_differs', { row: payee.row, isSameAccount: payee.isSameAccount }));
  else if (otherAccountRow !== 0) {
    const currency = currencyLabel(order.currency);
    warnAtAccount(cells, order, fault('payee_account_differs', { row: otherAccountRow, currency, shared }));
  } else if (shared !== null) warnAtAccount(cells, order, fault('account_shared', { row, isSameName }));
  else if (row !== 0 && !isSameName) cells.warn('name', fault('account_name_differs', { row }));
  else if (payee.row !== 0) cells.warn('payee_id', fault('payee_repeated', { row: payee.row }));
}

function warnAtAccount(cells: RowCells, { destination }: PayoutOrder, found: Fault): void {
  const column = accountColumn(destination);
  cells.warn(column, found, maskIdentifier(cells.text(column)));
}
