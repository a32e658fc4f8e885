import type { WebContext } from '../web.ts';
import { askedPage } from './layout.ts';
import type { Sorting } from './parts.ts';

/** How the rows of a table can be ordered by one of its columns, and in which direction that is. */
export type Order<Row> = { compare(one: Row, other: Row): number; direction: 'ascending' | 'descending' };

/** By which column rows are ordered; null for the order in which they come. `isReversed`: the other way round. */
export type Sort<Name extends string> = { by: Name | null; isReversed: boolean };

/** What an address asks for: `sort=amount&order=reverse`. What it cannot name is not asked for. */
export function sortOf<Name extends string>(context: WebContext, orders: Readonly<Record<Name, unknown>>): Sort<Name> {
  const { sort = '', order = '' } = context.req.query();
  const by = Object.hasOwn(orders, sort) ? (sort as Name) : null;
  return { by, isReversed: order === 'reverse' };
}

/** The same as an address has it. */
export function sortQuery({ by, isReversed }: Sort<string>): { sort: string | null; order: string | null } {
  return { sort: by, order: isReversed ? 'reverse' : null };
}

/** The rows in that order; equal ones stay as they stand. */
export function sortedBy<Row, Name extends string>(
  rows: readonly Row[],
  orders: Readonly<Record<Name, Order<Row>>>,
  { by, isReversed }: Sort<Name>,
): readonly Row[] {
  if (by === null) return isReversed ? rows.toReversed() : rows;
  const { compare } = orders[by];
  return rows.toSorted(isReversed ? (one, other) => compare(other, one) : compare);
}

/** What the title of a column leads to: its order, and where that is the present one, the other way round. `standard`: without a sort. */
export function sortingBy<Row, Name extends string>(
  name: Name,
  orders: Readonly<Record<Name, Order<Row>>>,
  sort: Sort<Name>,
  standard: Name,
  path: (asked: { sort: string | null; order: string | null }) => string,
): Sorting {
  const isNow = (sort.by ?? standard) === name;
  const isReversed = isNow && !sort.isReversed;
  const to = path(sortQuery({ by: name === standard ? null : name, isReversed }));
  if (!isNow) return { path: to, order: null };
  const { direction } = orders[name];
  const other = direction === 'ascending' ? 'descending' : 'ascending';
  return { path: to, order: sort.isReversed ? other : direction };
}

/** By text as it is compared here: comparing as people of one language would takes ten times as long. */
export function byText<Row>(of: (row: Row) => string | null): Order<Row>['compare'] {
  return (one, other) => {
    const [a, b] = [of(one) ?? '', of(other) ?? ''];
    return a < b ? -1 : a > b ? 1 : 0;
  };
}

/** By a number, the greatest first; what has none comes last. */
export function byGreatest<Row>(of: (row: Row) => number | bigint | null): Order<Row>['compare'] {
  return (one, other) => {
    const [a, b] = [of(one) ?? -1, of(other) ?? -1];
    return a > b ? -1 : a < b ? 1 : 0;
  };
}

/** Where a page of a list is among the others: behind the row `after`, or before the row `before`, by their keys. */
export type Cursor = { page: number; after: string | null; before: string | null };

/**
 * One page of a list. What its address names by a row stays where it is when rows come before it; an address that names none, or
 * one that is there no more, counts pages.
 */
export function cursorPage<Row>(
  context: WebContext,
  rows: readonly Row[],
  size: number,
  keyOf: (row: Row) => string,
): { shown: Row[]; page: number; pages: number; cursor(page: number): Cursor } {
  const from = beginOf(context, rows, size, keyOf);
  const shown = rows.slice(from, from + size);
  const page = Math.ceil(from / size) + 1;
  const pages = page + Math.max(0, Math.ceil((rows.length - from - size) / size));
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    shown,
    page,
    pages,
    cursor: (to) => ({
      page: to,
      after: to > page && last !== undefined ? keyOf(last) : null,
      before: to < page && first !== undefined ? keyOf(first) : null,
    }),
  };
}

function beginOf<Row>(context: WebContext, rows: readonly Row[], size: number, keyOf: (row: Row) => string): number {
  const { after, before } = context.req.query();
  const lastPage = Math.max(0, Math.ceil(rows.length / size) - 1) * size;
  if (after !== undefined) {
    const at = rows.findIndex((row) => keyOf(row) === after);
    if (at !== -1) return Math.min(at + 1, lastPage);
  }
  if (before !== undefined) {
    const at = rows.findIndex((row) => keyOf(row) === before);
    if (at !== -1) return Math.max(0, at - size);
  }
  return Math.min((askedPage(context) - 1) * size, lastPage);
}
