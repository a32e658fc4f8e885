import { problemJson } from '../../app/check/check-result.ts';
import { type CoolingRow, coolingText } from '../../app/compare/cooling-off.ts';
import type { OlderPlans } from '../../app/plan/awaiting.ts';
import type { DrawnPlan } from '../../app/plan/draw-plan.ts';
import { approvalsNeededBy, plannedSums, planResultOf, serviceWarnings } from '../../app/plan/plan-result.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { StartTime } from '../../domain/entry.ts';
import { currencyKey, formatMajor, groupThousands } from '../../domain/money.ts';
import { costOf } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { scheduledResult } from '../../domain/result.ts';
import { zoneText } from '../../domain/zone.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable } from '../../messages/text.ts';
import { EXIT } from '../exit.ts';
import type { Here } from '../here.ts';
import type { PlanOutput } from '../json/outputs.ts';
import { print } from '../json/print.ts';
import { right, textTable } from '../tables.ts';
import { jobClause } from './approvable-text.ts';
import { summaryText as comparisonText, firstText, othersText } from './compare-text.ts';
import { conversionsTable, feesText } from './conversion-text.ts';
import { approvedText, olderText, preparerText, whoApproves } from './standing-text.ts';

/** A plan that is in the journal. */
export type ShownPlan = {
  plan: DrawnPlan;
  /** Of the input. */
  ofInput: readonly Problem[];
  /** What the next command has to give again. */
  allowRepeat: string | undefined;
  older: OlderPlans;
  /** When it is started on its own; absent, or null, where a person starts it. */
  start?: StartTime | null;
};

/** Prints a plan, and returns the exit code. */
export function printPlan(
  { io, settings, command }: Pick<Here, 'io' | 'settings' | 'command'>,
  shown: ShownPlan,
  exit: number = EXIT.ok,
): number {
  const result = planResultOf(shown.plan, shown.ofInput, shown.older);
  const warnings = result.warnings.map(problemJson);
  const scheduled = shown.start && { scheduled: scheduledResult(shown.start) };
  const output = { ...result, warnings, ...scheduled, next: nextCommand(shown, command), exit };
  return print<PlanOutput>({ io, settings }, output, () => planText({ ...shown, colour: io.colour }, command));
}

/** A plan for people: who is paid once more and whose bank details changed, what leaves, what is made, what to look at, and the literal next command. */
export function planText(
  shown: Pick<ShownPlan, 'plan' | 'allowRepeat' | 'older' | 'start'> & { colour: boolean },
  command: CommandLine,
): string {
  const { plan, colour, older } = shown;
  const { header, facts, comparison } = plan;
  const approvers = whoApproves(facts);
  const first = comparison === null ? '' : firstText(comparison, colour);
  const others = comparison === null ? '' : othersText(comparison.warnings, serviceWarnings(plan), colour);
  const again = header.retries === null ? '' : `, a retry of ${header.retries}`;
  const title = `Plan ${header.run_id}${jobClause(header)}${again}: ${counted(header.payouts, 'payout')} from ${header.input.name}`;
  return [
    header.rehearsal ? `${messages.outcomes.rehearsalBand()}\n` : '',
    `${printable(title)}\n\n`,
    approvedText(older, command),
    first === '' ? '' : `${first}\n\n`,
    coolingSection(plan.cooling),
    totalsTable(plan),
    conversionsTable(facts.conversions),
    `\n${payeesText(facts.payees)}\n`,
    approvers === null || facts.approval === null
      ? ''
      : `To be approved by ${approvers}; not by ${preparerText(facts.approval)}, who made the plan.\n`,
    `digest  ${header.digest}\n\n`,
    olderText(older, command),
    others === '' ? '' : `${others}\n`,
    comparison === null ? '' : comparisonText(comparison, plannedSums(facts.totals)),
    shown.start ? `${startText(shown.start)}\n` : '',
    `Nothing was sent. Next: ${nextCommand(shown, command)}\n`,
  ].join('');
}

/** When a plan is started on its own, and by what. */
function startText({ at, time_zone }: StartTime): string {
  return `Scheduled for ${zoneText(at, time_zone)}: if it is approved by then, a running page (payrun web) starts it.`;
}

/** Rows that wait for an approval of their own and are shown. */
const COOLING_MAX = 20;

function coolingSection(cooling: readonly CoolingRow[]): string {
  if (cooling.length === 0) return '';
  const heading = `TO BE APPROVED ROW BY ROW: ${counted(cooling.length, 'payout')} would go to an account that is new or changed.`;
  const lines = cooling.slice(0, COOLING_MAX).map(coolingText);
  const more = cooling.length > COOLING_MAX ? [`… and ${cooling.length - COOLING_MAX} more`] : [];
  return `${[heading, ...lines, ...more].map(printable).join('\n')}\n\n`;
}

function nextCommand({ plan, allowRepeat }: Pick<ShownPlan, 'plan' | 'allowRepeat'>, command: CommandLine): string {
  const { run_id } = plan.header;
  if (approvalsNeededBy(plan.facts) > 0) return command('approve', run_id, '--key', 'FILE');
  if (allowRepeat === undefined) return command('run', run_id);
  return command('run', run_id, '--allow-repeat', ...(allowRepeat === '' ? [] : [allowRepeat]));
}

/** For each currency how many payouts are received in it, what, their fees, and what is sent from its balance. */
function totalsTable({ facts, held }: DrawnPlan): string {
  const totals = new Map(facts.totals.map((total) => [currencyKey(total.currency), total]));
  const rows = costOf(facts).map((cost) => {
    const { currency } = cost;
    const show = (minor: bigint): string => groupThousands(formatMajor(minor, currency.decimals));
    const total = totals.get(currencyKey(currency));
    const received = total
      ? [
          String(total.payouts),
          formatMajor(BigInt(total.planned_minor), currency.decimals),
          feesText(total.fees_minor, currency),
        ]
      : ['', '', ''];
    const balance = held(currency);
    const after = balance < cost.minor ? `${show(cost.minor - balance)} short` : show(balance - cost.minor);
    return [currencyLabel(currency), ...received.map(groupThousands), show(balance), after];
  });
  return textTable(
    ['CURRENCY', right('PAYOUTS'), right('PLANNED'), right('FEES'), right('BALANCE'), right('AFTER')],
    rows,
  );
}

function payeesText(payees: DrawnPlan['facts']['payees']): string {
  if (payees === null) return 'Payees missing at the service will be created.';
  const { recipients_to_create, accounts_to_create } = payees;
  if (recipients_to_create + accounts_to_create === 0) return 'Every payee and account is known to the service.';
  const what = [counted(recipients_to_create, 'recipient'), counted(accounts_to_create, 'account')];
  return `To be created at the service: ${what.join(' and ')}.`;
}
