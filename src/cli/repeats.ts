import { Refusal } from '../domain/refusal.ts';
import type { ChosenInput } from '../job/choose-input.ts';
import type { Journal, RunSummary } from '../journal/journal.ts';
import type { CommandLine } from '../report/command-line.ts';
import { commandsFor } from './command-hints.ts';
import type { Settings } from './settings.ts';

/** What is about to be paid. */
export type Paying = { input: ChosenInput; sha256: string; job: string | null; period: string | null };

/**
 * Returns the earlier run, of the same file or of the same period of the job, that a person allowed to repeat, if there is
 * one. Throws a `Refusal`: `refused` for what was run before, `usage` where `--allow-repeat` names no run of it, and none
 * of its job either, whose payments it repeats.
 */
export function refuseRepeat(journal: Journal, settings: Settings, paying: Paying): string | null {
  const ofPeriod = startedOfPeriod(journal, paying);
  const ofInput = runsOfFile(journal, paying.sha256).filter(({ isPlanned }) => !isPlanned);
  const last = ofPeriod.at(-1)?.run_id ?? ofInput.at(-1)?.run_id;
  if (settings.allowRepeat === undefined) {
    if (last !== undefined) throw repeatRefusal(journal, last, commandsFor(settings), paying);
    return null;
  }
  if (settings.allowRepeat === '') return last ?? null;
  if ([...ofPeriod, ...ofInput].some((run) => run.run_id === settings.allowRepeat)) return settings.allowRepeat;
  if (last === undefined && isRunOf(journal, paying.job, settings.allowRepeat)) return settings.allowRepeat;
  const same = paying.period === null ? 'this file' : `this file, nor of period ${paying.period}`;
  throw new Refusal(
    'usage',
    `--allow-repeat names ${settings.allowRepeat}, which is no earlier run of ${same}.`,
    last ? `The last such run is ${last}.` : 'Nothing like it was run before: leave --allow-repeat out.',
  );
}

/** The newest runs whose headers are read. */
const RUNS_MAX = 10_000;

/** The runs that paid rows of a file, oldest first: those of the file, and retries that took corrected rows from it. */
export function runsOfFile(journal: Journal, sha256: string): RunSummary[] {
  const corrections = journal.listRuns(RUNS_MAX).filter(({ header }) => header.corrections_sha256 === sha256);
  return [...corrections.reverse(), ...journal.runsOfInput(sha256)];
}

/** Why what `runId` has paid is not paid again. */
export function repeatRefusal(journal: Journal, runId: string, command: CommandLine, paying: Paying): Refusal {
  const { path, pattern } = paying.input;
  const isOfPeriod = startedOfPeriod(journal, paying).some(({ run_id }) => run_id === runId);
  if (isOfPeriod) return periodRefusal(paying, runId, command);
  return new Refusal(
    'refused',
    pattern === null
      ? `This file was run before, as ${runId}. Nothing was sent.`
      : `There is nothing new: ${path}, the newest of ${pattern}, was run before, as ${runId}. Nothing was sent.`,
    `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off. To pay everybody again: --allow-repeat ${runId}`,
    { run_id: runId },
  );
}

/** The started runs of the period, oldest first. */
export function startedOfPeriod(journal: Journal, { job, period }: Pick<Paying, 'job' | 'period'>) {
  return job === null || period === null ? [] : journal.runsOfPeriod(job, period);
}

export function periodRefusal(
  { job, period }: Pick<Paying, 'job' | 'period'>,
  runId: string,
  command: CommandLine,
): Refusal {
  return new Refusal(
    'refused',
    `Job ${job} was run for ${period} already, as ${runId}. Nothing was sent.`,
    `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off. If another period is meant, say it with --period; to pay ${period} again: --allow-repeat ${runId}`,
    { run_id: runId, period },
  );
}

/** Whether a run is an earlier one of the job. */
function isRunOf(journal: Journal, job: string | null, runId: string): boolean {
  if (job === null) return false;
  const runs = journal.listRuns(RUNS_MAX);
  return runs.some(({ run_id, isPlanned, header }) => run_id === runId && !isPlanned && header.job === job);
}
