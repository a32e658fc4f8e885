import type { Clock } from '../../../domain/clock.ts';
import { type DueTime, dueTimes, lastDueTimes } from '../../../job/schedule.ts';
import { EXIT } from '../../exit.ts';
import type { RunningJob } from '../../jobs/job-process.ts';
import type { ScheduleEvent } from './schedule-events.ts';
import type { JobStanding } from './schedule-journal.ts';
import { type ScheduledJob, type Watched, watch } from './watched-job.ts';

export type SchedulerMeans = {
  clock: Clock;
  standing(job: string, dues: readonly DueTime[]): Promise<JobStanding>;
  start(job: ScheduledJob, period: string): RunningJob;
  say(event: ScheduleEvent): void;
  /** Looks at the files of the jobs. Returns the jobs of those that had errors before, and have none now. */
  mended(): ScheduledJob[];
  /** Aborted when the scheduler is to end. */
  stop: AbortSignal;
};

/** Whoever comes later has missed the time: the machine was off, or its clock was set. */
export const LATE_MAX_MS = 600_000;

/** The clock is looked at so often, since somebody may set it and the machine may sleep. */
const LOOK_EVERY_MS = 1_000;

/**
 * How long after a run that could not begin it is tried again: nothing was sent, because another process held the job or the
 * service could not be reached. After the last of them a person is told.
 */
const TRY_AGAIN_MS = [60_000, 120_000, 240_000, 480_000, 900_000, 1_800_000, 1_800_000, 1_800_000] as const;

/** So often the files of the jobs are looked at. */
const LOOK_AT_FILES_EVERY_MS = 60_000;

/** So often a plan that waits is looked at: it may be approved, run or useless by then. */
const LOOK_AT_PLAN_EVERY_MS = 300_000;

/** So many of a job's last times are looked at for periods without a run. */
const TIMES_MAX = 12;

/**
 * Runs jobs when they are due, each in a process of its own, one at a time of a job. That a period is paid once is for the
 * journal to say: whatever the clock does here, the run of a period that was run is refused.
 */
export class Scheduler {
  readonly #means: SchedulerMeans;
  readonly #watched: Watched[];
  readonly #running = new Set<Promise<void>>();
  /** The first exit code that is not 0. */
  #failure: number | null = null;
  #isInterrupted = false;
  /** Whether there will be a later: whoever looks once is called again by cron. */
  #isStaying = false;
  /** Whether a time was missed or a run was cut off: a person is needed. */
  #isLeft = false;

  constructor(jobs: readonly ScheduledJob[], means: SchedulerMeans) {
    this.#means = means;
    this.#watched = jobs.map(watch);
    means.stop.addEventListener('abort', () => this.signal('SIGTERM'));
  }

  /** Runs what is due now, waits for it, and returns the exit code: the first that is not 0, or 5 where a time was missed or a run was cut off. */
  async once(): Promise<number> {
    const now = this.#means.clock.wallMs();
    this.#means.mended();
    for (const watched of this.#watched) await this.#atStart(watched, now);
    await Promise.all(this.#running);
    return this.#failure ?? (this.#isLeft ? EXIT.person_needed : EXIT.ok);
  }

  /** Stays until it is stopped, and the runs are over that it began. Returns the exit code. */
  async stay(): Promise<number> {
    const { clock, stop } = this.#means;
    this.#isStaying = true;
    let before = clock.wallMs();
    let filesAt = before;
    this.#means.mended();
    try {
      for (const watched of this.#watched) await this.#atStart(watched, before);
      while (!stop.aborted) {
        const now = clock.wallMs();
        // Set back: the times that come again are looked at again, and those that were run are known to the journal.
        if (now < before) for (const watched of this.#watched) this.#lookAhead(watched, now);
        for (const watched of this.#watched)
          if (now >= Math.min(watched.nextAt, watched.againAt ?? watched.nextAt)) await this.#decide(watched, now);
        if (now < before || now - filesAt >= LOOK_AT_FILES_EVERY_MS) {
          filesAt = now;
          for (const job of this.#means.mended()) await this.#atStart(this.#watchedOf(job), now);
        }
        before = now;
        await clock.sleep(LOOK_EVERY_MS, stop);
      }
    } finally {
      await Promise.all(this.#running);
    }
    return this.#isInterrupted ? EXIT.interrupted : EXIT.ok;
  }

  /** To every run that was begun here and has not ended. */
  signal(signal: NodeJS.Signals): void {
    for (const { running } of this.#watched) running?.kill(signal);
  }

  /** As it is now, where it was watched before. */
  #watchedOf(job: ScheduledJob): Watched {
    const known = this.#watched.find((watched) => watched.job.name === job.name);
    if (known !== undefined) return Object.assign(known, { job });
    const watched = watch(job);
    this.#watched.push(watched);
    return watched;
  }

  async #atStart(watched: Watched, now: number): Promise<void> {
    const { job } = watched;
    const { cutOff } = await this.#means.standing(job.name, []);
    if (cutOff !== null) {
      this.#isLeft = true;
      this.#means.say({ event: 'cut_off', job: job.name, run_id: cutOff });
    }
    await this.#decide(watched, now);
  }

  #lookAhead(watched: Watched, now: number): void {
    const { job } = watched;
    const due = dueTimes(job.schedule, now + 1).next().value ?? null;
    watched.nextAt = due?.at ?? Number.POSITIVE_INFINITY;
    if (due === null || due.at === watched.announcedNext) return;
    watched.announcedNext = due.at;
    this.#means.say({ event: 'next', ...this.#words(watched, due) });
  }

  async #decide(watched: Watched, now: number): Promise<void> {
    const { job } = watched;
    const dues = lastDueTimes(job.schedule, now, TIMES_MAX);
    const standing = await this.#means.standing(job.name, dues);
    const last = dues.at(-1) ?? null;
    const isLastUnpaid = last !== null && standing.unpaid.at(-1) === last;
    const isAgain = isLastUnpaid && watched.begun === last.period && watched.againAt !== null;
    const isMissed = isLastUnpaid && now - last.at > LATE_MAX_MS && !isAgain;
    const isToRun = isLastUnpaid && (!isMissed || (job.schedule.missed === 'run' && standing.wasRun));
    const isItsTurn = watched.begun !== last?.period || (isAgain && now >= (watched.againAt ?? 0));
    const begins = isToRun && watched.running === null && isItsTurn;
    // It was run meanwhile, or another period has come.
    if (!isAgain) watched.againAt = null;
    this.#notifyPlans(watched, standing, begins ? last : null, now);
    this.#announceMissed(watched, standing, begins && isMissed ? last : null, now);
    if (begins) this.#begin(watched, last);
    this.#lookAhead(watched, now);
    if (standing.planned.length > 0) watched.nextAt = Math.min(watched.nextAt, now + LOOK_AT_PLAN_EVERY_MS);
  }

  /** Each again only when it stands otherwise. One that waits after its time is missed, as where nobody had planned. */
  #notifyPlans(watched: Watched, { planned, useless }: JobStanding, willRun: DueTime | null, now: number): void {
    const tell = (event: Extract<ScheduleEvent, { approvals_missing: number }>): void => {
      const { run_id, words = '' } = event;
      const how = `${event.event === 'planned' && event.missed} ${words}`;
      if (watched.announcedPlans.get(run_id) === how) return;
      watched.announcedPlans.set(run_id, how);
      this.#means.say(event);
    };
    for (const { due, plan } of planned) {
      const missed = now - due.at > LATE_MAX_MS;
      if (missed) this.#isLeft = true;
      tell({ event: 'planned', ...this.#words(watched, due), ...plan, missed });
    }
    for (const { due, plan: unusable } of useless) {
      const will_run = due === willRun;
      if (!will_run) this.#isLeft = true;
      tell({ event: 'useless_plan', ...this.#words(watched, due), ...unusable, will_run });
    }
  }

  /** Of a job that was never run nobody knows whether its times were meant. */
  #announceMissed(watched: Watched, { unpaid, wasRun }: JobStanding, willRun: DueTime | null, now: number): void {
    if (!wasRun) return;
    for (const due of unpaid) {
      if (now - due.at <= LATE_MAX_MS || due.at <= watched.announcedUntil) continue;
      if (due.period === watched.running?.period) continue;
      if (due.period === watched.begun && watched.againAt !== null) continue;
      if (due !== willRun) this.#isLeft = true;
      this.#means.say({ event: 'missed', ...this.#words(watched, due), will_run: due === willRun });
      watched.announcedUntil = due.at;
    }
  }

  #begin(watched: Watched, due: DueTime): void {
    const { clock, say, start, stop } = this.#means;
    if (stop.aborted) return;
    const running = start(watched.job, due.period);
    if (watched.begun !== due.period) watched.tries = 0;
    Object.assign(watched, { running, begun: due.period, againAt: null });
    const words = this.#words(watched, due);
    say({ event: 'started', ...words, pid: running.pid });
    const ended = running.ended.then(async ({ exit, signal, result }) => {
      watched.running = null;
      if (exit !== EXIT.ok) this.#failure ??= exit ?? EXIT.bug;
      // One that a signal ended before it could settle anything is looked after by the next start.
      if (stop.aborted && (exit === EXIT.interrupted || exit === null)) this.#isInterrupted = true;
      say({ event: 'ended', ...words, exit, signal, result });
      if (exit === null) await this.#announceKilled(watched, due, signal);
      if (exit === EXIT.held || exit === EXIT.unreachable) await this.#tryAgain(watched, due, exit);
      // A time that came meanwhile.
      watched.nextAt = Math.min(watched.nextAt, clock.wallMs());
      this.#running.delete(ended);
    });
    this.#running.add(ended);
  }

  /** What a process that was ended from without has left. */
  async #announceKilled(watched: Watched, due: DueTime, signal: string | null): Promise<void> {
    const { say, standing } = this.#means;
    const { unpaid, cutOff } = await standing(watched.job.name, [due]);
    if (cutOff !== null) say({ event: 'cut_off', job: watched.job.name, run_id: cutOff });
    else if (unpaid.length > 0) say({ event: 'killed', ...this.#words(watched, due), signal });
  }

  /** Only where no run of the period was begun, nor one of the job was cut off: what was begun is looked up, not run again. */
  async #tryAgain(watched: Watched, due: DueTime, exit: number): Promise<void> {
    const { clock, say, stop, standing } = this.#means;
    if (!this.#isStaying || stop.aborted) return;
    const { unpaid, cutOff } = await standing(watched.job.name, [due]);
    if (cutOff !== null) say({ event: 'cut_off', job: watched.job.name, run_id: cutOff });
    if (cutOff !== null || unpaid.length === 0) return;
    const pause = TRY_AGAIN_MS[watched.tries];
    const words = { ...this.#words(watched, due), exit, tries: ++watched.tries, tries_max: TRY_AGAIN_MS.length + 1 };
    watched.againAt = pause === undefined ? null : clock.wallMs() + pause;
    if (watched.againAt !== null) {
      say({ event: 'again', ...words, again_at: watched.againAt });
      return;
    }
    say({ event: 'gave_up', ...words });
    watched.announcedUntil = due.at;
  }

  #words({ job }: Watched, { at, period }: DueTime) {
    return { job: job.name, period, due_at: at, time_zone: job.schedule.timeZone };
  }
}
