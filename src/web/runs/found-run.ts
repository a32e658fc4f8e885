import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { Person, Role } from '../people/people.ts';
import { answer, errorPage } from '../shell/layout.ts';
import type { Html } from '../shell/parts.ts';
import { waitingPart } from '../uploads/upload-parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import type { FollowedRun } from './followed-run.ts';
import type { Reading } from './followed-runs.ts';
import type { RunAct } from './run-tasks.ts';
import type { WatchSnapshot } from './snapshot.ts';

/** Who may see runs. */
export const SEEING = ['preparer', 'approver', 'viewer'] as const;

/** Who may stop runs and let them go on. */
export const ACTING = ['preparer', 'approver'] as const;

export type Found = { followed: FollowedRun; snapshot: WatchSnapshot };

/** Starts what is to be done with a run, and shows it. Where another one works on the run, the page reports that nothing was done. */
export async function begin(context: WebContext, act: RunAct): Promise<Response> {
  const under = await context.var.web.runTasks.start(act);
  if (under === null || under === act.act) return context.redirect(`/runs/${act.runId}`, 303);
  return errorPage(context, {
    status: 409,
    what: 'Something else is being done to this run just now. Nothing was done.',
    remedy: 'Look at the run again, and do it when that is over.',
  });
}

/** The run that the address names, as it stands now; null where there is none. */
export async function findRun(context: WebContext): Promise<Found | null> {
  const { runs } = context.var.web;
  const runId = context.req.param('run') ?? '';
  const followed = await runs.read(runId);
  const snapshot = followed === null ? null : await runs.snapshot(runId);
  return followed === null || snapshot === null ? null : { followed, snapshot };
}

export function noSuchRun(context: WebContext) {
  return errorPage(context, { status: 404, what: 'There is no such run.', remedy: 'Look for it under Runs.' });
}

export function hasOneOf({ roles }: Pick<Person, 'roles'>, wanted: readonly Role[]): boolean {
  return wanted.some((role) => roles.includes(role));
}

export function mayAct(context: WebContext): boolean {
  return hasOneOf(signedIn(context).person, ACTING);
}

/** What every page of a run has. */
export function pageOf({ header }: FollowedRun['run']) {
  return { title: header?.input.name ?? 'Run', here: 'runs' as const, rehearsal: header?.rehearsal ?? null };
}

/** So long whoever asks waits for a run that has to be read first. */
const PATIENCE_MS = 1_000;

/**
 * On pages of a run, behind who may see it: one that was not looked at lately is read whole, which takes seconds where it
 * is large. Until then the page says how far that is, and asks again.
 */
export const whenRead: MiddlewareHandler<WebEnv> = async (context, next) => {
  if (wantsPart(context)) return next();
  const { runs } = context.var.web;
  const runId = context.req.param('run') ?? '';
  const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
  const reading = await runs.reading(runId, waitMs);
  if (reading === null) return next();
  const { pathname, search } = new URL(context.req.url);
  const body = readingRunPage(runId, reading, `${pathname}${search}`);
  return answer(context, { title: runId, here: 'runs', asksAgain: true, body });
};

/** Whether htmx asks for a part of a page, and not for the page that it waits for. */
export function wantsPart(context: WebContext): boolean {
  return context.req.header('hx-request') !== undefined && context.req.header('x-refresh') !== 'page';
}

/** While a large run is read, of which the page knows nothing yet. */
function readingRunPage(runId: string, reading: Reading, place: string): Html {
  return html`<p class="soft small crumbs"><a href="/runs">Runs</a> / <span class="id">${runId}</span></p>
<h1>Run ${runId}</h1>
${waitingPart(place, 'The run is being read …', 'Large runs take some seconds, the first time that somebody looks.', reading)}`;
}
