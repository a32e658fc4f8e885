import type { Returned } from '../../domain/entry.ts';
import { formatForPeople } from '../../domain/money.ts';
import type {
  Advice,
  OutcomeWhy,
  Remedy,
  RemedyAct,
  ReportStatus,
  SinceCounts,
} from '../../domain/outcomes/payout-outcome.ts';
import type { Since } from '../../domain/run/since.ts';
import type { CommandLine } from '../command-line.ts';
import { localDay } from '../local-time.ts';
import { noteText } from '../note-words.ts';
import { problemWords } from '../problems/problem-words.ts';
import { ceilingText } from '../rejection-words.ts';
import { withoutStop } from '../text.ts';
import { either, plural, t, textTable } from '../translate.ts';

/** Everything about a run at the shipped service begins with it, so that nobody takes it for proof of a payment. */
export const rehearsalBand = () => t`REHEARSAL: no money moves`;
export const liveBand = () => t`LIVE: real money moves`;

export const STATUS_LABELS: Readonly<Record<ReportStatus, string>> = textTable({
  completed: 'completed',
  failed: 'failed',
  rejected: 'rejected',
  unresolved: 'unresolved',
  not_submitted: 'not submitted',
});

/** Why a payout is not completed and what to do. `resume`: the command that goes on with its run. */
export function outcomeText(outcome: OutcomeWhy, resume: string): string {
  switch (outcome.why) {
    case 'noted':
      return noteText(outcome.text);
    case 'problem':
      return problemWords(outcome.problem, 'command_line').message;
    case 'above_ceiling':
      return ceilingText(outcome.above);
    case 'failed_without_reason':
      return t`The service reports that the payout failed, and gives no reason.`;
    case 'may_have_copy':
      return t`${outcome.refusal === null ? t`Refused` : withoutStop(noteText(outcome.refusal))}; another copy of the request may have been taken, and ${resume} looks it up at the service.`;
    case 'not_looked_up':
      return t`The run was cancelled before checking whether this was already paid. ${resume} looks it up at the service. Do not pay it by other means before that.`;
    case 'not_sent_yet':
      if (outcome.attempts === 0) return t`Not sent yet; ${resume} continues it.`;
      return t`${outcome.attempts === 1 ? t`Its attempt` : t`All ${outcome.attempts} attempts`} took no effect, so nothing is sent; ${resume} tries again.`;
    case 'no_answer':
      return t`Sent, and no answer was recorded; ${resume} looks it up at the service.`;
    case 'in_doubt':
      return t`In doubt: ${withoutStop(noteText(outcome.reason))}; ${resume} looks it up at the service.`;
    case 'returned':
      return returnedText(outcome.returned);
    case 'not_final':
      return t`Accepted by the service, not final yet. ${resume} waits for the outcome.`;
  }
}

/** The moment is the service’s. */
function returnedText({ amount_minor, currency, return_id, returned_at }: Returned): string {
  const amount = formatForPeople({ minor: BigInt(amount_minor), currency });
  const day = returned_at === null ? '' : t` on ${localDay(returned_at)}`;
  return t`Returned by the bank${day}: ${amount} came back as ${return_id}. Ask the payee for another account, through a channel you already know, and pay it as a new payment.`;
}

/** What is to be corrected, empty where the message says it. */
export function adviceText({ advice, mustFinish }: Remedy): string {
  const first = advice === null ? '' : adviceSentence(advice);
  return mustFinish ? t`${first} The run has to be finished before they are retried.`.trim() : first;
}

const nothingSent = () => t`This run sent none of it.`;

function adviceSentence(advice: Advice): string {
  switch (advice.advice) {
    case 'paid_before':
      return t`Nothing to do unless the payee should be paid again.`;
    case 'correct_rows':
      return t`Correct these rows and pay them in a separate file. It must not contain rows that were paid here.`;
    case 'cancelled':
      return nothingSent();
    case 'plan_discarded':
      return t`${nothingSent()} To pay it after all, put it into a new file.`;
    case 'retry_discarded':
      return t`${nothingSent()} ${advice.retries} has what is still to be paid: plan it again from there.`;
    case 'rejected':
      return t`Correct what the message names.`;
    case 'failed':
      return FAILURE_ADVICE[advice.reason] ?? t`Ask the payee or the service what was wrong, and correct the row.`;
  }
}

/** By the reason that the service gives. */
const FAILURE_ADVICE: Readonly<Record<string, string>> = textTable({
  ACCOUNT_CLOSED: 'Ask the payee for another account, through a channel you already know, and put it into the row.',
  REJECTED_BY_BANK: 'Compare the account with what the payee says, and correct the row.',
  INSUFFICIENT_BALANCE: 'Add to the balance at the service, and retry the row as it is.',
  RECIPIENT_VERIFICATION: 'Ask the service what it needs to verify the payee, then retry the row as it is.',
  SANCTIONS_SCREENING: 'Ask the service and your sanctions officer before you pay this recipient in any way.',
  TRANSACTION_MONITORING: 'Ask the service what it needs to let the payout pass, then retry the row as it is.',
  RATE_DRIFT: 'Nothing to correct: a retry uses the rate at that time.',
});

/** A whole command, and what it does. */
export function actText({ act, runId }: RemedyAct, command: CommandLine): { command: string; does: string } {
  const more = act === 'retry_corrected' ? ['--from', 'corrected.csv'] : [];
  return { command: command(act === 'resume' ? 'resume' : 'retry', runId, ...more), does: ACTS[act] };
}

const ACTS: Readonly<Record<RemedyAct['act'], string>> = textTable({
  resume: 'Goes on with this run.',
  retry: 'Plans the failed and rejected rows again, unchanged.',
  retry_rest: 'Plans what is still to be paid.',
  retry_discarded: 'Plans the part that is still to be paid.',
  retry_corrected: 'Plans the rows in your spreadsheet, with your corrections.',
});

/** What became since of a payout: `paid since in R20261125-7K3M9QZ2 on 2026-11-25`. A rehearsal never says that anybody was paid. */
export function sinceText({ runId, standing, at }: Since, isRehearsal: boolean): string {
  switch (standing) {
    case 'paid': {
      const day = at === null ? '' : t` on ${localDay(at)}`;
      return t`${either(isRehearsal, 'completed', 'paid')} since in ${runId}${day}`;
    }
    case 'under_way':
      return t`under way in ${runId}: look there before you pay it by other means`;
    case 'planned':
      return t`waits in the plan ${runId}`;
  }
}

/** The same of several together: `both paid since`, `2 paid since, 1 under way in another run`; empty where nothing became of any. */
export function sinceCountsText(
  { paid, under_way, planned }: SinceCounts,
  total: number,
  isRehearsal: boolean,
): string {
  const somePaid = isRehearsal
    ? plural(paid, '# completed since', '# completed since')
    : plural(paid, '# paid since', '# paid since');
  const parts = [
    [paid, somePaid, isRehearsal ? SINCE.completed : SINCE.paid],
    [under_way, plural(under_way, '# under way in another run', '# under way in another run'), SINCE.under_way],
    [planned, plural(planned, '# is in another plan', '# are in another plan'), SINCE.planned],
  ] as const;
  const shown = parts.filter(([count]) => count > 0);
  return shown.map(([count, some, all]) => (count < total ? some : all[Math.min(total, 3) - 1])).join(', ');
}

/** Of the only one, of both, of all. */
const SINCE = textTable({
  paid: ['paid since', 'both paid since', 'all paid since'],
  completed: ['completed since', 'both completed since', 'all completed since'],
  under_way: ['under way in another run', 'both under way in another run', 'all under way in another run'],
  planned: ['is in another plan', 'both are in another plan', 'all are in another plan'],
});
