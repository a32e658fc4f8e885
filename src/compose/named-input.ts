import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { firstDayOfWeek, isInEveryOtherWeek, periodExample, periodKey, periodOf } from '../domain/period.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ReasonOf } from '../domain/refusals/reason.ts';
import type { ColumnFault } from '../domain/refusals/settings-reasons.ts';
import type { ExplicitColumn } from '../input/header/columns.ts';
import { headerIdentity } from '../input/header/header-key.ts';
import { nearestColumnName } from '../input/header/near-miss.ts';
import { COLUMN_NAMES, type ColumnName } from '../input/header/synonyms.ts';
import { isSpreadsheetName } from '../input/source/file.ts';
import type { ChosenInput } from '../job/choose-input.ts';
import type { Job } from '../job/job.ts';

/**
 * The job that a command names, or null where that is a spreadsheet. Nothing of jobs is loaded for a spreadsheet.
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
  if (job === null && file !== undefined) throw new Refusal({ code: 'no_job_for_file', named });
  if (job === null || file !== undefined) return { path: file ?? named, pattern: null, others: [] };
  const { chooseInput } = await import('../job/choose-input.ts');
  return chooseInput(job);
}

/** The period that a run pays, which no other run of the job may pay. */
export type JobPeriod = {
  key: string;
  /** The time of the job's schedule (Unix ms) that has it; null where it was given. */
  due: { at: number; timeZone: string } | null;
};

/**
 * The period that is given, or that of the time of the job's schedule which is nearest to `nowMs`; null where the job has
 * no schedule, and for a file. Throws a `Refusal` (`period_unusable`) where another kind of period is given than the job has.
 */
export async function periodOfRun(
  job: Job | null,
  given: string | undefined,
  nowMs: number,
): Promise<JobPeriod | null> {
  if (given !== undefined) return { key: periodFrom(job, given), due: null };
  if (job === null || job.schedule === null) return null;
  const { nearestDueTime } = await import('../job/schedule.ts');
  const due = nearestDueTime(job.schedule, nowMs);
  if (due === null) return null;
  return { key: due.period, due: { at: due.at, timeZone: job.schedule.timeZone } };
}

/** Two weeks that begin in the middle of two others would be paid beside both. */
function periodFrom(job: Job | null, given: string): string {
  const wrong = (of: Omit<ReasonOf<'period_unusable'>, 'code' | 'period' | 'job'>): Refusal =>
    new Refusal({ code: 'period_unusable', period: given, job: job?.name ?? null, ...of });
  if (job === null) throw wrong({ why: 'no_job', wanted: null, example: null });
  const period = periodOf(given);
  const wanted = job.schedule?.period ?? period;
  const first = job.schedule?.everyOtherWeekFrom ?? null;
  if (period === null || period !== wanted)
    throw wrong({
      why: wanted === null ? 'no_period' : 'other_kind',
      wanted,
      example: periodExample(wanted ?? 'month'),
    });
  if (first === null || period !== 'two_weeks' || isInEveryOtherWeek(firstDayOfWeek(given), first)) return given;
  const example = periodKey('two_weeks', { day: first, hour: 0, minute: 0 });
  throw wrong({ why: 'out_of_step', wanted, example });
}

const COLUMNS: ReadonlySet<string> = new Set(COLUMN_NAMES);

/**
 * The explicit columns that texts such as `Gross to bank=amount` give. The last `=` divides, because headers may have one and
 * columns have none. Throws a `Refusal` (`wrong_column`) for what names no header or no column, and where two contradict.
 */
export function readExplicitColumns(texts: readonly string[]): ExplicitColumn[] {
  const columns = new Map<string, ExplicitColumn>();
  for (const text of texts) {
    const one = readExplicitColumn(text);
    const before = columns.get(headerIdentity(one.header));
    if (before !== undefined && before.column !== one.column)
      throw wrongColumn({ why: 'contradiction', header: one.header, columns: [before.column, one.column] });
    columns.set(headerIdentity(one.header), one);
  }
  return [...columns.values()];
}

function readExplicitColumn(text: string): ExplicitColumn {
  const at = text.lastIndexOf('=');
  if (at === -1) throw wrongColumn({ why: 'no_equals', text });
  const header = text.slice(0, at).trim();
  const name = text.slice(at + 1).trim();
  if (header === '') throw wrongColumn({ why: 'no_header', text });
  if (name === '') return { header, column: null };
  if (COLUMNS.has(name)) return { header, column: name as ColumnName };
  const nearest = nearestColumnName(name);
  throw wrongColumn({ why: 'unknown_column', text, header, name, nearest, known: COLUMN_NAMES });
}

function wrongColumn(fault: ColumnFault): Refusal {
  return new Refusal({ code: 'wrong_column', fault });
}
