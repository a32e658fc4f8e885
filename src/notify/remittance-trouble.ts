import { z } from 'zod';
import { text } from '../domain/entries/members.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { CommandLine } from '../messages/command-line.ts';
import { counted, withoutStop } from '../messages/text.ts';
import { type Remittances, remittances, remittancesOf } from '../report/model/remittances.ts';
import { oneLine, rowsText, withoutNumbers } from './words.ts';

export const remittanceResult = remittances.extend({
  why: text.nullable().describe('What kept it from them, where something did.'),
  to_do: z.array(text).describe('What is to be done about each that was not sent. Empty in a rehearsal.'),
});

/** What became of the advice to the payees of a finished run. */
export type RemittanceOutcome = z.output<typeof remittanceResult>;

/** Null where the run's job sends no advice. A rehearsal sends none, and there is nothing to do about it. */
export function remittanceOutcome(run: RunState, why: string | null, command: CommandLine): RemittanceOutcome | null {
  const found = remittancesOf(run);
  if (found === null || run.header === null) return null;
  const { run_id, rehearsal } = run.header;
  const to_do = rehearsal || run.finished === null ? [] : troubles(found, why, command('resume', run_id));
  return { ...found, why, to_do };
}

function troubles({ waiting, refused, not_confirmed }: Remittances, why: string | null, again: string): string[] {
  const lines: string[] = [];
  if (waiting > 0) {
    const reason = withoutStop(oneLine(why ?? 'it was stopped'));
    lines.push(
      `${counted(waiting, 'payee')} could not be told by e-mail (${reason}), which changes no payout. They are told by: ${again}`,
    );
  }
  if (refused.length > 0)
    lines.push(
      `The mail server refused the e-mail to ${counted(refused.length, 'payee')} (${rowsText(refused.map(({ row }) => row))}). It is not sent again: tell them in another way.`,
    );
  if (not_confirmed.length > 0)
    lines.push(
      `Nobody knows whether the e-mail to ${counted(not_confirmed.length, 'payee')} arrived (${rowsText(not_confirmed)}). It is not sent again: ask them.`,
    );
  return lines;
}

/** The same for a letter, without numbers: a mail server's answer may have any text. */
export function remittanceLines(outcome: RemittanceOutcome | null): string[] {
  if (outcome === null || outcome.to_do.length === 0) return [];
  const sent = `Remittance advice: ${counted(outcome.sent, 'payee')} told.`;
  return [sent, ...outcome.to_do.map(withoutNumbers)];
}
