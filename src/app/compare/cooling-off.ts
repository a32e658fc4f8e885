import { formatForPeople } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { Problem } from '../../domain/problem.ts';
import { COOLING_OFF } from '../../domain/run/left-out.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { accountChange } from '../../input/checks/history-warnings.ts';
import { runText } from '../../input/checks/past-run.ts';
import { maskedAccount } from '../../input/checks/row-marks.ts';
import type { PayeeFindings } from '../../runner/plan/planned-payees.ts';
import { accountKey } from '../../runner/provision/payees.ts';
import { compareWithPast, type PastGiven } from './compare-runs.ts';
import type { ComparedPayouts, PlannedRow } from './compared-payouts.ts';

/** A row that goes to an account which is new or changed, and why it is that, as a sentence. */
export type CoolingRow = { order: PayoutOrder; why: string };

/**
 * The rows whose account is new or changed, ascending: it would be made at the service, this payee was first paid on it
 * less than `coolingMs` ago or never, whoever else was, or it is another than the payee was last paid on. `payees` is null where nobody asks the
 * service.
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
      const changed = last === null ? null : accountChange(row.order, row.account, last);
      const why = changed?.message ?? whyNew(row, compared, { made, since });
      if (why !== null) found.push({ order: row.order, why });
    }
  return found.sort((one, other) => one.order.row - other.order.row);
}

function whyNew(
  row: PlannedRow,
  compared: ComparedPayouts,
  { made, since }: { made: ReadonlySet<string>; since: number },
): string | null {
  const { payee, destination } = row.order;
  const first = compared.firstPaid(row);
  const masked = maskedAccount(destination);
  const who = payee.payee_id ?? payee.name;
  if (first === undefined) {
    const never = compared.accounts.get(row.account) ? `${who} was never` : 'Nobody was ever';
    return `${never} paid to ${masked}, as far as this journal knows.`;
  }
  if (first.at > since) return `${who} was not paid to ${masked} before ${runText(first)}.`;
  const isMade = destination.kind === 'account' && made.has(accountKey(row.order, destination));
  return isMade ? `${masked} is not at the service, and would be made there.` : null;
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
  const why = 'When the plan was made, its account was changed, new, or not at the service yet.';
  for (const { row, order } of rows) if (order !== null && waiting.has(row)) found.set(row, { order, why });
  for (const cooling of coolingRows(coolingMs, compared, null, given.clock.wallMs()))
    if (waiting.has(cooling.order.row)) found.set(cooling.order.row, cooling);
  return found;
}

/** `Row 17: Ada Byron (E1) gets 1,012.50 AUD on ••••5678. Nobody was ever paid …`. */
export function coolingText({ order, why }: CoolingRow): string {
  const { payee, destination, row } = order;
  const who = payee.payee_id === null ? payee.name : `${payee.name} (${payee.payee_id})`;
  const amount = formatForPeople({ minor: BigInt(order.amount_minor), currency: order.currency });
  return `Row ${row}: ${who} gets ${amount} on ${maskedAccount(destination)}. ${why}`;
}

/** What `plan` says of a row that cools off. */
export function coolingProblem(cooling: CoolingRow): Problem {
  return {
    severity: 'warning',
    code: COOLING_OFF,
    sheet: null,
    row: cooling.order.row,
    column: null,
    cell: null,
    value: null,
    message: `${coolingText(cooling)} It waits for an approval of its own.`,
    remedy: 'Ask the payee by a way that you know; then let the approvers approve this row.',
  };
}
