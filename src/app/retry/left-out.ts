import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { leftText } from '../../messages/refusals/run-words.ts';
import type { LeftOut } from '../../runner/retries.ts';

/** The warning about a row that is not retried. */
export function leftOutProblem(left: LeftOut, command: CommandLine, runId: string): Problem {
  const why = leftText(left);
  const what = left.isUnresolved
    ? fault('unresolved_not_retried', { left: why, runId, look: command('show', runId) })
    : fault('retried_before', { left: why });
  return problemAt('warning', what, { row: left.row });
}
