import { type Money, sumOf } from '../../domain/money.ts';
import type { Payee } from '../../domain/payee.ts';
import type { Sum } from '../../domain/problems/payment-problems.ts';
import { accountChange } from '../../input/checks/history-warnings.ts';
import { maskedAccount } from '../../input/checks/row-marks.ts';
import type { ComparedPayouts, PlannedPay } from './compared-payouts.ts';

/** Of each kind so many are named; all are counted. */
const NAMED_MAX = 200;

/** One kind of difference: how many payees there are, and the first of them. */
type Differing<Of> = { count: number; named: Of[] };

type Named = { payee: Pick<Payee, 'name' | 'payee_id'> };

/** What a payee gets in one currency; null where they get, or got, nothing in it. `by`: how much more, below zero for less. */
export type PayDifference = Named & { before: Sum | null; now: Sum | null; by: Sum };

/** Masked account numbers. */
type AccountDifference = Named & { before: string; now: string };

/** A plan beside the last payment of its kind, payee by payee. */
export type Differences = {
  /** Paid now, and not then in that currency. */
  added: Differing<PayDifference>;
  /** Paid then, and not now: each currency on its own. */
  missing: Differing<PayDifference>;
  /** Another amount in the same currency. */
  pay: Differing<PayDifference>;
  /** Another account than the payee was last paid to. */
  accounts: Differing<AccountDifference>;
  /** How many get the same as then. */
  same: number;
};

/** Null where there is no payment of its kind. */
export function differencesOf(compared: ComparedPayouts): Differences | null {
  if (compared.lastOfJob === null) return null;
  const differences: Differences = { added: none(), missing: none(), pay: none(), accounts: none(), same: 0 };
  const { added, missing, pay, accounts } = differences;
  for (const planned of compared.pays.values()) {
    const { rows, minor, lastMinor, currency } = planned;
    const [first] = rows;
    if (first === undefined) continue;
    const { name, payee_id } = first.order.payee;
    const payee = { name, payee_id };
    if (lastMinor === minor) differences.same++;
    else note(lastMinor === 0n ? added : pay, { payee, ...paysOf(currency, lastMinor, minor) });
    for (const account of changedAccounts(planned)) note(accounts, { payee, ...account });
  }
  for (const { name, payee_id, sums } of compared.missing.values()) {
    const each = sums.map(({ currency, minor }) => ({ payee: { name, payee_id }, ...paysOf(currency, minor, 0n) }));
    note(missing, ...each);
  }
  return differences;
}

function paysOf(currency: Money['currency'], before: bigint, now: bigint): Omit<PayDifference, 'payee'> {
  const sum = (minor: bigint) => (minor === 0n ? null : sumOf({ minor, currency }));
  return { before: sum(before), now: sum(now), by: sumOf({ minor: now - before, currency }) };
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

/** One payee, who may differ in several currencies. */
function note<Of>(differing: Differing<Of>, ...some: readonly Of[]): void {
  differing.count++;
  if (differing.named.length < NAMED_MAX) differing.named.push(...some);
}
