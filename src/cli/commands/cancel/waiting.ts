import { z } from 'zod';
import { endPlan, type WaitingPlan, waitingPlans } from '../../../app/plan/awaiting.ts';
import { personHere } from '../../../compose/person.ts';
import { text } from '../../../domain/entries/members.ts';
import { runId, time } from '../../../domain/result.ts';
import { isoUtc } from '../../../domain/time.ts';
import { printable } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../here.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { planName, whyText } from '../../plans/standing-text.ts';

const plan = z.strictObject({
  run_id: runId,
  job: text.nullable(),
  period: text.nullable(),
  created_at: time,
  approved_by: z.array(text),
  why: text.nullable().describe('Why it cannot be run any more.'),
});

export const plans = z
  .strictObject({ cancelled: z.array(plan), waiting: z.array(plan), exit: exitCode })
  .describe('With --waiting.');

/** `payrun cancel --waiting`: ends the plans that cannot be run any more, and lists those that wait on. */
export async function cancelWaiting(given: Given): Promise<void> {
  await withJournal(given, async (here) => {
    const { command } = here;
    const cancelled: WaitingPlan[] = [];
    const waiting: WaitingPlan[] = [];
    for await (const found of waitingPlans(here)) {
      const isEnded = found.why !== null && (await endPlan(here, found, { by: personHere() }));
      (isEnded ? cancelled : waiting).push(found);
    }
    const outputOf = ({ run_id, job, period, createdAt, approvedBy, why }: WaitingPlan): z.output<typeof plan> => ({
      run_id,
      job,
      period,
      created_at: isoUtc(createdAt),
      approved_by: approvedBy,
      why: whyText({ why }, command),
    });
    const result = { cancelled: cancelled.map(outputOf), waiting: waiting.map(outputOf), exit: EXIT.ok };
    return print<z.output<typeof plans>>(here, result, () => {
      const lines = [
        ...cancelled.map((one) => {
          return `${planName(one)} is cancelled: it could not be run any more (${whyText(one, command)}).`;
        }),
        ...waiting.map((one) => `${planName(one)} waits: ${command('show', one.run_id)}`),
      ];
      return lines.length === 0 ? 'No plan waits.\n' : `${lines.map(printable).join('\n')}\n`;
    });
  });
}
