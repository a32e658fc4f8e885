import { doubtToResolve, resolvePayout } from '../../../app/resolve/resolve.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { actorHere } from '../../../compose/person.ts';
import { serviceDeps } from '../../../compose/run-deps.ts';
import { EXIT } from '../../exit.ts';
import { withLoggedJournal } from '../../journal-command.ts';
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
  await withLoggedJournal(options, async (here) => {
    const { journal, io, settings } = here;
    const command = commandsFor(settings);
    const doubt = await doubtToResolve(journal, { runId, row });
    await askAbout(io, { yes: settings.yes, command }, doubt, verdict);
    const actor = actorHere();
    const resolved = await resolvePayout(serviceDeps(here), { runId, row, verdict, actor });
    if (resolved.paidTo !== null) io.stderr(paidToText(resolved.doubt, resolved.paidTo));
    const text = settings.json ? resolvedJson(resolved, verdict, actor.by) : resolvedText(resolved, verdict, command);
    io.stdout(text);
    return EXIT.ok;
  });
}
