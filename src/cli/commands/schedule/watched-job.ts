import type { Job } from '../../../job/job.ts';
import type { Schedule } from '../../../job/schedule.ts';
import type { RunningJob } from '../../jobs/job-process.ts';

export type ScheduledJob = Job & { schedule: Schedule };

/** A job as its scheduler watches it. */
export type Watched = {
  job: ScheduledJob;
  nextAt: number;
  /** The next time that was told. */
  announcedNext: number | null;
  running: RunningJob | null;
  /** The period of the last run that was begun here: what failed is not begun again by itself. */
  begun: string | null;
  /** When that run is begun again, because it could not begin; null where it is not. */
  againAt: number | null;
  /** How often it was. */
  tries: number;
  /** Up to when missed times were told. */
  announcedUntil: number;
  /** What was told of plans, by their runs. */
  announcedPlans: Map<string, string>;
};

export function watch(job: ScheduledJob): Watched {
  const begun = { running: null, begun: null, againAt: null, tries: 0 };
  return { job, nextAt: 0, announcedNext: null, ...begun, announcedUntil: 0, announcedPlans: new Map() };
}
