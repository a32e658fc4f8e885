import { correctionsRun } from '../../../app/plans/plan-obstacle.ts';
import { runNamed } from '../../../app/plans/repeats.ts';
import { type Retriable, readRetriable } from '../../../app/retry/retriable.ts';
import type { Problem } from '../../../domain/problem.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { Journal } from '../../../journal/journal.ts';
import { correctionsRefusal, leftText, retryRefusal } from '../../../messages/plan-words.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import type { LeftOut } from '../../../runner/submit/retries.ts';

/**
 * The rows of a run that can be retried. Throws a `Refusal`: `usage` for a run that does not exist, `held` where a process
 * works on it, `refused` where it is not finished or has no such row.
 */
export function readRetried(
  journal: Journal,
  runId: string,
  { command, dataDir }: { command: CommandLine; dataDir: string },
): Retriable {
  const read = readRetriable(runId, { journal, dataDir, clock: machineClock });
  if (read.outcome === 'retriable') return read;
  throw retryRefusal(read, command);
}

/** What is to be said of a row that is not retried. */
export function leftOutProblem(left: LeftOut, command: CommandLine, runId: string): Problem {
  return {
    severity: 'warning',
    code: left.isUnresolved ? 'unresolved_not_retried' : 'retried_before',
    sheet: null,
    row: left.row,
    column: null,
    cell: null,
    value: null,
    message: `${leftText(left)} It is left out.`,
    remedy: left.isUnresolved
      ? `Do not pay it in another way; see what to do with ${command('show', runId)}`
      : 'There is nothing to do.',
  };
}

/** Throws a `Refusal` (`refused`) where a file of corrected rows was run itself, or another retry took rows from it. */
export function requireNewFile(
  journal: Journal,
  run: RunState,
  { name, sha256 }: { name: string; sha256: string },
  command: CommandLine,
): void {
  const earlier = correctionsRun(journal, run, sha256);
  if (earlier !== null) throw correctionsRefusal({ name, by: runNamed(journal, earlier) }, command);
}
