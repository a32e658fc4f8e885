import type { Note, NoteCode } from '../domain/entries/note.ts';
import type { PlanEnd } from '../domain/entries/run.ts';
import { localDay } from './local-time.ts';
import { either, t, textTable } from './translate.ts';

/** A note as a clause, without a last full stop, or as whole sentences: why a payout was not submitted, and texts that were kept so. */
export function noteText(note: Note): string {
  if (typeof note === 'string') return note;
  // The compiler cannot see that the code picks the words of its own parameters.
  return (NOTES[note.code] as (note: NoteCode) => string)(note);
}

/** The words for each note code. The compiler reports missing ones. */
type NoteWords = { readonly [C in NoteCode['code']]: (note: Extract<NoteCode, { code: C }>) => string };

const NOTES: NoteWords = {
  too_late: () => t`the deadline passed before the request could be sent`,
  slower_pace: () => t`the service asked for a slower pace (429)`,
  had_before: () => t`the service says that it had this request before (REPLAYED)`,
  came_late: () => t`the service says that the request came after its deadline (EXPIRED)`,
  rate_drift: () => t`the market had moved away from its quote (RATE_DRIFT)`,
  process_stopped: () => t`payrun stopped before the answer was recorded`,
  no_outcome_recorded: () => t`the process stopped before an answer was recorded`,
  attempt_surfaced: () =>
    t`the service has an attempt that was taken to have had no effect, and a later one paid the row`,
  no_transaction_id: () => t`the answer has no transaction id`,
  no_record_id: () => t`the answer has no id`,
  candidate: () => t`a payment of that amount is there which could be this one, so its absence is not proven`,
  list_incomplete: () => t`the listing of the service is not complete, so it proves nothing`,
  list_behind: () => t`the service’s own clock does not pass its deadline, or its list stays behind`,
  list_too_late: () => t`the service lists accepted payouts half an hour late, or never, so its list proves nothing`,
  records_incomplete: () => t`the list of the service is not complete or names no time, so absence is not proven`,
  no_canary: () =>
    t`no payout of this run has come back from the service yet, so what its list does not show proves nothing`,
  no_expiry: () => t`the service does not promise that an expired request takes no effect, so absence proves nothing`,
  first_copy_not_shown: () => t`the service had this request before, and does not show what became of it`,
  unknown_payment: () => t`the service holds a payment like it which this journal does not know`,
  refused_and_unknown_payment: () =>
    t`the service refused it, and holds a payment like it which this journal does not know`,
  cancelled_unsent: () => t`The run was cancelled before it was sent.`,
  cancelled_without_effect: () => t`What was sent took no effect, and the run was cancelled before it was resent.`,
  plan_cancelled: () => t`The plan was cancelled before it started.`,
  plan_ended: (end) => endedText(end),
  plan_replaced: ({ run_id: other }) => t`The plan was replaced by ${other} before it started.`,
  account_not_approved: () =>
    t`The account is new or changed, and too few approvers have approved this row. \`retry\` plans it again, for them to approve.`,
  payee_on_hold: ({ payee, by, held_at: at, reason, matched }) =>
    t`${matched === 'payee' ? t`${payee} is on hold` : t`The account is on hold with ${payee}`}: do not pay. ${by} recorded it on ${localDay(at)}: “${reason}”. Nothing was sent.`,
  not_listed: ({ lists, by_person: byPerson }) =>
    t`not in ${lists} complete lists after its deadline${either(byPerson, '; a person accepts that', '')}`,
  rate_drift_each_time: ({ cause, sent }) =>
    t`${cause}. It was quoted and sent ${sent} times. Nothing was paid: retry the run later`,
  no_connection: ({ cause }) => t`no connection was made (${cause})`,
  answer_lost: ({ cause }) => t`the answer was lost (${cause})`,
  credentials_refused: ({ cause }) => t`the service refuses our credentials: ${cause}`,
  answered: ({ status, lacks }) =>
    t`the service answered ${status}${lacks === null ? '' : t` without ${LACKING[lacks]} of the contract`}`,
  another_shape: ({ operation, problem }) => t`${operation} answered in another shape (${problem})`,
  quote_of_another: ({ value, of, asked }) =>
    t`quote.get answered with ${value} ${of}, and not with an amount of ${asked}`,
  answer_of_another_row: ({ transaction_id: id }) => t`the answer names ${id}, which belongs to another row`,
  unknown_answer: ({ transaction_id: id }) => t`the service does not know ${id}, the transaction that it answered with`,
  unknown_accepted: ({ transaction_id: id }) => t`the service accepted it as ${id}, and does not know ${id}`,
  token_in_word: ({ transaction_id: id, token }) => t`${id} carries its token ${token}, only as a part of another word`,
  other_amount: ({ transaction_id: id, token }) => t`${id} carries its token ${token}, with another amount or currency`,
  token_of_row: ({ transaction_id: id, row }) => t`${id} carries its token and is row ${row}'s`,
  other_account: ({ transaction_id: id }) => t`${id} carries its token and pays another account`,
  several_transactions: ({ transactions, token }) =>
    t`the service holds ${transactions} transactions with its token ${token}`,
  resent_in_vain: ({ about }) => t`resending proved nothing (${noteText(about)})`,
  copy_possible: ({ about }) => t`${noteText(about)}, and another copy of the request may have arrived`,
};

const LACKING = textTable({ error: 'an error', data: 'the data' });

/** Who ended a plan before it was started, and why. */
export function endedText({ as, person, reason }: PlanEnd): string {
  if (as === 'recalled')
    return reason === ''
      ? t`${person} recalled the plan before it was started.`
      : t`${person} recalled the plan before it was started: “${reason}”`;
  return reason === '' ? t`${person} rejected the plan.` : t`${person} rejected the plan: “${reason}”`;
}
