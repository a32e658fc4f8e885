import type { RunState } from '../../domain/run/run-state.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import type { ChoiceText } from '../../messages/report/doubt-words.ts';
import { rowMasker } from '../../report/model/identifiers.ts';
import { type OpenPayee, openPayees } from '../../runner/provision/payees.ts';
import type { ParkedPayee } from './show-result.ts';

/** The payees of a run that are parked. Their rows were not sent, and wait. */
export function parkedPayees(run: RunState, command: CommandLine): ParkedPayee[] {
  return openPayees(run).flatMap((open) => {
    const parked = parkedOf(run, open, command);
    return parked === null ? [] : [parked];
  });
}

function parkedOf(run: RunState, open: OpenPayee, command: CommandLine): ParkedPayee | null {
  const { ensure, rows, target } = open;
  if (ensure?.state !== 'unresolved' && ensure?.state !== 'ambiguous') return null;
  const first = run.rows.find(({ row }) => row === rows[0]);
  const hide = first && run.header ? rowMasker(run.header.input)(first).hide : (text: string) => text;
  const isUnresolved = ensure.state === 'unresolved';
  return {
    payee: hide(open.name),
    missing: target,
    rows,
    state: ensure.state,
    reason: isUnresolved ? hide(messages.notes.noteText(ensure.reason)) : null,
    candidates: isUnresolved ? [] : ensure.ids,
    choices: choicesOf(run.header?.run_id ?? '', isUnresolved, command),
  };
}

function choicesOf(runId: string, isUnresolved: boolean, command: CommandLine): ChoiceText[] {
  const again = { command: command('resume', runId), does: 'Looks at the service again.', risk: 'Risks nothing.' };
  if (!isUnresolved) return [again];
  const absent = {
    command: command('resume', runId, '--resubmit-absent'),
    does: "Looks again, and makes again what is not in the service's list; payouts in doubt are sent again too.",
    risk: 'The service may have a record too many; a payout that was made after all is paid twice.',
  };
  return [again, absent];
}
