import { doubtToResolve, resolvePayout } from '../../../app/resolve/resolve.ts';
import type { NotResolved } from '../../../domain/outcomes/resolve-outcome.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { notUnresolvedText, wordRefusedText } from '../../../messages/resolve-words.ts';
import { runRefusal } from '../../../messages/run-words.ts';
import { anotherServiceRefusal } from '../../../messages/service-words.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { commandsFor } from '../../command-hints.ts';
import { openLog } from '../../compose.ts';
import { serviceDeps } from '../../connection/service-connection.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
import { actorHere } from '../../person.ts';
import { rowOf, verdictOf } from './options.ts';
import { askAbout } from './resolve-question.ts';
import { paidToText, resolvedJson, resolvedText } from './resolved-text.ts';

/**
 * `payrun resolve RUN ROW`: a person's word about a payout in doubt. The service is looked at first, and what it shows
 * counts more than the word.
 */
export async function runResolve(options: Record<string, unknown>): Promise<void> {
  const verdict = verdictOf(options);
  const row = rowOf(options.row);
  const runId = String(options.run);
  await withJournal(options, async ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    const found = doubtToResolve(journal, { runId, row });
    if (found.outcome !== 'unresolved') throw refusalOf(found, command);
    await askAbout(io, { yes: settings.yes, command }, found.doubt, verdict);
    const actor = actorHere();
    const { log, flush } = openLog(settings.dataDir, settings.logLevel);
    const deps = serviceDeps({ journal, settings, log, io });
    const resolved = await resolvePayout(deps, { runId, row, verdict, actor }).finally(flush);
    if (resolved.outcome !== 'resolved') throw refusalOf(resolved, command);
    if (resolved.paidTo !== null) io.stderr(paidToText(resolved.doubt, resolved.paidTo));
    const text = settings.json ? resolvedJson(resolved, verdict, actor.by) : resolvedText(resolved, verdict, command);
    io.stdout(text);
    return EXIT.ok;
  });
}

function refusalOf(refused: NotResolved, command: CommandLine): Refusal {
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
