import { accountChangeLately, type BookedPayee, type PayeeBook } from '../../app/payees/payee-book.ts';
import type { TagsByPayee } from '../../app/people/payee-tags.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { Holds } from '../../domain/run/holds.ts';
import { searchable } from '../../messages/text.ts';
import { textTable } from '../../messages/translate.ts';
import { Answers, WorkedOut } from '../once.ts';
import { TEXT_MAX } from '../shell/filter-line.ts';
import { byGreatest, byText, type Order, type Sort, sortedBy, sortOf } from '../shell/listing.ts';
import type { WebContext } from '../web.ts';
import { heldBy } from './holds.ts';
import { askedTag, taggedWith } from './tags.ts';

/** What is true at this moment. */
export type Now = { nowMs: number; holds: Holds; tags: TagsByPayee };

export async function now({ var: { web } }: WebContext): Promise<Now> {
  return { nowMs: web.deps.clock.wallMs(), holds: (await web.deps.reads.holds()).now, tags: await web.tags.all() };
}

export const FILTERS = textTable({
  changed: { label: 'Account changed', has: hasChanged },
  held: { label: 'On hold', has: (payee: BookedPayee, { holds }: Now) => heldBy(payee, holds) !== null },
  never_paid: { label: 'Never paid', has: ({ paid }: BookedPayee) => paid.times === 0 },
}) satisfies Record<string, { label: string; has(payee: BookedPayee, now: Now): boolean }>;

export type Only = keyof typeof FILTERS;

const FILTER_NAMES = Object.keys(FILTERS) as Only[];

/** Of each payee of a book, in its order, by which filters it is shown: a bit for each. */
const SHOWN_BY = new WorkedOut<PayeeBook, Uint8Array>();

export function hasChanged(payee: BookedPayee, { nowMs }: Now): boolean {
  return accountChangeLately(payee, nowMs) !== null;
}

/** The orders by column; payees of one name, or as often paid, stay as they stand. */
export const ORDERS = {
  name: { compare: byText(({ searched }: BookedPayee) => searched), direction: 'ascending' },
  payee_id: { compare: byText(({ payeeId }: BookedPayee) => payeeId), direction: 'ascending' },
  account: { compare: byText(({ payouts }: BookedPayee) => payouts[0]?.account ?? ''), direction: 'ascending' },
  paid: { compare: byGreatest(({ paid }: BookedPayee) => paid.times), direction: 'descending' },
  total: { compare: byTotal, direction: 'descending' },
  first: { compare: byGreatest(({ paid }: BookedPayee) => paid.firstAt), direction: 'descending' },
  last: { compare: byGreatest(({ paid }: BookedPayee) => paid.lastAt), direction: 'descending' },
} as const satisfies Record<string, Order<BookedPayee>>;

export type SortName = keyof typeof ORDERS;

/** Of one currency after another, the largest total first: sums of different currencies are not compared. */
function byTotal({ paid: one }: BookedPayee, { paid: other }: BookedPayee): number {
  const [[a], [b]] = [one.totals, other.totals];
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [of, beside] = [currencyLabel(a.currency), currencyLabel(b.currency)];
  if (of !== beside) return of < beside ? -1 : 1;
  return a.minor > b.minor ? -1 : a.minor < b.minor ? 1 : 0;
}

export type Asked = {
  q: string;
  only: Only | null;
  currency: string | null;
  tag: string | null;
};

function askedOf(context: WebContext): Asked {
  const { q = '', only = '', currency = '' } = context.req.query();
  return {
    q: q.trim().slice(0, TEXT_MAX),
    only: Object.hasOwn(FILTERS, only) ? (only as Only) : null,
    currency: currency === '' ? null : currency.slice(0, TEXT_MAX),
    tag: askedTag(context),
  };
}

type Found = {
  asked: Asked;
  sort: Sort<SortName>;
  rows: readonly BookedPayee[];
  counts: Record<Only, number>;
  all: number;
};

/** Lists computed from one book. Tags are not part of it. */
const FOUND = new Answers<PayeeBook, Found>(8);
const HOUR_MS = 3_600_000;

/** The payees that are asked for, in the order that is. `counts`: of those with the text, currency and tag. */
export function found(context: WebContext, book: PayeeBook, at: Now): Found {
  const asked = askedOf(context);
  const find = () => lookFor(context, asked, book, at);
  const question = JSON.stringify([asked, sortOf(context, ORDERS), versionOf(at)]);
  return asked.tag === null ? FOUND.of(book, question, find) : find();
}

/** Of what the filters have of a book. */
function versionOf({ holds, nowMs }: Now): string {
  return `${holds.n} ${Math.floor(nowMs / HOUR_MS)}`;
}

function lookFor(context: WebContext, asked: Asked, book: PayeeBook, at: Now): Found {
  const wanted = searchable(asked.q);
  const isTagged = taggedWith(at.tags, asked.tag);
  const isMeant = ({ id, searched, currencies }: BookedPayee) =>
    searched.includes(wanted) && (asked.currency === null || currencies.includes(asked.currency)) && isTagged(id);
  const shownBy = SHOWN_BY.of(book, versionOf(at), () => Uint8Array.from(book.payees, (payee) => bitsOf(payee, at)));
  const counts = { changed: 0, held: 0, never_paid: 0 };
  const rows: BookedPayee[] = [];
  let all = 0;
  for (const [index, payee] of book.payees.entries()) {
    if (!isMeant(payee)) continue;
    all++;
    const bits = shownBy[index] ?? 0;
    for (const name of FILTER_NAMES) if ((bits & bitOf(name)) !== 0) counts[name]++;
    if (asked.only === null || (bits & bitOf(asked.only)) !== 0) rows.push(payee);
  }
  const sort = sortOf(context, ORDERS);
  return { asked, sort, rows: sortedBy(rows, ORDERS, sort), counts, all };
}

function bitOf(only: Only): number {
  return 1 << FILTER_NAMES.indexOf(only);
}

function bitsOf(payee: BookedPayee, at: Now): number {
  return FILTER_NAMES.reduce((bits, only) => (FILTERS[only].has(payee, at) ? bits | bitOf(only) : bits), 0);
}
