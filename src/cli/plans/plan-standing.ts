import { type WaitingPlan, waitingPlan } from '../../app/plan/awaiting.ts';
import { sourceOf } from '../../app/plan/require-plan.ts';
import { nearFile } from '../../compose/command-hints.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { nextCommand, nextStepText } from '../../messages/refusals/approve-words.ts';
import { obstacleClause, planAgain as planAgainText } from '../../messages/refusals/plan-words.ts';
import { counted, rowsText } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';

export type PlanMeans = { journal: Journal; command: CommandLine };

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
export async function planStanding(runId: string, { journal, command }: PlanMeans): Promise<PlanStanding | null> {
  const run = await foldPages(journal.readRun(runId));
  const plan = await waitingPlan(run, { journal, clock: machineClock });
  if (plan === null) return null;
  const why = whyText(plan, command);
  const next = why === null ? nextCommand(plan.next, command) : planAgain(run, command);
  const words = why === null ? waitingWords(plan, command) : `cannot be run any more (${why}). Plan again: ${next}`;
  return { run_id: runId, approvals_missing: plan.next.missing, why, next, words };
}

/** Why a plan cannot be run any more, as a clause; null where it can. */
export function whyText({ why }: Pick<WaitingPlan, 'why'>, command: CommandLine): string | null {
  return why && obstacleClause(why, { command, near: nearFile });
}

/** The literal command that makes a plan of the same job and period, or of the same file. */
export function planAgain(run: RunState, command: CommandLine): string {
  return planAgainText(sourceOf(run), { command, near: nearFile });
}

function waitingWords({ next, isApproved }: WaitingPlan, command: CommandLine): string {
  const { missing, rowsMissing } = next;
  if (missing > 0) return `is planned and waits for ${counted(missing, 'approval')}. ${nextStepText(next, command)}`;
  const literal = nextCommand(next, command);
  if (rowsMissing.length > 0) {
    const rows = `${rowsMissing.length === 1 ? 'row' : 'rows'} ${rowsText(rowsMissing)}`;
    return `is approved but for ${rows}; approve them with: ${literal}`;
  }
  return `is ${isApproved ? 'approved' : 'planned and waits'}; pay it with: ${literal}`;
}
