import { fault, type Problem } from '../../domain/problem.ts';
import { checkIban } from '../../domain/rails/fields/iban.ts';
import type { Header } from '../header/columns.ts';
import { layoutOf } from '../header/layout-of.ts';
import { isOfSender } from '../header/sender-words.ts';
import { freeColumns, mappedPlaces, problemAtHeader, type TableSample } from './table-sample.ts';
import { isFormer, isSecond } from './words/second-words.ts';

/** Another column with accounts of the payees: a second or new one, or IBANs that are not the same account in every row. */
export function whichAccount(header: Header, sample: TableSample, beside = accountsBeside(header)): Problem[] {
  const account = header.index.account_number;
  const other = beside.find((at) =>
    isSecond(header.cells[at] ?? '', 'account_number')
      ? sample.filled(at).length > 0
      : hasOtherIbans(sample, account, at),
  );
  if (other === undefined) return [];
  const params = { header: header.cells[account]?.trim() ?? '', beside: sample.header(other) };
  return [problemAtHeader('account_number', fault('account_or_other', params), header, account)];
}

/** The columns that may hold other accounts of the payees. None where a person, the job or a known layout says which is paid. */
export function accountsBeside(header: Header): number[] {
  const { cells, index } = header;
  if (index.account_number === -1 || layoutOf(cells) !== null) return [];
  if (mappedPlaces(header, (column) => column === 'account_number').has(index.account_number)) return [];
  return freeColumns(header).filter((at) => !isOfSender(cells[at] ?? '') && !isFormer(cells[at] ?? ''));
}

export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d\d/.test(text) && checkIban(text).length === 0;
}

/** An account as it is compared. */
export function plainAccount(cell: string): string {
  return cell.replace(/\s/g, '').toUpperCase();
}

/** One IBAN in all rows is the sender's. */
function hasOtherIbans(sample: TableSample, account: number, at: number): boolean {
  const plain = (row: readonly string[], place: number) => plainAccount(sample.cell(row, place));
  const ibans = sample.rows.filter((row) => isIban(plain(row, at)));
  const isOne =
    sample.rows.length > 1 &&
    ibans.length === sample.rows.length &&
    new Set(ibans.map((row) => plain(row, at))).size === 1;
  return !isOne && ibans.some((row) => plain(row, at) !== plain(row, account));
}
