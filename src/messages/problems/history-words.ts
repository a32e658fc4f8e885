import type {
  AccountChange,
  CoolingReason,
  HistoryProblems,
  RowChange,
  RunMention,
} from '../../domain/problems/payment-problems.ts';
import { damageText } from '../damage-words.ts';
import { localDay } from '../local-time.ts';
import { shortageText } from '../refusals/money-words.ts';
import { NO_COMMANDS, textOf } from '../refusals/refusal-words.ts';
import { leftText, mismatchRemedy, mismatchText, retryWords } from '../refusals/retry-words.ts';
import { sumText } from './check-words.ts';
import type { ProblemWords, WordsOf } from './words.ts';

const NOTHING_TO_DO = 'There is nothing to do';
const ASK_THE_PAYEE = 'Ask the payee through a channel you already know, not the one by which the';

export const HISTORY_WORDS: WordsOf<HistoryProblems> = {
  history_partly_read: ({ runId, compared, payouts }) => ({
    message: `Of run ${runId}, the last one, only the first ${number(compared)} of ${number(payouts)} payouts were compared with this file, and their total was not.`,
    remedy: 'Compare the others in another way, or pay in files of fewer payouts.',
  }),
  history_unreadable: ({ folder, reason }) => ({
    message: `Earlier payouts could not be compared: the journal in ${folder} could not be read (${damageText(reason)}).`,
    remedy: {
      command_line: 'See what `payrun runs` says of it, or name another data directory.',
      page: 'Ask your administrator to look at the journal.',
    },
  }),
  total_unusual: ({ total, last, run }) => ({
    message: `The payouts come to ${sumText(total)}; the last run of such a file paid ${sumText(last)} (${runText(run)}).`,
    remedy: 'Make sure that no payout is missing and that none is there twice.',
  }),
  amount_unusual: ({ times, usual, payouts }) => ({
    message: `This is ${times} times what this payee is usually paid: ${sumText(usual)}, ${payouts === 1 ? 'the one payout before' : `the median of the last ${payouts} payouts`}.`,
    remedy: 'Make sure that the decimal separator stands where it should, and that the amount is meant.',
  }),
  amount_changed: ({ payee, now, before }) => ({
    message: `${payee} gets ${sumText(now)}; in the last run of the job it was ${sumText(before)}.`,
    remedy: 'Make sure that the new amount is meant.',
  }),
  account_changed: ({ payee, change, corrected }) => {
    const who = payee === null ? '' : `${payee}: `;
    const changed = change === null ? '' : accountChangeText(change);
    if (corrected === null)
      return { message: `${who}${changed}`, remedy: `${ASK_THE_PAYEE} change came, before you pay.` };
    const changes = corrected.changes.map((one) => rowChangeText(one, corrected.runId)).join('; ');
    return {
      message: `${who}${changes}.${changed === '' ? '' : ` ${changed}`}`,
      remedy: `${ASK_THE_PAYEE} correction came, before you pay.`,
    };
  },
  account_first_time: ({ payee, account }) => ({
    message: `${payee} was paid before, but nobody was ever paid to ${account}.`,
    remedy: 'Make sure that the account is of this payee.',
  }),
  payee_first_time: ({ payee, account }) => ({
    message: `${payee} was never paid before, as far as this journal knows; the payout goes to ${account}.`,
    remedy: 'Make sure that somebody who knows the payee has asked for the payment.',
  }),
  payee_missing: ({ count, payees, run }) => ({
    message: `${number(count)} of those who were paid by ${run === null ? 'the last run' : runText(run)}, the last one of the job, are not in this file: ${payees.join(', ')}${andMore(count - payees.length)}.`,
    remedy: 'Make sure that nobody was forgotten.',
  }),
  paid_before: (paid) => {
    if ('all' in paid) return fileWasPaid(paid);
    return 'payee' in paid ? rowWasPaid(paid) : { message: leftOutText(paid), remedy: `${NOTHING_TO_DO}.` };
  },
  left_out_paid_before: (paid) => ({
    message: `${leftOutText(paid)} It is left out.`,
    remedy: `${NOTHING_TO_DO}, unless the payee is to be paid again.`,
  }),
  unknown_payment: ({ payee, transactions, more }) => ({
    message: `${payee} was perhaps paid already: the service holds ${transactions.join(', ')}${andMore(more)} of the last two weeks, of the same amount, which this journal does not know.`,
    remedy: 'Look at it at the service, and remove the row where it was paid by hand or from another machine.',
  }),
  payee_on_hold: ({ payee, by, heldAt, reason, matched }) => ({
    message: `${matched === 'payee' ? `${payee} is on hold` : `This account is on hold with ${payee}`}: do not pay. ${by} recorded it on ${localDay(heldAt)}: “${reason}”.`,
    remedy:
      'Leave the row out, or have an approver release the hold first. A payment that was planned before leaves the row out.',
  }),
  cooling_off: (cooling) => ({
    message: `${coolingText(cooling)} It waits for an approval of its own.`,
    remedy: 'Ask the payee through a channel you already know; then let the approvers approve this row.',
  }),
  balance_short: (shortage) => ({
    message: `The balance is short. ${shortageText(shortage)}.`,
    remedy: 'Fund the balance before the plan is run, which looks again.',
  }),
  may_be_below_minimum: ({ from, to, rows, more }) => ({
    message: `So little of ${from} is sent for ${to} with ${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${andMore(more)} that the service may refuse it (BELOW_MINIMUM). Its least is about one US dollar.`,
    remedy:
      'Pay more with one row, or pay these from the currency of the payout. What the service refuses is rejected alone.',
  }),
  corrects_no_row: ({ runId, mismatch }) => ({
    message: `It corrects no row: ${mismatchText(mismatch, runId)}`,
    remedy: mismatchRemedy(runId),
  }),
  nothing_to_correct: ({ reason }) => textOf(retryWords(reason, NO_COMMANDS), 'page'),
  unresolved_not_retried: ({ leftOut, runId, look }) => ({
    message: `${leftText(leftOut)} It is left out.`,
    remedy: {
      command_line: `Do not pay it in another way; see what to do with ${look}`,
      page: `Do not pay it in another way; the page of ${runId} says what to do.`,
    },
  }),
  retried_before: ({ leftOut }) => ({ message: `${leftText(leftOut)} It is left out.`, remedy: `${NOTHING_TO_DO}.` }),
};

/** `run R20261125-7K3M9QZ2 of 2026-11-25`, and whether it was a rehearsal. */
export function runText({ id, at, isRehearsal }: RunMention): string {
  return `run ${id} of ${localDay(at)}${isRehearsal ? ', a rehearsal' : ''}`;
}

/** `Row 17: Ada Byron (E1) gets 1,012.50 AUD on ••••5678. Nobody was ever paid …`. */
export function coolingText({ row, payee, amount, account, why }: HistoryProblems['cooling_off']): string {
  return `Row ${row}: ${payee} gets ${sumText(amount)} on ${account}. ${coolingReasonText(why)}`;
}

/** Why a row is left out that an earlier run has paid, or is about to. */
export function leftOutText({ standing, run }: HistoryProblems['left_out_paid_before']): string {
  const how = { waiting: 'is to be paid', perhaps: 'was perhaps paid', paid: 'was paid' }[standing];
  return `The same amount ${how} to the same account${run === null ? '' : ` by ${runText(run)}`}.`;
}

function coolingReasonText(reason: CoolingReason): string {
  switch (reason.why) {
    case 'changed':
      return accountChangeText(reason.change);
    case 'never_paid':
      return `${reason.payee === null ? 'Nobody was ever' : `${reason.payee} was never`} paid to ${reason.account}, as far as this journal knows.`;
    case 'paid_lately':
      return `${reason.payee} was not paid to ${reason.account} before ${runText(reason.run)}.`;
    case 'not_at_service':
      return `${reason.account} is not at the service, and would be made there.`;
    case 'when_planned':
      return 'When the plan was made, its account was changed, new, or not at the service yet.';
  }
}

function accountChangeText({ was, now, wasNamed, run }: AccountChange): string {
  const how =
    wasNamed === null
      ? ''
      : `, named ${wasNamed === 'bank_details' ? 'by its bank details' : 'as external_account_id'}`;
  return `Last time this payee was paid to ${was}${how} (${runText(run)}); now it is ${now}.`;
}

const CHANGED = { recipient_id: 'the recipient_id', account_name: 'the account name', name: 'the name' } as const;

function rowChangeText(change: RowChange, runId: string): string {
  if (change.what !== 'account')
    return `${CHANGED[change.what]} was ${change.was ?? 'empty'} in ${runId}, and is now ${change.now ?? 'empty'}`;
  const { was, now, others, isNumberChanged } = change;
  if (was === now && !isNumberChanged)
    return `the account is ${now} as in ${runId}, but with another ${others.join(', ')}`;
  return `the account was ${was} in ${runId}, and is now ${now}${was === now ? ', another one that ends alike' : ''}`;
}

type PaidBefore = HistoryProblems['paid_before'];
type OfFile = Extract<PaidBefore, { all: number }>;

function rowWasPaid({ payee, run, more, standing }: Extract<PaidBefore, { payee: string }>): ProblemWords {
  const by = `by ${run === null ? '' : runText(run)}${more === 0 ? '' : `, and ${more} more`}`;
  return {
    message:
      standing === 'waiting'
        ? `${payee} is to get the same amount on the same account ${by}: it waits there.`
        : `${payee} got the same amount on the same account before: ${standing === 'paid' ? '' : 'perhaps, '}${by}.`,
    remedy: {
      command_line:
        'Remove the row, unless the payee is to be paid again. --skip-paid leaves such rows out, and `run` refuses them unless --allow-repeat names the run.',
      page: 'Remove the row, unless the payee is to be paid again.',
    },
  };
}

function fileWasPaid({ run, all, count, rows, others, isRetriable }: OfFile): ProblemWords {
  const of = count === all ? `All ${number(all)}` : `${number(count)} of the ${number(all)}`;
  const payouts = all === 1 ? 'The one payout' : `${of} payouts`;
  const only =
    others === null ? '' : ` Only ${rowsText(others.rows, others.count)} ${others.count === 1 ? 'was' : 'were'} not.`;
  const remove = 'Remove what was paid, unless it is to be paid again.';
  return {
    message: `${payouts} ${count === 1 ? 'was' : 'were'} paid by ${runText(run)}, the same amount to the same account: ${rowsText(rows, count)}.${only}`,
    remedy: isRetriable
      ? {
          command_line: `${remove} What that run did not pay is planned again by \`payrun retry ${run.id}\`.`,
          page: `${remove} What that run did not pay is corrected and paid on its own page: follow the link.`,
        }
      : remove,
  };
}

/** `rows 2, 3, 4, 6, 7 and 5 more`. */
function rowsText(rows: readonly number[], count: number): string {
  if (count === 1) return `row ${rows[0]}`;
  if (count > rows.length) return `rows ${rows.join(', ')}${andMore(count - rows.length)}`;
  return `rows ${rows.slice(0, -1).join(', ')} and ${rows.at(-1)}`;
}

function andMore(count: number): string {
  return count > 0 ? ` and ${number(count)} more` : '';
}

function number(count: number): string {
  return count.toLocaleString('en');
}
