import { Hono } from 'hono';
import type { JobTime, KnownJob } from '../../app/schedule/known-jobs.ts';
import { zoneText } from '../../domain/zone.ts';
import { messages } from '../../messages/messages.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { paymentStatus } from '../runs/payment-status.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { type Column, moment, pathWith, table } from '../shell/parts.ts';
import { paymentName } from '../shell/words.ts';
import type { SeenRun } from '../sights.ts';
import { signedIn, type WebEnv } from '../web.ts';
import {
  byWhen,
  type ScheduledEntry,
  type ScheduledJob,
  type ScheduledPayment,
  scheduledEntries,
  type When,
} from './scheduled-entries.ts';

const GROUPS: Readonly<Record<When, string>> = textTable({
  needed: 'Missed',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  none: 'Started by hand',
  past: 'Started in the last seven days',
});

/** Jobs and scheduled payments by their next time: what comes next, what was missed, and what became of the last run. */
export function jobsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/jobs', requireRole(...SEEING), async (context) => {
    const { web, person } = signedIn(context);
    const entries = await scheduledEntries(web, person);
    const broken = entries.flatMap((entry) => (entry.kind === 'job' && isBroken(entry.job) ? [entry.job] : []));
    const columns = columnsFor(person.roles.includes('preparer'));
    const groups = byWhen(entries.filter((entry) => entry.kind !== 'job' || !isBroken(entry.job))).map(
      ([when, some]) => html`<div class="stack schedules"><h2 id="${when}">${GROUPS[when]}</h2>
${table(GROUPS[when], columns, some)}</div>`,
    );
    const none = html`<p class="empty">Nothing is scheduled. A preparer schedules a payment on its page; your administrator writes jobs as files in the folder jobs/.</p>`;
    const body = html`<h1>Schedules</h1>
${broken.map(brokenPart)}
${entries.length === 0 ? none : groups}`;
    return answer(context, { title: t`Schedules`, here: 'schedules', body });
  });
  return app;
}

function isBroken({ problems }: KnownJob): boolean {
  return problems.length > 0;
}

/** A job whose file has errors. */
function brokenPart({ name, file, problems }: KnownJob): Html {
  return html`<div class="notice wrong"><p><strong>${name}</strong>: its file has errors, so it pays nobody until they are corrected.</p><ul>${problems.map((problem) => html`<li class="id">${messages.files.fileProblemLine(file, problem)}</li>`)}</ul></div>`;
}

function columnsFor(mayPrepare: boolean): readonly Column<ScheduledEntry>[] {
  const columns: Column<ScheduledEntry>[] = [
    [t`Job or payment`, (entry) => (entry.kind === 'job' ? jobName(entry.job) : runLink(entry.run)), 'head'],
    [t`Next`, (entry) => (entry.kind === 'job' ? jobTimes(entry) : isPast(entry) ? null : startTime(entry))],
    [t`Last`, (entry) => (entry.kind === 'job' ? lastRun(entry) : isPast(entry) ? startTime(entry) : null)],
    [t`Status`, (entry) => (entry.kind === 'job' ? jobStatus(entry) : planStatus(entry))],
  ];
  if (mayPrepare) columns.push([t`To do`, (entry) => (entry.kind === 'job' ? jobActs(entry.job) : paymentActs(entry))]);
  return columns;
}

function jobName({ name, description, file }: KnownJob): Html {
  return html`${name}<br><span class="soft small">${description ?? file}</span>`;
}

function runLink({ summary: { run_id, header } }: SeenRun): Html {
  return html`<a href="/runs/${run_id}">${paymentName(header)}</a>`;
}

/** `Fri 2026-11-27 09:00 Europe/Berlin`. */
function timeCell(at: number, text: string, timeZone: string): Html {
  return html`<span class="soft">${messages.schedules.weekdayInZone(at, timeZone)}</span> ${text}`;
}

function jobTimes({ job: { cron, timeZone }, next }: ScheduledJob): Shown {
  const [first, ...others] = next;
  if (first === undefined) return cron === null ? null : 'never';
  const shown = (time: JobTime) =>
    html`${timeCell(time.due, time.at, timeZone ?? 'UTC')} <span class="soft small">for ${time.period}</span>`;
  return html`${shown(first)}${others.length > 0 && html`<details><summary class="small">then</summary><ol class="small">${others.map((time) => html`<li>${shown(time)}</li>`)}</ol><span class="soft small id">${cron}</span></details>`}`;
}

function startTime({ start: { at, time_zone: timeZone } }: ScheduledPayment): Html {
  return timeCell(at, zoneText(at, timeZone), timeZone);
}

/** What was started is not to come any more. */
function isPast({ standing }: ScheduledPayment): boolean {
  return standing === null;
}

function jobRun({ summary: { run_id, created_at, header } }: SeenRun): Html {
  return html`<a href="/runs/${run_id}">${header.period ?? run_id}</a> <span class="soft small">${moment(created_at)}</span>`;
}

function lastRun({ last }: ScheduledJob): Shown {
  return last === null ? html`<span class="soft">none yet</span>` : html`${jobRun(last)} ${paymentStatus(last)}`;
}

function jobStatus({ missed, plan, next }: ScheduledJob): Html {
  const waits = plan && html`<span class="status waiting">Awaiting approval</span> ${jobRun(plan)}`;
  if (missed !== null)
    return html`<span class="status unresolved">Missed</span> <span class="soft small">${missed.at}, for ${missed.period}</span>${waits && html`<br>${waits}`}`;
  if (waits !== null) return waits;
  return next.length > 0
    ? html`<span class="status accepted">Scheduled</span>`
    : html`<span class="status not_submitted">Not scheduled</span>`;
}

function planStatus({ standing, run }: ScheduledPayment): Html {
  switch (standing?.state) {
    case undefined:
      return paymentStatus(run);
    case 'missed':
      return html`<span class="status unresolved">Missed</span>`;
    case 'due':
      return html`<span class="status accepted">Starting</span>`;
    case 'ahead':
      return html`<span class="status ${standing.why === null ? 'accepted' : 'unresolved'}">${either(standing.why === null, 'Scheduled', 'Will not start')}</span>`;
  }
}

function jobActs(job: KnownJob): Html {
  const now =
    job.input() !== null &&
    html`<form method="post" action="/jobs/${encodeURIComponent(job.name)}/run"><button>Run now…<span class="hidden"> ${job.name}</span></button></form>`;
  return html`<div class="row">${now}<a href="${pathWith('/', { job: job.name })}">Upload a file for it</a></div>`;
}

function paymentActs({ standing, run }: ScheduledPayment): Html | null {
  if (standing === null) return null;
  return html`<a href="/runs/${run.summary.run_id}/schedule">Change the time<span class="hidden"> of ${paymentName(run.summary.header)}</span></a>`;
}
