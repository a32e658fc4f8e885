import { firstDayOfWeek, isInEveryOtherWeek, periodExample, periodKey, periodOf } from '../domain/period.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ReasonOf } from '../domain/refusals/reason.ts';
import type { Job } from '../job/job.ts';

/** The period that a run pays, which no other run of the job may pay. */
export type JobPeriod = {
  key: string;
  /** Why it is this one, for people. */
  why: string;
};

/**
 * The period that was said, or that of the time of the job's schedule which is nearest to `nowMs`; null where the job has
 * no schedule, and for a file. Throws a `Refusal` (`usage`) where another kind of period was said than the job has.
 */
export async function periodOfRun(job: Job | null, said: string | undefined, nowMs: number): Promise<JobPeriod | null> {
  if (said !== undefined) return { key: periodFrom(job, said), why: 'as --period says' };
  if (job === null || job.schedule === null) return null;
  const { nearestDueTime } = await import('../job/schedule.ts');
  const { zoneText } = await import('../job/zone.ts');
  const due = nearestDueTime(job.schedule, nowMs);
  if (due === null) return null;
  return { key: due.period, why: `of ${zoneText(due.at, job.schedule.timeZone)}, the nearest time of its schedule` };
}

function periodFrom(job: Job | null, said: string): string {
  if (job === null) {
    const remedy = 'Leave --period out, or write a job for the file.';
    throw wrongPeriod(`--period ${said} is for a job, and this is none.`, remedy, {
      period: said,
      job: null,
      example: null,
    });
  }
  const period = periodOf(said);
  const wanted = job.schedule?.period ?? period;
  if (period !== null && period === wanted) return inStep(job, said);
  const what = wanted === null ? 'no period' : `not the period of job ${job.name}, which is a ${wanted}`;
  const example = periodExample(wanted ?? 'month');
  const of = { period: said, job: job.name, example };
  throw wrongPeriod(`--period: ${said} is ${what}.`, `Write it like ${example}.`, of);
}

/** Two weeks that begin in the middle of two others would be paid beside both. Throws a `Refusal` (`usage`). */
function inStep({ name, schedule }: Job, said: string): string {
  const first = schedule?.everyOtherWeekFrom ?? null;
  if (first === null || periodOf(said) !== 'two_weeks' || isInEveryOtherWeek(firstDayOfWeek(said), first)) return said;
  const example = periodKey('two_weeks', { day: first, hour: 0, minute: 0 });
  const what = `--period: ${said} does not begin with a week in which job ${name} is paid.`;
  const remedy = `Its periods are ${example} and every other two weeks from there.`;
  throw wrongPeriod(what, remedy, { period: said, job: name, example });
}

function wrongPeriod(message: string, remedy: string, of: Omit<ReasonOf<'period_unusable'>, 'code'>): Refusal {
  return new Refusal('usage', message, remedy, {}, { code: 'period_unusable', ...of });
}
