import { fault, type Problem } from '../../domain/problem.ts';
import { columnOf, type Header } from '../header/columns.ts';
import { isOfSender } from '../header/sender-words.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { amountUnits } from './amount-units.ts';
import { contributionPaid, customersAsPayees } from './collections.ts';
import { problemAtHeader, type TableSample } from './table-sample.ts';
import { whichAccount } from './which-account.ts';
import { whichAmount } from './which-amount.ts';

/**
 * What is doubtful of the columns that decide how much is paid and to which account: amounts in minor units or in thousands, a
 * net amount beside a gross one or any other amount, a second account, and the sender's account in place of the payee's. Each is
 * an error until a person decides. What a person decided against the words of a header is a warning: customers as payees, and
 * contributions as what is paid.
 */
export function headerDoubts(header: Header, sample: TableSample): Problem[] {
  return [
    ...unitsOfAmounts(header, sample),
    ...whichAmount(header, sample),
    ...whichAccount(header, sample),
    ...accountsOfSender(header),
    ...customersAsPayees(header, sample),
    ...contributionPaid(header, sample),
  ];
}

function unitsOfAmounts(header: Header, sample: TableSample): Problem[] {
  const found = amountUnits(header, sample);
  return found === null ? [] : [problemAtHeader('amount', found.what, header, found.at)];
}

const OF_ACCOUNTS: readonly ColumnName[] = [
  'account_number',
  'wallet_address',
  'bic',
  'national_clearing_code',
  'name',
];

/** No header of a sender names a column by itself: a person mapped it, or an earlier mapping did. */
function accountsOfSender(given: Header): Problem[] {
  return given.columns.flatMap((column, at) => {
    const header = given.cells[at]?.trim() ?? '';
    if (column === null || !OF_ACCOUNTS.includes(column) || !isOfSender(header)) return [];
    if (columnOf(header) === column) return [];
    return [problemAtHeader(column, fault('account_of_sender', { header, column }), given, at)];
  });
}
