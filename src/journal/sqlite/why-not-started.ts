import type { JobHolder, NotStarted, StartRun } from '../journal.ts';
import { jobPeriod, type RunRecord } from './tables/run-table.ts';
import type { Tables } from './tables.ts';

export type StartParts = Pick<Tables, 'runs' | 'proven'> & {
  /** Who holds a started run of a job. */
  jobAtWork(job: string): JobHolder | null;
};

/** Why a plan may not be started now; null where it may. To be asked in the transaction that starts it. */
export function whyNotStarted(
  { runs, proven, jobAtWork }: StartParts,
  record: RunRecord,
  { refuseRepeat, seen }: StartRun,
): NotStarted | null {
  const { header } = proven.summary(record);
  const { job, period, input } = header;
  const held = job === null ? null : jobAtWork(job);
  if (held !== null) return { outcome: 'job_held', ...held };
  const like = { id: record.id, inputSha256: input.sha256, jobPeriod: jobPeriod(job, period) };
  const repeated = refuseRepeat ? proven.lastStartedLike(like, header) : null;
  if (repeated !== null) return { outcome: 'repeats', runId: repeated };
  return seen !== undefined && seen !== runs.started() ? { outcome: 'moved' } : null;
}
