import { sumOf } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { CoolingReason, HistoryProblems } from '../../domain/problems/payment-problems.ts';
import { COOLING_OFF } from '../../domain/run/left-out.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { accountChange } from '../../input/checks/history-warnings.ts';
import { mentionOf } from '../../input/checks/payee-history.ts';
import { maskedAccount } from '../../input/checks/row-marks.ts';
import { messages } from '../../messages/messages.ts';
import type { PayeeFindings } from '../../runner/plan/planned-payees.ts';
import { accountKey } from '../../runner/provision/payees.ts';
import { compareWithPast, type PastGiven } from './compare-runs.ts';
import type { ComparedPayouts, PlannedRow } from './compared-payouts.ts';
import { payeeText } from './warnings.ts';

/** A row that goes to an account which is new or changed, and why it is that. */
export type CoolingRow = { order: PayoutOrder; why: CoolingReason };

/**
 * The rows whose account is new or changed, ascending: it would be made at the service, this payee was first paid on it
 * less than `coolingMs` ago or never, even if others were, or it is another than the payee was last paid on. `payees` is null
 * where the service is not asked.
 */
export function coolingRows(
  coolingMs: number,
  compared: ComparedPayouts,
  payees: Pick<PayeeFindings, 'accounts'> | null,
  nowMs: number,
): CoolingRow[] {
  const made = new Set(payees?.accounts.filter(({ id }) => id === 'new' || id === 'unclear').map(({ key }) => key));
  const since = nowMs - coolingMs;
  const found: CoolingRow[] = [];
  for (const { rows, last } of compared.pays.values())
    for (const row of rows) {
      const change = last === null ? null : accountChange(row.order.destination, row.account, last);
      const why: CoolingReason | null =
        change === null ? whyNew(row, compared, { made, since }) : { why: 'changed', change };
      if (why !== null) found.push({ order: row.order, why });
    }
  return found.sort((one, other) => one.order.row - other.order.row);
}

function whyNew(
  row: PlannedRow,
  compared: ComparedPayouts,
  { made, since }: { made: ReadonlySet<string>; since: number },
): CoolingReason | null {
  const { payee, destination } = row.order;
  const first = compared.firstPaid(row);
  const account = maskedAccount(destination);
  const who = payee.payee_id ?? payee.name;
  if (first === undefined)
    return { why: 'never_paid', payee: compared.accounts.get(row.account) ? who : null, account };
  if (first.at > since) return { why: 'paid_lately', payee: who, account, run: mentionOf(first) };
  const isMade = destination.kind === 'account' && made.has(accountKey(row.order, destination));
  return isMade ? { why: 'not_at_service', account } : null;
}

/** The rows of a plan that wait for an approval of their own, with why. */
export async function coolingOf(
  { header, plan, rows }: Pick<RunState, 'header' | 'plan' | 'rows'>,
  given: Pick<PastGiven, 'journal' | 'clock'>,
): Promise<Map<number, CoolingRow>> {
  const found = new Map<number, CoolingRow>();
  if (header === null || plan === null || plan.cooling_off.length === 0) return found;
  const coolingMs = plan.limits?.cooling_off_ms ?? 0;
  const compared = await compareWithPast(header, rows, { ...given, repeatWindowMs: 0, coolingMs });
  const waiting = new Set(plan.cooling_off);
  const why: CoolingReason = { why: 'when_planned' };
  for (const { row, order } of rows) if (order !== null && waiting.has(row)) found.set(row, { order, why });
  for (const cooling of coolingRows(coolingMs, compared, null, given.clock.wallMs()))
    if (waiting.has(cooling.order.row)) found.set(cooling.order.row, cooling);
  return found;
}

/** `Row 17: Ada Byron (E1) gets 1,012.50 AUD on ••••5678. Nobody was ever paid …`. */
export function coolingText(cooling: CoolingRow): string {
  return messages.problems.coolingText(paramsOf(cooling));
}

/** The warning of a plan about a row that cools off. */
export function coolingProblem(cooling: CoolingRow): Problem {
  return problemAt('warning', fault(COOLING_OFF, paramsOf(cooling)), { row: cooling.order.row });
}

function paramsOf({ order, why }: CoolingRow): HistoryProblems['cooling_off'] {
  const { payee, destination, row, amount_minor, currency } = order;
  const amount = sumOf({ minor: BigInt(amount_minor), currency });
  return { row, payee: payeeText(payee), amount, account: maskedAccount(destination), why };
}
