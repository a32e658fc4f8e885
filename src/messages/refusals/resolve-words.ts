import type { DecisionRefused } from '../../domain/outcomes/resolve-outcome.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import { isoUtc } from '../../domain/time.ts';
import { noteText } from '../note-words.ts';
import { stopText } from '../stop-words.ts';
import { t, textTable } from '../translate.ts';
import type { Wording, WordsOf } from './refusal-words.ts';

/** Why nothing was recorded of a payout, and what to do about it. */
export const RESOLVE_WORDS: WordsOf<'no_such_row' | 'not_unresolved' | 'not_looked' | 'word_refused'> = {
  no_such_row: ({ runId, row }, { command }) => ({
    message: t`Run ${runId} has no row ${row}.`,
    remedy: { command_line: `See its rows: ${command('show', runId)}`, page: t`Its page shows its rows.` },
    details: { run_id: runId },
  }),
  not_unresolved: ({ runId, row, state, isOpen }, { command }) => ({
    message: t`Row ${row} of run ${runId} is not unresolved: ${STANDING[state]}.`,
    remedy: isOpen
      ? { command_line: `Look for it first: ${command('resume', runId)}`, page: t`“Go on” looks for it first.` }
      : { command_line: `See how it stands: ${command('show', runId)}`, page: t`Its row shows its status.` },
    details: { run_id: runId },
  }),
  not_looked: ({ row, why }, { command }) => ({
    message: {
      command_line: `Row ${row} stays as it is: ${stopText(why, 'command_line')}.`,
      page: t`Row ${row} stays as it is: ${stopText(why, 'page')}.`,
    },
    remedy: {
      command_line: `Nothing was recorded. Try the same command again, or see ${command('runs')}.`,
      page: t`Nothing was recorded. Try again.`,
    },
  }),
  word_refused: ({ runId, refused }) => {
    const [message, remedy] = wordRefusedText(refused);
    return { message, remedy, details: { run_id: runId } };
  },
};

/** What the service shows against a person's word, and what to do about it. */
function wordRefusedText(refused: DecisionRefused): [message: string, remedy: Wording] {
  switch (refused.why) {
    case 'unknown_transaction':
      return [
        t`The service does not know the transaction ${refused.transactionId}.`,
        t`Look up its ID at the service and enter it.`,
      ];
    case 'another_row': {
      const what = t`${refused.transactionId} is row ${refused.row}'s.`;
      return [what, t`One transaction pays one row: enter another.`];
    }
    case 'another_payout':
      return [t`${refused.transactionId} is another payout of this journal.`, NAME_ANOTHER];
    case 'another_payment': {
      const what = t`${refused.transactionId} is not this payout: ${DIFFERS[refused.differs]}.`;
      return [what, NAME_ANOTHER];
    }
    case 'may_take_effect':
      return [t`The request can still take effect until ${isoUtc(refused.until)}.`, t`Try again after that.`];
    case 'was_sent': {
      const { transactionIds: ids, cause } = refused;
      const isOne = cause === null;
      return [
        t`It was sent: ${cause === null ? t`${ids.join()} carries its token` : noteText(cause)}.`,
        {
          command_line: isOne ? `Say --sent ${ids.join()}` : `Say --sent with one of ${ids.join(', ')}`,
          page: isOne
            ? t`Choose “It was sent”, as ${ids.join()}.`
            : t`Choose “It was sent”, as one of ${ids.join(', ')}.`,
        },
      ];
    }
    case 'not_unresolved': {
      const { row, state } = refused;
      if (state === null)
        return [
          t`There is no payout in row ${row}.`,
          { command_line: 'See the rows with `payrun show`.', page: t`Its page shows its rows.` },
        ];
      const message = NOT_UNRESOLVED[state](row);
      if (state === 'sending' || state === 'in_doubt')
        return [
          message,
          { command_line: 'Let `payrun resume` look for it first.', page: t`“Go on” looks for it first.` },
        ];
      return [message, t`Only an unresolved payout needs a person.`];
    }
  }
}

const NOT_UNRESOLVED: Readonly<Record<PayoutState['state'], (row: number) => string>> = {
  waiting: (row) => t`Row ${row} is waiting, not unresolved.`,
  sending: (row) => t`Row ${row} is sending, not unresolved.`,
  in_doubt: (row) => t`Row ${row} is in doubt, not unresolved.`,
  accepted: (row) => t`Row ${row} is accepted, not unresolved.`,
  completed: (row) => t`Row ${row} is completed, not unresolved.`,
  failed: (row) => t`Row ${row} is failed, not unresolved.`,
  rejected: (row) => t`Row ${row} is rejected, not unresolved.`,
  unresolved: (row) => t`Row ${row} is unresolved, not unresolved.`,
  suspected: (row) => t`Row ${row} is suspected, not unresolved.`,
  not_submitted: (row) => t`Row ${row} is not submitted, not unresolved.`,
};

const NAME_ANOTHER = textTable({
  command_line: 'Name another transaction. Say --not-sent only if the service confirms that the payout was never made.',
  page: 'Name another transaction. Choose “It was not sent” only if the service confirms that the payout was never made.',
});

const DIFFERS: Readonly<Record<Extract<DecisionRefused, { why: 'another_payment' }>['differs'], string>> = textTable({
  return: 'it is a return of money',
  amount: 'its amount or currency is another',
  account: 'it pays another account',
  older: 'it is older than the payout',
});

const STANDING: Readonly<Record<PayoutState['state'], string>> = textTable({
  waiting: 'it was not sent yet',
  sending: 'it was sent, and has not been looked for yet',
  in_doubt: 'it was sent, and the search for it has not finished',
  accepted: 'the service has accepted it',
  completed: 'it is completed',
  failed: 'it failed',
  rejected: 'the service has rejected it',
  unresolved: 'it is',
  suspected: 'it is',
  not_submitted: 'it is not submitted',
});
