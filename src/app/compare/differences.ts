import { formatForPeople, type Money } from '../../domain/money.ts';
import { accountChange } from '../../input/checks/history-warnings.ts';
import { maskedAccount } from '../../input/checks/row-marks.ts';
import type { ComparedPayouts, PlannedPay } from './compared-payouts.ts';
import { payeeText } from './warnings.ts';

/** Of each kind so many are named; all are counted. */
const NAMED_MAX = 200;

/** One kind of difference: how many there are, and the first of them. Amounts as people read them. */
type Differing<Of> = { count: number; named: Of[] };

/** A plan beside the last payment of its kind, payee by payee. */
export type Differences = {
  /** Paid now, and not then in that currency. */
  added: Differing<{ payee: string; now: string }>;
  /** Paid then, and not now. */
  missing: Differing<{ payee: string }>;
  /** Another amount in the same currency. */
  pay: Differing<{ payee: string; before: string; now: string }>;
  /** Another account than the payee was last paid to; account numbers are masked. */
  accounts: Differing<{ payee: string; before: string; now: string }>;
};

/** Null where there is no payment of its kind. */
export function differencesOf(compared: ComparedPayouts): Differences | null {
  if (compared.lastOfJob === null) return null;
  const differences: Differences = { added: none(), missing: none(), pay: none(), accounts: none() };
  const { added, missing, pay, accounts } = differences;
  for (const planned of compared.pays.values()) {
    const { rows, minor, lastMinor, currency } = planned;
    const [first] = rows;
    if (first === undefined) continue;
    const payee = payeeText(first.order.payee);
    const now = textOf({ minor, currency });
    if (lastMinor === 0n) note(added, { payee, now });
    else if (lastMinor !== minor) note(pay, { payee, before: textOf({ minor: lastMinor, currency }), now });
    for (const account of changedAccounts(planned)) note(accounts, { payee, ...account });
  }
  for (const one of compared.missing.values()) note(missing, { payee: payeeText(one) });
  return differences;
}

function* changedAccounts({ rows, last }: PlannedPay): Generator<{ before: string; now: string }> {
  if (last === null) return;
  const seen = new Set<number>();
  for (const { order, account } of rows) {
    const change = seen.has(account) ? null : accountChange(order.destination, account, last);
    seen.add(account);
    if (change !== null) yield { before: change.was, now: maskedAccount(order.destination) };
  }
}

function none<Of>(): Differing<Of> {
  return { count: 0, named: [] };
}

function note<Of>(differing: Differing<Of>, one: Of): void {
  differing.count++;
  if (differing.named.length < NAMED_MAX) differing.named.push(one);
}

function textOf(money: Money): string {
  return formatForPeople(money);
}
