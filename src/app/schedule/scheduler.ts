import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import { type DueTime, dueTimes, lastDueTimes } from '../../job/schedule.ts';
import type { Clock } from '../../platform/clock.ts';
import { withDatabase } from '../database-wait.ts';
import type { JobStanding } from './job-standing.ts';
import type { EventOf, ScheduleEvent } from './schedule-event.ts';
import {
  LATE_MAX_MS,
  LOOK_AT_FILES_EVERY_MS,
  LOOK_AT_PLAN_EVERY_MS,
  LOOK_AT_RUN_EVERY_MS,
  LOOK_EVERY_MS,
  TIMES_MAX,
  TRY_AGAIN_MS,
} from './schedule-times.ts';
import { BUG, missedTimes, type RunningJob, type ScheduledJob, timeOf, WatchedJob } from './watched-job.ts';

export type SchedulerDeps = {
  clock: Clock;
  standing(job: string, dues: readonly DueTime[]): Promise<JobStanding>;
  start(job: ScheduledJob, period: string): Promise<RunningJob>;
  report(event: ScheduleEvent): void;
  /** Looks at the files of the jobs. Returns the jobs of files that had errors before, and have none now. */
  corrected(): ScheduledJob[];
  /** Aborted when the scheduler is to end. */
  stop: AbortSignal;
};

/**
 * Runs jobs when they are due, each in a process of its own, one at a time of a job. The journal makes sure that a period is
 * paid once: whatever the clock does here, the run of a period that was run is refused. So any number of schedulers may run the
 * same jobs over one journal: each begins a period, and one run is made of it.
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
  /** When it looked last, and when at the files of the jobs. */
  #before = -Infinity;
  #filesAt = -Infinity;
  readonly missed = () => new Map(this.#watched.map(({ job, missed }) => [job.name, missed]));

  constructor(jobs: readonly ScheduledJob[], deps: SchedulerDeps) {
    this.#deps = deps;
    this.#watched = jobs.map((job) => new WatchedJob(job));
    deps.stop.addEventListener('abort', () => this.signal('SIGTERM'));
  }

  /** Runs what is due now and waits for it. Returns the first exit code that is not 0; 5 where a time was missed or a run was cut off. */
  async once(): Promise<number> {
    const now = this.#deps.clock.wallMs();
    this.#deps.corrected();
    for (const watched of this.#watched) await this.#decide(watched, now);
    await Promise.all(this.#running);
    return this.#failure ?? (this.#isPersonNeeded ? REFUSAL_EXIT.person_needed : ENDING_EXIT.ok);
  }

  /** Stays until it is stopped, and the runs are over that it began; waits for a database that is away. Returns the exit code. */
  async stay(): Promise<number> {
    const { clock, stop } = this.#deps;
    this.#isStaying = true;
    try {
      while (!stop.aborted) {
        await withDatabase(this.#deps, () => this.#look());
        await clock.sleep(LOOK_EVERY_MS, stop);
      }
    } finally {
      await Promise.all(this.#running);
    }
    return this.#isInterrupted ? ENDING_EXIT.interrupted : ENDING_EXIT.ok;
  }

  /** Looks at every job whose time it is. It can be done over again, and then goes by the time that it is by then. */
  async #look(): Promise<void> {
    const { clock, corrected } = this.#deps;
    const now = clock.wallMs();
    const isSetBack = now < this.#before;
    this.#before = now;
    // Times that come again are looked at again; the journal knows those that were run.
    if (isSetBack) for (const watched of this.#watched) this.#lookAhead(watched, now);
    if (isSetBack || now - this.#filesAt >= LOOK_AT_FILES_EVERY_MS) {
      this.#filesAt = now;
      for (const job of corrected()) this.#watchedOf(job).nextAt = now;
    }
    for (const watched of this.#watched)
      if (now >= Math.min(watched.nextAt, watched.againAt ?? watched.nextAt)) await this.#decide(watched, now);
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
    if (standing.cutOff !== null) this.#reportCutOff(watched, standing.cutOff);
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
    if (willRun !== null) await this.#start(watched, willRun);
    this.#lookAhead(watched, now);
    if (standing.planned.length > 0) watched.nextAt = Math.min(watched.nextAt, now + LOOK_AT_PLAN_EVERY_MS);
    watched.missed = missedTimes(watched, standing, willRun, now);
    const isElsewhere = standing.isUnderWay && watched.running === null;
    if (isElsewhere || watched.missed > 0) watched.nextAt = Math.min(watched.nextAt, now + LOOK_AT_RUN_EVERY_MS);
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

  async #start(watched: WatchedJob, due: DueTime): Promise<void> {
    const { report, start, stop } = this.#deps;
    if (stop.aborted) return;
    const running = await start(watched.job, due.period);
    if (stop.aborted) running.kill('SIGTERM');
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
    const isElsewhere = await this.#isBegunElsewhere(watched, due, exit);
    if (exit !== ENDING_EXIT.ok && !isElsewhere) this.#failure ??= exit ?? BUG;
    // What a signal ended before it could settle anything is left to the next start.
    if (stop.aborted && (exit === ENDING_EXIT.interrupted || exit === null)) this.#isInterrupted = true;
    const time = timeOf(watched, due);
    report({ event: 'ended', ...time, exit, signal, result });
    if (isElsewhere) report({ event: 'elsewhere', ...time });
    if (exit === null && (await this.#isUnbegun(watched, due))) report({ event: 'killed', ...time, signal });
    const isToTry = exit === REFUSAL_EXIT.held || exit === REFUSAL_EXIT.unreachable;
    if (isToTry && this.#isStaying && !stop.aborted && (await this.#isUnbegun(watched, due)))
      this.#tryAgain(watched, due, exit);
    // A time that came meanwhile.
    watched.nextAt = Math.min(watched.nextAt, clock.wallMs());
  }

  /** Whether a run was refused because another process has begun the period since: that is as it should be. */
  async #isBegunElsewhere(watched: WatchedJob, due: DueTime, exit: number | null): Promise<boolean> {
    if (exit !== REFUSAL_EXIT.refused && exit !== REFUSAL_EXIT.held) return false;
    return (await this.#standingAt(watched, due))?.isBegun ?? false;
  }

  /** Whether no run of the period was begun, nor one of the job cut off: what was begun is looked up, not run again. */
  async #isUnbegun(watched: WatchedJob, due: DueTime): Promise<boolean> {
    const standing = await this.#standingAt(watched, due);
    const { unpaid, cutOff } = standing ?? { unpaid: [], cutOff: null };
    if (cutOff !== null) this.#reportCutOff(watched, cutOff);
    return cutOff === null && unpaid.length > 0;
  }

  /** Null where the scheduler was stopped while the database was away. */
  #standingAt({ job }: WatchedJob, due: DueTime): Promise<JobStanding | null> {
    const look = () => this.#deps.standing(job.name, [due]);
    return this.#isStaying ? withDatabase(this.#deps, look) : look();
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

  #reportCutOff(watched: WatchedJob, runId: string): void {
    this.#isPersonNeeded = true;
    if (watched.reportedCutOff === runId) return;
    watched.reportedCutOff = runId;
    const { job } = watched;
    this.#deps.report({ event: 'cut_off', job: job.name, run_id: runId });
  }
}
