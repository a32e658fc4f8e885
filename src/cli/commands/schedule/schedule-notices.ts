import { commandsFor } from '../../../compose/command-hints.ts';
import { openLog } from '../../../compose/data-dir.ts';
import type { Settings } from '../../../compose/settings.ts';
import type { NotifyEvent } from '../../../domain/notices/notify.ts';
import type { Job } from '../../../job/job.ts';
import { machineClock } from '../../../platform/machine.ts';
import { EXIT } from '../../exit.ts';
import { isRehearsalOf, wasRehearsal } from '../../jobs/known-rehearsal.ts';
import { tell } from '../../jobs/notices.ts';
import { settingsOf } from '../../jobs/refused-notices.ts';
import type { Io } from '../../terminal.ts';
import { AnnouncedTimes, announcementId } from './schedule-announced.ts';
import { eventWords, type ScheduleEvent } from './schedule-events.ts';

/** Of what people are told, and as which of these, the first that the job wants. What is told as one `key` is told once. */
type Announcement = {
  event: AnnouncedEvent;
  wants: readonly NotifyEvent[];
  key: readonly string[];
  period: string | null;
  runId: string | null;
};

type AnnouncedEvent = Extract<
  ScheduleEvent,
  { event: 'missed' | 'gave_up' | 'cut_off' | 'killed' | 'useless_plan' | 'planned' }
>;

/** Tells people what a scheduler sees and no run can tell, as the notices of their jobs say. */
export class ScheduleNotices {
  readonly #settings: Settings;
  readonly #io: Io;
  readonly #announced: AnnouncedTimes;
  readonly #underWay = new Set<Promise<void>>();

  constructor(settings: Settings, io: Io) {
    this.#settings = settings;
    this.#io = io;
    this.#announced = new AnnouncedTimes(settings.dataDir);
  }

  /** Never waits. `job` is that of the event. */
  hear(event: ScheduleEvent, job: Job): void {
    if (event.event === 'ended' && event.exit === EXIT.unreachable) this.#announced.isFirst(awayKey(event));
    const telling = announcementOf(event);
    const settings = job.notify;
    const as = telling?.wants.find((one) => settings?.on.includes(one));
    if (telling === null || as === undefined || !this.#announced.isFirst(telling.key)) return;
    const told = this.#tell(telling, as, job).finally(() => this.#underWay.delete(told));
    this.#underWay.add(told);
  }

  /** Whether people were told that the service is away at this period of the job: they are told again when it is given up. */
  isOutageAnnounced(job: string, period: string): boolean {
    return this.#announced.has(awayKey({ job, period }));
  }

  /** Resolves when all are told. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #tell({ event, key, period, runId }: Announcement, as: NotifyEvent, job: Job): Promise<void> {
    const { dataDir, logLevel } = this.#settings;
    const { log, flush } = openLog(dataDir, logLevel);
    try {
      const notice = async () => {
        const rehearsal = (await wasRehearsal(dataDir, runId)) ?? (await jobRehearses(dataDir, job));
        const { scheduleNotice } = await import('../../../notify/schedule-notice.ts');
        const { withoutNumbers } = await import('../../../notify/words.ts');
        const message = eventWords(hiding(event, withoutNumbers), commandsFor(this.#settings));
        const told = { event: as, state: event.event, job: job.name, period, runId, rehearsal, message };
        return scheduleNotice(told, { at: machineClock.wallMs(), id: `schedule-${announcementId(key)}` });
      };
      // What a scheduler that ends has to tell is told before it is gone.
      await tell(job.notify, notice, { io: this.#io, log, stop: new AbortController().signal });
    } finally {
      flush();
    }
  }
}

async function jobRehearses(dataDir: string, job: Job): Promise<boolean | null> {
  const settings = settingsOf({ dataDir }, job);
  return settings === null ? null : await isRehearsalOf(settings, job);
}

function announcementOf(event: ScheduleEvent): Announcement | null {
  switch (event.event) {
    case 'missed':
      return event.will_run ? null : announcementOfTime(event, null);
    case 'useless_plan':
      return event.will_run ? null : announcementOfTime(event, event.run_id);
    case 'planned':
      return event.missed ? announcementOfTime(event, event.run_id) : null;
    case 'gave_up':
    case 'killed': {
      const { event: what, job, period } = event;
      return { event, wants: ['failed'], key: [what, job, period], period, runId: null };
    }
    case 'cut_off': {
      const { job, run_id } = event;
      return { event, wants: ['doubts', 'failed'], key: ['cut_off', job, run_id], period: null, runId: run_id };
    }
    default:
      return null;
  }
}

/** However it was missed, people are told of a time once. */
function announcementOfTime(event: Extract<AnnouncedEvent, { period: string }>, runId: string | null): Announcement {
  const { job, period } = event;
  return { event, wants: ['failed'], key: ['time', job, period], period, runId };
}

function awayKey({ job, period }: { job: string; period: string }): string[] {
  return ['away', job, period];
}

/** Why a plan cannot be run may repeat what people wrote. */
function hiding(event: AnnouncedEvent, hide: (text: string) => string): AnnouncedEvent {
  if (event.event !== 'useless_plan' || event.why === null) return event;
  return { ...event, words: event.words?.replace(event.why, hide(event.why)) ?? '' };
}
