import { existsSync } from 'node:fs';
import { allowedRuns } from '../../app/plan/paid-before.ts';
import { planObstacle, runMeanwhile, sourceOf } from '../../app/plan/plan-obstacle.ts';
import { nearFile } from '../../compose/command-hints.ts';
import type { Settings } from '../../compose/settings.ts';
import type { PlanProblem } from '../../domain/outcomes/plan-obstacle.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import { planAgain as planAgainText } from '../../messages/refusals/plan-words.ts';
import { printable } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';
import type { CommandLine } from '../../report/command-line.ts';

type Looking = { journal: Journal; settings: Settings };

/**
 * Throws a `Refusal` where the run is no plan that can be started: it was started or cancelled, its rows or its file are
 * not what was planned, or the same was run meanwhile.
 */
export async function requirePlan(run: RunState, { journal, settings }: Looking): Promise<void> {
  const { allowRepeat } = settings;
  const allowed = allowRepeat === undefined ? undefined : allowedRuns(allowRepeat);
  const obstacle = await planObstacle(run, { journal, clock: machineClock }, { allowed });
  if (obstacle !== null) throw new Refusal({ code: 'plan_obstacle', obstacle });
}

/**
 * That the file is not there any more; null where it is, or where the run pays none. The journal has its rows, and the
 * digest is over them: the plan is as good without it.
 */
export function fileGone({ header, plan }: RunState): string | null {
  if (header === null || (header.retries !== null && header.corrections_sha256 === null)) return null;
  const { path, name } = header.input;
  if (existsSync(path)) return null;
  return `${printable(name)} is not there any more; what was ${plan?.approval ? 'approved' : 'planned'} is paid from the journal.`;
}

/** That the same was run since the plan was made. */
export async function ranMeanwhile(journal: Journal, runId: string, run: RunState): Promise<Refusal> {
  assert(run.header !== null, 'a plan without its header');
  const obstacle = { ...(await runMeanwhile(journal, runId, run.header)), plan: sourceOf(run) };
  return new Refusal({ code: 'plan_obstacle', obstacle });
}

/** That a plan cannot be used any more. */
export function changed(run: RunState, problem: PlanProblem): Refusal {
  return new Refusal({ code: 'plan_obstacle', obstacle: { ...problem, plan: sourceOf(run) } });
}

/** The literal command that makes a plan of the same job and period, or of the same file. */
export function planAgain(run: RunState, command: CommandLine): string {
  return planAgainText(sourceOf(run), { command, near: nearFile });
}
