import { type OlderPlans, otherOf, type WaitingPlan } from '../../app/plan/awaiting.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { nextStepText } from '../../messages/refusals/approve-words.ts';
import { otherPlanText } from '../../messages/refusals/paid-words.ts';
import { printable } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';
import { whyText } from './plan-standing.ts';

/** What a plan says of older ones; nothing where there are none. */
export function olderText({ replaced, waiting }: OlderPlans, command: CommandLine): string {
  return paragraph([
    ...replaced.map((plan) => {
      const why = whyText(plan, command);
      return `${planWords(plan)} is replaced by this one${why === null ? '' : `: it could not be run any more (${why})`}.`;
    }),
    ...waiting.filter(({ isApproved }) => !isApproved).flatMap((plan) => waitingLines(plan, command)),
  ]);
}

/** What a plan says first: that another one is approved and can be run; nothing where there is none. */
export function approvedText({ waiting }: OlderPlans, command: CommandLine): string {
  return paragraph(waiting.filter(({ isApproved }) => isApproved).flatMap((plan) => waitingLines(plan, command)));
}

function paragraph(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.map(printable).join('\n')}\n\n`;
}

function waitingLines(plan: WaitingPlan, command: CommandLine): string[] {
  return [
    `${planWords(plan)} waits too, and only one of both can be run. ${nextStepText(plan.next, command)}`,
    `To end it: ${command('cancel', plan.run_id)}`,
  ];
}

/** `The plan R1, made 3 days ago and approved by Anna,`. */
export function planWords(plan: WaitingPlan): string {
  return otherPlanText(otherOf(plan, machineClock.wallMs()));
}
