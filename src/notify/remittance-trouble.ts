import { z } from 'zod';
import { text } from '../domain/entries/members.ts';
import type { AdviceToDo, DeliveryFault } from '../domain/outcomes/notice-outcome.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { CommandLine } from '../messages/command-line.ts';
import { messages } from '../messages/messages.ts';
import { type Remittances, remittances, remittancesOf } from '../report/model/remittances.ts';

export const remittanceResult = remittances.extend({
  why: text.nullable().describe('What kept it from them, where something did.'),
  to_do: z.array(text).describe('What is to be done about each that was not sent. Empty in a rehearsal.'),
});

/** What became of the advice to the payees of a finished run. */
export type RemittanceOutcome = z.output<typeof remittanceResult>;

/** Null where the run's job sends no advice. A rehearsal sends none, and there is nothing to do about it. */
export function remittanceOutcome(
  run: RunState,
  why: DeliveryFault | null,
  command: CommandLine,
): RemittanceOutcome | null {
  const found = remittancesOf(run);
  if (found === null || run.header === null) return null;
  const { run_id, rehearsal } = run.header;
  const again = command('resume', run_id);
  const toDo = rehearsal || run.finished === null ? [] : toDoOf(found, why);
  return {
    ...found,
    why: why && messages.notices.faultText(why),
    to_do: toDo.map((one) => messages.notices.adviceToDoText(one, again)),
  };
}

function toDoOf({ waiting, refused, not_confirmed }: Remittances, why: DeliveryFault | null): AdviceToDo[] {
  const toDo: AdviceToDo[] = [];
  if (waiting > 0) toDo.push({ todo: 'resume', payees: waiting, why });
  if (refused.length > 0) toDo.push({ todo: 'notify_otherwise', rows: refused.map(({ row }) => row) });
  if (not_confirmed.length > 0) toDo.push({ todo: 'ask_payees', rows: not_confirmed });
  return toDo;
}
