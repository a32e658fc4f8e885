import { type Retriable, readRetriable } from '../../../app/retry/retriable.ts';
import { fault, type Problem, problemAt } from '../../../domain/problem.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Journal } from '../../../journal/journal.ts';
import { leftText } from '../../../messages/refusals/run-words.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import type { LeftOut } from '../../../runner/retries.ts';

/**
 * The rows of a run that can be retried. Throws a `Refusal`: `usage` for a run that does not exist, `held` where a process
 * works on it, `refused` where it is not finished or has no such row.
 */
export async function readRetried(journal: Journal, runId: string): Promise<Retriable> {
  const read = await readRetriable(runId, { journal, clock: machineClock });
  if (read.outcome === 'retriable') return read;
  throw new Refusal({ code: 'not_retriable', why: read });
}

/** The warning about a row that is not retried. */
export function leftOutProblem(left: LeftOut, command: CommandLine, runId: string): Problem {
  const why = leftText(left);
  const what = left.isUnresolved
    ? fault('unresolved_not_retried', { left: why, runId, look: command('show', runId) })
    : fault('retried_before', { left: why });
  return problemAt('warning', what, { row: left.row });
}
