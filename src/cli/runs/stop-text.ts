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
  'Or cancel the run and pay these rows in a separate file, with the right record in the column external_account_id or recipient_id.';

function waitsForCanary({ canary, cancelled, payouts }: RunState): boolean {
  return canary === null && !cancelled && [...payouts.values()].some(({ state }) => state === 'waiting');
}

/** More payouts failed than the job allows, and others wait. */
function isBroken({ plan, cancelled, payouts }: RunState): boolean {
  const { failures_percent = null } = plan?.limits ?? {};
  return failures_percent !== null && !cancelled && [...payouts.values()].some(({ state }) => state === 'waiting');
}

const MANY_FAILED = "More payouts failed than the job's limits.failures allows. Find out why before the rest are sent.";

function brokenChoices({ header }: RunState, command: CommandLine): ChoiceText[] {
  const id = header?.run_id ?? '';
  return [
    { command: command('show', id), does: 'Shows why each payout failed.', risk: 'No risk.' },
    {
      command: command('resume', id),
      does: 'Pays the rest; earlier failures no longer count.',
      risk: 'They may fail too.',
    },
    {
      command: command('cancel', id),
      does: 'Pays nothing more. What was sent stays as it is.',
      risk: 'The others have to be paid by other means.',
    },
  ];
}

const CANARY =
  'The first payout of a run is sent alone. Unless the service shows it again with its token, no later doubt could be resolved, so nothing else is sent.';

const ASK_THE_SERVICE = 'Ask the service what became of it. payrun will not resend it.';

function canaryChoices({ header, canaryFailure }: RunState, command: CommandLine): ChoiceText[] {
  const id = header?.run_id ?? '';
  const again = 'Looks for it again, and pays the rest if it is there as it should be.';
  const choices = [{ command: command('resume', id), does: again, risk: 'No risk.' }];
  if (canaryFailure?.failed === 'search') {
    const does = 'The same, with a profile that has a longer listing_lag if the service lists late.';
    choices.push({ command: command('resume', id, '--profile', 'FILE'), does, risk: 'No risk.' });
  }
  const does = 'Pays nothing more. The first payout stays as it is, and resume still waits for it.';
  const risk = 'The others have to be paid by other means.';
  return [...choices, { command: command('cancel', id), does, risk }];
}

function readAgain({ header }: RunState, command: CommandLine): ChoiceText {
  const does = 'Reads again what the service shows, and ends the run when that is what was sent.';
  return { command: command('resume', header?.run_id ?? ''), does, risk: 'No risk.' };
}
