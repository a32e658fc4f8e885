import type { RunCreated, RunRow } from '../../domain/entry.ts';
import { currencyKey, type Money } from '../../domain/money.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { KnownHolds } from '../../journal/holds.ts';
import { compareWithPast, type PastGiven } from './compare-runs.ts';
import type { ComparedPayouts } from './compared-payouts.ts';
import { correctedBy } from './corrected-rows.ts';
import { REPEAT_WINDOW_DEFAULT_MS } from './past-payouts.ts';
import { AMOUNT_CHANGE_DEFAULT, type Warnings, warningsOf } from './warnings.ts';

/** A plan beside what was paid before. */
export type Comparison = {
  compared: ComparedPayouts;
  warnings: Warnings;
  /** The run whose rows it corrects; null where it corrects none. */
  corrects: string | null;
};

type Given = Pick<PastGiven, 'journal' | 'clock' | 'likeHeader'>;

/** A plan beside what was paid before, by what the journal holds now. Throws a `Refusal` where that cannot be read. */
export async function comparedWithPast(
  { header, plan, rows }: Pick<RunState, 'header' | 'plan' | 'rows'>,
  given: Given,
): Promise<Comparison | null> {
  return header === null || plan === null ? null : comparedRows(header, rows, plan, given);
}

/** The same of a plan that is not in the journal yet. */
export async function comparedRows(
  header: RunCreated,
  rows: Iterable<RunRow>,
  { repeat_window_ms, limits }: Pick<PlanFacts, 'repeat_window_ms' | 'limits'>,
  given: Given,
): Promise<Comparison> {
  const repeatWindowMs = repeat_window_ms ?? REPEAT_WINDOW_DEFAULT_MS;
  const coolingMs = limits?.cooling_off_ms ?? null;
  const compared = await compareWithPast(header, rows, { ...given, repeatWindowMs, coolingMs });
  const corrected = await correctedBy(header, rows, given.journal);
  // As they were, rows of a run pay what it has not paid; corrected, they may pay what it has.
  const repeated = header.repeats ?? (corrected === null ? header.retries : null);
  const allowed = repeated === null ? null : { runIds: new Set([repeated]) };
  const places = { sheet: null, columns: header.input.columns };
  const [amountChange, unknown] = [AMOUNT_CHANGE_DEFAULT, new Map()];
  const { now: holds } = await new KnownHolds(given.journal).look();
  const warnings = warningsOf({ compared, amountChange, allowed, unknown, corrected, places, holds });
  return { compared, warnings, corrects: corrected?.runId ?? null };
}

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

/** Since the job's last run, or for ever where there is none. */
export function newPayees({ payees, lastOfJob, hasPast }: ComparedPayouts): number {
  if (!hasPast) return 0;
  let count = 0;
  for (const { isKnown, isInLast } of payees.values()) if (lastOfJob === null ? !isKnown : !isInLast) count++;
  return count;
}

export function totalsBeside(
  { lastTotals }: ComparedPayouts,
  totals: readonly Money[],
): { before: Money; now: Money }[] {
  const none = (of: Money): Money => ({ minor: 0n, currency: of.currency });
  const now = new Map(totals.map((total) => [currencyKey(total.currency), total]));
  const both = totals.map((total) => ({
    before: lastTotals.get(currencyKey(total.currency)) ?? none(total),
    now: total,
  }));
  const gone = [...lastTotals].filter(([key]) => !now.has(key));
  return [...both, ...gone.map(([, total]) => ({ before: total, now: none(total) }))];
}
