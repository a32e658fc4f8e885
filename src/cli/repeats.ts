import { Refusal } from '../domain/refusal.ts';
import type { ChosenInput } from '../job/choose-input.ts';
import type { Journal, RunSummary } from '../journal/journal.ts';
import type { CommandLine } from '../report/command-line.ts';
import { commandsFor } from './command-hints.ts';
import type { Settings } from './settings.ts';

/** What is about to be paid. */
export type Paying = { input: ChosenInput; sha256: string; job: string | null; period: string | null };

type Same = Pick<Paying, 'sha256' | 'job' | 'period'>;

/**
 * Returns the earlier run, of the same file or of the same period of the job, that a person allowed to repeat, if there is
 * one. Throws a `Refusal` for what was run before, and as `requireNewest` does.
 */
export function refuseRepeat(journal: Journal, settings: Settings, paying: Paying): string | null {
  const { allowRepeat } = settings;
  const command = commandsFor(settings);
  if (allowRepeat !== undefined && allowRepeat !== '') return requireNewest(journal, allowRepeat, paying, command);
  const last = startedLike(journal, paying).at(-1) ?? null;
  if (last !== null && allowRepeat === undefined) throw repeatRefusal(journal, last, command, paying);
  return last;
}

/**
 * Returns the run that `--allow-repeat` names. Throws a `Refusal`: `refused` where the same was run since, so that one
 * name allows one run; `usage` where it is no run of the same. A job may pay again what any run paid, where there is none.
 */
export function requireNewest(journal: Journal, named: string, same: Same, command: CommandLine): string {
  const like = startedLike(journal, same);
  const newest = like.at(-1);
  if (newest === named || (newest === undefined && same.job !== null && isStarted(journal, named))) return named;
  if (newest !== undefined && like.includes(named)) {
    const remedy = `See \`${command('show', newest)}\`. To pay everybody once more: --allow-repeat ${newest}`;
    const what = `The same was run since ${named}, as ${newest}. Nothing was sent.`;
    throw new Refusal('refused', what, remedy, { run_id: newest });
  }
  const what = same.period === null ? 'this file' : `this file, nor of period ${same.period}`;
  throw new Refusal(
    'usage',
    `--allow-repeat names ${named}, which is no earlier run of ${what}.`,
    newest ? `The last such run is ${newest}.` : 'Nothing like it was run before: leave --allow-repeat out.',
  );
}

/** The runs of the same file, or of the same period of the job, in the order in which they were started. */
export function startedLike(journal: Journal, same: Same): string[] {
  const ofFile = runsOfFile(journal, same.sha256).filter(({ isPlanned }) => !isPlanned);
  const like = new Set([...ofFile, ...startedOfPeriod(journal, same)].map(({ run_id }) => run_id));
  if (like.size < 2) return [...like];
  for (const { runId } of journal.readKinds(['started'])) if (like.delete(runId)) like.add(runId);
  return [...like];
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

function isStarted(journal: Journal, runId: string): boolean {
  return journal.listRuns(RUNS_MAX).some(({ run_id, isPlanned }) => run_id === runId && !isPlanned);
}
