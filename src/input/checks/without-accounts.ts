import { fault } from '../../domain/problem.ts';
import type { ContactSource } from '../../domain/problems/other-list-problems.ts';
import { ACCOUNT_COLUMNS, type Header } from '../header/columns.ts';
import { likelyHeaders } from '../header/header.ts';
import { headerKey } from '../header/header-key.ts';
import { meaningIn } from '../header/layout-of.ts';
import { hasAccounts, type Kind, type TableSample } from './table-sample.ts';
import * as words from './words/not-payout-words.ts';
import { INVOICE } from './words/receivable-words.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What a header of contacts begins with, whatever follows. */
const OF_SERVICE = /^(?:zelle|venmo|cashapp|paypal|telegram|whatsapp|wechat|payoneer|skrill)/;

const HANDLE = /^@\w+$/;

/** People as a service knows them, by e-mail, telephone or a name of its own, without an account. */
export function contactList(sample: TableSample, header: Header): Kind | null {
  const isOwn = header.cells === sample.headers;
  const contacts = [...sample.headers.keys()].filter((at) => {
    const column = isOwn ? header.columns[at] : null;
    const isNamed =
      column === 'email' ||
      column === 'phone_number' ||
      sample.is(at, words.CONTACT) ||
      OF_SERVICE.test(headerKey(sample.headers[at] ?? ''));
    return isNamed ? sample.filled(at).length > 0 : sample.every(at, (cell) => EMAIL.test(cell) || HANDLE.test(cell));
  });
  const [at] = contacts;
  if (at === undefined) return null;
  if (isOwn && contacts.includes(header.index.account_number)) {
    if (!isContactAsAccount(sample, header)) return null;
  } else if (hasAccounts(sample, header) || hasDoubtfulAccount(sample, header, contacts)) return null;
  return { what: fault('contact_list', { source: sourceOf(sample) }), at };
}

/** Payees and amounts, and no column that may be of accounts. */
export function withoutAccounts(sample: TableSample, header: Header): Kind | null {
  if (header.cells !== sample.headers || header.index.amount === -1 || sample.rows.length === 0) return null;
  const isAbsent = header.problems.some(({ code, column }) => code === 'column_missing' && column === 'rail');
  if (!isAbsent || hasDoubtfulAccount(sample, header)) return null;
  return { what: fault('list_without_accounts'), at: null };
}

/** Whether the column of accounts holds e-mails or handles, which are an account for PIX alone. */
function isContactAsAccount(sample: TableSample, { index }: Header): boolean {
  const account = index.account_number;
  const isPix = /pix/.test(headerKey(sample.headers[account] ?? ''));
  const currencies = index.currency === -1 ? [] : sample.filled(index.currency);
  const isElsewhere = currencies.length > 0 && currencies.every((cell) => cell.toUpperCase() !== 'BRL');
  return isElsewhere && !isPix && sample.every(account, (cell) => EMAIL.test(cell) || HANDLE.test(cell));
}

/** An IBAN, a wallet, or digits that may be an account under a header that we do not know. */
const LIKE_ACCOUNT =
  /^(?:[A-Z]{2}\d{2}[A-Z0-9]{10,30}|0x[\da-f]{40}|[13TL][1-9A-HJ-NP-Za-km-z]{25,40}|bc1\w{20,60}|\d{8,18})$/iu;

const DAY = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?!\d)|^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** Whether a column may be of accounts though its header does not name it. */
export function hasDoubtfulAccount(sample: TableSample, header: Header, contacts: readonly number[] = []): boolean {
  const isOwn = header.cells === sample.headers;
  const likely = isOwn ? likelyHeaders(header, header.mapping) : [];
  if (likely.some(({ column }) => ACCOUNT_COLUMNS.includes(column))) return true;
  const inLayout = meaningIn(sample.headers);
  const isNone = (at: number) => inLayout(sample.headers[at] ?? '') === null;
  const unknown = [...sample.headers.keys()].filter(
    (at) => !contacts.includes(at) && (!isOwn || (header.columns[at] ?? null) === null) && !isNone(at),
  );
  const others = unknown.filter((at) => !sample.is(at, INVOICE) && !sample.every(at, (cell) => DAY.test(cell)));
  return others.some((at) => sample.filled(at).some((cell) => LIKE_ACCOUNT.test(cell.replace(/[ -]/g, ''))));
}

/** Services by a word of theirs in the headers, or in a cell. */
const SOURCES: readonly (readonly [ContactSource, RegExp])[] = [
  ['paypal', /paypal|notetorecipient|socialfeedprivacy|hollerurl/],
  ['telegram', /telegram|^chatid$|^tg(?:id|user)/],
  ['wise', /recipientdetail|receivertype|wisetag|wiseaccount/],
];

function sourceOf(sample: TableSample): ContactSource | null {
  const keys = [...sample.headers, ...(sample.rows[0] ?? [])].map(headerKey);
  return SOURCES.find(([, sign]) => keys.some((key) => sign.test(key)))?.[0] ?? null;
}
