import type { CorrectionMismatch, RowLeft } from '../../domain/outcomes/run-outcome.ts';
import type { RetryReason } from '../../domain/refusals/run-reasons.ts';
import { t, textTable } from '../translate.ts';
import type { Place, RefusalWords, WordsOf } from './refusal-words.ts';
import { RUN_WORDS } from './run-words.ts';

/** Rows that a refusal names. */
const NAMED_MAX = 20;

/** Why there is nothing of a run to be paid again. */
export const RETRY_WORDS: WordsOf<'not_finished' | 'nothing_to_retry' | 'rows_correct_none'> = {
  not_finished: ({ runId }, { command }) => ({
    message: t`${runId} is not finished.`,
    nothingSent: true,
    remedy: {
      command_line: `Go on with it first: ${command('resume', runId)}`,
      page: t`Continue it first, on its page.`,
    },
    details: { run_id: runId },
  }),
  nothing_to_retry: ({ runId, leftOut }, { command }) => ({
    message: t`Nothing to retry: ${runId} has no failed, rejected or unsent row that is to be paid still.`,
    nothingSent: true,
    lines: leftOut.slice(0, NAMED_MAX).map(leftText),
    remedy: { command_line: `See \`${command('show', runId)}\`.`, page: t`Look at ${runId}.` },
    details: { run_id: runId },
  }),
  rows_correct_none: ({ runId, rows, more }) => ({
    message: t`Nothing was sent. The file has rows that correct no row of the run.`,
    lines: [
      ...rows.map(({ row, name, mismatch }) => t`Row ${row} (${name}): ${mismatchText(mismatch, runId)}`),
      ...(more > 0 ? [t`… and ${more} more`] : []),
    ],
    remedy: mismatchRemedy(runId),
    details: { run_id: runId },
  }),
};

/** Why there is nothing of a run to be paid again. */
export function retryWords(reason: RetryReason, place: Place): RefusalWords {
  const words = { ...RUN_WORDS, ...RETRY_WORDS };
  return (words[reason.code] as (reason: RetryReason, place: Place) => RefusalWords)(reason, place);
}

/** `Row 3 was paid in R1.` */
export function leftText(left: RowLeft): string {
  return t`Row ${left.row} ${leftClause(left)}.`;
}

/** `was paid in R1`. */
function leftClause({ how, runId }: RowLeft): string {
  return `${LEFT[how]} ${runId}${how === 'unresolved' ? t`: perhaps it was paid` : ''}`;
}

const LEFT: Readonly<Record<RowLeft['how'], string>> = textTable({
  unresolved: 'is unresolved in',
  not_final: 'is not final in',
  paid: 'was paid in',
  under_way: 'is under way in',
  paid_otherwise: 'is the same amount to the same account as was paid in',
  perhaps_paid_otherwise: 'is the same amount to the same account as was perhaps paid in',
  to_be_paid_otherwise: 'is the same amount to the same account as is about to be paid in',
});

/** Why a row of a sheet corrects none of the run. */
export function mismatchText(mismatch: CorrectionMismatch, runId: string): string {
  switch (mismatch.why) {
    case 'no_such_payee':
      return t`${runId} pays no such payee.`;
    case 'left_out':
      return t`row ${mismatch.left.row} of ${runId}, which it would correct, ${leftClause(mismatch.left)}.`;
    case 'corrected_before':
      return t`row ${mismatch.by} of your sheet corrects row ${mismatch.row} of ${runId} already.`;
    case 'no_open_row':
      return t`the payee has no failed or rejected row in ${runId}.`;
    case 'other_amount':
      return t`the payee's failed or rejected row of ${runId} is of another amount or currency: ${mismatch.amount}.`;
  }
}

export function mismatchRemedy(runId: string): string {
  return t`Leave those rows out, or correct them: the same payee_id, amount and currency as in ${runId}.`;
}
