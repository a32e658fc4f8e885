import { z } from 'zod';
import { count, text } from './members.ts';

const transaction_id = text;

/** Of codes that stand alone, and of those that others are about. `cause`: in words of the network, or of the service. */
const simple = [
  z.strictObject({
    code: z.enum([
      /** The deadline passed before the first byte could be sent. */
      'too_late',
      'slower_pace',
      /** It had the bytes before (REPLAYED), or refused them as late (EXPIRED). */
      'had_before',
      'came_late',
      /** The market had left the quote (RATE_DRIFT). */
      'rate_drift',
      /** An earlier process ended before the outcome was recorded, or recorded none. */
      'process_stopped',
      'no_outcome_recorded',
      /** An attempt that was held to have had no effect has a transaction, and a later one paid the row. */
      'attempt_surfaced',
      'no_transaction_id',
      'no_record_id',
      /** Why absence is not proven. */
      'candidate',
      'list_incomplete',
      'list_behind',
      'list_too_late',
      'records_incomplete',
      'no_canary',
      'no_expiry',
      'first_copy_not_shown',
      /** The service holds a payment that the journal does not know: of a row that waits, or was refused. */
      'unknown_payment',
      'refused_and_unknown_payment',
      /** Why a payout was not submitted: its run was cancelled before its first attempt, or after some took no effect. */
      'cancelled_unsent',
      'cancelled_without_effect',
      'plan_cancelled',
      /** Its account is new or changed, and too few approved the row. */
      'account_not_approved',
    ]),
  }),
  z.strictObject({ code: z.enum(['no_connection', 'answer_lost', 'credentials_refused']), cause: text }),
  /** `lacks`: what of the contract an answer of this status has not. */
  z.strictObject({ code: z.literal('answered'), status: count, lacks: z.enum(['error', 'data']).nullable() }),
  /** `problem`: in words of zod. A quote has an amount of another currency than was asked for. */
  z.strictObject({ code: z.literal('another_shape'), operation: text, problem: text }),
  z.strictObject({ code: z.literal('quote_of_another'), value: text, of: text, asked: text }),
  z.strictObject({ code: z.enum(['answer_of_another_row', 'unknown_answer', 'unknown_accepted']), transaction_id }),
  /** Records that carry the token of an attempt and are not its own. */
  z.strictObject({ code: z.enum(['token_in_word', 'other_amount']), transaction_id, token: text }),
  z.strictObject({ code: z.literal('token_of_row'), transaction_id, row: count }),
  z.strictObject({ code: z.literal('other_account'), transaction_id }),
  z.strictObject({ code: z.literal('several_transactions'), transactions: count, token: text }),
  /** The market left every quote that was sent: the last refusal of so many. */
  z.strictObject({ code: z.literal('rate_drift_each_time'), cause: text, sent: count }),
  /** Absent from so many complete lists after its deadline; `by_person`: a person accepts that as proof. */
  z.strictObject({ code: z.literal('not_listed'), lists: count, by_person: z.boolean() }),
  /** Why a payout was not submitted: a hold on its payee, or on one who was paid on its account, `held_at` (Unix ms). */
  z.strictObject({
    code: z.literal('payee_on_hold'),
    payee: text,
    by: text,
    held_at: count,
    reason: text,
    matched: z.enum(['payee', 'account']),
  }),
  /** Another plan took the place of one that nobody had started. */
  z.strictObject({ code: z.literal('plan_replaced'), run_id: text }),
  /** A person ended the plan before anybody had started it. */
  z.strictObject({ code: z.literal('plan_ended'), as: z.enum(['rejected', 'recalled']), person: text, reason: text }),
] as const;

const about = z.union([text, z.discriminatedUnion('code', [...simple])]);

const noteCode = z.discriminatedUnion('code', [
  ...simple,
  /** A second sending of the same bytes proved nothing; another copy of a refused request may have arrived. */
  z.strictObject({ code: z.enum(['resent_in_vain', 'copy_possible']), about }),
]);
export type NoteCode = z.output<typeof noteCode>;

/**
 * Why something is as it is: a code, or a text, which is of the service, or of a journal from before there were codes.
 * `messages/note-words.ts` has the words.
 */
export const note = z.union([text, noteCode]);
export type Note = z.output<typeof note>;
/** What another note is about. */
export type SimpleNote = z.output<typeof about>;

/** The same with what others wrote changed, as where account numbers are masked. */
export function noteWith<Of extends Note>(of: Of, change: (text: string) => string): Of {
  if (typeof of === 'string') return change(of) as Of;
  const members = Object.entries(of).map(([name, value]: [string, unknown]) => {
    const isText = typeof value === 'string' && name !== 'code';
    return [name, isText ? change(value) : name === 'about' ? noteWith(value as Note, change) : value];
  });
  return Object.fromEntries(members) as Of;
}

/** Whether two notes are the same. */
export function isSameNote(one: Note, other: Note): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
