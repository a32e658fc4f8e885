import { z } from 'zod';
import { text } from '../domain/entries/members.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { counted } from '../messages/text.ts';
import type { CommandLine } from '../report/command-line.ts';
import { type Remittances, remittances, remittancesOf } from '../report/model/remittances.ts';
import { oneLine, rowsText, withoutNumbers } from './words.ts';

export const remittanceResult = remittances.extend({
  why: text.nullable().describe('What kept it from them, where something did.'),
  to_do: z.array(text).describe('What is to be done about each that was not sent. Empty in a rehearsal.'),
});

/** What a finished run says of the advice to its payees. */
export type RemittanceOutcome = z.output<typeof remittanceResult>;

/** Null where the run's job tells payees nothing. A rehearsal tells nobody, which is no trouble. */
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
    const reason = oneLine(why ?? 'it was stopped').replace(/[.\s]+$/, '');
    lines.push(
      `${counted(waiting, 'payee')} could not be told by e-mail (${reason}), which changes no payout. They are told by: ${again}`,
    );
  }
  if (refused.length > 0)
    lines.push(
      `The mail server refused the e-mail to ${counted(refused.length, 'payee')} (${rowsText(rowsOf(refused))}). It is not sent again: tell them in another way.`,
    );
  if (not_confirmed.length > 0)
    lines.push(
      `Nobody knows whether the e-mail to ${counted(not_confirmed.length, 'payee')} arrived (${rowsText(not_confirmed)}). It is not sent again: ask them.`,
    );
  return lines;
}

function rowsOf(refused: Remittances['refused']): number[] {
  return refused.map(({ row }) => row);
}

/** The same for a letter: what a mail server says is anybody's. */
export function remittanceLines(outcome: RemittanceOutcome | null): string[] {
  if (outcome === null || outcome.to_do.length === 0) return [];
  const sent = `Remittance advice: ${counted(outcome.sent, 'payee')} told.`;
  return [sent, ...outcome.to_do.map(withoutNumbers)];
}
