import { Refusal } from '../../../domain/refusal.ts';
import type { Job } from '../../../job/job.ts';
import { JOB_REMEDY } from '../../../job/job-file.ts';
import { findListed, JOBS_FOLDER, type ListedJob, listJobs } from '../../../job/jobs-folder.ts';
import { fileRefusal, problemLine } from '../../../job/placed-problem.ts';
import type { ScheduleEvent } from './schedule-events.ts';
import type { ScheduledJob } from './watched-job.ts';

/** The files of the jobs that are scheduled: one with errors is said, and keeps no other from being run. */
export class JobFiles {
  readonly #named: readonly string[];
  readonly #say: (event: ScheduleEvent) => void;
  /** What was said of each file that has errors. */
  readonly #told = new Map<string, string>();

  constructor(named: readonly string[], say: (event: ScheduleEvent) => void) {
    this.#named = named;
    this.#say = say;
  }

  /** Whether one has errors. */
  get isAnyBroken(): boolean {
    return this.#told.size > 0;
  }

  /** The jobs that have a schedule. Throws a `Refusal` (`usage`) where there is none, or where one is named that has none. */
  scheduled(): ScheduledJob[] {
    const listed = this.#named.length === 0 ? listJobs() : this.#named.map((name) => findListed(name));
    const jobs = listed.flatMap(({ read }) => (read.ok ? [read.job] : []));
    const scheduled = new Map(jobs.filter(hasSchedule).map((job) => [job.name, job]));
    const without = this.#named.length === 0 ? undefined : jobs.find((job) => job.schedule === null);
    const remedy = 'Add one: jobs/README.md says how.';
    if (without !== undefined) throw new Refusal('usage', `${without.file}: the job has no schedule.`, remedy);
    if (scheduled.size > 0) return [...scheduled.values()];
    for (const { file, read } of listed) if (!read.ok) throw fileRefusal(file, read.problems, JOB_REMEDY);
    throw new Refusal('usage', `No job in ${JOBS_FOLDER}/ has a schedule.`, remedy);
  }

  /** Says each file that has errors, and again when they are others. Returns the jobs of those that were mended. */
  look(): ScheduledJob[] {
    const listed = this.#named.length === 0 ? listJobs() : this.#named.flatMap(listedOrNone);
    const mended: ScheduledJob[] = [];
    for (const { file, read } of listed) {
      const lines = read.ok ? '' : read.problems.map((problem) => problemLine(file, problem)).join('\n');
      const before = this.#told.get(file) ?? '';
      if (lines === before) continue;
      if (!read.ok) {
        this.#told.set(file, lines);
        this.#say({ event: 'broken_job', file, errors: read.problems });
        continue;
      }
      this.#told.delete(file);
      this.#say({ event: 'mended_job', file });
      if (hasSchedule(read.job)) mended.push(read.job);
    }
    for (const file of this.#told.keys()) if (!listed.some((one) => one.file === file)) this.#told.delete(file);
    return mended;
  }
}

function hasSchedule(job: Job): job is ScheduledJob {
  return job.schedule !== null;
}

/** A file that was named and is there no more is said by whatever runs it. */
function listedOrNone(name: string): ListedJob[] {
  try {
    return [findListed(name)];
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
