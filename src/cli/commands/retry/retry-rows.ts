import { requireNewFile } from '../../../app/retry/new-file.ts';
import { type Retriable, readRetriable } from '../../../app/retry/retriable.ts';
import type { Problem } from '../../../domain/problem.ts';
import { assert, Refusal } from '../../../domain/refusal.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { Journal } from '../../../journal/journal.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { type LeftOut, retryHash } from '../../../runner/submit/retries.ts';
import { damaged, notStarted, unknownRun } from '../../runs/known-run.ts';
import { heldBy } from '../../runs/open-run.ts';
import type { Settings } from '../../settings.ts';

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
  switch (read.outcome) {
    case 'retriable':
      return read;
    case 'unknown_run':
      throw unknownRun(journal, runId, command);
    case 'damaged':
      throw damaged(runId, read.error, command);
    case 'not_started':
      throw notStarted(read.run, command);
    case 'held':
      throw heldBy(runId, read.holder);
    case 'not_finished': {
      const remedy = `Go on with it first: ${command('resume', runId)}`;
      throw new Refusal('refused', `${runId} is not finished. Nothing was sent.`, remedy, { run_id: runId });
    }
    case 'nothing': {
      const why = read.leftOut.slice(0, NAMED_MAX).map((one) => `\n${leftOutText(one)}`);
      const message = `Nothing to retry: ${runId} has no failed, rejected or unsent row that is to be paid still. Nothing was sent.`;
      const remedy = `See \`${command('show', runId)}\`.`;
      throw new Refusal('refused', `${message}${why.join('')}`, remedy, { run_id: runId });
    }
  }
}

/** Rows that a refusal names. */
const NAMED_MAX = 20;

export function leftOutText({ row, why }: LeftOut): string {
  return `Row ${row} ${why}.`;
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
    message: `${leftOutText(left)} It is left out.`,
    remedy: left.isUnresolved
      ? `Do not pay it in another way; see what to do with ${command('show', runId)}`
      : 'There is nothing to do.',
  };
}

/**
 * Throws a `Refusal` (`refused`) where a retry that was planned may not be started any more: another retry of its family
 * was started since, or a row of it was paid, or may have been. What was seen here is seen again by the transaction that
 * starts it.
 */
export function requireRetry(journal: Journal, planned: RunState, settings: Settings, command: CommandLine): void {
  const { header } = planned;
  assert(header !== null && header.retries !== null, 'a retry of no run');
  if (settings.allowRepeat !== undefined) {
    const what = `${header.run_id} is a retry, and a retry is never repeated. Nothing was sent.`;
    throw new Refusal('usage', what, 'Leave --allow-repeat out.', { run_id: header.run_id });
  }
  const { dataDir } = settings;
  const { run, family, retryable } = readRetried(journal, header.retries, { command, dataDir });
  if (header.corrections_sha256 !== null)
    requireNewFile(journal, run, { name: header.input.name, sha256: header.corrections_sha256 }, command);
  const open = new Set(retryable.rows.map(({ row }) => row));
  const shut = planned.rows.find(({ row }) => !open.has(row));
  if (shut === undefined && retryHash(family) === header.input.sha256) return;
  const left = retryable.leftOut.find(({ row }) => row === shut?.row);
  const last = family.retries.findLast(({ isPlanned, run_id }) => !isPlanned && run_id !== header.run_id);
  const why = left ? leftOutText(left) : `${last?.run_id ?? 'Another retry'} was started since.`;
  throw new Refusal(
    'refused',
    `${header.run_id} is a retry whose rows are not as they were. ${why} Nothing was sent.`,
    `See what is left to retry: ${command('retry', header.retries)}`,
    { run_id: header.run_id },
  );
}
