import { Hono } from 'hono';
import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import type { KnownJob } from '../../app/schedule/known-jobs.ts';
import { messages } from '../../messages/messages.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { paymentStatus } from '../runs/payment-status.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { facts, moment, pathWith } from '../shell/parts.ts';
import { signedIn, type WebEnv } from '../web.ts';

/** Next times that are shown. */
const NEXT_TIMES = 3;

/** The jobs of the folder: what comes next, what awaits its start, and what became of the last run. */
export function jobsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/jobs', requireRole(...SEEING), async (context) => {
    const { web, person } = signedIn(context);
    // Broken files first, since they pay nobody.
    const jobs = web.deps.jobs().sort((one, other) => Number(isBroken(other)) - Number(isBroken(one)));
    const runs = runsByJob(await web.deps.reads.history());
    const shown = { nowMs: web.deps.clock.wallMs(), mayPrepare: person.roles.includes('preparer') };
    const none = html`<p class="empty">There are no jobs. Your administrator writes them as files in the folder jobs/.</p>`;
    const body = html`<h1>Schedules</h1>
${jobs.length === 0 ? none : html`<ul class="columns">${jobs.map((job) => jobCard(job, runs.get(job.name), shown))}</ul>`}`;
    return answer(context, { title: 'Schedules', here: 'schedules', body });
  });
  return app;
}

function isBroken({ problems }: KnownJob): boolean {
  return problems.length > 0;
}

/** The last run of a job that was started, and the newest plan that waits after it. */
type JobRuns = { last?: RunInHistory; plan?: RunInHistory };

/** `runs` are newest first. */
function runsByJob(runs: readonly RunInHistory[]): Map<string, JobRuns> {
  const byJob = new Map<string, JobRuns>();
  for (const run of runs) {
    const { job } = run.summary.header;
    if (job === null || run.state === 'cancelled_plan') continue;
    const known = byJob.get(job) ?? {};
    byJob.set(job, known);
    if (known.last !== undefined) continue;
    if (run.state !== 'planned') known.last = run;
    else known.plan ??= run;
  }
  return byJob;
}

function jobCard(
  job: KnownJob,
  { last, plan }: JobRuns = {},
  { nowMs, mayPrepare }: { nowMs: number; mayPrepare: boolean },
): Html {
  const { name, file, description, problems } = job;
  return html`<li class="card${isBroken(job) && ' wrong'}">
<div><h2>${name}</h2><p class="soft small id">${file}</p></div>
${description && html`<p>${description}</p>`}
${isBroken(job) && html`<div class="notice wrong"><p>Its file has errors, so it pays nobody until they are corrected.</p><ul>${problems.map((problem) => html`<li class="id">${messages.files.fileProblemLine(file, problem)}</li>`)}</ul></div>`}
${facts([
  ['Next', isBroken(job) ? null : nextTimes(job, nowMs)],
  ['Waiting plan', plan === undefined ? 'none' : jobRun(plan)],
  ['Last run', last === undefined ? 'none yet' : html`${jobRun(last)} ${paymentStatus(last)}`],
])}
${!isBroken(job) && mayPrepare && html`<p><a href="${pathWith('/', { job: name })}">Upload a file for it</a></p>`}
</li>`;
}

function nextTimes(job: KnownJob, nowMs: number): Html | string {
  if (job.cron === null) return 'when somebody starts it';
  const next = job.nextTimes(nowMs, NEXT_TIMES);
  const times = next.map(({ at, period }) => html`<li>${at} <span class="soft small">for ${period}</span></li>`);
  return html`${times.length === 0 ? 'never' : html`<ol>${times}</ol>`}<span class="soft small id">${job.cron}</span>`;
}

function jobRun({ summary: { run_id, created_at, header } }: RunInHistory): Html {
  return html`<a href="/runs/${run_id}">${header.period ?? run_id}</a> <span class="soft small">${moment(created_at)}</span>`;
}
