import { type CoolingRow, coolingText } from '../../../app/compare/cooling-off.ts';
import { currencyLabel } from '../../../domain/currencies.ts';
import type { RunCreated } from '../../../domain/entry.ts';
import { formatMajor } from '../../../domain/money.ts';
import type { PlanFacts, PlannedTotal } from '../../../domain/plan.ts';
import { REHEARSAL_BAND } from '../../../messages/report/outcome-words.ts';
import { counted, printable } from '../../../messages/text.ts';
import { limitsText } from '../../input/limits.ts';
import { preparerText, whoApproves } from '../../plans/approvals.ts';
import { approvedConversions } from '../../plans/conversion-text.ts';

/** What an approver looks at: everything that the signature is over, and whose plan it is. */
export function approvableText(header: RunCreated, facts: PlanFacts, cooling: readonly CoolingRow[] = []): string {
  const lines = [...(facts.rehearsal ? [REHEARSAL_BAND] : []), ...planLines(header, facts, cooling)];
  return `${lines.map(printable).join('\n')}\n\n`;
}

/** The same, line by line, of a plan that nobody has to approve too. */
export function planLines(
  { run_id, digest, input, job, period, repeats }: RunCreated,
  facts: PlanFacts,
  cooling: readonly CoolingRow[],
): string[] {
  const whose = job === null ? '' : ` of job ${job}${period === null ? '' : `, ${period}`}`;
  const { recipients_to_create: recipients = 0, accounts_to_create: accounts = 0 } = facts.payees ?? {};
  return [
    `Plan ${run_id}${whose}`,
    ...(repeats === null ? [] : [`again      it pays everybody of ${repeats} once more`]),
    `file       ${input.name}, SHA-256 ${input.sha256}`,
    ...(facts.approval === null ? [] : [`made by    ${preparerText(facts.approval)}`]),
    `payouts    ${facts.payouts.toLocaleString('en')}`,
    ...facts.totals.map((total, at) => `${at === 0 ? 'total' : '     '}      ${totalText(total)}`),
    ...approvedConversions(facts.conversions).map((line, at) => `${at === 0 ? 'paid' : '    '}       ${line}`),
    `to create  ${counted(recipients, 'recipient')} and ${counted(accounts, 'account')}`,
    `warnings   ${facts.warnings.toLocaleString('en')}`,
    ...(facts.limits === null ? [] : [`limits     ${limitsText(facts.limits)}`]),
    ...cooling.map((one, at) => `${at === 0 ? 'by itself' : '         '}  ${coolingText(one)}`),
    ...(facts.approval === null ? [] : [`approvers  ${whoApproves(facts)}`]),
    `digest     ${digest}`,
  ];
}

/** The total of the first currency, as it is shown and typed: `46479.35 AUD`. */
export function firstTotal({ totals }: PlanFacts): string {
  return totals[0] === undefined ? '' : sumText(totals[0]);
}

/** Thousands in groups of three, as the plan's text shows them. */
const GROUPED = /^\d{1,3}(,\d{3})+(?=[. ]|$)/;

/**
 * Whether somebody typed the total of the first currency. Blanks and groups of thousands are no other amount; where there
 * is one currency it need not be named.
 */
export function isTotal(typed: string, facts: PlanFacts): boolean {
  return plainAmount(typed) === firstTotal(facts);
}

/** The same, where the amount alone says which total is meant: there is one currency. */
export function isTotalOrAmount(typed: string, facts: PlanFacts): boolean {
  return isTotal(typed, facts) || (facts.totals.length === 1 && plainAmount(typed) === firstAmount(facts));
}

function plainAmount(typed: string): string {
  return typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(GROUPED, (grouped) => grouped.replaceAll(',', ''));
}

/** Whether somebody typed the amount of the first currency, where several have a total, and not which it is. */
export function lacksCurrency(typed: string, facts: PlanFacts): boolean {
  const [only, ...others] = facts.totals;
  return others.length > 0 && only !== undefined && isTotalOrAmount(typed, { ...facts, totals: [only] });
}

/** Without its currency. */
function firstAmount({ totals: [total] }: PlanFacts): string {
  return total === undefined ? '' : formatMajor(BigInt(total.planned_minor), total.currency.decimals);
}

function totalText(total: PlannedTotal): string {
  const { currency, payouts, fees_minor } = total;
  const fees = fees_minor === null ? 'not told' : formatMajor(BigInt(fees_minor), currency.decimals);
  return `${sumText(total)} in ${counted(payouts, 'payout')}, fees ${fees}`;
}

function sumText({ currency, planned_minor }: PlannedTotal): string {
  return `${formatMajor(BigInt(planned_minor), currency.decimals)} ${currencyLabel(currency)}`;
}
