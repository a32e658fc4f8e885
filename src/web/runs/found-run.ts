import type { MiddlewareHandler } from 'hono';
import type { RunState } from '../../domain/run/run-state.ts';
import { t } from '../../messages/translate.ts';
import { ACTING, enter, hasOneOf } from '../require-role.ts';
import { html } from '../shell/html.ts';
import { answer, errorPage, patienceMs } from '../shell/layout.ts';
import { waitingPart } from '../shell/parts.ts';
import { paymentName } from '../shell/words.ts';
import { unnamed } from '../sights.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import type { FollowedRun, WatchSnapshot } from './followed-run.ts';
import type { RunAct } from './run-tasks.ts';

export type Found = { followed: FollowedRun; snapshot: WatchSnapshot };

type RunHandler = (context: WebContext, found: Found) => Response | Promise<Response>;

/**
 * Hands the run of the address, as it stands now, to `act`, where who asks sees names and amounts of it, and to `withoutDetails`
 * where they do not: by default they are refused. Who sees nothing of it reads that there is none.
 */
export function onRun(act: RunHandler, withoutDetails: RunHandler = refuseDetails) {
  return async (context: WebContext): Promise<Response> => {
    const { web, person } = signedIn(context);
    const runId = context.req.param('run') ?? '';
    const followed = await web.runs.read(runId);
    if (followed === null) return noSuchRun(context);
    const sight = web.sight.of(person).ofRun(followed.run.header);
    if (sight.sees === 'nothing') return noSuchRun(context);
    const refused = await enter(context, sight);
    const snapshot = refused === null ? await web.runs.snapshot(runId) : null;
    if (snapshot === null) return refused ?? noSuchRun(context);
    return sight.sees === 'all'
      ? act(context, { followed, snapshot })
      : withoutDetails(context, { followed, snapshot: withoutWords(snapshot) });
  };
}

function refuseDetails(context: WebContext, { followed: { runId } }: Found): Response | Promise<Response> {
  const message = t`Names and amounts of this payment are hidden from you, so you cannot see or do this.`;
  const remedy = t`An administrator can show them to you. Its status is under Payments, ${runId}.`;
  return errorPage(context, { status: 403, message, remedy });
}

/** What the service or a rule said may name a payee or a row. */
export function withoutWords(snapshot: WatchSnapshot): WatchSnapshot {
  const stopText = snapshot.stopText && t`Visible to everyone who sees names and amounts`;
  return { ...snapshot, stopText, stopMessage: stopText };
}

export function noSuchRun(context: WebContext) {
  return errorPage(context, { status: 404, message: t`Run not found.`, remedy: t`Look for it under Payments.` });
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
    message: t`Another action on this run is in progress. Nothing was done.`,
    remedy: t`Look at the run again, and try once that is over.`,
  });
}

export function mayAct(context: WebContext): boolean {
  return hasOneOf(signedIn(context).person, ACTING);
}

/** What every page of a run has. */
export function pageOf({ header }: Pick<RunState, 'header'>, sees: 'all' | 'counts' = 'all') {
  return {
    title: header === null ? t`Payment` : paymentName(sees === 'all' ? header : unnamed(header)),
    here: 'payments' as const,
    ...(header !== null && { rehearsal: header.rehearsal }),
    header,
  };
}

/**
 * On pages of a run, behind who may see it: one that was not looked at lately is read whole, which takes seconds where it
 * is large. Until then the page says how far that is, and asks again.
 */
export const whenRead: MiddlewareHandler<WebEnv> = async (context, next) => {
  if (wantsPart(context)) return next();
  const runId = context.req.param('run') ?? '';
  const { web, person } = signedIn(context);
  const reading = await web.runs.reading(runId, patienceMs(context));
  // Who may see a run is known from its first entries. Until they are read, the page does not show that there is one.
  if (reading === null || web.sight.of(person).ofRun(reading.header).sees === 'nothing') return next();
  const { pathname, search } = new URL(context.req.url);
  const hint = t`Large runs take a few seconds the first time.`;
  const body = html`<p class="soft small crumbs"><a href="/runs">Payments</a> / <span class="id">${runId}</span></p>
<h1>Run ${runId}</h1>
${waitingPart(`${pathname}${search}`, t`Reading the run …`, hint, reading)}`;
  return answer(context, { title: runId, here: 'payments', asksAgain: true, body });
};

/** Whether htmx asks for a part of a page, and not for the page that it waits for. */
export function wantsPart(context: WebContext): boolean {
  return context.req.header('hx-request') !== undefined && context.req.header('x-refresh') !== 'page';
}
