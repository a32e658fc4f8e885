import { currencyLabel } from '../domain/currencies.ts';
import { currencyKey, formatForPeople, formatMajor, type Money } from '../domain/money.ts';
import type { Problem, ProblemGroup } from '../domain/problem.ts';
import { isoUtc } from '../domain/time.ts';
import { runText } from '../input/history-warnings.ts';
import type { ProblemLog } from '../input/problem-log.ts';
import type { ComparedPayouts } from './compare-past.ts';
import type { Warnings } from './compare-problems.ts';
import { counted, groupText, paint, printable } from './problem-text.ts';

/** A plan beside what was paid before. */
export type Comparison = {
  compared: ComparedPayouts;
  warnings: Warnings;
  /** The run whose rows it corrects; null where it corrects none. */
  corrects: string | null;
};

/** At most some thousand of each kind, the most important last. */
export function warningsIn(warnings: Warnings): Problem[] {
  return Object.values(warnings).flatMap((log) => log.kept);
}

export function warningCount(warnings: Warnings): number {
  return Object.values(warnings).reduce((sum, log) => sum + log.counts.warnings, 0);
}

/** How many there are of each kind, of those that there are. */
export function warningCounts(warnings: Warnings): Record<string, number> {
  const counts = Object.entries(warnings).map(([code, log]): [string, number] => [code, log.counts.warnings]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

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

function headed(title: string, { counts, groups }: ProblemLog, what: string, colour: boolean): string {
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
  const lines = [`${what} the last run of the job (${runText(lastOfJob)}).`];
  for (const { before, now } of totalsBeside(compared, totals))
    lines.push(`  then ${formatForPeople(before)}, now ${formatForPeople(now)}`);
  return `${lines.map(printable).join('\n')}\n`;
}

/** What `plan --json` says of the last run of the job; null where there is none. */
export function comparedJson({ compared, warnings }: Comparison, totals: readonly Money[]): object | null {
  const { lastOfJob, missing } = compared;
  if (lastOfJob === null) return null;
  return {
    run_id: lastOfJob.id,
    started_at: isoUtc(lastOfJob.at),
    payees_new: newPayees(compared),
    payees_missing: missing.size,
    amounts_changed: warnings.amount_changed.counts.warnings,
    totals: totalsBeside(compared, totals).map(({ before, now }) => ({
      currency: currencyLabel(now.currency),
      before: formatMajor(before.minor, before.currency.decimals),
      now: formatMajor(now.minor, now.currency.decimals),
    })),
  };
}

/** Since the job's last run, or for ever where there is none. */
function newPayees({ payees, lastOfJob, hasPast }: ComparedPayouts): number {
  if (!hasPast) return 0;
  let count = 0;
  for (const { isKnown, isInLast } of payees.values()) if (lastOfJob === null ? !isKnown : !isInLast) count++;
  return count;
}

function totalsBeside({ lastTotals }: ComparedPayouts, totals: readonly Money[]): { before: Money; now: Money }[] {
  const none = (of: Money): Money => ({ minor: 0n, currency: of.currency });
  const now = new Map(totals.map((total) => [currencyKey(total.currency), total]));
  const both = totals.map((total) => ({
    before: lastTotals.get(currencyKey(total.currency)) ?? none(total),
    now: total,
  }));
  const gone = [...lastTotals].filter(([key]) => !now.has(key));
  return [...both, ...gone.map(([, total]) => ({ before: total, now: none(total) }))];
}

function groupOf(problem: Problem): ProblemGroup {
  const { severity, code, column } = problem;
  return { severity, code, column, count: 1, first: [problem] };
}
