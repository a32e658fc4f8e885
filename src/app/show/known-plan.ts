import type { RunCreated } from '../../domain/entry.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { foldPages } from '../../journal/pages.ts';
import type { PastGiven } from '../compare/compare-runs.ts';
import { type Comparison, comparedWithPast, warningCounts, warningsIn } from '../compare/comparison.ts';
import { type CoolingRow, coolingOf, coolingProblem } from '../compare/cooling-off.ts';
import { type Differences, differencesOf } from '../compare/differences.ts';
import type { Compared } from '../plan/plan-result.ts';
import { besideLast } from '../plan/plan-result.ts';

/** A plan that waits, and what the journal holds now about its payees. */
export type KnownPlan = {
  run: RunState;
  header: RunCreated;
  facts: PlanFacts;
  /** Null where it cannot be read, and `unread` says why. */
  past: Comparison | null;
  cooling: CoolingRow[];
  unread: string | null;
};

/** A plan can be looked at whatever became of the runs before it. Null where the run is none. */
export async function knownOf(
  run: RunState,
  given: Pick<PastGiven, 'journal' | 'clock' | 'likeHeader'>,
): Promise<KnownPlan | null> {
  const { header, plan: facts } = run;
  if (header === null || facts === null) return null;
  try {
    const cooling = [...(await coolingOf(run, given)).values()];
    return { run, header, facts, past: await comparedWithPast(run, given), cooling, unread: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { run, header, facts, past: null, cooling: [], unread: error.message };
  }
}

/** What is a warning only where the same people are paid each time. */
const OF_JOBS: ReadonlySet<string> = new Set(['payee_missing', 'amount_changed']);

/** What a plan has to do with earlier runs, by what the journal holds now. */
export type PlanCompared = {
  compared: Compared | null;
  /** Beside the same payment, payee by payee. */
  differences: Differences | null;
  warnings: Problem[];
  /** How many there are of each kind: at most some thousand of one are among the warnings. */
  counts: Record<string, number>;
};

/** Null where the run is no plan that can still be started, or earlier runs cannot be read. Throws `JournalDamaged`. */
export async function comparePlan(
  runId: string,
  given: Pick<PastGiven, 'journal' | 'clock'>,
): Promise<PlanCompared | null> {
  const run = await foldPages(given.journal.readRun(runId));
  const known =
    isPlannedOnly(run) && !run.cancelled ? await knownOf(run, { ...given, likeHeader: likeHeaderOf(run) }) : null;
  if (known === null || known.past === null) return null;
  const { facts, header, past, cooling } = known;
  // A file of no job may pay others, or something else, each time: that stands among the differences.
  const ofPast = warningsIn(past.warnings).filter(({ code }) => header.job !== null || !OF_JOBS.has(code));
  const sums = facts.totals.map(({ currency, planned_minor }) => ({ currency, minor: BigInt(planned_minor) }));
  const warnings = [...cooling.map(coolingProblem), ...ofPast];
  return {
    compared: besideLast(past, sums),
    differences: differencesOf(past.compared),
    warnings,
    counts: warningCounts(past.warnings),
  };
}

/** A retry pays some rows again, and is compared with no other payment. */
function likeHeaderOf({ header }: RunState): readonly string[] | undefined {
  return header?.retries === null ? header.input.header : undefined;
}
