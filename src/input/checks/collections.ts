import { fault } from '../../domain/problem.ts';
import type { Header } from '../header/columns.ts';
import { headerKey } from '../header/header-key.ts';
import { layoutOf } from '../header/layout-of.ts';
import { isAmount, type Kind, type TableSample } from './table-sample.ts';
import * as owed from './words/collection-words.ts';
import { PAYEE_PART } from './words/not-payout-words.ts';

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
  return at === undefined ? null : { what: fault('collection_list', { sign: sample.header(at).header }), at };
}

function namesCollections(title: string): boolean {
  const key = headerKey(title);
  return owed.COLLECTION_TITLES.some((name) => key.includes(name)) && !owed.GIVEN_BACK.test(key);
}
