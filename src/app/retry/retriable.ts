import type { RowLeft } from '../../domain/outcomes/run-outcome.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import type { RetryReason } from '../../domain/refusals/run-reasons.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { type Journal, JournalDamaged } from '../../journal/journal.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { type Family, familyOf, type Retryable, retryableRows } from '../../runner/retries.ts';
import { readKnownRun, requireFree, requireStarted } from '../runs/known-run.ts';
import { paidElsewhere } from './paid-elsewhere.ts';

/** What of a run can be paid again. */
export type Retriable = { run: RunState; family: Family; retryable: Retryable };

type Given = { journal: Journal };

/**
 * The failed, rejected and unsent rows of a finished run, less those that another run has paid since. Throws a `Refusal`
 * where there are none, or earlier runs cannot be compared.
 */
export async function readRetriable(runId: string, given: Given): Promise<Retriable> {
  const found = await lookForRetriable(runId, given);
  if ('code' in found) throw new Refusal(found);
  return found;
}

/** The same; why there are none where there are none. */
export async function lookForRetriable(runId: string, given: Given): Promise<Retriable | RetryReason> {
  const { journal } = given;
  try {
    const run = await readKnownRun(journal, runId);
    requireStarted(run);
    await requireFree(journal, runId);
    if (run.finished === null) return { code: 'not_finished', runId };
    const family = await familyOf(journal, runId);
    const all = await retryableRows(journal, run, family);
    const { header } = run;
    const orders = all.rows.flatMap(({ order }) => order ?? []);
    const paid = header === null ? [] : await paidElsewhere({ header, family, orders }, journal);
    const isPaid = new Set(paid.map(({ row }) => row));
    const rows = all.rows.filter(({ row }) => !isPaid.has(row));
    const leftOut = [...all.leftOut, ...paid];
    if (rows.length === 0) return { code: 'nothing_to_retry', runId, leftOut };
    return { run, family, retryable: { rows, leftOut } };
  } catch (error) {
    if (error instanceof JournalDamaged) return { code: 'damaged', runId, cause: error.damage };
    if (error instanceof Refusal && isRetryReason(error.reason)) return error.reason;
    throw error;
  }
}

function isRetryReason(reason: RefusalReason): reason is RetryReason {
  return ['unknown_run', 'damaged', 'held', 'not_started'].includes(reason.code);
}

/** How a row stands of which nobody knows yet whether it is paid. */
const UNDECIDED: ReadonlySet<RowLeft['how']> = new Set([
  'unresolved',
  'not_final',
  'perhaps_paid_otherwise',
  'to_be_paid_otherwise',
]);

/** The warning about a row that is not retried. */
export function leftOutProblem(left: RowLeft, command: CommandLine, runId: string): Problem {
  const what = UNDECIDED.has(left.how)
    ? fault('unresolved_not_retried', { leftOut: left, runId, look: command('show', runId) })
    : fault('retried_before', { leftOut: left });
  return problemAt('warning', what, { row: left.row });
}
