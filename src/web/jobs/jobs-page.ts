import { html } from 'hono/html';
import type { JobRun, ShownJob } from '../history/jobs-list.ts';
import { countsPart, listedBadge } from '../runs/runs-page.ts';
import { pathWith } from '../shell/pager.ts';
import { moment, safe } from '../shell/safe-text.ts';
import type { Html } from '../web.ts';

/** The jobs: what comes next, what waits, and what became of the last. Broken files first, since they pay nobody. */
export function jobsPage(jobs: readonly ShownJob[], may: { mayPrepare: boolean }): Html {
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
