import { Refusal } from '../../domain/refusal.ts';
import { findListed, JOBS_FOLDER, type ListedJob, listJobs } from '../../job/jobs-folder.ts';
import { fileRefusal } from '../../job/placed-problem.ts';
import type { ScheduleEvent } from './schedule-event.ts';
import { isScheduled, type ScheduledJob } from './watched-job.ts';

/** The files of the scheduled jobs. One with errors is reported, and keeps no other from being run. */
export class JobFiles {
  readonly #named: readonly string[];
  readonly #report: (event: ScheduleEvent) => void;
  /** The errors that were reported of each file that has some, as JSON. */
  readonly #reported = new Map<string, string>();

  /** Without names every job of the folder. */
  constructor(named: readonly string[], report: (event: ScheduleEvent) => void) {
    this.#named = named;
    this.#report = report;
  }

  get isAnyBroken(): boolean {
    return this.#reported.size > 0;
  }

  /** The jobs that have a schedule. Throws a `Refusal` (`usage`) where there is none, or where one is named that has none. */
  scheduled(): ScheduledJob[] {
    const areNamed = this.#named.length > 0;
    const listed = areNamed ? this.#named.map((name) => findListed(name)) : listJobs();
    const jobs = listed.flatMap(({ read }) => (read.ok ? [read.job] : []));
    const without = areNamed ? jobs.find((job) => job.schedule === null) : undefined;
    if (without !== undefined) throw new Refusal({ code: 'job_without_schedule', file: without.file });
    const scheduled = new Map(jobs.filter(isScheduled).map((job) => [job.name, job]));
    if (scheduled.size > 0) return [...scheduled.values()];
    for (const { file, read } of listed) if (!read.ok) throw fileRefusal(file, 'job', read.problems);
    throw new Refusal({ code: 'no_scheduled_job', folder: JOBS_FOLDER });
  }

  /** Reports each file with errors, and again when they are others. Returns the jobs of files that had errors and have none now. */
  look(): ScheduledJob[] {
    const listed = this.#named.length === 0 ? listJobs() : this.#named.flatMap(listedOrNone);
    const corrected: ScheduledJob[] = [];
    for (const { file, read } of listed) {
      const problems = read.ok ? '' : JSON.stringify(read.problems);
      if (problems === (this.#reported.get(file) ?? '')) continue;
      if (!read.ok) {
        this.#reported.set(file, problems);
        this.#report({ event: 'broken_job', file, errors: read.problems });
        continue;
      }
      this.#reported.delete(file);
      this.#report({ event: 'mended_job', file });
      if (isScheduled(read.job)) corrected.push(read.job);
    }
    for (const file of this.#reported.keys()) if (!listed.some((one) => one.file === file)) this.#reported.delete(file);
    return corrected;
  }
}

/** A named file that is gone is reported by the run that needs it. */
function listedOrNone(name: string): ListedJob[] {
  try {
    return [findListed(name)];
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
