import { foldRun } from '../domain/run.ts';
import type { DueTime } from '../job/schedule.ts';
import type { Journal } from '../journal/journal.ts';
import { phaseNow, undamaged } from './known-run.ts';

/** What the journal knows of the last times of a job. */
export type JobStanding = {
  /**
   * The times, oldest first, since the last one whose period was run, and since the job's first run; those whose run is
   * planned and waits are none.
   */
  unpaid: DueTime[];
  /** The plan that waits for the last time's period. */
  plan: string | null;
  /** Whether any run of the job was ever started. */
  wasRun: boolean;
  /** The job's last run, where it was cut off and nobody went on with it. */
  cutOff: string | null;
};

/** Runs in which those of one job are looked for: a run each hour for a year. */
const RUNS_MAX = 10_000;

/** How the times `dues` of a job stand, oldest first. Throws a `Refusal` where the journal is damaged. */
export function standingOf(journal: Journal, job: string, dues: readonly DueTime[]): JobStanding {
  return undamaged(null, () => {
    const runs = journal.listRuns(RUNS_MAX).filter(({ header }) => header.job === job);
    const planOf = (period: string) =>
      runs.find(({ run_id, header, isPlanned }) => isPlanned && header.period === period && waits(journal, run_id))
        ?.run_id ?? null;
    const started = runs.filter(({ isPlanned }) => !isPlanned);
    const begunAt = started.at(-1)?.created_at ?? 0;
    const paidAt = dues.findLastIndex(({ period }) => journal.runsOfPeriod(job, period).length > 0);
    // What was due before the first run was paid in another way, or by nobody: it is not for this journal to say.
    const since = dues.slice(paidAt + 1).filter(({ at }) => at >= begunAt);
    const last = started[0]?.run_id ?? null;
    return {
      unpaid: since.filter(({ period }) => planOf(period) === null),
      plan: since.length === 0 ? null : planOf(since.at(-1)?.period ?? ''),
      wasRun: last !== null,
      cutOff: last !== null && isCutOff(journal, last) ? last : null,
    };
  });
}

/** A plan that was cancelled is none. */
function waits(journal: Journal, runId: string): boolean {
  return !foldRun(journal.readRun(runId)).cancelled;
}

function isCutOff(journal: Journal, runId: string): boolean {
  return phaseNow(journal, foldRun(journal.readRun(runId)), runId) === 'stopped';
}
