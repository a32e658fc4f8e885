import { parkedPayees } from '../../app/show/parked-payees.ts';
import type { ParkedPayee } from '../../app/show/show-result.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import type { ChoiceText } from '../../messages/report/doubt-words.ts';
import { wrapped } from '../../messages/text.ts';
import { countDoubts } from '../../report/model/doubts.ts';

/** Parked payees that are explained one by one. */
const PAYEES_MAX = 20;

/**
 * What a person can do about a run that stopped, where no payout in doubt explains it: payees that are parked, a first payout
 * that did not come back, a transaction that is not what was sent. Empty for every other run.
 */
export function stopLines(run: RunState, command: CommandLine): string[] {
  const parked = parkedPayees(run, command);
  const lines = parked.slice(0, PAYEES_MAX).flatMap((payee) => [...parkedPayeeLines(payee), '']);
  if (parked.length > PAYEES_MAX) lines.push(`… and ${parked.length - PAYEES_MAX} more payees`, '');
  if (parked.length > 0) return lines;
  if (countDoubts(run) > 0) return [];
  if (run.canaryFailure !== null && waitsForCanary(run)) {
    return [...wrapped(CANARY, 0), ...messages.doubts.choicesText(canaryChoices(run, command), null), ''];
  }
  if (run.stopped !== 'person_needed') return [];
  if (isBroken(run)) return [...messages.doubts.choicesText(brokenChoices(run, command), MANY_FAILED), ''];
  return [...messages.doubts.choicesText([readAgain(run, command)], ASK_THE_SERVICE), ''];
}

/** A payee that waits for a person. */
export function parkedPayeeLines({ payee, missing, rows, state, candidates, choices }: ParkedPayee): string[] {
  const what = missing === 'recipient' ? 'recipient record' : 'account';
  const records = candidates.length === 1 ? 'A record' : `${candidates.length} records`;
  const why =
    state === 'ambiguous'
      ? `${records} of the service could be the ${what}: ${candidates.join(', ')}.`
      : `It is not known whether the service has made the ${what}, and it is not made again without proof.`;
  const where = `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}`;
  const advice = state === 'ambiguous' ? ANOTHER_FILE : null;
  return [`${where}, ${payee}: not sent`, ...wrapped(`  ${why}`, 0), ...messages.doubts.choicesText(choices, advice)];
}

const ANOTHER_FILE =
  'Or cancel the run, and pay these rows from a file of their own that names the right record in the column external_account_id, or recipient_id.';

function waitsForCanary({ canary, cancelled, payouts }: RunState): boolean {
  return canary === null && !cancelled && [...payouts.values()].some(({ state }) => state === 'waiting');
}

/** More payouts failed than the job allows, and others wait. */
function isBroken({ plan, cancelled, payouts }: RunState): boolean {
  const { failures_percent = null } = plan?.limits ?? {};
  return failures_percent !== null && !cancelled && [...payouts.values()].some(({ state }) => state === 'waiting');
}

const MANY_FAILED =
  'More payouts failed than limits.failures of the job allows. Find out why before the others are sent.';

function brokenChoices({ header }: RunState, command: CommandLine): ChoiceText[] {
  const id = header?.run_id ?? '';
  return [
    { command: command('show', id), does: 'Shows of each payout why it failed.', risk: 'No risk.' },
    {
      command: command('resume', id),
      does: 'Pays the others; what failed before does not count any more.',
      risk: 'They may fail too.',
    },
    {
      command: command('cancel', id),
      does: 'Pays no other. What was sent stays as it is.',
      risk: 'The others have to be paid by other means.',
    },
  ];
}

const CANARY =
  'The first payout of a run goes alone. Where the service does not show it again with its token, no doubt about another one could ever be settled, so no other is sent.';

const ASK_THE_SERVICE = 'Ask the service what it has made of it. payrun will not resend it.';

function canaryChoices({ header, canaryFailure }: RunState, command: CommandLine): ChoiceText[] {
  const id = header?.run_id ?? '';
  const again = 'Looks for it again, and pays the others if it is there as it should be.';
  const choices = [{ command: command('resume', id), does: again, risk: 'No risk.' }];
  if (canaryFailure?.failed === 'search') {
    const does = 'The same with a profile whose listing_lag is longer, where the service lists late.';
    choices.push({ command: command('resume', id, '--profile', 'FILE'), does, risk: 'No risk.' });
  }
  const does = 'Pays no other. The first payout stays as it is, and resume still waits for it.';
  const risk = 'The others have to be paid by other means.';
  return [...choices, { command: command('cancel', id), does, risk }];
}

function readAgain({ header }: RunState, command: CommandLine): ChoiceText {
  const does = 'Reads again what the service shows, and ends the run when that is what was sent.';
  return { command: command('resume', header?.run_id ?? ''), does, risk: 'No risk.' };
}
