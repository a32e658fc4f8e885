import { z } from 'zod';
import { text } from '../../domain/entries/members.ts';
import { type CommandLine, pageSteps } from '../command-line.ts';
import type { Choice } from './doubts.ts';
import { type Doubt, doubtFacts } from './doubts.ts';

export const choiceText = z.strictObject({ command: text, does: text, risk: text });

/** A choice for people: the whole command, or where else it is made; what it does, and what it risks. */
export type ChoiceText = z.output<typeof choiceText>;

export type ChoiceWords = Omit<ChoiceText, 'command'>;

export const doubtResult = doubtFacts.extend({
  choices: z.array(choiceText).describe('What a person can do about it, the harmless first.'),
});

/** Stands for the id of a transaction at the service. */
const SOME_TRANSACTION = 'TX';

/** Each says what it risks: none of them is a way out for free. The page sends nothing again of a whole run. */
export function choiceTexts(doubt: Doubt, command: CommandLine): ChoiceText[] {
  const isOnPage = command === pageSteps;
  const goOn = isOnPage ? '“Go on”' : 'resume';
  return doubt.choices
    .filter(({ act }) => !isOnPage || act !== 'resubmit_absent')
    .map((choice) => ({ command: choiceCommand(doubt, choice, command), ...choiceWords(doubt, choice, goOn) }));
}

export function choiceCommand({ runId, row }: Doubt, { act, transaction }: Choice, command: CommandLine): string {
  switch (act) {
    case 'resume':
      return command('resume', runId);
    case 'sent':
      return command('resolve', runId, String(row), '--sent', transaction ?? SOME_TRANSACTION);
    case 'not_sent':
      return command('resolve', runId, String(row), '--not-sent');
    case 'resubmit_absent':
      return command('resume', runId, '--resubmit-absent');
  }
}

/** `goOn`: what going on with the run is called where this is read. */
export function choiceWords(doubt: Doubt, { act, transaction }: Choice, goOn: string): ChoiceWords {
  switch (act) {
    case 'resume':
      return { does: 'Looks at the service again.', risk: 'Risks nothing.' };
    case 'sent':
      return sentWords(doubt, transaction);
    case 'not_sent':
      return notSentWords(doubt, goOn);
    case 'resubmit_absent':
      return {
        does: "Looks again, and sends again every payout in doubt of this run that is not in the service's list.",
        risk: 'Each that was made after all is paid twice.',
      };
  }
}

function sentWords({ payee, about }: Doubt, id: string | null): ChoiceWords {
  const which = id === null ? 'Put in the id of a transaction, and this says that it' : `Says that ${id}`;
  const does = `${which} is this payout. Its amount, currency and account are compared first.`;
  if (about === 'twice') return { does, risk: `The others stay as they are: ${payee} keeps what they paid.` };
  return { does, risk: `If it is another payment, ${payee} is not paid.` };
}

function notSentWords({ payee, about, isCancelled }: Doubt, goOn: string): ChoiceWords {
  const what = about === 'old_copy' || about === 'mismatch' ? IS_ANOTHER[about] : NEVER_MADE;
  const risk = `If it was sent after all, the report says that ${payee} was not paid, and it is not so.`;
  if (about === 'refused') return { does: 'Says that those payments are others: it stays refused.', risk };
  if (isCancelled) return { does: `${what}. The run is cancelled, so it is not sent again.`, risk };
  const then = about === 'old_copy' ? 'sends this one' : 'sends it again';
  return { does: `${what}; ${goOn} then ${then}.`, risk: `If it was sent after all, ${payee} is paid twice.` };
}

const NEVER_MADE = 'Says that it was never made, unless the service shows it';

const IS_ANOTHER = {
  old_copy: 'Says that those payments are others',
  mismatch: 'Says that this payout was never made, and that what the service shows is another payment',
} as const;

/** The doubt as programs read it, with the choices in words. */
export function doubtJson(doubt: Doubt, command: CommandLine): z.output<typeof doubtResult> {
  const { runId: _, isCancelled: _of, answered: _answered, ...facts } = doubt;
  return { ...facts, choices: choiceTexts(doubt, command) };
}
