import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { columnOf, type Header } from '../header/columns.ts';
import { headerKey } from '../header/header-key.ts';
import { layoutOf } from '../header/layout-of.ts';
import { isAmount, type Kind, mappedPlaces, type TableSample } from './table-sample.ts';
import * as owed from './words/collection-words.ts';
import { PAYEE_PART } from './words/not-payout-words.ts';
import * as receivable from './words/receivable-words.ts';

/** Fees of members, receivables and payments that come in: what the people of the list owe. */
export function collections(sample: TableSample, header: Header, titles: readonly string[]): Kind | null {
  if (layoutOf(sample.headers) !== null) return null;
  const title = titles.find(namesCollections);
  if (title !== undefined) return { what: fault('collection_list', { sign: title.trim() }), at: 0 };
  const amount = header.cells === sample.headers ? header.index.amount : -1;
  const sums = sample.all(owed.OWED);
  const isOfPayees = sample.headers.some((cell, at) => !sums.includes(at) && PAYEE_PART.test(headerKey(cell)));
  if (isOfPayees || [...titles, ...sample.headers].some((text) => owed.GIVEN_BACK.test(headerKey(text)))) return null;
  const at = sums.find((column) => column === amount || (amount === -1 && sample.every(column, isAmount)));
  if (at === undefined) return null;
  const sign = sample.header(at).header;
  const isContribution = !owed.isToComeIn(sign) && !isOfReceivables(sample);
  if (isContribution && at === amount && isAmountByPerson(header)) return null;
  return { what: fault('collection_list', { sign, ...(isContribution && { amounts: sign }) }), at };
}

/** A contribution that a person takes for what is paid: it may be what the payees owe. */
export function contributionPaid(header: Header, sample: TableSample): Problem[] {
  const at = header.index.amount;
  if (at === -1 || !sample.is(at, owed.OWED) || !isAmountByPerson(header)) return [];
  const { row, cells } = header;
  const place = { row, column: 'amount', cell: cellName(at, row), value: cells[at] ?? null };
  return [problemAt('warning', fault('amount_is_contribution', { header: sample.header(at).header }), place)];
}

function isAmountByPerson(header: Header): boolean {
  return mappedPlaces(header, (column) => column === 'amount').has(header.index.amount);
}

function namesCollections(title: string): boolean {
  const key = headerKey(title);
  return owed.COLLECTION_TITLES.some((name) => key.includes(name)) && !owed.GIVEN_BACK.test(key);
}

/** Whether a list is of invoices that are to be paid by the day that each row names. */
function isOfReceivables(sample: TableSample): boolean {
  const isFilled = (at: number) => sample.rows.length === 0 || sample.filled(at).length > 0;
  return sample.all(receivable.INVOICE).some(isFilled) && sample.all(receivable.DUE).some(isFilled);
}

/**
 * A person takes those for payees who pay, as a rule: customers. In a list of invoices with the days by which they are due that
 * is an error, because the money would go to those who owe it; else a warning.
 */
export function customersAsPayees(header: Header, sample: TableSample): Problem[] {
  const { row, cells, columns } = header;
  const at = columns.findIndex(
    (column, place) =>
      column === 'name' && sample.is(place, receivable.CUSTOMER) && columnOf(cells[place] ?? '') !== 'name',
  );
  if (at === -1 || cells.some((cell) => owed.GIVEN_BACK.test(headerKey(cell)))) return [];
  const isError = isOfReceivables(sample);
  const found = fault('name_of_customer', { header: sample.header(at).header, isOfReceivables: isError });
  const place = { row, column: 'name', cell: cellName(at, row), value: cells[at] ?? null };
  return [problemAt(isError ? 'error' : 'warning', found, place)];
}
