import { mayApprove } from '../../app/approve/approvals.ts';
import { type OlderPlans, otherOf, type WaitingPlan } from '../../app/plan/awaiting.ts';
import { approvalsNeededBy } from '../../app/plan/plan-result.ts';
import { sourceOf } from '../../app/plan/require-plan.ts';
import type { ShownRun } from '../../app/show/shown-run.ts';
import { nearFile } from '../../compose/command-hints.ts';
import type { ApprovalPolicy, PlanFacts } from '../../domain/plan.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable, rowsText } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';

/** The approvals of a run, and who is missing where its plan waits; nothing where nobody has to approve. */
export function approvalsText({ run, phase, approvals: shown, mayApprove: others }: ShownRun): string {
  const { needed, counted: count, missing, rowsMissing, approvals } = shown;
  if (needed === 0) return '';
  const waits = phase === 'planned';
  const lines = approvals.map(messages.approvals.approvalLine);
  if (waits && missing > 0) lines.push(`  missing: ${messages.approvals.someOf(missing, others)}`);
  if (waits && rowsMissing.length > 0) lines.push(`  not approved by enough yet: ${rowsNamed(rowsMissing)}`);
  const maker = run.plan?.approval && !waits ? `made by ${preparerText(run.plan.approval)}\n` : '';
  return `${maker}approvals: ${count} of ${needed}\n${lines.map((line) => `${line}\n`).join('')}\n`;
}

/** Who has to approve a plan, as far as its text needs it; null where nobody has to. */
export function whoApproves(facts: PlanFacts): string | null {
  if (facts.approval === null) return null;
  const names = mayApprove(facts.approval).map(({ name }) => name);
  return messages.approvals.someOf(approvalsNeededBy(facts), names);
}

/** `Ben, with the key PUAXw-hD…`, or `petra@desk-7`. */
export function preparerText({ preparer, preparer_key }: ApprovalPolicy): string {
  return messages.approvals.preparerText({ preparer, key: preparer_key ?? null });
}

/** How a plan stands that nobody has started. `words`: all of it but its id. */
export function standingText(plan: WaitingPlan, command: CommandLine) {
  const why = whyText(plan, command);
  const next =
    why === null
      ? messages.approvals.nextCommand(plan.next, command)
      : messages.plans.planAgain(sourceOf(plan.run), { command, near: nearFile });
  const words = why === null ? waitingText(plan, command) : uselessText({ why, next });
  return { run_id: plan.run_id, approvals_missing: plan.next.missing, why, next, words };
}

/** That a plan cannot be run any more, and `next`: the command that makes another. */
export function uselessText({ why, next }: { why: string; next: string }): string {
  return `cannot be run any more (${why}). Plan again: ${next}`;
}

/** Why a plan cannot be run any more, as a clause; null where it can. */
export function whyText({ why }: Pick<WaitingPlan, 'why'>, command: CommandLine): string | null {
  return why && messages.plans.obstacleClause(why, { command, near: nearFile });
}

function waitingText({ next, isApproved }: WaitingPlan, command: CommandLine): string {
  const { missing, rowsMissing } = next;
  if (missing > 0)
    return `is planned and waits for ${counted(missing, 'approval')}. ${messages.approvals.nextStepText(next, command)}`;
  const literal = messages.approvals.nextCommand(next, command);
  if (rowsMissing.length > 0) return `is approved but for ${rowsNamed(rowsMissing)}; approve them with: ${literal}`;
  return `is ${isApproved ? 'approved' : 'planned and waits'}; pay it with: ${literal}`;
}

function rowsNamed(rows: readonly number[]): string {
  return `${rows.length === 1 ? 'row' : 'rows'} ${rowsText(rows)}`;
}

/** The older plans beside a new one; nothing where there are none. */
export function olderText({ replaced, waiting }: OlderPlans, command: CommandLine): string {
  return paragraph([
    ...replaced.map((plan) => {
      const why = whyText(plan, command);
      return `${planName(plan)} is replaced by this one${why === null ? '' : `: it could not be run any more (${why})`}.`;
    }),
    ...waiting.filter(({ isApproved }) => !isApproved).flatMap((plan) => besideLines(plan, command)),
  ]);
}

/** That another plan is approved and can be run, which comes first; nothing where there is none. */
export function approvedText({ waiting }: OlderPlans, command: CommandLine): string {
  return paragraph(waiting.filter(({ isApproved }) => isApproved).flatMap((plan) => besideLines(plan, command)));
}

function paragraph(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.map(printable).join('\n')}\n\n`;
}

function besideLines(plan: WaitingPlan, command: CommandLine): string[] {
  return [
    `${planName(plan)} waits too, and only one of the two can be run. ${messages.approvals.nextStepText(plan.next, command)}`,
    `To end it: ${command('cancel', plan.run_id)}`,
  ];
}

/** `The plan R1, made 3 days ago and approved by Anna,`. */
export function planName(plan: WaitingPlan): string {
  return messages.plans.otherPlanText(otherOf(plan, machineClock.wallMs()));
}
