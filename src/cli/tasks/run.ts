import type { Executed, OrderOf } from '../../app/launcher/tasks.ts';
import { resumeRun } from '../../app/run/resume.ts';
import type { ExecutedRun } from '../../app/run/run-deps.ts';
import { startPlan } from '../../app/run/start-plan.ts';
import { withDataDir } from '../../compose/data-dir.ts';
import { readSettings, type Settings } from '../../compose/settings.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import type { Journal } from '../../journal/journal.ts';
import { stopText } from '../../messages/stop-words.ts';
import type { Log } from '../../platform/log.ts';
import { startDepsHere } from '../commands/run/planned.ts';
import { runDepsHere } from '../runs/execution.ts';
import { type Io, silentIo } from '../terminal.ts';

type Given = Record<string, unknown>;

/** Starts a plan, and pays it. */
export async function runTask(given: Given, { runId, person, onlyValid, allowRepeat }: OrderOf<'run'>) {
  const repeats = allowRepeat.length === 0 ? undefined : allowRepeat.join(',');
  return worked({ ...given, yes: true }, (here) =>
    startPlan(startDepsHere(here, person), { runId, onlyValid, allowRepeat: repeats }),
  );
}

export async function resumeTask(given: Given, { runId, person }: OrderOf<'resume'>) {
  return worked(given, (here) => resumeRun(runDepsHere(here, person), { runId, resubmitAbsent: false }));
}

/** `given` as options are written. Nobody sees what such a process would print: the journal and the log have it. */
async function worked(
  given: Given,
  work: (here: { journal: Journal; io: Io; settings: Settings; log: Log }) => Promise<ExecutedRun>,
): Promise<Executed> {
  const settings = readSettings({ ...given, quiet: true }, {});
  return withDataDir(settings, async ({ journal, log }) => {
    const { ending, end } = await work({ journal, io: silentIo, settings, log });
    return { exit: ENDING_EXIT[ending], halted: end.end === 'halted' ? stopText(end.why, 'page') : null };
  });
}
