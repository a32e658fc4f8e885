import { z } from 'zod';
import { pauseRun } from '../../../app/cancel/pause.ts';
import { actorHere } from '../../../compose/person.ts';
import { count, text } from '../../../domain/entries/members.ts';
import type { Paused } from '../../../domain/outcomes/cancel-outcome.ts';
import { runId as runIdText } from '../../../domain/result.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { counted } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { withLoggedJournal } from '../../here.ts';
import { exitCode, holder } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';

export const output = z
  .strictObject({
    run_id: runIdText,
    paused: z.boolean(),
    asked: holder.optional(),
    by: text.optional().describe('The account that paused it.'),
    waiting: count.optional().describe('Payouts that are not sent yet.'),
    exit: exitCode,
  })
  .meta({ description: 'Whether the run is paused, or the process that works on it was asked to pause it.' });
type Output = z.output<typeof output>;

/**
 * `payrun pause RUN`: the process that works on the run submits nothing more, reconciles what is in flight and ends.
 * Nothing goes on with the run but a person's `resume`.
 */
export async function run(given: Given): Promise<void> {
  await withLoggedJournal(given, async (here) => {
    const paused = await pauseRun(here, { runId: String(given.run), actor: actorHere() });
    return print<Output>(here, outputOf(paused), () => pausedText(paused, here.command));
  });
}

function outputOf(paused: Paused): Output {
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
      return `Process ${pid} on ${host} works on run ${runId}. It was asked to pause: within a second it stops submitting, finishes what is in flight, writes the report and exits.\nSee its progress: ${command('show', runId)}\nContinue later: ${command('resume', runId)}\n`;
    }
    case 'paused': {
      const what = paused.wasPaused ? 'was paused before' : 'is paused';
      const left = paused.waiting === 0 ? '' : ` ${counted(paused.waiting, 'payout')} not sent yet.`;
      return `Run ${runId} ${what}: nothing more of it is submitted.${left}\ngo on   ${command('resume', runId)}\n`;
    }
  }
}
