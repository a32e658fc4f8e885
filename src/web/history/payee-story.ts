import { searchable } from '../shell/words.ts';
import type { BookedPayee, PayeeBook, PayeePayout } from './payee-book.ts';

/** An account of a payee, by the runs that were read. Times are Unix ms. */
export type PayeeAccount = {
  account: string;
  currencies: string[];
  firstAt: number;
  /** When a payout to it was completed first; null where none was. */
  firstPaidAt: number | null;
  lastAt: number;
  payouts: number;
};

/** Something about a payee became another: what it was and is now, and in which run. */
export type PayeeChange = { at: number; runId: string; what: 'account' | 'name'; before: string; after: string };

export const PAYEES_OF_A_PAGE = 50;
export const PAYOUTS_OF_A_PAGE = 50;

export type PayeesPage = { payees: BookedPayee[]; matching: number; page: number; pages: number };

/** The payees whose name or payee id holds the text, by name and a page at a time. */
export function payeesPage({ payees }: PayeeBook, text: string, asked: number): PayeesPage {
  const wanted = searchable(text);
  const found = wanted === '' ? payees : payees.filter(({ searched }) => searched.includes(wanted));
  const pages = Math.max(1, Math.ceil(found.length / PAYEES_OF_A_PAGE));
  const page = Math.min(asked, pages);
  const shown = found.slice((page - 1) * PAYEES_OF_A_PAGE, page * PAYEES_OF_A_PAGE);
  return { payees: shown, matching: found.length, page, pages };
}

/** The payee's accounts, that which was used last first. */
export function accountsOf({ payouts }: BookedPayee): PayeeAccount[] {
  const accounts = new Map<string, PayeeAccount>();
  for (const payout of payouts.toReversed()) {
    const { accountKey, account, at, currency, status } = payout;
    const known = accounts.get(accountKey) ?? newAccount(account, at);
    accounts.set(accountKey, known);
    known.lastAt = Math.max(known.lastAt, at);
    known.payouts++;
    if (!known.currencies.includes(currency)) known.currencies.push(currency);
    if (status === 'completed') known.firstPaidAt ??= at;
  }
  return [...accounts.values()].sort((one, other) => other.lastAt - one.lastAt);
}

/** What changed when, newest first: the name, and per currency the account. */
export function changesOf({ payouts }: BookedPayee): PayeeChange[] {
  const changes: PayeeChange[] = [];
  const last = new Map<string, PayeePayout>();
  let named: PayeePayout | null = null;
  for (const payout of payouts.toReversed()) {
    const { at, runId, currency, accountKey } = payout;
    const before = last.get(currency);
    if (before !== undefined && before.accountKey !== accountKey)
      changes.push({ at, runId, what: 'account', before: before.account, after: payout.account });
    if (named !== null && named.name !== payout.name)
      changes.push({ at, runId, what: 'name', before: named.name, after: payout.name });
    last.set(currency, payout);
    named = payout;
  }
  return changes.reverse();
}

function newAccount(account: string, at: number): PayeeAccount {
  return { account, currencies: [], firstAt: at, firstPaidAt: null, lastAt: at, payouts: 0 };
}
