import { endPlan, type WaitingPlan, waitingPlans } from '../../../app/plan/awaiting.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { personHere } from '../../../compose/person.ts';
import { isoUtc } from '../../../domain/time.ts';
import { printable } from '../../../messages/text.ts';
import { machineClock } from '../../../platform/machine.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
import { jsonLine } from '../../json/line.ts';
import { planWords } from '../../plans/older-text.ts';
import { whyText } from '../../plans/plan-standing.ts';
import type { CancelledPlan, CancelledPlans } from './json.ts';

/** `payrun cancel --waiting`: ends the plans that cannot be run any more, and says which wait on. */
export async function runCancelWaiting(options: Record<string, unknown>): Promise<void> {
  await withJournal(options, async ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    const cancelled: WaitingPlan[] = [];
    const waiting: WaitingPlan[] = [];
    const means = { journal, clock: machineClock };
    for await (const plan of waitingPlans(means)) {
      const isEnded = plan.why !== null && (await endPlan(means, plan, { by: personHere() }));
      (isEnded ? cancelled : waiting).push(plan);
    }
    const json = ({ run_id, job, period, createdAt, approvedBy, why }: WaitingPlan): CancelledPlan => ({
      run_id,
      job,
      period,
      created_at: isoUtc(createdAt),
      approved_by: approvedBy,
      why: whyText({ why }, command),
    });
    if (settings.json) {
      const plans = { cancelled: cancelled.map(json), waiting: waiting.map(json), exit: EXIT.ok };
      io.stdout(jsonLine<CancelledPlans>(plans));
      return EXIT.ok;
    }
    const lines = [
      ...cancelled.map(
        (plan) => `${planWords(plan)} is cancelled: it could not be run any more (${whyText(plan, command)}).`,
      ),
      ...waiting.map((plan) => `${planWords(plan)} waits: ${command('show', plan.run_id)}`),
    ];
    io.stdout(lines.length === 0 ? 'No plan waits.\n' : `${lines.map(printable).join('\n')}\n`);
    return EXIT.ok;
  });
}
