import type { StoppedPayee, StopWhy } from '../domain/outcomes/stop-why.ts';
import { saidTo } from './refusals/refusal-words.ts';
import { counted } from './text.ts';
import { troubleWords } from './trouble-words.ts';

type Reader = 'command_line' | 'page';

/** Why a run stopped, without a last full stop. */
export function stopText(why: StopWhy, reader: Reader): string {
  switch (why.code) {
    case 'service_trouble': {
      const { trouble } = why;
      if (trouble.code === 'not_reached') return `the service does not answer (${trouble.why})`;
      const { what, remedy } = troubleWords(trouble);
      return `${saidTo(reader, what ?? '')}. ${saidTo(reader, remedy)}.`;
    }
    case 'open_payees':
      return openPayeesText(why, reader);
  }
}

/** What the page shows of it. Journals of before have no code, and their sentence is shown as it was kept. */
export function stopOnPage({
  stopMessage,
  stopWhy,
}: {
  stopMessage: string | null;
  stopWhy: StopWhy | null;
}): string | null {
  return stopWhy === null ? stopMessage : stopText(stopWhy, 'page');
}

function openPayeesText(why: Extract<StopWhy, { code: 'open_payees' }>, reader: Reader): string {
  const { rows, count, payees, states } = why;
  const named = payees.map(payeeText);
  if (count > payees.length) named.push(`and ${count - payees.length} more`);
  const head = `${counted(rows, 'row')} of ${counted(count, 'payee')} wait${rows === 1 ? 's' : ''}: ${named.join('; ')}`;
  const advice: string[] = states.flatMap((state) => (state === 'not_made' ? [] : [ADVICE[state][reader]]));
  if (advice.length === 0) advice.push(ADVICE.not_made[reader]);
  return `${head}. ${advice.join('; ')}`;
}

const ADVICE = {
  unresolved: {
    command_line: 'resume looks again, and with --resubmit-absent makes again what complete lists do not show',
    page: '“Go on” looks again',
  },
  ambiguous: {
    command_line:
      'to say which record it is, cancel the run and pay these rows from a file of their own, with its id in the column external_account_id (of a recipient: recipient_id)',
    page: 'to say which record it is, stop the run and pay these rows from a file of their own, with its id in the column external_account_id (of a recipient: recipient_id)',
  },
  not_made: { command_line: 'resume tries again', page: '“Go on” tries again' },
} as const;

/** Rows and records that are named of each. */
const LISTED_MAX = 10;

function payeeText(payee: StoppedPayee): string {
  const { target, name, rows } = payee;
  const what = `the ${target === 'recipient' ? 'recipient record' : 'account'} of ${name} (${rows.length === 1 ? 'row' : 'rows'} ${some(rows)})`;
  switch (payee.state) {
    case 'unresolved':
      return `whether ${what} was made is not known`;
    case 'ambiguous': {
      const { ids } = payee;
      return `${ids.length === 1 ? 'one record' : `${ids.length} records`} could be ${what}: ${some(ids)}`;
    }
    case 'not_made':
      return `${what} is not made yet`;
  }
}

function some(names: readonly (string | number)[]): string {
  const shown = names.slice(0, LISTED_MAX).join(', ');
  return names.length > LISTED_MAX ? `${shown} and ${names.length - LISTED_MAX} more` : shown;
}
