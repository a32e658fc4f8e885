import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import { type DueTime, dueTimes, lastDueTimes } from '../../job/schedule.ts';
import type { Clock } from '../../platform/clock.ts';
import type { JobStanding } from './job-standing.ts';
import type { EventOf, ScheduleEvent } from './schedule-event.ts';
import { type RunningJob, type ScheduledJob, WatchedJob } from './watched-job.ts';

export type SchedulerDeps = {
  clock: Clock;
  standing(job: string, dues: readonly DueTime[]): Promise<JobStanding>;
  start(job: ScheduledJob, period: string): RunningJob;
  report(event: ScheduleEvent): void;
  /** Looks at the files of the jobs. Returns the jobs of files that had errors before, and have none now. */
  corrected(): ScheduledJob[];
  /** Aborted when the scheduler is to end. */
  stop: AbortSignal;
};

/** A time that is longer ago was missed: the machine was off, or its clock was set. */
export const LATE_MAX_MS = 600_000;

/** The clock is looked at so often, since somebody may set it and the machine may sleep. */
const LOOK_EVERY_MS = 1_000;

/**
 * How long after a run that could not begin it is tried again: nothing was sent, because another process held the job or the
 * service was unavailable. After the last of them it is given up.
 */
const TRY_AGAIN_MS = [60_000, 120_000, 240_000, 480_000, 900_000, 1_800_000, 1_800_000, 1_800_000] as const;

/** So often the files of the jobs are looked at. */
const LOOK_AT_FILES_EVERY_MS = 60_000;

/** So often a plan that waits is looked at: it may be approved, run or useless by then. */
const LOOK_AT_PLAN_EVERY_MS = 300_000;

/** So many of a job's last times are looked at for periods without a run. */
const TIMES_MAX = 12;

/** The exit code of a process that ended by a bug, or by a signal. */
const BUG = 1;

/**
 * Runs jobs when they are due, each in a process of its own, one at a time of a job. The journal makes sure that a period is
 * paid once: whatever the clock does here, the run of a period that was run is refused.
 */
export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #watched: WatchedJob[];
  readonly #running = new Set<Promise<void>>();
  /** The first exit code that is not 0. */
  #failure: number | null = null;
  #isInterrupted = false;
  /** Whether there will be a later look; without it cron starts the next one. */
  #isStaying = false;
  /** Whether a time was missed or a run was cut off. */
  #isPersonNeeded = false;

  constructor(jobs: readonly ScheduledJob[], deps: SchedulerDeps) {
    this.#deps = deps;
    this.#watched = jobs.map((job) => new WatchedJob(job));
    deps.stop.addEventListener('abort', () => this.signal('SIGTERM'));
  }

  /** Runs what is due now and waits for it. Returns the first exit code that is not 0; 5 where a time was missed or a run was cut off. */
  async once(): Promise<number> {
    const now = this.#deps.clock.wallMs();
    this.#deps.corrected();
    for (const watched of this.#watched) await this.#begin(watched, now);
    await Promise.all(this.#running);
    return this.#failure ?? (this.#isPersonNeeded ? REFUSAL_EXIT.person_needed : ENDING_EXIT.ok);
  }

  /** Stays until it is stopped, and the runs are over that it began. Returns the exit code. */
  async stay(): Promise<number> {
    const { clock, stop, corrected } = this.#deps;
    this.#isStaying = true;
    let before = clock.wallMs();
    let filesAt = before;
    corrected();
    try {
      for (const watched of this.#watched) await this.#begin(watched, before);
      while (!stop.aborted) {
        const now = clock.wallMs();
        const isSetBack = now < before;
        // Times that come again are looked at again; the journal knows those that were run.
        if (isSetBack) for (const watched of this.#watched) this.#lookAhead(watched, now);
        for (const watched of this.#watched)
          if (now >= Math.min(watched.nextAt, watched.againAt ?? watched.nextAt)) await this.#decide(watched, now);
        if (isSetBack || now - filesAt >= LOOK_AT_FILES_EVERY_MS) {
          filesAt = now;
          for (const job of corrected()) await this.#begin(this.#watchedOf(job), now);
        }
        before = now;
        await clock.sleep(LOOK_EVERY_MS, stop);
      }
    } finally {
      await Promise.all(this.#running);
    }
    return this.#isInterrupted ? ENDING_EXIT.interrupted : ENDING_EXIT.ok;
  }

  /** To every run that was begun here and has not ended. */
  signal(signal: NodeJS.Signals): void {
    for (const { running } of this.#watched) running?.kill(signal);
  }

  /** As it is now, where it was watched before. */
  #watchedOf(job: ScheduledJob): WatchedJob {
    const known = this.#watched.find((watched) => watched.job.name === job.name);
    if (known !== undefined) return Object.assign(known, { job });
    const watched = new WatchedJob(job);
    this.#watched.push(watched);
    return watched;
  }

  /** The first look at a job. */
  async #begin(watched: WatchedJob, now: number): Promise<void> {
    const { cutOff } = await this.#deps.standing(watched.job.name, []);
    if (cutOff !== null) {
      this.#isPersonNeeded = true;
      this.#reportCutOff(watched, cutOff);
    }
    await this.#decide(watched, now);
  }

  #lookAhead(watched: WatchedJob, now: number): void {
    const due = dueTimes(watched.job.schedule, now + 1).next().value ?? null;
    watched.nextAt = due?.at ?? Number.POSITIVE_INFINITY;
    if (due === null || due.at === watched.reportedNext) return;
    watched.reportedNext = due.at;
    this.#deps.report({ event: 'next', ...timeOf(watched, due) });
  }

  async #decide(watched: WatchedJob, now: number): Promise<void> {
    const { job, begun } = watched;
    const dues = lastDueTimes(job.schedule, now, TIMES_MAX);
    const standing = await this.#deps.standing(job.name, dues);
    const last = dues.at(-1) ?? null;
    const isUnpaid = last !== null && standing.unpaid.at(-1) === last;
    const isAgain = isUnpaid && begun === last.period && watched.againAt !== null;
    const isMissed = isUnpaid && now - last.at > LATE_MAX_MS && !isAgain;
    const isToRun = isUnpaid && (!isMissed || (job.schedule.missed === 'run' && standing.wasRun));
    const isItsTurn = begun !== last?.period || (isAgain && now >= (watched.againAt ?? 0));
    const willRun = isToRun && watched.running === null && isItsTurn ? last : null;
    // It was run meanwhile, or another period has come.
    if (!isAgain) watched.againAt = null;
    this.#reportPlans(watched, standing, willRun, now);
    if (standing.wasRun) this.#reportMissed(watched, standing.unpaid, isMissed ? willRun : null, now);
    if (willRun !== null) this.#start(watched, willRun);
    this.#lookAhead(watched, now);
    if (standing.planned.length > 0) watched.nextAt = Math.min(watched.nextAt, now + LOOK_AT_PLAN_EVERY_MS);
  }

  /** Each again only when it stands otherwise. One that waits after its time is missed, as where nobody had planned. */
  #reportPlans(watched: WatchedJob, { planned, useless }: JobStanding, willRun: DueTime | null, now: number): void {
    for (const { due, plan } of planned) {
      const missed = now - due.at > LATE_MAX_MS;
      if (missed) this.#isPersonNeeded = true;
      this.#reportPlan(watched, { event: 'planned', ...timeOf(watched, due), ...plan, missed });
    }
    for (const { due, plan } of useless) {
      const will_run = due === willRun;
      if (!will_run) this.#isPersonNeeded = true;
      this.#reportPlan(watched, { event: 'useless_plan', ...timeOf(watched, due), ...plan, will_run });
    }
  }

  #reportPlan({ reportedPlans }: WatchedJob, event: EventOf<'planned' | 'useless_plan'>): void {
    const how = `${event.event === 'planned' && event.missed} ${event.words ?? ''}`;
    if (reportedPlans.get(event.run_id) === how) return;
    reportedPlans.set(event.run_id, how);
    this.#deps.report(event);
  }

  /** Not of a job that was never run: nobody knows whether its times were meant. */
  #reportMissed(watched: WatchedJob, unpaid: readonly DueTime[], willRun: DueTime | null, now: number): void {
    for (const due of unpaid) {
      if (now - due.at <= LATE_MAX_MS || due.at <= watched.reportedUntil) continue;
      if (due.period === watched.running?.period) continue;
      if (due.period === watched.begun && watched.againAt !== null) continue;
      if (due !== willRun) this.#isPersonNeeded = true;
      this.#deps.report({ event: 'missed', ...timeOf(watched, due), will_run: due === willRun });
      watched.reportedUntil = due.at;
    }
  }

  #start(watched: WatchedJob, due: DueTime): void {
    const { report, start, stop } = this.#deps;
    if (stop.aborted) return;
    const running = start(watched.job, due.period);
    if (watched.begun !== due.period) watched.tries = 0;
    Object.assign(watched, { running, begun: due.period, againAt: null });
    report({ event: 'started', ...timeOf(watched, due), pid: running.pid });
    const ended = this.#ended(watched, due, running).then(() => {
      this.#running.delete(ended);
    });
    this.#running.add(ended);
  }

  async #ended(watched: WatchedJob, due: DueTime, { ended }: RunningJob): Promise<void> {
    const { clock, report, stop } = this.#deps;
    const { exit, signal, result } = await ended;
    watched.running = null;
    if (exit !== ENDING_EXIT.ok) this.#failure ??= exit ?? BUG;
    // What a signal ended before it could settle anything is left to the next start.
    if (stop.aborted && (exit === ENDING_EXIT.interrupted || exit === null)) this.#isInterrupted = true;
    const time = timeOf(watched, due);
    report({ event: 'ended', ...time, exit, signal, result });
    if (exit === null && (await this.#isUnbegun(watched, due))) report({ event: 'killed', ...time, signal });
    const isToTry = exit === REFUSAL_EXIT.held || exit === REFUSAL_EXIT.unreachable;
    if (isToTry && this.#isStaying && !stop.aborted && (await this.#isUnbegun(watched, due)))
      this.#tryAgain(watched, due, exit);
    // A time that came meanwhile.
    watched.nextAt = Math.min(watched.nextAt, clock.wallMs());
  }

  /** Whether no run of the period was begun, nor one of the job cut off: what was begun is looked up, not run again. */
  async #isUnbegun(watched: WatchedJob, due: DueTime): Promise<boolean> {
    const { unpaid, cutOff } = await this.#deps.standing(watched.job.name, [due]);
    if (cutOff !== null) this.#reportCutOff(watched, cutOff);
    return cutOff === null && unpaid.length > 0;
  }

  #tryAgain(watched: WatchedJob, due: DueTime, exit: number): void {
    const { clock, report } = this.#deps;
    const pause = TRY_AGAIN_MS[watched.tries];
    watched.tries++;
    const tried = { ...timeOf(watched, due), exit, tries: watched.tries, tries_max: TRY_AGAIN_MS.length + 1 };
    watched.againAt = pause === undefined ? null : clock.wallMs() + pause;
    if (watched.againAt !== null) {
      report({ event: 'again', ...tried, again_at: watched.againAt });
      return;
    }
    report({ event: 'gave_up', ...tried });
    watched.reportedUntil = due.at;
  }

  #reportCutOff({ job }: WatchedJob, runId: string): void {
    this.#deps.report({ event: 'cut_off', job: job.name, run_id: runId });
  }
}

function timeOf({ job }: WatchedJob, { at, period }: DueTime) {
  return { job: job.name, period, due_at: at, time_zone: job.schedule.timeZone };
}
