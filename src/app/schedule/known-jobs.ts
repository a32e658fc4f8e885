import type { FileProblem } from '../../domain/refusals/settings-faults.ts';
import { zoneText } from '../../domain/zone.ts';
import { isNamedLike } from '../../job/choose-input.ts';
import type { ListedJob } from '../../job/jobs-folder.ts';
import { dueTimes } from '../../job/schedule.ts';

/** A job file, as people who cannot edit it see it. */
export type KnownJob = {
  name: string;
  file: string;
  /** The company that pays, where the file names one. */
  entity?: string | undefined;
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
  nextTimes(nowMs: number, count: number): { at: string; period: string }[];
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
    return { name, file, problems, ...nothing, nextTimes: () => [] };
  }
  const { description, schedule, approval, settings, input, columns } = read.job;
  const entity = settings.get('entity');
  return {
    name,
    file,
    ...(entity !== undefined && { entity: String(entity.value) }),
    problems: [],
    description,
    takes: (fileName) => isNamedLike(input, fileName),
    headers: columns.map(({ header }) => header),
    namesApprovers: approval !== null,
    cron: schedule?.cron ?? null,
    timeZone: schedule?.timeZone ?? null,
    nextTimes(nowMs, count) {
      if (schedule === null) return [];
      const next = dueTimes(schedule, nowMs).take(count).toArray();
      return next.map(({ at, period }) => ({ at: zoneText(at, schedule.timeZone), period }));
    },
  };
}
