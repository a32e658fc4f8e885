import { currencyLabel } from '../../domain/currencies.ts';
import { currencyKey, type Money } from '../../domain/money.ts';
import { entityOfRun } from '../../domain/run/entity.ts';
import { searchable } from '../../messages/text.ts';
import type { TimeSlice } from '../background/time-slice.ts';
import { type HistoricPayout, isPaid, type PayoutHistory } from '../history/payouts.ts';

/** A payee of runs, known by the payee id, or by name and e-mail where there is none. */
export type BookedPayee = {
  /** A hash: the address of the payee's page has nothing of them. */
  id: string;
  payeeId: string | null;
  /** Name, payee id and the end of each account as they are searched. */
  searched: string;
  /** As in the newest run. */
  name: string;
  /** Newest run first. */
  payouts: HistoricPayout[];
  /** Of the payouts that count: how many were completed and did not come back, when (Unix ms), and how much of each currency that is. */
  paid: { times: number; firstAt: number | null; lastAt: number | null; totals: Money[] };
  /** Labels of the currencies, that of the newest run first. */
  currencies: string[];
  /** What changed, newest first. */
  changes: PayeeChange[];
};

/** The name of a payee, or the account on which they get a currency, was another one in the run before. */
export type PayeeChange = { what: 'account' | 'name'; before: HistoricPayout; payout: HistoricPayout };

/** For how long a changed account is named as one. */
const CHANGED_MS = 30 * 86_400_000;

/** The newest change of the account, in the 30 days before `nowMs`; null where there is none. */
export function accountChangeLately({ changes }: Pick<BookedPayee, 'changes'>, nowMs: number): PayeeChange | null {
  const isMeant = ({ what, payout }: PayeeChange) => what === 'account' && payout.payment.at > nowMs - CHANGED_MS;
  return changes.find(isMeant) ?? null;
}

export type PayeeBook = PayoutHistory & {
  /** By name. */
  payees: BookedPayee[];
  byId: ReadonlyMap<string, BookedPayee>;
  /** Labels of the currencies paid, sorted. */
  currencies: string[];
  /** The IDs of the entities that paid. */
  entities: string[];
  /** Whether sums are of rehearsals: they are of live payments as soon as there is one. */
  sumsRehearsals: boolean;
};

/** The payees of these payouts; gives others their turn in between. */
export async function bookOf(history: PayoutHistory, turns: TimeSlice): Promise<PayeeBook> {
  const byPayee = new Map<string, HistoricPayout[]>();
  const [currencies, entities] = [new Set<string>(), new Set<string>()];
  const sumsRehearsals = history.payouts.every(({ payment }) => payment.rehearsal);
  for (const payout of history.payouts) {
    if (turns.isOver) await turns.next();
    const known = byPayee.get(payout.payee);
    if (known === undefined) byPayee.set(payout.payee, [payout]);
    else known.push(payout);
  }
  const byId = new Map<string, BookedPayee>();
  for (const payouts of byPayee.values()) {
    if (turns.isOver) await turns.next();
    const payee = payeeOf(payouts, sumsRehearsals);
    byId.set(payee.id, payee);
    for (const currency of payee.currencies) currencies.add(currency);
    for (const { payment } of payouts) entities.add(entityOfRun(payment));
  }
  return {
    ...history,
    payees: [...byId.values()].sort(bySearched),
    byId,
    currencies: [...currencies].sort(),
    entities: [...entities],
    sumsRehearsals,
  };
}

/** Comparing as people of one language would takes ten times as long. */
function bySearched(one: BookedPayee, other: BookedPayee): number {
  return one.searched < other.searched ? -1 : 1;
}

function payeeOf(payouts: HistoricPayout[], sumsRehearsals: boolean): BookedPayee {
  const [newest] = payouts as [HistoricPayout, ...HistoricPayout[]];
  const { payee: id, payeeId, name } = newest;
  const ends = new Set(payouts.map(({ account }) => account.slice(-4)));
  const paid = payouts.filter((one) => isPaid(one) && one.payment.rehearsal === sumsRehearsals);
  return {
    id,
    payeeId,
    searched: searchable([name, payeeId ?? '', ...ends].join('\n')),
    name,
    payouts,
    paid: {
      times: paid.length,
      firstAt: paid.at(-1)?.payment.at ?? null,
      lastAt: paid[0]?.payment.at ?? null,
      totals: totalsOf(paid),
    },
    currencies: [...new Set(payouts.map(({ currency }) => currencyLabel(currency)))],
    changes: changesOf(payouts),
  };
}

/** How much payouts come to, by currency. */
export function totalsOf(payouts: Iterable<Pick<HistoricPayout, 'minor' | 'currency'>>): Money[] {
  const totals = new Map<string, Money>();
  for (const { minor, currency } of payouts) {
    const key = currencyKey(currency);
    totals.set(key, { minor: minor + (totals.get(key)?.minor ?? 0n), currency });
  }
  return [...totals.values()];
}

function changesOf(payouts: readonly HistoricPayout[]): PayeeChange[] {
  const changes: PayeeChange[] = [];
  const last = new Map<string, HistoricPayout>();
  let named: HistoricPayout | null = null;
  for (const payout of payouts.toReversed()) {
    const key = currencyKey(payout.currency);
    const before = last.get(key);
    if (before !== undefined && before.accountKey !== payout.accountKey)
      changes.push({ what: 'account', before, payout });
    if (named !== null && named.name !== payout.name) changes.push({ what: 'name', before: named, payout });
    last.set(key, payout);
    named = payout;
  }
  return changes.reverse();
}
