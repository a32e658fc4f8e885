import { Refusal } from '../domain/refusal.ts';
import type { ChosenInput } from '../job/choose-input.ts';
import type { Journal, RunSummary } from '../journal/journal.ts';
import type { CommandLine } from '../report/command-line.ts';
import { commandsFor } from './command-hints.ts';
import type { Settings } from './settings.ts';

/**
 * Returns the earlier run of a file that a person allowed to repeat, if there is one. Throws a `Refusal`: `refused` for a
 * file that was run before, `usage` where `--allow-repeat` names no run of it.
 */
export function refuseRepeat(earlier: readonly RunSummary[], settings: Settings, input: ChosenInput): string | null {
  const started = earlier.filter(({ isPlanned }) => !isPlanned);
  const last = started.at(-1);
  if (settings.allowRepeat === undefined) {
    if (last) throw repeatRefusal(last.run_id, commandsFor(settings), input);
    return null;
  }
  if (settings.allowRepeat === '') return last?.run_id ?? null;
  if (started.some((run) => run.run_id === settings.allowRepeat)) return settings.allowRepeat;
  throw new Refusal(
    'usage',
    `--allow-repeat names ${settings.allowRepeat}, which is no earlier run of this file.`,
    last ? `The last run of this file is ${last.run_id}.` : 'This file was not run before: leave --allow-repeat out.',
  );
}

/** The newest runs whose headers are read. */
const RUNS_MAX = 10_000;

/** The runs that paid rows of a file, oldest first: those of the file, and retries that took corrected rows from it. */
export function runsOfFile(journal: Journal, sha256: string): RunSummary[] {
  const corrections = journal.listRuns(RUNS_MAX).filter(({ header }) => header.corrections_sha256 === sha256);
  return [...corrections.reverse(), ...journal.runsOfInput(sha256)];
}

export function repeatRefusal(runId: string, command: CommandLine, { path, pattern }: ChosenInput): Refusal {
  return new Refusal(
    'refused',
    pattern === null
      ? `This file was run before, as ${runId}. Nothing was sent.`
      : `There is nothing new: ${path}, the newest of ${pattern}, was run before, as ${runId}. Nothing was sent.`,
    `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off. To pay everybody again: --allow-repeat ${runId}`,
    { run_id: runId },
  );
}
