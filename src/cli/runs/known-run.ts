import { unknownRun as findUnknown, notStartedOf } from '../../app/runs/known-run.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunPhase, RunStanding, RunState } from '../../domain/run/run-state.ts';
import { type Journal, JournalDamaged } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { plainCommand } from '../../report/command-line.ts';
import { phaseOf, standingOf } from '../../report/model/outcome.ts';

/**
 * The run as its journal has it. Throws a Refusal: `usage` for a run that does not exist, naming the one that was
 * probably meant, `person_needed` where the journal is not as it was written.
 */
export async function readKnownRun(journal: Journal, runId: string): Promise<RunState> {
  await assertKnown(journal, runId);
  return undamaged(runId, () => foldPages(journal.readRun(runId)));
}

/** Throws a Refusal (`refused`) where the run is a plan that nobody has started: there is nothing to go on with. */
export function requireStarted(run: RunState): void {
  const plan = notStartedOf(run);
  if (plan !== null) throw new Refusal({ code: 'run_unavailable', why: plan });
}

/** Throws a Refusal (`usage`) where there is no such run. */
export async function assertKnown(journal: Journal, runId: string): Promise<void> {
  if ((await journal.head(runId)) === null) throw await unknownRun(journal, runId);
}

/** That there is no such run, with the one that was probably meant. */
export async function unknownRun(journal: Journal, runId: string): Promise<Refusal> {
  return new Refusal({ code: 'run_unavailable', why: await findUnknown(journal, runId) });
}

/** What `read` returns; damage that it meets becomes a Refusal, since only a person can say what happened. */
export async function undamaged<Result>(runId: string | null, read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof JournalDamaged ? damaged(runId, error) : error;
  }
}

/** That the journal is not as it was written. */
export function damaged(runId: string | null, { message }: JournalDamaged): Refusal {
  if (runId !== null)
    return new Refusal({ code: 'run_unavailable', why: { outcome: 'damaged', runId, cause: message } });
  const remedy = `\`${plainCommand('verify')}\` with that run says what was altered.`;
  return new Refusal('person_needed', `The journal is not as it was written: ${message}.`, remedy);
}

/** What the run is called now: one that nobody works on has stopped, whether or not it had the time to say so. */
export async function phaseNow(journal: Journal, run: RunState, runId: string): Promise<RunPhase> {
  const phase = phaseOf(run);
  return phase === 'running' && (await journal.holder(runId)) === null ? 'stopped' : phase;
}

/** What commands call the run now. A holder that was asked to pause, and ended without hearing of it, has paused it too. */
export async function standingNow(journal: Journal, run: RunState, runId: string): Promise<RunStanding> {
  const standing = standingOf(run, await phaseNow(journal, run, runId));
  return standing === 'stopped' && (await journal.pauseAsked(runId)) !== null ? 'paused' : standing;
}
