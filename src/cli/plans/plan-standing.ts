import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { foldPages } from '../../journal/pages.ts';
import { counted, rowsText } from '../../messages/text.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { approvalsOf, nextOfPlan, nextStep } from './approvals.ts';
import { type PlanMeans, whyNot } from './replaced-plans.ts';
import { planAgain } from './waiting-plan.ts';

/** How a plan stands that nobody has started. */
export type PlanStanding = {
  run_id: string;
  approvals_missing: number;
  /** Why it cannot be run any more; null where it can. */
  why: string | null;
  /** The literal next command: approve it, pay it, or plan again. */
  next: string;
  /** The same in words, without its id. */
  words: string;
};

/** Null where it is no plan that waits. Throws `JournalDamaged`. */
export async function planStanding(runId: string, means: PlanMeans): Promise<PlanStanding | null> {
  const run = await foldPages(means.journal.readRun(runId));
  if (run.header === null || run.cancelled || !isPlannedOnly(run)) return null;
  const { missing } = approvalsOf(run);
  const why = await whyNot(run, means);
  const next = why === null ? nextOfPlan(run, means.command) : planAgain(run, means.command);
  const words =
    why === null ? waitingWords(run, means.command) : `cannot be run any more (${why}). Plan again: ${next}`;
  return { run_id: runId, approvals_missing: missing, why, next, words };
}

function waitingWords(run: RunState, command: CommandLine): string {
  const { needed, missing, rowsMissing } = approvalsOf(run);
  if (missing > 0) return `is planned and waits for ${counted(missing, 'approval')}. ${nextStep(run, command)}`;
  const next = nextOfPlan(run, command);
  if (rowsMissing.length > 0) {
    const rows = `${rowsMissing.length === 1 ? 'row' : 'rows'} ${rowsText(rowsMissing)}`;
    return `is approved but for ${rows}; approve them with: ${next}`;
  }
  return `is ${needed > 0 ? 'approved' : 'planned and waits'}; pay it with: ${next}`;
}
