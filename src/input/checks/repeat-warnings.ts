import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { maskIdentifier } from '../../domain/mask.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { Fault } from '../cells/cell-facts.ts';
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
  if (payment.row !== 0) warnAtAccount(cells, order, possibleDuplicate(payment));
  else if (payee.row !== 0 && !payee.isSameName) cells.warn('name', payeeNameDiffers(payee));
  else if (otherAccountRow !== 0) warnAtAccount(cells, order, payeeAccountDiffers(found, order.currency));
  else if (account.row !== 0 && account.isOtherPayee) warnAtAccount(cells, order, accountShared(account));
  else if (account.row !== 0 && !account.isSameName) cells.warn('name', accountNameDiffers(account));
  else if (payee.row !== 0) cells.warn('payee_id', payeeRepeated(payee.row));
}

function warnAtAccount(cells: RowCells, { destination }: PayoutOrder, fault: Fault): void {
  const column = accountColumn(destination);
  cells.warn(column, fault, maskIdentifier(cells.text(column)));
}

function possibleDuplicate({ row, isSameName, isOtherPayee }: SameAccount): Fault {
  const others = [isSameName ? '' : 'another name', isOtherPayee ? 'another payee ID' : '']
    .filter(Boolean)
    .join(' and ');
  return {
    code: 'possible_duplicate',
    message: `Row ${row} pays the same amount to the same account${others && `, under ${others}`}.`,
    remedy:
      others === ''
        ? 'Remove one of the two rows, unless the payee is to be paid twice.'
        : 'Find out whose account it is, and remove the wrong row, unless both payments are meant.',
  };
}

function payeeNameDiffers({ row, isSameAccount }: Likeness['payee']): Fault {
  return {
    code: 'payee_name_differs',
    message: isSameAccount
      ? `Row ${row} has the same payee ID and account with another name.`
      : `Row ${row} has the same payee ID with another name and another account.`,
    remedy: isSameAccount
      ? 'Make sure that the payee ID belongs to one payee, and write the name in one way.'
      : 'Make sure that the payee ID belongs to one payee, and give each payee one of its own.',
  };
}

function payeeAccountDiffers({ account, otherAccountRow }: Likeness, currency: Currency): Fault {
  const also =
    account.isOtherPayee && account.row !== 0 ? `, and row ${account.row} pays this one for another payee ID` : '';
  return {
    code: 'payee_account_differs',
    message: `Row ${otherAccountRow} pays the same payee ID in ${currencyLabel(currency)} to another account${also}.`,
    remedy: 'Make sure that both accounts are of this payee: one may be out of date, or of somebody else.',
  };
}

function accountShared({ row, isSameName }: SameAccount): Fault {
  return {
    code: 'account_shared',
    message: `Row ${row} pays the same account ${isSameName ? 'and name ' : ''}under another payee ID.`,
    remedy: isSameName
      ? 'Use one payee ID for one payee.'
      : 'Make sure that the two payees share the account, and correct it where they do not.',
  };
}

function accountNameDiffers({ row }: SameAccount): Fault {
  return {
    code: 'account_name_differs',
    message: `Row ${row} pays the same account under another name.`,
    remedy: 'Make sure that the account belongs to both, and correct the row where it does not.',
  };
}

function payeeRepeated(row: number): Fault {
  return {
    code: 'payee_repeated',
    message: `Row ${row} pays the same payee ID.`,
    remedy: 'Change nothing if the payee is to get more than one payment.',
  };
}
