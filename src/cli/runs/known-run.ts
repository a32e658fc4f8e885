import { Refusal } from '../../domain/refusal.ts';
import { foldRun } from '../../domain/run/run.ts';
import { isPlannedOnly } from '../../domain/run/run-plan.ts';
import type { RunPhase, RunStanding, RunState } from '../../domain/run/run-state.ts';
import { type Journal, JournalDamaged } from '../../journal/journal.ts';
import { type CommandLine, plainCommand } from '../../report/command-line.ts';
import { phaseOf, standingOf } from '../../report/model/outcome.ts';

/** Earlier runs among which the one that was meant is looked for. */
const CANDIDATES_MAX = 1_000;

/** Run ids are at most 64 characters; nothing longer is compared. */
const RUN_ID_MAX = 64;

/**
 * The run as its journal has it. Throws a Refusal: `usage` for a run that does not exist, naming the one that was
 * probably meant, `person_needed` where the journal is not as it was written.
 */
export function readKnownRun(journal: Journal, runId: string, command: CommandLine = plainCommand): RunState {
  assertKnown(journal, runId, command);
  return undamaged(runId, () => foldRun(journal.readRun(runId)), command);
}

/** Throws a Refusal (`refused`) where the run is a plan that nobody has started: there is nothing to go on with. */
export function requireStarted(run: RunState, command: CommandLine): void {
  if (isPlannedOnly(run)) throw notStarted(run, command);
}

/** That the run is a plan. */
export function notStarted(run: RunState, command: CommandLine): Refusal {
  const runId = run.header?.run_id ?? '';
  const remedy =
    run.replacedBy !== null
      ? `A newer plan took its place: \`${command('show', run.replacedBy)}\`.`
      : run.cancelled
        ? 'Make a new plan of the file.'
        : `Start it with \`${command('run', runId)}\`.`;
  const what = run.cancelled ? 'is a plan that was cancelled' : 'is a plan that nobody has started';
  return new Refusal('refused', `${runId} ${what}. Nothing was sent.`, remedy, { run_id: runId });
}

/** Throws a Refusal (`usage`) where there is no such run. */
export function assertKnown(journal: Journal, runId: string, command: CommandLine = plainCommand): void {
  if (journal.head(runId) === null) throw unknownRun(journal, runId, command);
}

/** That there is no such run, with the one that was probably meant. */
export function unknownRun(journal: Journal, runId: string, command: CommandLine = plainCommand): Refusal {
  const shown = runId.slice(0, RUN_ID_MAX);
  const near = nearest(shown, candidates(journal));
  const runs = `\`${command('runs')}\``;
  const remedy = near === null ? `See ${runs} for the runs there are.` : `Did you mean ${near}? See ${runs}.`;
  return new Refusal('usage', `There is no run ${shown} in this data directory.`, remedy, { run_id: shown });
}

/** What `read` returns; damage that it meets becomes a Refusal, since only a person can say what happened. */
export function undamaged<Result>(
  runId: string | null,
  read: () => Result,
  command: CommandLine = plainCommand,
): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof JournalDamaged ? damaged(runId, error, command) : error;
  }
}

/** That the journal is not as it was written. */
export function damaged(runId: string | null, { message }: JournalDamaged, command: CommandLine): Refusal {
  const remedy =
    runId === null
      ? `\`${command('verify')}\` with that run says what was altered.`
      : `See what \`${command('verify', runId)}\` says.`;
  return new Refusal('person_needed', `The journal is not as it was written: ${message}.`, remedy);
}

/** None where the list cannot be read: the answer that the run is unknown matters more than the one that was meant. */
function candidates(journal: Journal): string[] {
  try {
    return journal.listRuns(CANDIDATES_MAX).map(({ run_id }) => run_id);
  } catch (error) {
    if (error instanceof JournalDamaged) return [];
    throw error;
  }
}

/** The id with the fewest edits from what was typed, where they are few enough to be slips. */
function nearest(typed: string, ids: readonly string[]): string | null {
  const wanted = typed.toLowerCase();
  let best: { id: string; edits: number } | null = null;
  for (const id of ids) {
    const known = id.toLowerCase();
    const isPart = wanted.length >= 4 && (known.startsWith(wanted) || known.endsWith(wanted));
    const edits = isPart ? 0 : editDistance(wanted, known);
    if (edits <= Math.ceil(known.length / 5) && (best === null || edits < best.edits)) best = { id, edits };
  }
  return best?.id ?? null;
}

/** Levenshtein's distance: insertions, deletions and replacements of single characters. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? a.length;
}

/** What the run is called now: one that nobody works on has stopped, whether or not it had the time to say so. */
export function phaseNow(journal: Journal, run: RunState, runId: string): RunPhase {
  const phase = phaseOf(run);
  return phase === 'running' && journal.holder(runId) === null ? 'stopped' : phase;
}

/** What commands call the run now. A holder that was asked to pause, and ended without hearing of it, has paused it too. */
export function standingNow(journal: Journal, run: RunState, runId: string): RunStanding {
  const standing = standingOf(run, phaseNow(journal, run, runId));
  return standing === 'stopped' && journal.pauseRequests.askedBy(runId) !== null ? 'paused' : standing;
}
