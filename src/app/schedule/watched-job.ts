import type { Job } from '../../job/job.ts';
import type { DueTime, Schedule } from '../../job/schedule.ts';
import type { JobStanding } from './job-standing.ts';
import { LATE_MAX_MS } from './schedule-times.ts';

export type ScheduledJob = Job & { schedule: Schedule };

export function isScheduled(job: Job): job is ScheduledJob {
  return job.schedule !== null;
}

/** A process that runs a job. */
export type RunningJob = {
  pid: number | null;
  period: string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<JobEnd>;
};

export type JobEnd = {
  /** Null where a signal ended it. */
  exit: number | null;
  signal: string | null;
  /** The JSON that it printed; null where it was not asked for any, or printed none. */
  result: unknown;
};

/** The exit code of a process that ended by a bug, or by a signal. */
export const BUG = 1;

/** A job as its scheduler watches it. Times are Unix ms. */
export class WatchedJob {
  job: ScheduledJob;
  nextAt = 0;
  /** The next time that was reported. */
  reportedNext: number | null = null;
  running: RunningJob | null = null;
  /** The period of the last run that was begun here: what failed is not begun again on its own. */
  begun: string | null = null;
  /** When that run is begun again, because it could not begin; null where it is not. */
  againAt: number | null = null;
  /** How often it was begun. */
  tries = 0;
  /** The run that was last reported as cut off. */
  reportedCutOff: string | null = null;
  /** Times that passed unpaid, when it was last looked at. */
  missed = 0;
  /** Up to when missed times were reported. */
  reportedUntil = 0;
  /** What was reported of plans, by their runs. */
  readonly reportedPlans = new Map<string, string>();

  constructor(job: ScheduledJob) {
    this.job = job;
  }
}

export function timeOf({ job }: WatchedJob, { at, period }: DueTime) {
  return { job: job.name, period, due_at: at, time_zone: job.schedule.timeZone };
}

/** How many times of a job passed and are neither paid nor being paid now, also where a plan waits. */
export function missedTimes(
  { running }: WatchedJob,
  { wasRun, unpaid, planned }: JobStanding,
  willRun: DueTime | null,
  now: number,
): number {
  if (!wasRun) return 0;
  const late = [...unpaid, ...planned.map(({ due }) => due)].filter(({ at }) => now - at > LATE_MAX_MS);
  return late.filter((due) => due !== willRun && due.period !== running?.period).length;
}
