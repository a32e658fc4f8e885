import type { OnPage } from '../../domain/entry.ts';
import { letterDistance, nearest } from '../../domain/misspelling.ts';
import type { Loss } from '../../domain/outcomes/run-outcome.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import type { RunRows } from '../../domain/run/run-rows.ts';
import type { RunPhase, RunStanding, RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { type Journal, JournalDamaged, JournalLost, type RunWriter } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { KeyFileError } from '../../keys/key-file.ts';
import { phaseOf, standingOf } from '../../report/model/outcome.ts';

/** Earlier runs among which the one that was meant is looked for. */
const CANDIDATES_MAX = 1_000;

/** Run ids are at most 64 characters; nothing longer is compared. */
const RUN_ID_MAX = 64;

/** The run as its journal has it. Throws a `Refusal`: `unknown_run`, or `damaged`. `rows`: where its rows go. */
export async function readKnownRun(journal: Journal, runId: string, rows?: RunRows): Promise<RunState> {
  await assertKnown(journal, runId);
  return undamaged(runId, () => foldPages(journal.readRun(runId, { withTexts: rows !== undefined }), rows));
}

/** Throws a `Refusal` (`unknown_run`), with the run that was probably meant, where there is no such run. */
export async function assertKnown(journal: Journal, runId: string): Promise<void> {
  if ((await journal.head(runId)) === null) throw new Refusal(await unknownRun(journal, runId));
}

/** Throws a `Refusal` (`damaged`) where the journal is not as it was written. `runId` is null where all of it is read. */
export async function undamaged<Result>(runId: string | null, read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    throw new Refusal({ code: 'damaged', runId, cause: error.damage });
  }
}

/** Throws a `Refusal` (`not_started`) where the run is a plan: there is nothing to go on with. */
export function requireStarted(run: RunState): void {
  if (!isPlannedOnly(run)) return;
  const { header, cancelled: isCancelled, replacedBy } = run;
  throw new Refusal({ code: 'not_started', runId: header?.run_id ?? '', isCancelled, replacedBy });
}

/** Throws a `Refusal` (`held`) where another process works on the run: before anybody is asked anything. */
export async function requireFree(journal: Journal, runId: string): Promise<void> {
  const holder = await journal.holder(runId);
  if (holder !== null) throw heldBy(runId, holder);
}

/** Throws a `Refusal` (`job_held`) where a process works on a run of the job. */
export async function requireJobFree(journal: Journal, job: string | null): Promise<void> {
  const held = job === null ? null : await journal.jobHolder(job);
  if (job !== null && held !== null) throw jobHeld(job, held);
}

type Holder = { pid: number; host: string };

export function jobHeld(job: string, { runId, holder: { pid, host } }: { runId: string; holder: Holder }): Refusal {
  return new Refusal({ code: 'job_held', job, runId, holder: { pid, host } });
}

function heldBy(runId: string, { pid, host }: Holder): Refusal {
  return new Refusal({ code: 'held', runId, holder: { pid, host } });
}

/**
 * Works on a run that this process holds meanwhile. Throws a `Refusal` where there is no such run, another process works on
 * it, or this process loses it: nothing is sent after that.
 */
export function holdingRun<Result>(
  journal: Journal,
  { runId, person }: { runId: string; person: OnPage },
  work: (writer: RunWriter) => Promise<Result>,
): Promise<Result> {
  return keepingRun(runId, async () => {
    const opened = await journal.openRun(runId, person);
    if (opened.outcome === 'unknown') throw new Refusal(await unknownRun(journal, runId));
    if (opened.outcome === 'held') throw heldBy(runId, opened.holder);
    try {
      return await work(opened.writer);
    } finally {
      await opened.writer.release();
    }
  });
}

/**
 * Works on a run. Where it is taken from this process, or the disk leaves open what it took, the process has stopped before
 * sending anything more, and a `Refusal` (`lost`) is thrown.
 */
export async function keepingRun<Result>(runId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const loss = lossOf(error);
    throw loss === null ? error : new Refusal({ code: 'lost', runId, loss });
  }
}

/** What a person can act on of what was thrown; null for a bug. */
export function refusalIn(thrown: unknown): Refusal | null {
  if (thrown instanceof Refusal) return thrown;
  const loss = lossOf(thrown);
  if (loss !== null) return new Refusal({ code: 'lost', runId: null, loss });
  if (thrown instanceof KeyFileError) return new Refusal({ code: 'key_file_unusable', fault: thrown.fault });
  return thrown instanceof JournalDamaged ? new Refusal({ code: 'journal_damaged', cause: thrown.damage }) : null;
}

/** How a run, or the journal, was lost; null for any other error. */
export function lossOf(error: unknown): Loss | null {
  if (isOutOfDescriptors(error)) return { why: 'out_of_descriptors', cause: error.message };
  return error instanceof JournalLost ? error.loss : null;
}

function isOutOfDescriptors(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/**
 * What the run is called now: one that nobody works on, and no worker is to take, has stopped, whether or not it had the time
 * to say so.
 */
export async function phaseNow(journal: Journal, run: RunState, runId: string): Promise<RunPhase> {
  const phase = phaseOf(run);
  if (phase !== 'running' && phase !== 'stopped') return phase;
  if (!run.paused && (await isLeftToWorkers(journal, runId))) return 'running';
  return phase === 'running' && (await journal.holder(runId)) === null ? 'stopped' : phase;
}

/** Whether a worker works on the run, or is to take it. */
export async function isLeftToWorkers({ queued }: Pick<Journal, 'queued'>, runId: string): Promise<boolean> {
  const found = await queued?.find(runId);
  return found != null && found.dueAt !== null;
}

/** What commands call the run now. A holder that was asked to pause, and ended without hearing of it, has paused it too. */
export async function standingNow(journal: Journal, run: RunState, runId: string): Promise<RunStanding> {
  const standing = standingOf(run, await phaseNow(journal, run, runId));
  return standing === 'stopped' && (await journal.pauseAsked(runId)) !== null ? 'paused' : standing;
}

/** That there is no such run, with the one that was probably meant. */
export async function unknownRun(
  journal: Journal,
  runId: string,
): Promise<Extract<RefusalReason, { code: 'unknown_run' }>> {
  const shown = runId.slice(0, RUN_ID_MAX);
  return { code: 'unknown_run', runId: shown, near: nearestId(shown, await candidates(journal)) };
}

/** None where the list cannot be read: the answer that the run is unknown matters more than the one that was meant. */
async function candidates(journal: Journal): Promise<string[]> {
  try {
    return (await journal.listRuns(CANDIDATES_MAX)).map(({ run_id }) => run_id);
  } catch (error) {
    if (error instanceof JournalDamaged) return [];
    throw error;
  }
}

/** The id that is the fewest slips away from what was typed, where they are few enough. */
function nearestId(typed: string, ids: readonly string[]): string | null {
  const wanted = typed.toLowerCase();
  const [found = null] = nearest(ids, (id) => {
    const known = id.toLowerCase();
    if (wanted.length >= 4 && (known.startsWith(wanted) || known.endsWith(wanted))) return 0;
    const slipsMax = Math.ceil(known.length / 5);
    const slips = letterDistance(wanted, known, slipsMax);
    return slips > slipsMax ? null : slips;
  });
  return found;
}
