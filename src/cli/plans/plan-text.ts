import { problemJson } from '../../app/check/check-result.ts';
import { type CoolingRow, coolingText } from '../../app/compare/cooling-off.ts';
import type { OlderPlans } from '../../app/plan/awaiting.ts';
import { costOf, type DrawnPlan } from '../../app/plan/draw-plan.ts';
import { approvalsNeededBy, plannedSums, planResultOf, serviceWarnings } from '../../app/plan/plan-result.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { currencyKey, formatMajor, groupThousands } from '../../domain/money.ts';
import type { PlannedTotal } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { REHEARSAL_BAND } from '../../messages/report/outcome-words.ts';
import { counted, printable } from '../../messages/text.ts';
import type { PlanOutput } from '../commands/plan/json.ts';
import { jsonLine } from '../json/line.ts';
import { summaryText as comparisonText, firstText, othersText } from '../paid/compare-text.ts';
import { textTable } from '../tables.ts';
import { preparerText, whoApproves } from './approvals.ts';
import { conversionsTable } from './conversion-text.ts';
import { approvedText, olderText } from './older-text.ts';

/** A plan that stands in the journal. */
export type ShownPlan = {
  plan: DrawnPlan;
  /** Of the input. */
  ofInput: readonly Problem[];
  /** What the next command has to say again. */
  allowRepeat: string | undefined;
  older: OlderPlans;
};

/** `plan --json`. */
export function planJson(
  { plan, ofInput, allowRepeat, older, exit }: ShownPlan & { exit: number },
  command: CommandLine,
): string {
  const next = nextCommand({ plan, allowRepeat }, command);
  const result = planResultOf(plan, ofInput, older);
  const warnings = result.warnings.map(problemJson);
  return jsonLine<PlanOutput>({ ...result, warnings, next, exit });
}

/** The same for people: who is paid once more and whose bank details changed, what leaves, what is made, what to look at, and the literal next command. */
export function planText(
  shown: Pick<ShownPlan, 'plan' | 'allowRepeat' | 'older'> & { colour: boolean },
  command: CommandLine,
): string {
  const { plan, colour } = shown;
  const { header, facts, comparison } = plan;
  const who = whoApproves(facts);
  const changed = comparison === null ? '' : firstText(comparison, colour);
  const others = comparison === null ? '' : othersText(comparison.warnings, serviceWarnings(plan), colour);
  const summary = comparison === null ? '' : comparisonText(comparison, plannedSums(facts.totals));
  const lines = header.rehearsal ? [REHEARSAL_BAND] : [];
  const whose = header.job === null ? '' : ` of job ${header.job}${header.period === null ? '' : `, ${header.period}`}`;
  const again = header.retries === null ? '' : `, a retry of ${header.retries}`;
  lines.push(
    `Plan ${header.run_id}${whose}${again}: ${counted(header.payouts, 'payout')} from ${header.input.name}`,
    '',
  );
  return [
    `${lines.map(printable).join('\n')}\n`,
    approvedText(shown.older, command),
    changed === '' ? '' : `${changed}\n\n`,
    coolingSection(plan.cooling),
    totalsTable(plan),
    conversionsTable(facts.conversions),
    `\n${payeesText(facts.payees)}\n`,
    who === null || facts.approval === null
      ? ''
      : `To be approved by ${who}; not by ${preparerText(facts.approval)}, who made the plan.\n`,
    `digest  ${header.digest}\n\n`,
    olderText(shown.older, command),
    others === '' ? '' : `${others}\n`,
    summary,
    `Nothing was sent. Next: ${nextCommand(shown, command)}\n`,
  ].join('');
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

function totalsTable({ facts, held }: DrawnPlan): string {
  const totals = new Map(facts.totals.map((total) => [currencyKey(total.currency), total]));
  const rows = costOf(facts).map((cost) => {
    const { currency } = cost;
    const show = (minor: bigint): string => groupThousands(formatMajor(minor, currency.decimals));
    const total = totals.get(currencyKey(currency));
    const balance = held(currency);
    return [
      currencyLabel(currency),
      ...(total ? receivedTexts(total, show) : ['', '', '']),
      show(balance),
      balance < cost.minor ? `${show(cost.minor - balance)} short` : show(balance - cost.minor),
    ];
  });
  const right = 'right' as const;
  return textTable(
    [
      { title: 'CURRENCY' },
      { title: 'PAYOUTS', align: right },
      { title: 'PLANNED', align: right },
      { title: 'FEES', align: right },
      { title: 'BALANCE', align: right },
      { title: 'AFTER', align: right },
    ],
    rows,
  );
}

/** How many payouts are received in the currency, what, and what those cost that are sent from it too. */
function receivedTexts(
  { payouts, planned_minor, fees_minor }: PlannedTotal,
  show: (minor: bigint) => string,
): string[] {
  const fees = fees_minor === null ? 'not told' : show(BigInt(fees_minor));
  return [groupThousands(String(payouts)), show(BigInt(planned_minor)), fees];
}

function payeesText(payees: DrawnPlan['facts']['payees']): string {
  if (payees === null) return 'Payees that are missing at the service will be created.';
  const { recipients_to_create, accounts_to_create } = payees;
  if (recipients_to_create + accounts_to_create === 0) return 'Every payee and account is known to the service.';
  const what = [counted(recipients_to_create, 'recipient'), counted(accounts_to_create, 'account')];
  return `To be created at the service: ${what.join(' and ')}.`;
}
