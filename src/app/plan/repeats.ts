import { countsFor, type KindAhead, scopeOf } from '../../domain/kind-of-payment.ts';
import type { Profile } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { allowedRuns } from './paid-before.ts';

/** What is about to be paid. */
export type Paying = {
  input: ChosenInput;
  sha256: string;
  job: string | null;
  period: string | null;
  kind: KindAhead;
  /** How a refusal writes commands. */
  command: CommandLine;
};

type Allowing = { allowRepeat?: string | undefined };

type Same = Pick<Paying, 'sha256' | 'job' | 'period' | 'kind'>;

/** What is known of a run's kind before its service was asked: the one inside this process moves no money. */
export function kindAhead({ base_url, api_key }: Profile): KindAhead {
  if (base_url === null) return { rehearsal: true, scope: null };
  return { rehearsal: null, scope: scopeOf(base_url, api_key ?? '') };
}

/** Throws a `Refusal` for what was certainly run before, as long as the service has not said what it is. */
export function refuseEarly(journal: Journal, settings: Allowing, paying: Paying): void {
  if (paying.kind.rehearsal !== null || settings.allowRepeat === undefined) refuseRepeat(journal, settings, paying);
}

/**
 * Returns the earlier run, of the same file or of the same period of the job, that a person allowed to repeat, if there is
 * one. Throws a `Refusal` for what was run before, and as `requireNewest` does.
 */
export function refuseRepeat(journal: Journal, settings: Allowing, paying: Paying): string | null {
  const { allowRepeat } = settings;
  const { command } = paying;
  if (allowRepeat !== undefined && allowRepeat !== '') return requireNewest(journal, allowRepeat, paying, command);
  const last = startedLike(journal, paying).at(-1) ?? null;
  if (last !== null && allowRepeat === undefined) throw repeatRefusal(journal, last, command, paying);
  return last;
}

/**
 * Returns the run that `--allow-repeat` lets be repeated: the newest of the same among those it names, else the first of
 * them. Throws a `Refusal`: `refused` where the same was run since, so that one name allows one run; `usage` where it is no
 * run of the same, where there is one, or no run that was started.
 */
export function requireNewest(journal: Journal, allowed: string, same: Same, command: CommandLine): string {
  const names = allowedRuns(allowed);
  const [first = ''] = names;
  const like = startedLike(journal, same);
  const newest = like.at(-1);
  const unknown = names.find((name) => !like.includes(name) && !isPaid(journal, name, same.kind));
  if (unknown !== undefined) throw wrongName(journal, unknown, newest ?? null, same);
  if (newest === undefined) return first;
  if (names.includes(newest)) return newest;
  const older = names.find((name) => like.includes(name));
  if (older !== undefined) {
    const remedy = `See \`${command('show', newest)}\`. To pay everybody once more: --allow-repeat ${newest}`;
    const what = `The same was run since ${older}, as ${runNamed(journal, newest)}. Nothing was sent.`;
    throw new Refusal('refused', what, remedy, { run_id: newest });
  }
  throw wrongName(journal, first, newest, same);
}

function wrongName(journal: Journal, name: string, newest: string | null, { period, kind }: Same): Refusal {
  const what = period === null ? 'this file' : `this file, nor of period ${period}`;
  const found = startedRun(journal, name);
  const why =
    found?.header.rehearsal && kind.rehearsal === false
      ? 'was a rehearsal: it paid nobody'
      : `is no earlier run of ${what}`;
  return new Refusal(
    'usage',
    `--allow-repeat names ${name}, which ${why}.`,
    newest === null ? 'Nothing like it was run before: leave --allow-repeat out.' : `The last such run is ${newest}.`,
  );
}

/** The runs of the same file, or of the same period of the job, in the order in which they were started. */
export function startedLike(journal: Journal, same: Same): string[] {
  const ofFile = runsOfFile(journal, same).filter(({ isPlanned }) => !isPlanned);
  const like = new Set([...ofFile, ...startedOfPeriod(journal, same)].map(({ run_id }) => run_id));
  if (like.size < 2) return [...like];
  for (const { runId } of journal.readKinds(['started'])) if (like.delete(runId)) like.add(runId);
  return [...like];
}

/** The newest runs whose headers are read. */
const RUNS_MAX = 10_000;

/**
 * The runs that paid rows of a file, and count for one of this kind, oldest first: those of the file, and retries that took
 * corrected rows from it.
 */
export function runsOfFile(journal: Journal, { sha256, kind }: Pick<Paying, 'sha256' | 'kind'>): RunSummary[] {
  const corrections = journal.listRuns(RUNS_MAX).filter(({ header }) => header.corrections_sha256 === sha256);
  const all = [...corrections.reverse(), ...journal.runsOfInput(sha256)];
  return all.filter(({ header }) => countsFor(kind, header));
}

/** Why what `runId` has paid is not paid again. */
export function repeatRefusal(journal: Journal, runId: string, command: CommandLine, paying: Paying): Refusal {
  const { path, pattern } = paying.input;
  const isOfPeriod = startedOfPeriod(journal, paying).some(({ run_id }) => run_id === runId);
  if (isOfPeriod) return periodRefusal(journal, paying, runId, command);
  const named = runNamed(journal, runId);
  return new Refusal(
    'refused',
    pattern === null
      ? `This file was run before, as ${named}. Nothing was sent.`
      : `There is nothing new: ${path}, the newest of ${pattern}, was run before, as ${named}. Nothing was sent.`,
    `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off. To pay everybody again: --allow-repeat ${runId}`,
    { run_id: runId },
  );
}

/** The started runs of the period that count for one of this kind, oldest first. */
export function startedOfPeriod(journal: Journal, { job, period, kind }: Pick<Paying, 'job' | 'period' | 'kind'>) {
  if (job === null || period === null) return [];
  return journal.runsOfPeriod(job, period).filter(({ header }) => countsFor(kind, header));
}

export function periodRefusal(
  journal: Journal,
  { job, period }: Pick<Paying, 'job' | 'period'>,
  runId: string,
  command: CommandLine,
): Refusal {
  return new Refusal(
    'refused',
    `Job ${job} was run for ${period} already, as ${runNamed(journal, runId)}. Nothing was sent.`,
    `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off. If another period is meant, say it with --period; to pay ${period} again: --allow-repeat ${runId}`,
    { run_id: runId, period },
  );
}

/** `R1`, and whether it was a rehearsal. */
export function runNamed(journal: Journal, runId: string): string {
  return startedRun(journal, runId)?.header.rehearsal ? `${runId}, a rehearsal` : runId;
}

function isPaid(journal: Journal, runId: string, kind: KindAhead): boolean {
  const run = startedRun(journal, runId);
  return run !== null && countsFor(kind, run.header);
}

function startedRun(journal: Journal, runId: string): RunSummary | null {
  return journal.listRuns(RUNS_MAX).find(({ run_id, isPlanned }) => run_id === runId && !isPlanned) ?? null;
}
