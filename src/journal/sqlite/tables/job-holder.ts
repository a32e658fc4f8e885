import type { Holder, JobHolder } from '../../journal.ts';
import type { ProvenRuns } from '../proven-runs.ts';
import type { RunTable } from './run-table.ts';

/**
 * The newest run of a job that a living process holds, with `isStarted` of those that are no plans. `livingHolder` says
 * who holds a run.
 */
export function jobHolderOf(
  { job, isStarted }: { job: string; isStarted: boolean },
  { runs, proven }: { runs: Pick<RunTable, 'held'>; proven: Pick<ProvenRuns, 'summary'> },
  livingHolder: (run: number) => Holder | null,
): JobHolder | null {
  for (const record of runs.held()) {
    const { header, isPlanned } = proven.summary(record);
    if (header.job !== job || (isStarted && isPlanned)) continue;
    const holder = livingHolder(record.run);
    if (holder !== null) return { runId: record.id, holder };
  }
  return null;
}
