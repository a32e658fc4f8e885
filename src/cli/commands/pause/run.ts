import { pauseRun } from '../../../app/cancel/pause.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { actorHere } from '../../../compose/person.ts';
import type { Paused } from '../../../domain/outcomes/cancel-outcome.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { counted } from '../../../messages/text.ts';
import { EXIT } from '../../exit.ts';
import { withLoggedJournal } from '../../journal-command.ts';
import { jsonLine } from '../../json/line.ts';
import type { PauseOutput } from './json.ts';

/**
 * `payrun pause RUN`: the process that works on the run submits nothing more, reconciles what is in flight and ends.
 * Nothing goes on with the run but a person's `resume`.
 */
export async function runPause(options: Record<string, unknown>): Promise<void> {
  await withLoggedJournal(options, async ({ journal, log, io, settings }) => {
    const paused = await pauseRun({ journal, log }, { runId: String(options.run), actor: actorHere() });
    const text = settings.json ? jsonLine<PauseOutput>(pausedJson(paused)) : pausedText(paused, commandsFor(settings));
    io.stdout(text);
    return EXIT.ok;
  });
}

function pausedJson(paused: Paused): PauseOutput {
  const { runId: run_id } = paused;
  const exit = EXIT.ok;
  switch (paused.outcome) {
    case 'finished':
      return { run_id, paused: false, waiting: 0, exit };
    case 'asked':
      return { run_id, paused: false, asked: paused.holder, by: paused.by, exit };
    case 'paused':
      return { run_id, paused: true, by: paused.by, waiting: paused.waiting, exit };
  }
}

function pausedText(paused: Paused, command: CommandLine): string {
  const { runId } = paused;
  switch (paused.outcome) {
    case 'finished':
      return `Run ${runId} is over: there is nothing to pause.\n`;
    case 'asked': {
      const { pid, host } = paused.holder;
      return `Process ${pid} on ${host} works on run ${runId}. It was asked to pause: within a second it submits nothing more, settles what is in flight, writes the report and ends.\nSee how far it is: ${command('show', runId)}\nGo on later: ${command('resume', runId)}\n`;
    }
    case 'paused': {
      const what = paused.wasPaused ? 'was paused before' : 'is paused';
      const left = paused.waiting === 0 ? '' : ` ${counted(paused.waiting, 'payout')} not sent yet.`;
      return `Run ${runId} ${what}: nothing more of it is submitted.${left}\ngo on   ${command('resume', runId)}\n`;
    }
  }
}
