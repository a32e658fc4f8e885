import type { RowLeft } from '../../domain/outcomes/run-outcome.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { leftText } from '../../messages/refusals/run-words.ts';

/** How a row stands of which nobody knows yet whether it is paid. */
const UNDECIDED: ReadonlySet<RowLeft['how']> = new Set([
  'unresolved',
  'not_final',
  'perhaps_paid_otherwise',
  'to_be_paid_otherwise',
]);

/** The warning about a row that is not retried. */
export function leftOutProblem(left: RowLeft, command: CommandLine, runId: string): Problem {
  const why = leftText(left);
  const what = UNDECIDED.has(left.how)
    ? fault('unresolved_not_retried', { left: why, runId, look: command('show', runId) })
    : fault('retried_before', { left: why });
  return problemAt('warning', what, { row: left.row });
}
