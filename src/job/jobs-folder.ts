import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import type { FileProblem } from '../domain/refusals/settings-faults.ts';
import type { Job } from './job.ts';
import { type ReadJob, readJob, requireJob } from './job-file.ts';
import { nearestKey } from './nearest-key.ts';
import { fileRefusal } from './placed-problem.ts';

/** Where jobs are looked for by their name, in the folder that payrun is started in. */
export const JOBS_FOLDER = 'jobs';

/** More files are somebody's archive. */
const JOBS_MAX = 1_000;

/** So many names are shown to a person who typed another one. */
const NAMES_SHOWN = 20;

export type ListedJob = { file: string /** That of the file, where it cannot be read. */; name: string; read: ReadJob };

/** Whether a text names the file of a job, and no name of a job nor an input. */
export function isJobFile(text: string): boolean {
  return /\.ya?ml$/i.test(text);
}

/** Every job of a folder by name, those with errors too. A name that two files have is an error of both. */
export function listJobs(folder: string = JOBS_FOLDER): ListedJob[] {
  const listed = filesIn(folder).map((file): ListedJob => {
    const read = readOrExplain(file);
    return { file, name: read.ok ? read.job.name : nameOfFile(file), read };
  });
  const named = Map.groupBy(listed, ({ name }) => name);
  for (const jobs of named.values()) for (const job of jobs.length > 1 ? jobs : []) job.read = twice(job, jobs);
  return listed.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.file < b.file ? -1 : 1));
}

/** The job of a `.yaml` file, or of a name. Throws a `Refusal` (`usage`) where there is none, or not one that is right. */
export function findJob(text: string, folder: string = JOBS_FOLDER): Job {
  if (isJobFile(text)) return requireJob(text);
  const { file, read } = findListed(text, folder);
  if (read.ok) return read.job;
  throw fileRefusal(file, 'job', read.problems);
}

/** The same, one with errors too. Throws a `Refusal` (`usage`) where there is none. */
export function findListed(text: string, folder: string = JOBS_FOLDER): ListedJob {
  if (isJobFile(text)) {
    const read = readJob(text);
    return { file: text, name: read.ok ? read.job.name : nameOfFile(text), read };
  }
  const jobs = listJobs(folder);
  const found = jobs.find(({ name }) => name === text) ?? jobs.find(({ file }) => nameOfFile(file) === text);
  if (found === undefined) throw unknownJob(text, folder, jobs);
  return found;
}

function filesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
    const names = files.map(({ name }) => name).filter((name) => isJobFile(name) && !name.startsWith('.'));
    return names
      .sort()
      .slice(0, JOBS_MAX)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function readOrExplain(file: string): ReadJob {
  try {
    return readJob(file);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason.code !== 'settings_file_unreadable') throw error;
    const { path, fault } = error.reason;
    return { ok: false, problems: [{ line: 1, column: 1, code: 'unreadable_file', path, fault }] };
  }
}

function twice({ file, name, read }: ListedJob, jobs: readonly ListedJob[]): ReadJob {
  const files = jobs.map((job) => job.file).filter((other) => other !== file);
  const problem: FileProblem = { line: 1, column: 1, code: 'name_of_others', name, files };
  return { ok: false, problems: [...(read.ok ? [] : read.problems), problem] };
}

function nameOfFile(file: string): string {
  return basename(file, extname(file));
}

function unknownJob(text: string, folder: string, jobs: readonly ListedJob[]): Refusal {
  const names = jobs.map(({ name }) => name);
  const reason = { name: text, folder, jobs: names.slice(0, NAMES_SHOWN), more: names.length > NAMES_SHOWN };
  return new Refusal({ code: 'unknown_job', ...reason, nearest: nearestKey(text, names) });
}
