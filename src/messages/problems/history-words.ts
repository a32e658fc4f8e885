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
import { lookOrAsk, runName } from '../run-name.ts';
import { listed, number } from '../text.ts';
import { either, plural, t, textTable } from '../translate.ts';
import { seesRun } from '../viewer.ts';
import { sumText } from './check-words.ts';
import type { ProblemWords, WordsOf } from './words.ts';

const nothingToDo = () => t`Nothing to do`;
const askThePayee = () => t`Ask the payee through a channel you already know, not the one through which the`;

export const HISTORY_WORDS: WordsOf<HistoryProblems> = {
  history_partly_read: ({ runId, compared, payouts }) => ({
    message: seesRun(runId)
      ? t`Of run ${runId}, the last one, only the first ${number(compared)} of ${number(payouts)} payouts were compared with this file, and their total was not.`
      : t`Of the last payment, which you may not see, only the first ${number(compared)} payouts were compared with this file.`,
    remedy: t`Compare the rest by other means, or split the payment into smaller files.`,
  }),
  history_unreadable: ({ folder, reason }) => ({
    message: t`Earlier payouts could not be compared: the journal in ${folder} could not be read (${damageText(reason)}).`,
    remedy: {
      command_line: 'See what `payrun runs` says of it, or name another data directory.',
      page: t`Ask your administrator to look at the journal.`,
    },
  }),
  total_unusual: ({ total, last, run }) => ({
    message: seesRun(run.id)
      ? t`The payouts come to ${sumText(total)}; the last run of this kind of file paid ${sumText(last)} (${runText(run)}).`
      : t`The total is ${sumText(total)}; the total of the last payment of this kind of file, which you may not see, was different.`,
    remedy: t`Make sure that no payout is missing or there twice.`,
  }),
  amount_unusual: ({ times, usual, payouts }) => ({
    message: t`This is ${times} times what this payee is usually paid: ${sumText(usual)}, ${payouts === 1 ? t`the one payout before` : t`the median of the last ${payouts} payouts`}.`,
    remedy: t`Make sure that the decimal separator is in the right place and the amount is intended.`,
  }),
  amount_changed: ({ payee, now, before }) => ({
    message: t`${payee} gets ${sumText(now)}; in the last run of the job it was ${sumText(before)}.`,
    remedy: t`Make sure that the new amount is intended.`,
  }),
  account_changed: ({ payee, change, corrected }) => {
    const who = payee === null ? '' : `${payee}: `;
    const changed = change === null ? '' : accountChangeText(change);
    if (corrected === null)
      return { message: `${who}${changed}`, remedy: t`${askThePayee()} change came, before you pay.` };
    const changes = corrected.changes.map((one) => rowChangeText(one, corrected.runId)).join('; ');
    return {
      message: `${who}${changes}.${changed === '' ? '' : ` ${changed}`}`,
      remedy: t`${askThePayee()} correction came, before you pay.`,
    };
  },
  account_first_time: ({ payee, account }) => ({
    message: t`${payee} was paid before, but nobody was ever paid to ${account}.`,
    remedy: t`Make sure that the account is of this payee.`,
  }),
  payee_first_time: ({ payee, account }) => ({
    message: t`${payee} was never paid before, as far as this journal knows; the payout goes to ${account}.`,
    remedy: t`Make sure that someone who knows the payee asked for the payment.`,
  }),
  payee_missing: ({ count, payees, run }) => ({
    message: t`${number(count)} of those who were paid by ${run === null ? t`the last run` : runText(run)}, the last one of the job, are not in this file: ${payees.join(', ')}${andMore(count - payees.length)}.`,
    remedy: t`Make sure that nobody is missing.`,
  }),
  paid_before: (paid) => {
    if ('all' in paid) return fileWasPaid(paid);
    return 'payee' in paid ? rowWasPaid(paid) : { message: leftOutText(paid), remedy: `${nothingToDo()}.` };
  },
  left_out_paid_before: (paid) => ({
    message: t`${leftOutText(paid)} It is left out.`,
    remedy: t`${nothingToDo()}, unless the payee is to be paid again.`,
  }),
  unknown_payment: ({ payee, transactions, more }) => ({
    message: t`${payee} was perhaps paid already: the service holds ${transactions.join(', ')}${andMore(more)} of the last two weeks, of the same amount, which this journal does not know.`,
    remedy: t`Look it up at the service, and remove the row if it was paid by hand or from another machine.`,
  }),
  payee_on_hold: ({ payee, by, heldAt, reason, matched }) => ({
    message: t`${matched === 'payee' ? t`${payee} is on hold` : t`This account is on hold with ${payee}`}: do not pay. ${by} recorded it on ${localDay(heldAt)}: “${reason}”.`,
    remedy: t`Leave the row out, or have an approver release the hold first. Payments already planned leave the row out.`,
  }),
  cooling_off: (cooling) => ({
    message: t`${coolingText(cooling)} It waits for an approval of its own.`,
    remedy: t`Ask the payee through a channel you already know; then let the approvers approve this row.`,
  }),
  balance_short: (shortage) => ({
    message: t`The balance is short. ${shortageText(shortage)}.`,
    remedy: t`Fund the balance before the plan is run. It is checked again then.`,
  }),
  may_be_below_minimum: ({ from, to, rows, more }) => ({
    message: t`So little of ${from} is sent for ${to} with ${plural(rows.length, 'row', 'rows')} ${rows.join(', ')}${andMore(more)} that the service may refuse it (BELOW_MINIMUM). Its least is about one US dollar.`,
    remedy: t`Combine small rows, or pay them from the currency of the payout. Only the rows that the service refuses are rejected.`,
  }),
  corrects_no_row: ({ runId, mismatch }) => ({
    message: t`It corrects no row: ${mismatchText(mismatch, runId)}`,
    remedy: mismatchRemedy(runId),
  }),
  nothing_to_correct: ({ reason }) => textOf(retryWords(reason, NO_COMMANDS), 'page'),
  unresolved_not_retried: ({ leftOut, runId, look }) => ({
    message: t`${leftText(leftOut)} It is left out.`,
    remedy: {
      command_line: `Do not pay it by other means; see what to do with ${look}`,
      page: t`Do not pay it by other means. The page of ${runId} says what to do.`,
    },
  }),
  retried_before: ({ leftOut }) => ({
    message: t`${leftText(leftOut)} It is left out.`,
    remedy: `${nothingToDo()}.`,
  }),
};

/**
 * `run R20261125-7K3M9QZ2 of 2026-11-25`, and whether it was a rehearsal. Readers who may not see the run get neither.
 */
export function runText({ id, at, isRehearsal }: RunMention): string {
  if (!seesRun(id)) return runName(id);
  return t`run ${id} of ${localDay(at)}${either(isRehearsal, ', a rehearsal', '')}`;
}

/** `Row 17: Ada Byron (E1) gets 1,012.50 AUD on ••••5678. Nobody was ever paid …`. */
export function coolingText({ row, payee, amount, account, why }: HistoryProblems['cooling_off']): string {
  return t`Row ${row}: ${payee} gets ${sumText(amount)} on ${account}. ${coolingReasonText(why)}`;
}

/** Why a row is left out that an earlier run has paid, or is about to. */
export function leftOutText({ standing, run }: HistoryProblems['left_out_paid_before']): string {
  const how = { waiting: t`is to be paid`, perhaps: t`was perhaps paid`, paid: t`was paid` }[standing];
  return t`The same amount ${how} to the same account${run === null ? '' : t` by ${runText(run)}`}.`;
}

/** Why a row waits for an approval of its own. */
export function coolingReasonText(reason: CoolingReason): string {
  switch (reason.why) {
    case 'changed':
      return accountChangeText(reason.change);
    case 'never_paid':
      return t`${reason.payee === null ? t`Nobody was ever` : t`${reason.payee} was never`} paid to ${reason.account}, according to this journal.`;
    case 'paid_lately':
      return t`${reason.payee} was not paid to ${reason.account} before ${runText(reason.run)}.`;
    case 'not_at_service':
      return t`${reason.account} is not at the service, and would be made there.`;
    case 'when_planned':
      return t`When the plan was made, its account was changed, new, or not at the service yet.`;
  }
}

function accountChangeText({ was, now, wasNamed, run }: AccountChange): string {
  const how =
    wasNamed === null
      ? ''
      : t`, named ${either(wasNamed === 'bank_details', 'by its bank details', 'as external_account_id')}`;
  const hidden = was === now && wasNamed === null ? t` (differs in the hidden digits)` : '';
  return t`Last time this payee was paid to ${was}${how} (${runText(run)}); now it is ${now + hidden}.`;
}

const CHANGED = textTable({ recipient_id: 'the recipient_id', account_name: 'the account name', name: 'the name' });

function rowChangeText(change: RowChange, runId: string): string {
  if (change.what !== 'account')
    return t`${CHANGED[change.what]} was ${change.was ?? t`empty`} in ${runId}, and is now ${change.now ?? t`empty`}`;
  const { was, now, others, isNumberChanged } = change;
  if (was === now && !isNumberChanged)
    return t`the account is ${now} as in ${runId}, but with another ${others.join(', ')}`;
  return t`the account was ${was} in ${runId}, and is now ${now}${either(was === now, ', another one that ends alike', '')}`;
}

type PaidBefore = HistoryProblems['paid_before'];
type OfFile = Extract<PaidBefore, { all: number }>;

function rowWasPaid({ payee, run, more, standing }: Extract<PaidBefore, { payee: string }>): ProblemWords {
  const by = t`by ${run === null ? '' : runText(run)}${more === 0 ? '' : t`, and ${more} more`}`;
  return {
    message:
      standing === 'waiting'
        ? t`${payee} is due the same amount to the same account ${by}, where it is still waiting.`
        : t`${payee} got the same amount on the same account before: ${either(standing === 'paid', '', 'perhaps, ')}${by}.`,
    remedy: {
      command_line:
        'Remove the row, unless the payee is to be paid again. --skip-paid leaves such rows out, and `run` refuses them unless --allow-repeat names the run.',
      page:
        run === null || seesRun(run.id)
          ? t`Remove the row unless the payee should be paid again.`
          : t`Remove the row unless the payee should be paid again. Ask an administrator to check the other payment.`,
    },
  };
}

function fileWasPaid({ run, all, count, rows, others, isRetriable }: OfFile): ProblemWords {
  const some = count === all ? t`All ${number(all)} payouts` : t`${number(count)} of the ${number(all)} payouts`;
  const payouts = all === 1 ? t`The one payout` : some;
  const only =
    others === null ? '' : t` Only ${rowsText(others.rows, others.count)} ${plural(others.count, 'was', 'were')} not.`;
  const remove = t`Remove what was paid unless it should be paid again.`;
  return {
    message: t`${payouts} ${plural(count, 'was', 'were')} paid by ${runText(run)}, the same amount to the same account: ${rowsText(rows, count)}.${only}`,
    remedy: isRetriable
      ? {
          command_line: `${remove} What that run did not pay is planned again by \`payrun retry ${run.id}\`.`,
          page: lookOrAsk(
            run.id,
            () => t`${remove} What that run did not pay is corrected and paid on its own page: follow the link.`,
          ),
        }
      : remove,
  };
}

/** `rows 2, 3, 4, 6, 7 and 5 more`. */
function rowsText(rows: readonly number[], count: number): string {
  if (count === 1) return t`row ${rows[0]}`;
  if (count > rows.length) return t`rows ${rows.join(', ')}${andMore(count - rows.length)}`;
  return t`rows ${listed(rows.map(String))}`;
}

function andMore(count: number): string {
  return count > 0 ? t` and ${number(count)} more` : '';
}
