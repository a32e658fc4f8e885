import { type CoolingRow, coolingText } from '../../app/compare/cooling-off.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { sumIn } from '../../domain/limits.ts';
import { formatMajor } from '../../domain/money.ts';
import type { Limits, PlanFacts, PlannedTotal } from '../../domain/plan.ts';
import { formatDuration } from '../../domain/time.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable } from '../../messages/text.ts';
import { approvedConversions, feesText } from './conversion-text.ts';
import { preparerText, whoApproves } from './standing-text.ts';

/** What an approver looks at: everything that the signature is over, and whose plan it is. */
export function approvableText(header: RunCreated, facts: PlanFacts, cooling: readonly CoolingRow[] = []): string {
  const lines = [...(facts.rehearsal ? [messages.outcomes.rehearsalBand()] : []), ...planLines(header, facts, cooling)];
  return `${lines.map(printable).join('\n')}\n\n`;
}

/** The same, line by line, of a plan that nobody has to approve too. */
export function planLines(header: RunCreated, facts: PlanFacts, cooling: readonly CoolingRow[]): string[] {
  const { run_id, digest, input, repeats } = header;
  const { recipients_to_create: recipients = 0, accounts_to_create: accounts = 0 } = facts.payees ?? {};
  const { approval, limits } = facts;
  return [
    `Plan ${run_id}${jobClause(header)}`,
    ...(repeats === null ? [] : labelled('again', [`it pays everyone in ${repeats} again`])),
    ...labelled('file', [`${input.name}, SHA-256 ${input.sha256}`]),
    ...(approval === null ? [] : labelled('made by', [preparerText(approval)])),
    ...labelled('payouts', [facts.payouts.toLocaleString('en')]),
    ...labelled('total', facts.totals.map(totalText)),
    ...labelled('paid', approvedConversions(facts.conversions)),
    ...labelled('to create', [`${counted(recipients, 'recipient')} and ${counted(accounts, 'account')}`]),
    ...labelled('warnings', [facts.warnings.toLocaleString('en')]),
    ...(limits === null ? [] : labelled('limits', [limitsText(limits)])),
    ...labelled('by itself', cooling.map(coolingText)),
    ...(approval === null ? [] : labelled('approvers', [whoApproves(facts) ?? ''])),
    ...labelled('digest', [digest]),
  ];
}

/** ` of job salaries, 2026-11`; empty for a file. */
export function jobClause({ job, period }: Pick<RunCreated, 'job' | 'period'>): string {
  return job === null ? '' : ` of job ${job}${period === null ? '' : `, ${period}`}`;
}

/** Lines in a column; the first one has the label before it. */
function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, at) => `${(at === 0 ? label : '').padEnd(11)}${line}`);
}

/** `per payout 20,000.00 AUD; 500 payees`. */
function limitsText({ per_payout, per_run, per_day, ...limits }: Limits): string {
  const { payees, only_payees, failures_percent, cooling_off_ms } = limits;
  const bySum = Object.entries({ 'per payout': per_payout, 'per run': per_run, 'per day': per_day }).map(
    ([name, sums]) =>
      sums &&
      `${name} ${sums.map(({ code, minor }) => messages.problems.sumText(sumIn(BigInt(minor), code))).join(', ')}`,
  );
  const others = [
    payees === null ? null : `at most ${counted(payees, 'payee')}`,
    only_payees === null ? null : `only ${counted(only_payees.length, 'named payee')}`,
    cooling_off_ms === null ? null : `accounts are new for ${formatDuration(cooling_off_ms)}`,
    failures_percent === null ? null : `stops at more than ${failures_percent}% failures`,
  ];
  return [...bySum, ...others].filter((one) => one !== null).join('; ');
}

/** The total of the first currency, as it is shown and typed: `46479.35 AUD`. */
export function firstTotal({ totals: [total] }: PlanFacts): string {
  return total === undefined ? '' : plannedText(total);
}

/** Thousands in groups of three, as the plan's text shows them. */
const GROUPED = /^\d{1,3}(,\d{3})+(?=[. ]|$)/;

/** Whether somebody typed the total of the first currency. Blanks and groups of thousands are no other amount. */
export function isTotal(typed: string, facts: PlanFacts): boolean {
  return plainAmount(typed) === firstTotal(facts);
}

/** The same, where the amount alone is enough to know which total is meant: there is one currency. */
export function isTotalOrAmount(typed: string, facts: PlanFacts): boolean {
  return isTotal(typed, facts) || (facts.totals.length === 1 && plainAmount(typed) === firstAmount(facts));
}

/** Whether somebody typed the amount of the first currency, where several have a total, and not its currency. */
export function lacksCurrency(typed: string, facts: PlanFacts): boolean {
  return facts.totals.length > 1 && plainAmount(typed) === firstAmount(facts);
}

function plainAmount(typed: string): string {
  return typed
    .trim()
    .replace(/\s+/g, ' ')
    .replace(GROUPED, (grouped) => grouped.replaceAll(',', ''));
}

/** Without its currency. */
function firstAmount({ totals: [total] }: PlanFacts): string {
  return total === undefined ? '' : formatMajor(BigInt(total.planned_minor), total.currency.decimals);
}

function totalText(total: PlannedTotal): string {
  const { currency, payouts, fees_minor } = total;
  return `${plannedText(total)} in ${counted(payouts, 'payout')}, fees ${feesText(fees_minor, currency)}`;
}

function plannedText({ currency, planned_minor }: PlannedTotal): string {
  return `${formatMajor(BigInt(planned_minor), currency.decimals)} ${currencyLabel(currency)}`;
}
