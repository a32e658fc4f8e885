import type { RunCreated, RunRow } from '../domain/entry.ts';
import type { PlanFacts } from '../domain/plan.ts';
import type { RunState } from '../domain/run.ts';
import type { Journal } from '../journal/journal.ts';
import { AMOUNT_CHANGE_DEFAULT, warningsOf } from './compare-problems.ts';
import { compareWithPast } from './compare-runs.ts';
import { type Comparison, firstText, othersText } from './compare-text.ts';
import { correctedBy } from './corrected-rows.ts';
import { allowedBy } from './paid-before.ts';
import { REPEAT_WINDOW_DEFAULT_MS } from './past-payouts.ts';

type Given = { journal: Journal; dataDir: string };

/** A plan beside what was paid before, by what the journal holds now. Throws a `Refusal` where that cannot be read. */
export function comparedWithPast(
  { header, plan, rows }: Pick<RunState, 'header' | 'plan' | 'rows'>,
  given: Given,
): Comparison | null {
  return header === null || plan === null ? null : comparedRows(header, rows, plan, given);
}

/** The same of a plan that is not in the journal yet. */
export function comparedRows(
  header: RunCreated,
  rows: readonly RunRow[],
  { repeat_window_ms, limits }: Pick<PlanFacts, 'repeat_window_ms' | 'limits'>,
  given: Given,
): Comparison {
  const repeatWindowMs = repeat_window_ms ?? REPEAT_WINDOW_DEFAULT_MS;
  const coolingMs = limits?.cooling_off_ms ?? null;
  const compared = compareWithPast(header, rows, { ...given, repeatWindowMs, coolingMs });
  const corrected = correctedBy(header, rows, given.journal);
  // As they were, rows of a run pay what it has not paid; corrected, they may pay what it has.
  const allowed = allowedBy(undefined, header.repeats ?? (corrected === null ? header.retries : null));
  const places = { sheet: null, columns: header.input.columns };
  const [amountChange, unknown] = [AMOUNT_CHANGE_DEFAULT, new Map()];
  const warnings = warningsOf({ compared, amountChange, allowed, unknown, corrected, places });
  return { compared, warnings, corrects: corrected?.runId ?? null };
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
