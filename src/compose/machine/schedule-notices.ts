import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventOf, ScheduleEvent } from '../../app/schedule/schedule-event.ts';
import type { NotifyEvent } from '../../domain/notices/notify.ts';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import type { Job } from '../../job/job.ts';
import { machineClock } from '../../platform/machine.ts';
import type { Settings } from '../settings.ts';
import type { ErrorOutput } from '../webhooks.ts';
import { withJournal, withLog } from './here.ts';
import { isRehearsalOf, wasRehearsal } from './known-jobs.ts';
import { sendNotice } from './notifying.ts';
import { settingsOf } from './refused-notices.ts';

type AnnouncedEvent = EventOf<'missed' | 'gave_up' | 'cut_off' | 'killed' | 'useless_plan' | 'planned'>;

/** An event that people are notified of, and as which of these, the first that the job wants; once for each `key`. */
type Announcement = {
  event: AnnouncedEvent;
  wants: readonly NotifyEvent[];
  key: readonly string[];
  period: string | null;
  runId: string | null;
};

/** Notifies people of what a scheduler sees and no run can report, as the notices of their jobs ask. */
export class ScheduleNotices {
  readonly #settings: Settings;
  readonly #io: ErrorOutput;
  readonly #words: (event: ScheduleEvent) => string;
  /** What this process has announced. */
  readonly #announced = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();

  /** `words`: an event in words, as people read it. */
  constructor(settings: Settings, io: ErrorOutput, words: (event: ScheduleEvent) => string) {
    this.#settings = settings;
    this.#io = io;
    this.#words = words;
  }

  /** Never waits. `job` is that of the event. */
  hear(event: ScheduleEvent, job: Job): void {
    if (event.event === 'ended' && event.exit === REFUSAL_EXIT.unreachable)
      this.#do(this.#isFirst(awayKey(event.job, event.period)));
    const announcement = announcementOf(event);
    const as = announcement?.wants.find((one) => job.notify?.on.includes(one));
    if (announcement !== null && as !== undefined) this.#do(this.#announce(announcement, as, job));
  }

  /** Whether people were notified that the service is away at this period of the job: the next notice is that it is given up. */
  async isOutageAnnounced(job: string, period: string): Promise<boolean> {
    const id = idOf(awayKey(job, period));
    if (this.#announced.has(id)) return true;
    try {
      return await withJournal(this.#settings, ({ journal }) => journal.scheduling.isAnnounced(id));
    } catch {
      return false;
    }
  }

  /** Resolves when all notices are delivered or failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #do(work: Promise<unknown>): void {
    const underWay = work.then(() => {}).finally(() => this.#underWay.delete(underWay));
    this.#underWay.add(underWay);
  }

  async #announce(announcement: Announcement, as: NotifyEvent, job: Job): Promise<void> {
    if (await this.#isFirst(announcement.key)) await this.#notify(announcement, as, job);
  }

  /**
   * Notes the announcement in the journal, so that no other schedule, on whatever host, and none that is started later, repeats
   * it. False where it was made before; where it cannot be noted, rather twice than never.
   */
  async #isFirst(key: readonly string[]): Promise<boolean> {
    const id = idOf(key);
    if (this.#announced.has(id)) return false;
    this.#announced.add(id);
    // Where an earlier payrun noted it.
    if (existsSync(resolve(this.#settings.dataDir, 'schedule-told', id))) return false;
    try {
      return await withJournal(this.#settings, ({ journal }) => journal.scheduling.announce(id));
    } catch {
      return true;
    }
  }

  async #notify({ event, key, period, runId }: Announcement, as: NotifyEvent, job: Job): Promise<void> {
    const { dataDir } = this.#settings;
    const notice = async () => {
      const jobSettings = settingsOf({ dataDir }, job);
      const known = await wasRehearsal(this.#settings, runId);
      const rehearsal = known ?? (jobSettings && (await isRehearsalOf(jobSettings, job)));
      const { scheduleNotice } = await import('../../notify/job-notices.ts');
      const { withoutNumbers } = await import('../../notify/redact.ts');
      const message = this.#words(hiding(event, withoutNumbers));
      const news = { event: as, state: event.event, job: job.name, period, runId, rehearsal, message };
      return scheduleNotice(news, { at: machineClock.wallMs(), id: `schedule-${idOf(key)}` });
    };
    // A scheduler that ends delivers its notices first.
    const stop = new AbortController().signal;
    await withLog(this.#settings, (log) => sendNotice(job.notify, notice, { io: this.#io, log, stop }));
  }
}

/** The same for the same announcement. */
function idOf(key: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32);
}

function awayKey(job: string, period: string): string[] {
  return ['away', job, period];
}

function announcementOf(event: ScheduleEvent): Announcement | null {
  switch (event.event) {
    case 'missed':
      return event.will_run ? null : ofTime(event, null);
    case 'useless_plan':
      return event.will_run ? null : ofTime(event, event.run_id);
    case 'planned':
      return event.missed ? ofTime(event, event.run_id) : null;
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

/** However it was missed, people are notified of a time once. */
function ofTime(event: EventOf<'missed' | 'useless_plan' | 'planned'>, runId: string | null): Announcement {
  const { job, period } = event;
  return { event, wants: ['failed'], key: ['time', job, period], period, runId };
}

/** Why a plan cannot be run may repeat what people wrote. */
function hiding(event: AnnouncedEvent, hide: (text: string) => string): AnnouncedEvent {
  if (event.event !== 'useless_plan' || event.why === null) return event;
  return { ...event, why: hide(event.why) };
}
