import { z } from 'zod';
import { doubtToResolve, type Resolved, resolvePayout } from '../../../app/resolve/resolve.ts';
import { actorHere } from '../../../compose/person.ts';
import { serviceDeps } from '../../../compose/run-deps.ts';
import { text } from '../../../domain/entries/members.ts';
import { counts } from '../../../domain/entries/run.ts';
import type { Doubt } from '../../../domain/outcomes/doubt.ts';
import type { Decision } from '../../../domain/outcomes/resolve-outcome.ts';
import { rowNumber, rowNumbers, runId as runIdText } from '../../../domain/result.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { messages } from '../../../messages/messages.ts';
import { printable } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { withLoggedJournal } from '../../here.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { askToResolve, resolutionText, rowOf, verdictOf } from '../../questions/resolving.ts';

export const output = z
  .strictObject({
    run_id: runIdText,
    row: rowNumber,
    verdict: z.enum(['sent', 'not_sent']),
    transaction_id: text.nullable(),
    by: text.describe('The account that recorded it.'),
    unresolved: rowNumbers.describe('What is still in doubt.'),
    counts,
    exit: exitCode,
  })
  .meta({ description: 'What was recorded of a payout in doubt.' });

/**
 * `payrun resolve RUN ROW`: a person's word about a payout in doubt. The service is looked at first, and what it shows
 * counts more than the word.
 */
export async function run(given: Given): Promise<void> {
  const verdict = verdictOf(given);
  const row = rowOf(given.row);
  const runId = String(given.run);
  await withLoggedJournal(given, async (here) => {
    const { journal, io, settings, command } = here;
    const asked = await doubtToResolve(journal, { runId, row });
    await askToResolve(io, { yes: settings.yes, command }, asked, verdict);
    const actor = actorHere();
    const resolved = await resolvePayout(serviceDeps(here), { runId, row, verdict, actor });
    const { doubt, paidTo, unresolved } = resolved;
    if (paidTo !== null) io.stderr(paidToText(doubt, paidTo));
    const result = {
      run_id: runId,
      row: doubt.row,
      verdict: verdict.kind,
      transaction_id: verdict.kind === 'sent' ? verdict.transactionId : null,
      by: actor.by,
      unresolved,
      counts: resolved.counts,
      exit: EXIT.ok,
    };
    return print<z.output<typeof output>>(here, result, () => resolvedText(resolved, verdict, command));
  });
}

/** Rows that the text names one by one. */
const NAMED_MAX = 20;

/** What is recorded, what remains, and what comes next. */
function resolvedText(resolved: Resolved, verdict: Decision, command: CommandLine): string {
  const { runId, doubt, unresolved: rows, isRehearsal, isCancelled } = resolved;
  const { row, payee, amount, currency } = doubt;
  const named = `${rows.slice(0, NAMED_MAX).join(', ')}${rows.length > NAMED_MAX ? ', …' : ''}`;
  const which = rows.length === 1 ? `payout, row ${named}` : `payouts, rows ${named}`;
  const sends = isCancelled ? 'does not send it, since the run is cancelled' : 'sends it';
  const next = verdict.kind === 'sent' ? 'waits until it is final' : sends;
  const lines = [
    ...(isRehearsal ? [messages.outcomes.rehearsalBand()] : []),
    printable(`Row ${row}, ${payee}, ${amount} ${currency}: recorded as ${resolutionText(verdict)}.`),
    rows.length === 0 ? 'No other payout of this run is in doubt.' : `Still in doubt: ${rows.length} ${which}.`,
    `go on with   ${command('resume', runId)}`,
    `             ${next}, and writes the report again`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What a person should compare: a service may show names and numbers in forms of its own, so that it is not refused. */
function paidToText({ row, payee }: Doubt, { name, lastFour }: NonNullable<Resolved['paidTo']>): string {
  const account = lastFour === null ? '' : `, account ••••${lastFour}`;
  const shown = `The service shows that it was paid to ${name ?? 'an account without a name'}${account}`;
  return `${printable(`${shown}; row ${row} pays ${payee}. Compare them.`)}\n`;
}
