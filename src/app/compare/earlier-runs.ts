import { countsFor, type KindAhead } from '../../domain/kind-of-payment.ts';
import type { NotAllowed, RunNamed } from '../../domain/outcomes/plan-obstacle.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';

/** What is about to be paid, as far as it is known of runs that may have paid the same. */
export type Same = { sha256: string; job: string | null; period: string | null; kind: KindAhead };

/** The same of an input that was chosen. */
export type Paying = Same & { input: ChosenInput };

type Allowing = { allowRepeat?: string | undefined };

/** The newest runs whose headers are read. */
const RUNS_MAX = 10_000;

/** Throws a `Refusal` for what was certainly run before, before the service shows what kind of payment it is. */
export async function refuseEarly(journal: Journal, settings: Allowing, paying: Paying): Promise<void> {
  if (paying.kind.rehearsal !== null || settings.allowRepeat === undefined)
    await refuseRepeat(journal, settings, paying);
}

/**
 * Returns the earlier run, of the same file or of the same period of the job, that a person allowed to repeat, if there is
 * one. Throws a `Refusal` for what was run before, and where another run is named than the newest of the same.
 */
export async function refuseRepeat(journal: Journal, settings: Allowing, paying: Paying): Promise<string | null> {
  const { allowRepeat } = settings;
  if (allowRepeat !== undefined && allowRepeat !== '') {
    const newest = await newestAllowed(journal, allowedRuns(allowRepeat), paying);
    if (newest.outcome === 'allowed') return newest.runId;
    throw new Refusal({ code: 'repeat_not_allowed', cause: newest });
  }
  const last = (await startedLike(journal, paying)).at(-1) ?? null;
  if (last !== null && allowRepeat === undefined) throw await repeatRefusal(journal, last, paying);
  return last;
}

/** The runs of `R1,R2`. */
export function allowedRuns(allowRepeat: string): string[] {
  return allowRepeat
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Why what `runId` has paid is not paid again. */
export async function repeatRefusal(journal: Journal, runId: string, paying: Paying): Promise<Refusal> {
  const { path, pattern } = paying.input;
  const isOfPeriod = (await startedOfPeriod(journal, paying)).some(({ run_id }) => run_id === runId);
  const by = await runNamed(journal, runId);
  if (isOfPeriod) return new Refusal({ code: 'period_run_before', by, job: paying.job, period: paying.period });
  return new Refusal({ code: 'file_run_before', by, newestOf: pattern === null ? null : { path, pattern } });
}

/** The runs of the same file, or of the same period of the job, in the order in which they were started. */
export async function startedLike(journal: Journal, same: Same): Promise<string[]> {
  const ofFile = (await runsOfFile(journal, same)).filter(({ isPlanned }) => !isPlanned);
  const like = new Set([...ofFile, ...(await startedOfPeriod(journal, same))].map(({ run_id }) => run_id));
  if (like.size < 2) return [...like];
  for await (const page of journal.readKinds(['started']))
    for (const { runId } of page) if (like.delete(runId)) like.add(runId);
  return [...like];
}

/**
 * The runs that paid rows of a file, and count for one of this kind, oldest first: those of the file, and retries that took
 * corrected rows from it.
 */
export async function runsOfFile(
  journal: Journal,
  { sha256, kind }: Pick<Same, 'sha256' | 'kind'>,
): Promise<RunSummary[]> {
  const corrections = (await journal.listRuns(RUNS_MAX)).filter(({ header }) => header.corrections_sha256 === sha256);
  const all = [...corrections.reverse(), ...(await journal.runsOfInput(sha256))];
  return all.filter(({ header }) => countsFor(kind, header));
}

/** The started runs of the period that count for one of this kind, oldest first. */
export async function startedOfPeriod(journal: Journal, { job, period, kind }: Pick<Same, 'job' | 'period' | 'kind'>) {
  if (job === null || period === null) return [];
  return (await journal.runsOfPeriod(job, period)).filter(({ header }) => countsFor(kind, header));
}

/**
 * The run that somebody who names `runIds` lets be repeated: the newest of the same among them, else the first of them. Not
 * allowed where the same was run since, so that one name allows one run; nor by a name of no run of the same, where there
 * is one, or of no run that was started.
 */
export async function newestAllowed(
  journal: Journal,
  runIds: readonly string[],
  same: Same,
): Promise<{ outcome: 'allowed'; runId: string } | NotAllowed> {
  const [first = ''] = runIds;
  const like = await startedLike(journal, same);
  const newest = like.at(-1) ?? null;
  const unknown = await firstUnpaid(
    journal,
    runIds.filter((name) => !like.includes(name)),
    same.kind,
  );
  if (unknown !== undefined) return wrongName(journal, unknown, newest, same);
  if (newest === null) return { outcome: 'allowed', runId: first };
  if (runIds.includes(newest)) return { outcome: 'allowed', runId: newest };
  const older = runIds.find((name) => like.includes(name));
  if (older !== undefined) return { outcome: 'run_since', older, newest: await runNamed(journal, newest) };
  return wrongName(journal, first, newest, same);
}

async function wrongName(
  journal: Journal,
  name: string,
  newest: string | null,
  { period, kind }: Same,
): Promise<NotAllowed> {
  const wasRehearsal = kind.rehearsal === false && (await startedRun(journal, name))?.header.rehearsal === true;
  return { outcome: 'no_earlier_run', name, newest, wasRehearsal, period };
}

export async function runNamed(journal: Journal, runId: string): Promise<RunNamed> {
  return { runId, isRehearsal: (await startedRun(journal, runId))?.header.rehearsal === true };
}

async function firstUnpaid(journal: Journal, runIds: readonly string[], kind: KindAhead): Promise<string | undefined> {
  for (const runId of runIds) {
    const run = await startedRun(journal, runId);
    if (run === null || !countsFor(kind, run.header)) return runId;
  }
  return undefined;
}

async function startedRun(journal: Journal, runId: string): Promise<RunSummary | null> {
  return (await journal.listRuns(RUNS_MAX)).find(({ run_id, isPlanned }) => run_id === runId && !isPlanned) ?? null;
}
