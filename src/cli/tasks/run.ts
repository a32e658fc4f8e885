import type { Executed, OrderOf } from '../../app/launcher/tasks.ts';
import type { ExecutedRun } from '../../app/run/execute-run.ts';
import { openDataJournal } from '../../compose/data-dir.ts';
import { readSettings, type Settings } from '../../compose/settings.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import type { Journal } from '../../journal/journal.ts';
import { resumeRun } from '../commands/resume/run.ts';
import { startPlan } from '../commands/run/planned.ts';
import { type Io, silentIo } from '../terminal.ts';

type Given = Record<string, unknown>;

/** Starts a plan, and pays it. */
export async function runTask(given: Given, { runId, person, onlyValid, allowRepeat }: OrderOf<'run'>) {
  const repeats = allowRepeat.length === 0 ? {} : { allowRepeat: allowRepeat.join(',') };
  return worked({ ...given, ...repeats, yes: true, onlyValid }, (means) => startPlan(runId, { ...means, person }));
}

export async function resumeTask(given: Given, { runId, person }: OrderOf<'resume'>) {
  return worked(given, (means) => resumeRun(runId, { ...means, person, resubmitAbsent: false }));
}

/** `given` as options are written. Nobody sees what such a process would print: the journal and the log have it. */
async function worked(
  given: Given,
  work: (means: { journal: Journal; io: Io; settings: Settings }) => Promise<ExecutedRun>,
): Promise<Executed> {
  const settings = readSettings({ ...given, quiet: true }, {});
  const journal = await openDataJournal(settings.dataDir);
  try {
    const { ending, end } = await work({ journal, io: silentIo, settings });
    return { exit: ENDING_EXIT[ending], halted: end.end === 'halted' ? end.message : null };
  } finally {
    await journal.close();
  }
}
