import { Refusal } from '../../domain/refusal.ts';
import type { FileProblem } from '../../domain/refusals/settings-faults.ts';
import { zoneText } from '../../domain/zone.ts';
import { chooseInput, isNamedLike } from '../../job/choose-input.ts';
import type { Job } from '../../job/job.ts';
import type { ListedJob } from '../../job/jobs-folder.ts';
import { type DueTime, dueTimes, lastDueTimes, type Schedule } from '../../job/schedule.ts';

/** A time of a schedule (`due` in Unix ms), as the clocks of its time zone show it, and the period that is paid then. */
export type JobTime = { due: number; at: string; period: string };

/** A job file, as people who cannot edit it see it. */
export type KnownJob = {
  name: string;
  file: string;
  /** The company that pays, where the file names one. */
  entity?: string | undefined;
  /** The host of the service that the file itself names; left out where it names none. */
  service?: string | undefined;
  /** What is wrong with the file. With any, it pays nobody. */
  problems: readonly FileProblem[];
  description: string | null;
  /** Whether the file that it pays has such a name. */
  takes(fileName: string): boolean;
  /** The headers that it maps. */
  headers: readonly string[];
  /** Whether the file names who approves its plans. */
  namesApprovers: boolean;
  /** The cron expression of its schedule; null where it has none. */
  cron: string | null;
  /** By the clocks of which its times are; null where it has none. */
  timeZone: string | null;
  /** Its next times from `nowMs` on, in the time zone of the schedule, each with its period. */
  nextTimes(nowMs: number, count: number): JobTime[];
  /** Its last time up to `nowMs`; null where there was none for years. */
  lastTime(nowMs: number): JobTime | null;
  /** The file that it would pay now; null where there is none. */
  input(): string | null;
};

export function knownJob({ name, file, read }: ListedJob): KnownJob {
  if (!read.ok) {
    const { problems } = read;
    const nothing = {
      description: null,
      namesApprovers: false,
      takes: () => false,
      headers: [],
      cron: null,
      timeZone: null,
    };
    return { name, file, problems, ...nothing, nextTimes: () => [], lastTime: () => null, input: () => null };
  }
  const { job } = read;
  const { description, schedule, approval, settings, input, columns } = job;
  const entity = settings.get('entity');
  const url = job.service?.connection.base_url;
  return {
    name,
    file,
    ...(entity !== undefined && { entity: String(entity.value) }),
    ...(url !== undefined && { service: new URL(url).host }),
    problems: [],
    description,
    takes: (fileName) => isNamedLike(input, fileName),
    headers: columns.map(({ header }) => header),
    namesApprovers: approval !== null,
    cron: schedule?.cron ?? null,
    timeZone: schedule?.timeZone ?? null,
    nextTimes(nowMs, count) {
      if (schedule === null) return [];
      return dueTimes(schedule, nowMs)
        .take(count)
        .map((time) => jobTime(time, schedule))
        .toArray();
    },
    lastTime(nowMs) {
      const last = schedule && lastDueTimes(schedule, nowMs, 1)[0];
      return schedule && last ? jobTime(last, schedule) : null;
    },
    input: () => inputNow(job),
  };
}

function jobTime({ at: due, period }: DueTime, { timeZone }: Schedule): JobTime {
  return { due, at: zoneText(due, timeZone), period };
}

/** The file that a job would pay now; null where there is none. */
export function inputNow(job: Job): string | null {
  try {
    return chooseInput(job).path;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
