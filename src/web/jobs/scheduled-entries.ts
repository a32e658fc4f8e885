import type { Person } from '../../app/people/people.ts';
import type { JobTime, KnownJob } from '../../app/schedule/known-jobs.ts';
import { LATE_MAX_MS } from '../../app/schedule/schedule-times.ts';
import type { StartStanding } from '../../app/schedule/start-standing.ts';
import type { StartTime } from '../../domain/entry.ts';
import { weekdayOf } from '../../domain/time.ts';
import { localTime } from '../../domain/zone.ts';
import { viewer } from '../../messages/viewer.ts';
import { scheduledNow } from '../plans/standing.ts';
import type { SeenRun } from '../sights.ts';
import type { Web } from '../web.ts';

/** When something is next, by the calendar of who looks; `needed` where a time was missed, `none` where nothing says when. */
export const WHENS = ['needed', 'today', 'week', 'later', 'none', 'past'] as const;
export type When = (typeof WHENS)[number];

/** A job, with its last run and the plan that waits after it. `missed`: its last time, where nobody paid the period. */
export type ScheduledJob = {
  kind: 'job';
  when: When;
  at: number | null;
  job: KnownJob;
  next: readonly JobTime[];
  missed: JobTime | null;
  last: SeenRun | null;
  plan: SeenRun | null;
};

/** A payment that somebody scheduled. `standing` is null where it was started. */
export type ScheduledPayment = {
  kind: 'payment';
  when: When;
  at: number;
  run: SeenRun;
  start: StartTime;
  standing: StartStanding | null;
};

export type ScheduledEntry = ScheduledJob | ScheduledPayment;

/** Next times of a job that are shown. */
const NEXT_TIMES = 3;
/** Payments that are looked at, and for how long those are shown that were started. */
const PAYMENTS_MAX = 200;
const PAST_MS = 7 * 86_400_000;

/** The jobs and the scheduled payments that this person sees, the next first. */
export async function scheduledEntries(web: Web, person: Person): Promise<ScheduledEntry[]> {
  const nowMs = await web.deps.reads.now();
  const seen = web.sight.of(person);
  const runs = await seen.history();
  const jobs = web.deps.jobs().filter(({ name, entity }) => seen.ofRun({ job: name, entity }).sees !== 'nothing');
  const entries: ScheduledEntry[] = jobs.map((job) => jobEntry(job, runs, nowMs));
  for (const run of runs.filter(({ start }) => start !== null).slice(0, PAYMENTS_MAX)) {
    const entry = await paymentEntry(web, run, nowMs);
    if (entry !== null) entries.push(entry);
  }
  return entries.sort((one, other) => (one.at ?? Number.MAX_VALUE) - (other.at ?? Number.MAX_VALUE));
}

/** Those of each group that has some, in order. */
export function byWhen(entries: readonly ScheduledEntry[]): [When, ScheduledEntry[]][] {
  const groups = Map.groupBy(entries, ({ when }) => when);
  return WHENS.flatMap((when) =>
    groups.has(when) ? [[when, groups.get(when) ?? []] as [When, ScheduledEntry[]]] : [],
  );
}

function jobEntry(job: KnownJob, runs: readonly SeenRun[], nowMs: number): ScheduledJob {
  const own = runs.filter(({ summary, state }) => summary.header.job === job.name && !isEnded(state));
  const at = own.findIndex(({ state }) => state !== 'planned');
  const [plans, started] = at < 0 ? [own, []] : [own.slice(0, at), own.slice(at)];
  const next = job.problems.length > 0 ? [] : job.nextTimes(nowMs, NEXT_TIMES);
  const missed = missedTime(job, started, nowMs);
  const due = next[0]?.due ?? null;
  const when = missed !== null ? 'needed' : due === null ? 'none' : whenOf(due, nowMs);
  return { kind: 'job', when, at: due, job, next, missed, last: started[0] ?? null, plan: plans[0] ?? null };
}

function isEnded(state: SeenRun['state']): boolean {
  return state === 'cancelled_plan' || state === 'rejected_plan' || state === 'recalled_plan';
}

/** As a schedule has it: not of a job that was never run, nor of a time before its first run. `started`: newest first. */
function missedTime(job: KnownJob, started: readonly SeenRun[], nowMs: number): JobTime | null {
  const last = job.lastTime(nowMs);
  const first = started.at(-1);
  if (last === null || first === undefined || nowMs - last.due <= LATE_MAX_MS) return null;
  const wasRun = started.some(({ summary }) => summary.header.period === last.period);
  return wasRun || last.due < first.summary.created_at ? null : last;
}

async function paymentEntry(web: Web, run: SeenRun, nowMs: number): Promise<ScheduledPayment | null> {
  const { start, state, summary } = run;
  if (start === null || isEnded(state) || state === 'overtaken_plan') return null;
  const entry = { kind: 'payment' as const, at: start.at, run, start };
  if (state !== 'planned') return nowMs - start.at < PAST_MS ? { ...entry, when: 'past', standing: null } : null;
  const read = (await web.runs.read(summary.run_id))?.run;
  const standing = read === undefined ? null : await scheduledNow(web, read);
  if (standing === null) return null;
  return { ...entry, standing, when: standing.state === 'missed' ? 'needed' : whenOf(start.at, nowMs) };
}

/** Weeks begin on Mondays. */
function whenOf(at: number, nowMs: number): When {
  const { timeZone } = viewer();
  const [today, day] = [localTime(nowMs, timeZone).day, localTime(at, timeZone).day];
  if (day <= today) return 'today';
  const sunday = today + ((7 - weekdayOf(today)) % 7);
  return day <= sunday ? 'week' : 'later';
}
