import { COOLING_OFF } from '../domain/left-out.ts';
import { formatForPeople } from '../domain/money.ts';
import type { PayoutOrder } from '../domain/payee.ts';
import type { Problem } from '../domain/problem.ts';
import { accountChange, runText } from '../input/history-warnings.ts';
import { maskedAccount } from '../input/row-marks.ts';
import { accountKey } from '../runner/payees.ts';
import type { PayeeFindings } from '../runner/planned-payees.ts';
import type { ComparedPayouts, PlannedRow } from './compare-past.ts';
import { machineClock } from './compose.ts';

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
): CoolingRow[] {
  const made = new Set(payees?.accounts.filter(({ id }) => id === 'new' || id === 'unclear').map(({ key }) => key));
  const since = machineClock.wallMs() - coolingMs;
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

/** `3, 5 and 2 more`. */
export function rowsText(rows: readonly number[]): string {
  const named = rows.slice(0, NAMED_MAX).join(', ');
  return rows.length > NAMED_MAX ? `${named} and ${rows.length - NAMED_MAX} more` : named;
}

/** Rows that are named in one sentence. */
const NAMED_MAX = 50;
