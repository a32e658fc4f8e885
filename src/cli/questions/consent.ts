import { formatForPeople, type Money } from '../../domain/money.ts';
import { Refusal } from '../../domain/refusal.ts';
import { messages } from '../../messages/messages.ts';
import { counted } from '../../messages/text.ts';
import type { Io } from '../terminal.ts';

/** What a person agrees to. `notes` are shown beside it: which rails were taken, for example. */
export type Proposal = {
  payouts: number;
  from: string;
  totals: readonly Money[];
  /** What is shown before everything else: who is paid once more, and changed bank details. */
  first: string;
  notes: readonly string[];
  isRehearsal: boolean;
};

/**
 * Shows what will be paid and asks. Without a terminal a question is a refusal, unless `yes` was given. Throws a `Refusal`
 * (`payment_not_confirmed`).
 */
export async function askToPay(
  io: Io,
  { yes, quiet, json }: { yes: boolean; quiet: boolean; json: boolean },
  { payouts, from, totals, first, notes, isRehearsal }: Proposal,
): Promise<void> {
  if (first !== '' && !(quiet && yes)) io.stderr(`${first}\n`);
  if (yes) {
    if (!quiet && !json) for (const note of notes) io.stderr(`${note}\n`);
    return;
  }
  const sums = totals.map(formatForPeople).join(', ');
  const asked = [`${counted(payouts, 'payout')} from ${from}: ${sums}`, ...notes].join('; ');
  if (!io.isInteractive) throw new Refusal({ code: 'payment_not_confirmed', asked });
  io.stderr(`${isRehearsal ? `${messages.outcomes.rehearsalBand()}\n` : ''}Will pay ${asked}.\n`);
  const answer = await io.ask(`Type ${payouts} to pay: `);
  if (answer?.trim() !== String(payouts)) throw new Refusal({ code: 'payment_not_confirmed', asked: null });
}
