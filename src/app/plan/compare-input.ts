import type { Journal } from '../../journal/journal.ts';
import { rowsOf } from '../../runner/plan/plan-digest.ts';
import { type ComparedRun, compareWithPast } from '../compare/compare-runs.ts';
import type { Comparison } from '../compare/comparison.ts';
import { AMOUNT_CHANGE_DEFAULT, warningsOf } from '../compare/warnings.ts';
import type { Gathered, Given } from './given.ts';
import { allowedBy, refusedWithin, refusePaidBefore } from './paid-before.ts';

type With = {
  header: ComparedRun & { repeats: string | null };
  journal: Journal;
  unknown: ReadonlyMap<number, readonly string[]>;
  /** Whether what was paid already is refused, and not only shown. */
  refuses: boolean;
};

/** An input that was read beside what was paid before. Throws a `Refusal` (`refused`) where rows were paid already. */
export async function compareInput(
  { job, settings, clock }: Given,
  { read, entries }: Gathered,
  { header, journal, unknown, refuses }: With,
): Promise<Comparison> {
  const repeatWindowMs = refusedWithin(job);
  const coolingMs = job?.limits?.cooling_off_ms ?? null;
  const past = { journal, clock, repeatWindowMs, coolingMs };
  const compared = await compareWithPast(header, rowsOf(entries), past);
  const allowed = allowedBy(settings.allowRepeat, header.repeats);
  if (refuses) refusePaidBefore(compared, allowed, job?.name ?? null);
  const amountChange = job?.amountChange ?? AMOUNT_CHANGE_DEFAULT;
  const places = { sheet: read.sheet, columns: read.input.columns };
  return {
    compared,
    warnings: warningsOf({ compared, amountChange, allowed, unknown, corrected: null, places }),
    corrects: null,
  };
}
