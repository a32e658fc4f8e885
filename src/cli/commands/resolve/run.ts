import { doubtToResolve, resolvePayout } from '../../../app/resolve/resolve.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { openLog } from '../../../compose/data-dir.ts';
import { actorHere } from '../../../compose/person.ts';
import { serviceDeps } from '../../../compose/service-connection.ts';
import { refusalOf } from '../../../messages/refusals/refusal-words.ts';
import { resolveWords } from '../../../messages/resolve-words.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
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
    const found = await doubtToResolve(journal, { runId, row });
    if (found.outcome !== 'unresolved') throw refusalOf(resolveWords(found, command));
    await askAbout(io, { yes: settings.yes, command }, found.doubt, verdict);
    const actor = actorHere();
    const { log, flush } = openLog(settings.dataDir, settings.logLevel);
    const deps = serviceDeps({ journal, settings, log, io });
    const resolved = await resolvePayout(deps, { runId, row, verdict, actor }).finally(flush);
    if (resolved.outcome !== 'resolved') throw refusalOf(resolveWords(resolved, command));
    if (resolved.paidTo !== null) io.stderr(paidToText(resolved.doubt, resolved.paidTo));
    const text = settings.json ? resolvedJson(resolved, verdict, actor.by) : resolvedText(resolved, verdict, command);
    io.stdout(text);
    return EXIT.ok;
  });
}
