import type { MiddlewareHandler } from 'hono';
import { ACTING, hasOneOf } from '../require-role.ts';
import { html } from '../shell/html.ts';
import { answer, errorPage, patienceMs } from '../shell/layout.ts';
import { waitingPart } from '../shell/parts.ts';
import { paymentName } from '../shell/words.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import type { FollowedRun, WatchSnapshot } from './followed-run.ts';
import type { RunAct } from './run-tasks.ts';

export type Found = { followed: FollowedRun; snapshot: WatchSnapshot };

type RunHandler = (context: WebContext, found: Found) => Response | Promise<Response>;

/** Hands the run of the address, as it stands now, to `act`. */
export function onRun(act: RunHandler) {
  return async (context: WebContext): Promise<Response> => {
    const { runs } = context.var.web;
    const runId = context.req.param('run') ?? '';
    const followed = await runs.read(runId);
    const snapshot = followed === null ? null : await runs.snapshot(runId);
    return followed === null || snapshot === null ? noSuchRun(context) : act(context, { followed, snapshot });
  };
}

export function noSuchRun(context: WebContext) {
  return errorPage(context, { status: 404, message: 'There is no such run.', remedy: 'Look for it under Payments.' });
}

/** Shows the page of a run after an act. */
export function toRun(context: WebContext, runId: string): Response {
  return context.redirect(`/runs/${runId}`, 303);
}

/** Starts what is to be done with a run, and shows it. Where another act is under way, the page reports that nothing was done. */
export async function begin(context: WebContext, act: RunAct): Promise<Response> {
  const under = await context.var.web.runTasks.start(act);
  if (under === null || under === act.act) return toRun(context, act.runId);
  return errorPage(context, {
    status: 409,
    message: 'Something else is being done to this run just now. Nothing was done.',
    remedy: 'Look at the run again, and do it when that is over.',
  });
}

export function mayAct(context: WebContext): boolean {
  return hasOneOf(signedIn(context).person, ACTING);
}

/** What every page of a run has. */
export function pageOf({ header }: FollowedRun['run']) {
  return {
    title: header === null ? 'Payment' : paymentName(header),
    here: 'payments' as const,
    rehearsal: header?.rehearsal ?? null,
  };
}

/**
 * On pages of a run, behind who may see it: one that was not looked at lately is read whole, which takes seconds where it
 * is large. Until then the page says how far that is, and asks again.
 */
export const whenRead: MiddlewareHandler<WebEnv> = async (context, next) => {
  if (wantsPart(context)) return next();
  const runId = context.req.param('run') ?? '';
  const reading = await context.var.web.runs.reading(runId, patienceMs(context));
  if (reading === null) return next();
  const { pathname, search } = new URL(context.req.url);
  const hint = 'Large runs take some seconds, the first time that somebody looks.';
  const body = html`<p class="soft small crumbs"><a href="/runs">Payments</a> / <span class="id">${runId}</span></p>
<h1>Run ${runId}</h1>
${waitingPart(`${pathname}${search}`, 'The run is being read …', hint, reading)}`;
  return answer(context, { title: runId, here: 'payments', asksAgain: true, body });
};

/** Whether htmx asks for a part of a page, and not for the page that it waits for. */
export function wantsPart(context: WebContext): boolean {
  return context.req.header('hx-request') !== undefined && context.req.header('x-refresh') !== 'page';
}
