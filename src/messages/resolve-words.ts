import type { NotResolved, NotToResolve, WordRefused } from '../domain/outcomes/resolve-outcome.ts';
import type { PayoutState } from '../domain/run/payout.ts';
import { isoUtc } from '../domain/time.ts';
import type { Commands, RefusalWords, Said } from './refusals/refusal-words.ts';
import { anotherServiceWords, runWords } from './refusals/run-words.ts';
import { unusableWords } from './refusals/service-unusable-words.ts';

/** Why nothing was recorded of a payout, and what to do about it. */
export function resolveWords(refused: NotResolved, command: Commands): RefusalWords {
  switch (refused.outcome) {
    case 'no_such_row': {
      const { runId, row } = refused;
      return {
        kind: 'usage',
        message: `Run ${runId} has no row ${row}.`,
        remedy: { command_line: `See its rows: ${command('show', runId)}`, page: 'Its page shows its rows.' },
        details: { run_id: runId },
      };
    }
    case 'not_unresolved': {
      const { runId, isOpen } = refused;
      const remedy = isOpen
        ? { command_line: `Look for it first: ${command('resume', runId)}`, page: '“Go on” looks for it first.' }
        : { command_line: `See how it stands: ${command('show', runId)}`, page: 'Its row shows how it stands.' };
      return { kind: 'usage', message: notUnresolvedText(refused), remedy, details: { run_id: runId } };
    }
    case 'another_service':
      return anotherServiceWords(refused);
    case 'service_unusable':
      return unusableWords(refused);
    case 'not_looked': {
      const kind = refused.reason === 'outage' ? 'unreachable' : 'person_needed';
      return {
        kind,
        message: `Row ${refused.row} stays as it is: ${refused.message}.`,
        remedy: {
          command_line: `Nothing was recorded. Try the same command again, or see ${command('runs')}.`,
          page: 'Nothing was recorded. Try again.',
        },
      };
    }
    case 'word_refused': {
      const [message, remedy] = wordRefusedText(refused.refused);
      return { kind: 'refused', message, remedy, details: { run_id: refused.runId } };
    }
    default:
      return runWords(refused, command);
  }
}

/** What the service shows against a person's word, and what to do about it. */
function wordRefusedText(refused: WordRefused): [message: string, remedy: Said] {
  switch (refused.why) {
    case 'unknown_transaction':
      return [
        `The service does not know the transaction ${refused.transactionId}.`,
        'Look its id up at the service, and name it.',
      ];
    case 'another_row': {
      const what = `${refused.transactionId} is row ${refused.row}'s.`;
      return [what, 'One transaction pays one row: name another.'];
    }
    case 'another_payout':
      return [`${refused.transactionId} is another payout of this journal.`, NAME_ANOTHER];
    case 'another_payment': {
      const what = `${refused.transactionId} is not this payout: ${DIFFERS[refused.differs]}.`;
      return [what, NAME_ANOTHER];
    }
    case 'may_take_effect':
      return [`The request can still take effect until ${isoUtc(refused.until)}.`, 'Try again after that.'];
    case 'was_sent': {
      const { transactionIds: ids, cause } = refused;
      const isOne = cause === null;
      return [
        `It was sent: ${cause ?? `${ids.join()} carries its token`}.`,
        {
          command_line: isOne ? `Say --sent ${ids.join()}` : `Say --sent with one of ${ids.join(', ')}`,
          page: isOne
            ? `Choose “It was sent”, as ${ids.join()}.`
            : `Choose “It was sent”, as one of ${ids.join(', ')}.`,
        },
      ];
    }
    case 'not_unresolved': {
      const { row, state } = refused;
      if (state === null)
        return [
          `There is no payout in row ${row}.`,
          { command_line: 'See the rows with `payrun show`.', page: 'Its page shows its rows.' },
        ];
      const message = `Row ${row} is ${state.replace('_', ' ')}, not unresolved.`;
      if (state === 'sending' || state === 'in_doubt')
        return [
          message,
          { command_line: 'Let `payrun resume` look for it first.', page: '“Go on” looks for it first.' },
        ];
      return [message, 'Only an unresolved payout needs a person.'];
    }
  }
}

const NAME_ANOTHER = {
  command_line:
    'Name another transaction. Say --not-sent only if the service tells you that the payout was never made.',
  page: 'Name another transaction. Choose “It was not sent” only if the service tells you that the payout was never made.',
};

const DIFFERS: Readonly<Record<Extract<WordRefused, { why: 'another_payment' }>['differs'], string>> = {
  return: 'it is a return of money',
  amount: 'its amount or currency is another',
  account: 'it pays another account',
  older: 'it is older than the payout',
};

/** Why a row is none that a person can settle now. */
function notUnresolvedText({ runId, row, state }: Extract<NotToResolve, { outcome: 'not_unresolved' }>): string {
  return `Row ${row} of run ${runId} is not unresolved: ${STANDING[state]}.`;
}

const STANDING: Readonly<Record<PayoutState['state'], string>> = {
  waiting: 'it was not sent yet',
  sending: 'it was sent, and nobody has looked for it yet',
  in_doubt: 'it was sent, and nobody has looked for it to the end',
  accepted: 'the service has accepted it',
  completed: 'it is completed',
  failed: 'it failed',
  rejected: 'the service has rejected it',
  unresolved: 'it is',
  suspected: 'it is',
  not_submitted: 'it is not submitted',
};
