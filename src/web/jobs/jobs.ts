import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Counts } from '../../domain/entry.ts';
import { type PlacedProblem, problemLine } from '../../job/placed-problem.ts';
import { dueTimes } from '../../job/schedule.ts';
import { zoneText } from '../../job/zone.ts';
import type { Dependencies } from '../parts.ts';
import { requireRole } from '../require-role.ts';
import { SEEING } from '../runs/found-run.ts';
import { countsPart, listedBadge, type RunInHistory, runsInHistory } from '../runs/runs.ts';
import { answer } from '../shell/layout.ts';
import { type Html, moment, pathWith, safe } from '../shell/parts.ts';
import { signedIn, type WebEnv } from '../web.ts';

/** The jobs of the folder, and when they come. */
export function jobsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/jobs', requireRole(...SEEING), async (context) => {
    const mayPrepare = signedIn(context).person.roles.includes('preparer');
    const body = jobsPage(await listShownJobs(context.var.web.deps), { mayPrepare });
    return answer(context, { title: 'Jobs', here: 'jobs', body });
  });
  return app;
}

/** Next times that are shown. */
const NEXT_TIMES = 3;

type JobRun = {
  runId: string;
  at: number;
  period: string | null;
  state: RunInHistory['state'];
  counts: Counts | null;
};

type ShownJob = {
  name: string;
  file: string;
  description: string | null;
  /** `cron` in its time zone, and the next times in that zone with the period of each; null where it has no schedule. */
  schedule: { cron: string; timeZone: string; next: { at: string; period: string }[] } | null;
  /** The last run that was started, and the newest plan that waits after it. */
  lastRun: JobRun | null;
  waitingPlan: JobRun | null;
  /** As `jobs/a.yaml:7:3: what; how to mend`. */
  problems: string[];
};

/** Every job by name, those whose file has errors too. */
async function listShownJobs({
  jobs,
  journal,
  clock,
}: Pick<Dependencies, 'jobs' | 'journal' | 'clock'>): Promise<ShownJob[]> {
  const { last, waiting } = runsByJob(await runsInHistory(journal));
  return jobs().map(({ name, file, read }) => {
    const runs = { lastRun: last.get(name) ?? null, waitingPlan: waiting.get(name) ?? null };
    if (!read.ok)
      return { name, file, description: null, schedule: null, ...runs, problems: lines(file, read.problems) };
    const { description, schedule } = read.job;
    if (schedule === null) return { name, file, description, schedule, ...runs, problems: [] };
    const { cron, timeZone } = schedule;
    const times = dueTimes(schedule, clock.wallMs()).take(NEXT_TIMES).toArray();
    const next = times.map(({ at, period }) => ({ at: zoneText(at, timeZone), period }));
    return { name, file, description, schedule: { cron, timeZone, next }, ...runs, problems: [] };
  });
}

function lines(file: string, problems: readonly PlacedProblem[]): string[] {
  return problems.map((problem) => problemLine(file, problem));
}

/** Newest first: the first of a job that is met is its last. */
function runsByJob(runs: readonly RunInHistory[]) {
  const last = new Map<string, JobRun>();
  const waiting = new Map<string, JobRun>();
  for (const { summary, state, counts } of runs) {
    const { job, period } = summary.header;
    if (job === null || state === 'cancelled_plan' || last.has(job)) continue;
    const run = { runId: summary.run_id, at: summary.created_at, period, state, counts };
    if (state !== 'planned') last.set(job, run);
    else if (!waiting.has(job)) waiting.set(job, run);
  }
  return { last, waiting };
}

/** The jobs: what comes next, what waits, and what became of the last. Broken files first, since they pay nobody. */
function jobsPage(jobs: readonly ShownJob[], may: { mayPrepare: boolean }): Html {
  const sorted = [...jobs].sort((one, other) => Number(other.problems.length > 0) - Number(one.problems.length > 0));
  return html`<h1>Jobs</h1>
${
  jobs.length === 0
    ? html`<p class="empty">There are no jobs. Who keeps this machine writes them as files in the folder jobs/.</p>`
    : html`<ul class="columns">${sorted.map((job) => jobCard(job, may))}</ul>`
}`;
}

function jobCard(job: ShownJob, { mayPrepare }: { mayPrepare: boolean }): Html {
  const { name, file, description, schedule, lastRun, waitingPlan, problems } = job;
  const isBroken = problems.length > 0;
  return html`<li class="card${isBroken ? ' wrong' : ''}">
<div><h2>${safe(name)}</h2><p class="soft small id">${safe(file)}</p></div>
${description === null ? '' : html`<p>${safe(description)}</p>`}
${isBroken ? html`<div class="notice wrong"><p>Its file has errors, so it pays nobody until they are mended.</p><ul>${problems.map((line) => html`<li class="id">${safe(line)}</li>`)}</ul></div>` : ''}
<dl class="facts">
${isBroken ? '' : html`<dt>Next</dt><dd>${schedule === null ? 'when somebody starts it' : nextTimes(schedule)}</dd>`}
<dt>Waiting plan</dt><dd>${waitingPlan === null ? 'none' : runLink(waitingPlan)}</dd>
<dt>Last run</dt><dd>${lastRun === null ? 'none yet' : html`${runLink(lastRun)} ${listedBadge(lastRun.state)}${lastRun.counts === null ? '' : html`<br><span class="small">${countsPart(lastRun.counts)}</span>`}`}</dd>
</dl>
${isBroken || !mayPrepare ? '' : html`<p><a href="${pathWith('/', { job: name })}">Upload a file for it</a></p>`}
</li>`;
}

function nextTimes({ cron, next }: NonNullable<ShownJob['schedule']>): Html {
  const times = next.map(({ at, period }) => html`<li>${at} <span class="soft small">for ${period}</span></li>`);
  return html`${times.length === 0 ? 'never' : html`<ol>${times}</ol>`}<span class="soft small id">${cron}</span>`;
}

function runLink({ runId, at, period }: JobRun): Html {
  return html`<a href="/runs/${runId}">${period ?? runId}</a> <span class="soft small">${moment(at)}</span>`;
}
