import type { NotResolved, NotToResolve, WordRefused } from '../domain/outcomes/resolve-outcome.ts';
import { Refusal } from '../domain/refusal.ts';
import type { PayoutState } from '../domain/run/payout.ts';
import { isoUtc } from '../domain/time.ts';
import { type Commands, runRefusal } from './run-words.ts';
import { anotherServiceRefusal } from './service-words.ts';

/** Why nothing was recorded of a payout, and what to do about it. */
export function resolveRefusal(refused: NotResolved, command: Commands): Refusal {
  switch (refused.outcome) {
    case 'no_such_row': {
      const { runId, row } = refused;
      const remedy = `See its rows: ${command('show', runId)}`;
      return new Refusal('usage', `Run ${runId} has no row ${row}.`, remedy, { run_id: runId });
    }
    case 'not_unresolved': {
      const { runId, isOpen } = refused;
      const show = `See how it stands: ${command('show', runId)}`;
      const remedy = isOpen ? `Look for it first: ${command('resume', runId)}` : show;
      return new Refusal('usage', notUnresolvedText(refused), remedy, { run_id: runId });
    }
    case 'another_service':
      return anotherServiceRefusal(refused);
    case 'not_looked': {
      const kind = refused.reason === 'outage' ? 'unreachable' : 'person_needed';
      const message = `Row ${refused.row} stays as it is: ${refused.message}.`;
      return new Refusal(kind, message, `Nothing was recorded. Try the same command again, or see ${command('runs')}.`);
    }
    case 'word_refused': {
      const { message, remedy, byCommand } = wordRefusedText(refused.refused);
      const all = [remedy, byCommand].filter((text) => text !== '').join(' ');
      return new Refusal('refused', message, all, { run_id: refused.runId });
    }
    default:
      return runRefusal(refused, command);
  }
}

/** What the service shows against a person's word. `byCommand` says what to do at a command line. */
export function wordRefusedText(refused: WordRefused): { message: string; remedy: string; byCommand: string } {
  const text = (message: string, remedy: string, byCommand = '') => ({ message, remedy, byCommand });
  switch (refused.why) {
    case 'unknown_transaction':
      return text(
        `The service does not know the transaction ${refused.transactionId}.`,
        'Look its id up at the service, and name it.',
      );
    case 'another_row': {
      const what = `${refused.transactionId} is row ${refused.row}'s.`;
      return text(what, 'One transaction pays one row: name another.');
    }
    case 'another_payout':
      return text(`${refused.transactionId} is another payout of this journal.`, NAME_ANOTHER, NEVER_MADE);
    case 'another_payment': {
      const what = `${refused.transactionId} is not this payout: ${DIFFERS[refused.differs]}.`;
      return text(what, NAME_ANOTHER, NEVER_MADE);
    }
    case 'may_take_effect':
      return text(`The request can still take effect until ${isoUtc(refused.until)}.`, 'Try again after that.');
    case 'was_sent': {
      const { transactionIds: ids, cause } = refused;
      const say = cause === null ? `Say --sent ${ids.join()}` : `Say --sent with one of ${ids.join(', ')}`;
      return text(`It was sent: ${cause ?? `${ids.join()} carries its token`}.`, '', say);
    }
    case 'not_unresolved': {
      const { row, state } = refused;
      if (state === null) return text(`There is no payout in row ${row}.`, '', 'See the rows with `payrun show`.');
      const message = `Row ${row} is ${state.replace('_', ' ')}, not unresolved.`;
      if (state === 'sending' || state === 'in_doubt')
        return text(message, '', 'Let `payrun resume` look for it first.');
      return text(message, 'Only an unresolved payout needs a person.');
    }
  }
}

const NAME_ANOTHER = 'Name another transaction.';
const NEVER_MADE = 'Say --not-sent only if the service tells you that the payout was never made.';

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
