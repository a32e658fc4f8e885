import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import { isSpreadsheetName } from '../input/source/file.ts';
import type { ChosenInput } from '../job/choose-input.ts';
import type { Job } from '../job/job.ts';
import type { JobPeriod } from './job-period.ts';

/**
 * The job that `check` or `run` was told, or null where it was a spreadsheet. Nothing of jobs is loaded for a spreadsheet.
 * Throws a `Refusal` (`usage`) for a job that does not exist or has errors.
 */
export async function readNamedJob(named: string): Promise<Job | null> {
  const isYaml = /^\.ya?ml$/i.test(extname(named));
  if (!isYaml && (isSpreadsheetName(named) || existsSync(named))) return null;
  const { findJob } = await import('../job/jobs-folder.ts');
  return findJob(named);
}

/**
 * The file that is read: the one that was named, or the job's, or `file` in place of the job's. Throws a `Refusal` (`usage`)
 * where the job has none, or where there is no job.
 */
export async function inputOf(named: string, job: Job | null, file?: string): Promise<ChosenInput> {
  if (job === null && file !== undefined) {
    const remedy = 'Name the job, and behind --file the spreadsheet that it is to pay.';
    throw new Refusal('usage', `--file: ${named} is no job whose file another could stand for.`, remedy);
  }
  if (job === null || file !== undefined) return { path: file ?? named, pattern: null, others: [] };
  const { chooseInput } = await import('../job/choose-input.ts');
  return chooseInput(job);
}

/** For people: which file of which job, and for which period. */
export function jobText(job: Job, { path, pattern }: ChosenInput, period: JobPeriod | null = null): string {
  const which = pattern === null ? path : `${path}, the newest of ${pattern}`;
  const line = `Job ${job.name} (${job.file}): ${which}`;
  return period === null ? line : `${line}\nPeriod ${period.key}, ${period.why}`;
}
