import { rowNumbered } from '../../domain/run/run-rows.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
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
  const first = rowNumbered(run.rows, rows[0] ?? -1);
  const hide = first && run.header ? rowMasker(run.header.input)(first).hide : (text: string) => text;
  const isUnresolved = ensure.state === 'unresolved';
  return {
    payee: hide(open.name),
    missing: target,
    rows,
    state: ensure.state,
    reason: isUnresolved ? hide(messages.notes.noteText(ensure.reason)) : null,
    candidates: isUnresolved ? [] : ensure.ids,
    choices: messages.doubts.parkedChoices(run.header?.run_id ?? '', isUnresolved, command),
  };
}
