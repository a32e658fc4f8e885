import type { Note } from '../domain/entries/note.ts';
import type { CanaryFault, HeldWhy, StoppedPayee, StopWhy } from '../domain/outcomes/stop-why.ts';
import { noteText } from './note-words.ts';
import { type Reader, wordingFor } from './refusals/refusal-words.ts';
import { counted } from './text.ts';
import { either, plural, t, textTable } from './translate.ts';
import { troubleWords } from './trouble-words.ts';

/** Why a run stopped, without a last full stop. */
export function stopText(why: StopWhy, reader: Reader): string {
  switch (why.code) {
    case 'service_trouble': {
      const { trouble } = why;
      if (trouble.code === 'not_reached') return t`the service does not answer (${noteText(trouble.why)})`;
      const { what, remedy } = troubleWords(trouble);
      return `${wordingFor(reader, what ?? '')}. ${wordingFor(reader, remedy)}.`;
    }
    case 'credentials_refused':
      return t`the service refuses our credentials: ${why.cause}`;
    case 'read_refused':
      return t`the service refuses to answer: ${why.cause}`;
    case 'unreadable':
      return noteText(why.cause);
    case 'unreached':
      return t`the service cannot be reached${because(why.cause)}`;
    case 'no_usable_answer':
      return `${NO_USABLE_ANSWER[why.to]}${because(why.cause)}`;
    case 'attempts_used_up':
      return why.row === null
        ? NOTHING_CREATED[why.of](why.attempts)
        : t`row ${why.row}: ${why.attempts} attempts took no effect`;
    case 'not_final': {
      const late = t`${counted(why.payouts, 'payout')} ${plural(why.payouts, 'is', 'are')} not final after the set waiting time`;
      return why.held === null ? late : t`${heldText(why.held)}; and ${late}`;
    }
    case 'first_unresolved':
      return t`the first payout is unresolved, so no other is sent`;
    case 'first_missing':
      return t`the first payout (row ${why.row}) did not come back: ${canaryText(why.fault)}`;
    case 'copy_unseen':
      return t`${UNSEEN[why.because]}, so a copy of a refused request may be paid unseen. Look for the refused payouts there, then cancel the run`;
    case 'open_payees':
      return openPayeesText(why, reader);
    default:
      return heldText(why);
  }
}

const NO_USABLE_ANSWER = textTable({
  payout: 'the service gives no usable answer to payouts',
  recipient: 'the service gives no usable answer when a recipient is created',
  account: 'the service gives no usable answer when an account is created',
});

const NOTHING_CREATED = {
  payout: (attempts: number) => t`${attempts} attempts to create one payout took no effect`,
  recipient: (attempts: number) => t`${attempts} attempts to create one recipient took no effect`,
  account: (attempts: number) => t`${attempts} attempts to create one account took no effect`,
};

function because(cause: Note | null): string {
  return cause === null ? '' : `: ${noteText(cause)}`;
}

/** Why a run stopped; null where it did not. Older journals have no code, and their sentence is shown as it was kept. */
export function stoppedText(
  { stopMessage, stopWhy }: { stopMessage: string | null; stopWhy: StopWhy | null },
  reader: Reader,
): string | null {
  return stopWhy === null ? stopMessage : stopText(stopWhy, reader);
}

/** In what the first payout failed to come back. */
export function canaryText(fault: CanaryFault): string {
  const { transactionId: id } = fault;
  switch (fault.fault) {
    case 'unknown_id':
      return t`the service does not know ${id}, which it accepted (${fault.cause})`;
    case 'record_without_token':
      return t`the service shows ${id} without the token ${fault.token} that its description was sent with`;
    case 'not_found':
      return t`the service’s search does not find ${id} by its token ${fault.token}; if it lists late, state listing_lag in the profile`;
    case 'list_without_token':
      return t`the service’s list shows ${id} without the token ${fault.token} that its description was sent with`;
  }
}

const UNSEEN = textTable({
  list_late: 'the service lists accepted payouts half an hour late, or never',
  search_blind: 'the service lists only part of its payouts, and cannot find them by their tokens',
});

function heldText(why: HeldWhy): string {
  switch (why.code) {
    case 'old_copy': {
      const payments = why.rows === 1 ? t`a payment` : t`payments for ${why.rows} rows`;
      return t`the service holds ${payments} that this journal does not know, so nothing is sent: is it an old copy?`;
    }
    case 'paid_twice':
      return t`row ${why.row}: the service holds ${why.transactions} transactions with its token ${why.token}`;
    case 'second_payment':
      return t`row ${why.row}: the service holds ${why.transactionId} beside the transaction that paid it, so nothing more of this run is sent. Cancel the run, and retry it to pay the others`;
    case 'too_many_failures': {
      const { bad, of, percent } = why;
      const share =
        why.among === 'final'
          ? t`${bad} of the ${of} payouts that are final failed`
          : t`${bad} of the ${of} payouts that the service answered failed or were rejected`;
      return t`${share}, and limits.failures of the job allows ${percent}%: nothing more is submitted`;
    }
    case 'misfit': {
      const others = why.others === 0 ? '' : t`; and ${why.others} others`;
      return t`row ${why.row}: transaction ${why.transactionId} was accepted as ours and is not what we sent${others}`;
    }
  }
}

function openPayeesText(why: Extract<StopWhy, { code: 'open_payees' }>, reader: Reader): string {
  const { rows, count, payees, states } = why;
  const named = payees.map(payeeText);
  if (count > payees.length) named.push(t`and ${count - payees.length} more`);
  const head = t`${counted(rows, 'row')} of ${counted(count, 'payee')} ${plural(rows, 'waits', 'wait')}: ${named.join('; ')}`;
  const advice: string[] = states.flatMap((state) => (state === 'not_made' ? [] : [ADVICE[state][reader]]));
  if (advice.length === 0) advice.push(ADVICE.not_made[reader]);
  return `${head}. ${advice.join('; ')}`;
}

const ADVICE = textTable({
  unresolved: {
    command_line: 'resume looks again, and with --resubmit-absent makes again what complete lists do not show',
    page: '“Go on” looks again',
  },
  ambiguous: {
    command_line:
      'to say which record it is, cancel the run and pay these rows from a file of their own, with its id in the column external_account_id (of a recipient: recipient_id)',
    page: 'to choose the record, stop the run and pay these rows in a separate file, with its ID in the column external_account_id (for a recipient: recipient_id)',
  },
  not_made: { command_line: 'resume tries again', page: '“Go on” tries again' },
});

/** Rows and records that are named of each. */
const LISTED_MAX = 10;

function payeeText(payee: StoppedPayee): string {
  const { target, name, rows } = payee;
  const what = t`the ${either(target === 'recipient', 'recipient record', 'account')} of ${name} (${plural(rows.length, 'row', 'rows')} ${some(rows)})`;
  switch (payee.state) {
    case 'unresolved':
      return t`whether ${what} was made is not known`;
    case 'ambiguous': {
      const { ids } = payee;
      return t`${ids.length === 1 ? t`one record` : t`${ids.length} records`} could be ${what}: ${some(ids)}`;
    }
    case 'not_made':
      return t`${what} is not made yet`;
  }
}

function some(names: readonly (string | number)[]): string {
  const shown = names.slice(0, LISTED_MAX).join(', ');
  return names.length > LISTED_MAX ? t`${shown} and ${names.length - LISTED_MAX} more` : shown;
}
