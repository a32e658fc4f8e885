import { type Retriable, readRetriable } from '../../../app/retry/retriable.ts';
import type { Problem } from '../../../domain/problem.ts';
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
