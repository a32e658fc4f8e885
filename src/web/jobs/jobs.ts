import { Hono } from 'hono';
import { problemLine } from '../../job/placed-problem.ts';
import { dueTimes } from '../../job/schedule.ts';
import { zoneText } from '../../job/zone.ts';
import type { Dependencies } from '../parts.ts';
import { requireRole } from '../require-role.ts';
import { SEEING } from '../runs/found-run.ts';
import { countsPart, listedBadge, type RunInHistory, runsInHistory } from '../runs/runs.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { facts, moment, pathWith } from '../shell/parts.ts';
import { signedIn, type WebEnv } from '../web.ts';

/** Next times that are shown. */
const NEXT_TIMES = 3;

/** The jobs of the folder: what comes next, what waits, and what became of the last run. */
export function jobsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/jobs', requireRole(...SEEING), async (context) => {
    const { web, person } = signedIn(context);
    const jobs = await shownJobs(web.deps);
    // Broken files first, since they pay nobody.
    jobs.sort((one, other) => Number(other.problems.length > 0) - Number(one.problems.length > 0));
    const mayPrepare = person.roles.includes('preparer');
    const none = html`<p class="empty">There are no jobs. Who keeps this machine writes them as files in the folder jobs/.</p>`;
    const body = html`<h1>Jobs</h1>
${jobs.length === 0 ? none : html`<ul class="columns">${jobs.map((job) => jobCard(job, mayPrepare))}</ul>`}`;
    return answer(context, { title: 'Jobs', here: 'jobs', body });
  });
  return app;
}

type ShownJob = {
  name: string;
  file: string;
  description: string | null;
  /** The cron expression, and the next times in its time zone with the period of each; null where there is no schedule. */
  schedule: { cron: string; next: { at: string; period: string }[] } | null;
  /** The last run that was started, and the newest plan that waits after it. */
  lastRun: RunInHistory | null;
  waitingPlan: RunInHistory | null;
  /** As `jobs/a.yaml:7:3: what; how to mend`. */
  problems: string[];
};

/** Every job by name, those whose file has errors too. */
async function shownJobs({ jobs, journal, clock }: Dependencies): Promise<ShownJob[]> {
  const { last, waiting } = runsByJob(await runsInHistory(journal));
  return jobs().map(({ name, file, read }) => {
    const runs = { lastRun: last.get(name) ?? null, waitingPlan: waiting.get(name) ?? null };
    if (!read.ok) {
      const problems = read.problems.map((problem) => problemLine(file, problem));
      return { name, file, description: null, schedule: null, ...runs, problems };
    }
    const { description, schedule } = read.job;
    const times = schedule === null ? [] : dueTimes(schedule, clock.wallMs()).take(NEXT_TIMES).toArray();
    const next = times.map(({ at, period }) => ({ at: zoneText(at, schedule?.timeZone ?? 'UTC'), period }));
    return { name, file, description, schedule: schedule && { cron: schedule.cron, next }, ...runs, problems: [] };
  });
}

/** Newest first: the first of a job that is met is its last. */
function runsByJob(runs: readonly RunInHistory[]) {
  const last = new Map<string, RunInHistory>();
  const waiting = new Map<string, RunInHistory>();
  for (const run of runs) {
    const { job } = run.summary.header;
    if (job === null || run.state === 'cancelled_plan' || last.has(job)) continue;
    if (run.state !== 'planned') last.set(job, run);
    else if (!waiting.has(job)) waiting.set(job, run);
  }
  return { last, waiting };
}

function jobCard(job: ShownJob, mayPrepare: boolean): Html {
  const { name, file, description, schedule, lastRun, waitingPlan, problems } = job;
  const isBroken = problems.length > 0;
  return html`<li class="card${isBroken && ' wrong'}">
<div><h2>${name}</h2><p class="soft small id">${file}</p></div>
${description && html`<p>${description}</p>`}
${isBroken && html`<div class="notice wrong"><p>Its file has errors, so it pays nobody until they are mended.</p><ul>${problems.map((line) => html`<li class="id">${line}</li>`)}</ul></div>`}
${facts([
  ['Next', isBroken ? null : schedule === null ? 'when somebody starts it' : nextTimes(schedule)],
  ['Waiting plan', waitingPlan === null ? 'none' : jobRun(waitingPlan)],
  ['Last run', lastRun === null ? 'none yet' : html`${jobRun(lastRun)} ${outcome(lastRun)}`],
])}
${!isBroken && mayPrepare && html`<p><a href="${pathWith('/', { job: name })}">Upload a file for it</a></p>`}
</li>`;
}

function nextTimes({ cron, next }: NonNullable<ShownJob['schedule']>): Html {
  const times = next.map(({ at, period }) => html`<li>${at} <span class="soft small">for ${period}</span></li>`);
  return html`${times.length === 0 ? 'never' : html`<ol>${times}</ol>`}<span class="soft small id">${cron}</span>`;
}

function jobRun({ summary: { run_id, created_at, header } }: RunInHistory): Html {
  return html`<a href="/runs/${run_id}">${header.period ?? run_id}</a> <span class="soft small">${moment(created_at)}</span>`;
}

function outcome({ state, counts }: RunInHistory): Html {
  return html`${listedBadge(state)}${counts && html`<br><span class="small">${countsPart(counts)}</span>`}`;
}
