import { type Comparison, newPayees, totalsBeside } from '../../app/compare/comparison.ts';
import type { Warnings } from '../../app/compare/warnings.ts';
import { formatForPeople, type Money } from '../../domain/money.ts';
import type { Problem, ProblemGroup } from '../../domain/problem.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable } from '../../messages/text.ts';
import { groupText, paint } from '../input/problem-text.ts';

/** What is to be seen first, under headings of its own: who is paid once more, and payments that may be diverted. */
export function firstText({ warnings, corrects }: Pick<Comparison, 'warnings' | 'corrects'>, colour: boolean): string {
  const { paid_before, account_changed } = warnings;
  const again = 'would pay the same amount to the same account as an earlier run.';
  const before = corrects === null ? '' : `it was to go in ${corrects}, or where `;
  const elsewhere = `would not go where ${before}the payee was last paid.`;
  return [
    headed('PAID BEFORE', paid_before, again, colour),
    headed('BANK DETAILS CHANGED', account_changed, elsewhere, colour),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function headed(title: string, { counts, groups }: Warnings['paid_before'], what: string, colour: boolean): string {
  if (counts.warnings === 0) return '';
  const heading = `${title}: ${counted(counts.warnings, 'payout')} ${what}`;
  return [paint(heading, 'yellow', colour), ...groups.map((group) => groupText(group, colour))].join('\n');
}

/** The rest, as `check` groups it. */
export function othersText(warnings: Warnings, others: readonly Problem[], colour: boolean): string {
  const { paid_before: _paid, account_changed: _changed, ...rest } = warnings;
  const groups = [...Object.values(rest).flatMap((log) => log.groups), ...others.map(groupOf)];
  return groups.map((group) => `${groupText(group, colour)}\n`).join('');
}

/**
 * What people are to look at first: what repeats an earlier payment and whose bank details changed, then who is paid for
 * the first time. Empty where there is nothing of it.
 */
export function pastText(comparison: Comparison | null, colour: boolean): string {
  if (comparison === null) return '';
  const { warnings } = comparison;
  const [changed, others] = [firstText(comparison, colour), othersText(warnings, [], colour)];
  return [changed, others]
    .filter((text) => text !== '')
    .map((text) => `${text.trimEnd()}\n`)
    .join('\n');
}

/** `3 payees new, 1 with changed bank details, 2 missing since the last run (run R… of 2026-11-25).`, and totals then and now. */
export function summaryText({ compared, warnings }: Comparison, totals: readonly Money[]): string {
  const { lastOfJob } = compared;
  const news = newPayees(compared);
  const changed = warnings.account_changed.counts.warnings;
  const missing = compared.missing.size;
  const amounts = warnings.amount_changed.counts.warnings;
  const parts = [
    ...(news > 0 ? [`${counted(news, 'payee')} new`] : []),
    ...(changed > 0 ? [`${changed.toLocaleString('en')} with changed bank details`] : []),
    ...(amounts > 0 ? [`${amounts.toLocaleString('en')} with another amount`] : []),
    ...(missing > 0 ? [`${missing.toLocaleString('en')} missing`] : []),
  ];
  if (lastOfJob === null) return parts.length === 0 ? '' : `${parts.join(', ')}.\n`;
  const what = parts.length === 0 ? 'The same payees and accounts as in' : `${parts.join(', ')} since`;
  const lines = [`${what} the last run of the job (${messages.problems.runText(lastOfJob)}).`];
  for (const { before, now } of totalsBeside(compared, totals))
    lines.push(`  then ${formatForPeople(before)}, now ${formatForPeople(now)}`);
  return `${lines.map(printable).join('\n')}\n`;
}

function groupOf(problem: Problem): ProblemGroup {
  const { severity, code, column } = problem;
  return { severity, code, column, count: 1, first: [problem] };
}
