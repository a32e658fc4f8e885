import { z } from 'zod';
import { count, text } from '../entries/members.ts';
import type { Note } from '../entries/note.ts';
import { unresolvedAbout } from '../entries/payout.ts';
import type { DoubtfulAnswer } from '../entry.ts';
import { amount, currencyName, rowNumber, time } from '../result.ts';

/**
 * Why a person should look at a payout. `open`: sent without an outcome, and not parked yet. `surfaced`: an attempt that
 * was held to have had no effect stands at the service, beside the one that paid the row.
 */
export const doubtAbout = z.enum([...unresolvedAbout.options, 'open', 'surfaced', 'refused']);
export type DoubtAbout = z.output<typeof doubtAbout>;

/**
 * What a person can do about a doubt: go on with the run, which looks again; record that it was sent, as which
 * `transaction` (null: the person names it), or that it was not; or resubmit whatever of the run is not listed.
 */
export type Choice = { act: 'resume' | 'sent' | 'not_sent' | 'resubmit_absent'; transaction: string | null };

/** Times are ISO 8601 in UTC; account numbers are masked everywhere. */
export const doubtFacts = z.strictObject({
  row: rowNumber,
  payee: text,
  amount,
  currency: currencyName,
  account: text.describe('The rail and the masked number.'),
  token: text
    .nullable()
    .describe(
      'Finds the payout at the service, in its description. Null where no attempt of this journal is in question.',
    ),
  sent_at: time.nullable(),
  answer: text.nullable().describe('What became of the answer, as the journal noted it.'),
  looks: count.describe('How often the service was looked at.'),
  last_look: z
    .strictObject({
      at: time,
      found: count.describe('Records of ours.'),
      complete: z.boolean().describe("Whether the service's list was."),
    })
    .nullable(),
  about: doubtAbout,
  reason: text.describe('Why it is not settled, as the journal noted it.'),
  candidates: z.array(text).describe('Transactions of the service that are to be looked at.'),
});

/** Everything that is known of a payout in doubt. */
export type Doubt = Omit<z.output<typeof doubtFacts>, 'answer' | 'reason'> & {
  runId: string;
  isCancelled: boolean;
  answer: Note | null;
  answered: DoubtfulAnswer | null;
  reason: Note;
  choices: Choice[];
};

/** What the service itself shows is not looked for. */
export function isLookedFor(about: DoubtAbout): boolean {
  return about !== 'surfaced' && about !== 'old_copy' && about !== 'refused';
}
