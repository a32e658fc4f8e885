import { pauseRun } from '../../app/cancel/pause.ts';
import { type AtWorkers, followRun } from '../../app/run/follow-run.ts';
import { refusalIn } from '../../app/runs/known-run.ts';
import { placeFor } from '../../compose/command-hints.ts';
import { actorHere } from '../../compose/person.ts';
import { noteOf } from '../../compose/webhooks.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import { messages } from '../../messages/messages.ts';
import type { LoggedHere } from '../here.ts';
import { type Interrupting, runDepsHere, watchHere, writeLast } from './execution.ts';

const ASKING = 'Stopping: asking the worker to submit nothing more and finish what is in flight. Ctrl-C again leaves.';

const AT_WORKER: Interrupting = {
  first: ASKING,
  leave(runId, here) {
    const message = `Left run ${runId}: it is the worker's, and goes on there unless that has been asked to pause it.`;
    writeLast(runId, here, { message, remedy: `See its progress: ${here.command('show', runId)}` });
  },
};

/** Shows a run that workers execute as if it was executed here. Returns the exit code, which is that of the run. */
export async function followHere(here: LoggedHere, runId: string): Promise<number> {
  const note = noteOf(here.io, here.settings);
  let shown = '';
  const { ending } = await followRun(
    {
      ...runDepsHere(here),
      watch: (run) => watchHere(run, here, () => ({}), AT_WORKER),
      onStanding(standing) {
        const text = standingText(standing, here);
        if (text !== shown) note(text);
        shown = text;
      },
      async pause() {
        try {
          const { outcome } = await pauseRun(here, { runId, actor: actorHere() });
          if (outcome === 'asked') note('the worker has been asked to pause it');
        } catch (error) {
          const refusal = refusalIn(error);
          if (refusal === null) throw error;
          note(messages.refusals.refusalText(refusal, placeFor(here.settings)).message);
        }
      },
    },
    runId,
  );
  return ENDING_EXIT[ending];
}

function standingText({ queued, holder }: AtWorkers, { settings }: LoggedHere): string {
  if (holder !== null) return `the worker ${holder.pid} on ${holder.host} has it`;
  if (queued.why === null) return 'waiting for a worker';
  return `a worker left it and it is tried again: ${messages.refusals.refusalText({ reason: queued.why }, placeFor(settings)).message}`;
}
