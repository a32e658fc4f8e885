import type { RunState } from '../domain/run.ts';
import type { Journal } from '../journal/journal.ts';
import { AMOUNT_CHANGE_DEFAULT, warningsOf } from './compare-problems.ts';
import { compareWithPast } from './compare-runs.ts';
import { type Comparison, firstText, othersText } from './compare-text.ts';
import { allowedBy } from './paid-before.ts';
import { REPEAT_WINDOW_DEFAULT_MS } from './past-payouts.ts';

/** A plan beside what was paid before, by what the journal holds now. Throws a `Refusal` where that cannot be read. */
export function comparedWithPast(
  { header, plan, rows }: Pick<RunState, 'header' | 'plan' | 'rows'>,
  given: { journal: Journal; dataDir: string },
): Comparison | null {
  if (header === null || plan === null) return null;
  const repeatWindowMs = plan.repeat_window_ms ?? REPEAT_WINDOW_DEFAULT_MS;
  const coolingMs = plan.limits?.cooling_off_ms ?? null;
  const compared = compareWithPast(header, rows, { ...given, repeatWindowMs, coolingMs });
  const allowed = allowedBy(undefined, header.repeats ?? header.retries);
  const places = { sheet: null, columns: header.input.columns };
  const warnings = warningsOf({ compared, amountChange: AMOUNT_CHANGE_DEFAULT, allowed, unknown: new Map(), places });
  return { compared, warnings };
}

/**
 * What people are to look at first: what repeats an earlier payment and whose bank details changed, then who is paid for
 * the first time. Empty where there is nothing of it.
 */
export function pastText(comparison: Comparison | null, colour: boolean): string {
  if (comparison === null) return '';
  const { warnings } = comparison;
  const [changed, others] = [firstText(warnings, colour), othersText(warnings, [], colour)];
  return [changed, others]
    .filter((text) => text !== '')
    .map((text) => `${text.trimEnd()}\n`)
    .join('\n');
}
