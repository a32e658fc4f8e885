import { Hono } from 'hono';
import { assert } from '../../domain/refusal.ts';
import { retriedBy } from '../../runner/retries.ts';
import { pageProof } from '../audit/page-proof.ts';
import { answer } from '../layout.ts';
import { errorPage } from '../pages/error-page.ts';
import { planLivePart } from '../pages/plan-page.ts';
import { resultPage } from '../pages/result-page.ts';
import { watchPage } from '../pages/watch-page.ts';
import type { Person } from '../people/people.ts';
import type { Role } from '../people/roles.ts';
import { requireRole } from '../require-role.ts';
import { Turns } from '../turns.ts';
import { shownDoubts } from '../watch/doubt-acts.ts';
import type { FollowedRun } from '../watch/followed-run.ts';
import { type ResultFigures, resultFigures, withLater } from '../watch/result-figures.ts';
import type { RunAct } from '../watch/run-children.ts';
import { FIRST_ROWS, rowsPage } from '../watch/run-rows.ts';
import { runSince, withSince } from '../watch/run-since.ts';
import type { WatchSnapshot } from '../watch/snapshot.ts';
import { WorkedOut } from '../watch/worked-out.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { planLive, showPlan } from './plan.ts';
import { whenRead } from './when-read.ts';

/** Who may see runs. */
export const SEEING = ['preparer', 'approver', 'viewer'] as const;
/** Who may stop runs and let them go on. */
export const ACTING = ['preparer', 'approver'] as const;

/** A run: a plan, how far it is, or what became of it. */
export function runRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const figures = new WorkedOut(resultFigures);
  app.get('/runs/:run', requireRole(...SEEING), whenRead, async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    return isWaitingPlan(context, found) ? showPlan(context, found.followed) : showStarted(context, found);
  });
  const showStarted = async (context: WebContext, { followed, snapshot }: Found) => {
    if (snapshot.phase !== 'finished') return showWatch(context, followed, snapshot);
    return showResult(context, followed, await figures.of(followed, new Turns(context.var.web.deps.clock)));
  };
  // What the page of a plan asks for while it is open. Where the plan was started meanwhile, the run takes the page's place.
  app.get('/runs/:run/standing', requireRole(...SEEING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    if (isWaitingPlan(context, found)) return context.html(planLivePart(planLive(context, found.followed)));
    for (const header of ['hx-retarget', 'hx-reselect']) context.header(header, '#main');
    return showStarted(context, found);
  });
  return app;
}

type Found = { followed: FollowedRun; snapshot: WatchSnapshot };

function isWaitingPlan({ var: { web } }: WebContext, { followed, snapshot }: Found): boolean {
  const { isStarted, phase } = snapshot;
  return !isStarted && phase === 'planned' && web.children.going(followed.runId) !== 'started';
}

/** Starts a command on a run and shows it. Where another one works on the run, it is said that nothing was done. */
export async function begin(context: WebContext, act: RunAct): Promise<Response> {
  const under = await context.var.web.children.start(act);
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

async function showWatch(context: WebContext, followed: FollowedRun, snapshot: WatchSnapshot) {
  const { run, runId } = followed;
  const { children, deps } = context.var.web;
  const watched = {
    proof: pageProof(context.var.web),
    snapshot,
    going: children.going(runId),
    refused: children.refusal(runId),
    doubts: snapshot.phase === 'stopped' ? shownDoubts(followed) : null,
    mayAct: mayAct(context),
  };
  const rows = await rowsPage(followed, FIRST_ROWS, new Turns(deps.clock));
  return answer(context, { ...pageOf(run), body: watchPage(run, runId, watched, rows) });
}

async function showResult(context: WebContext, followed: FollowedRun, figures: ResultFigures) {
  const { run, runId } = followed;
  const { deps, children } = context.var.web;
  const { roles } = signedIn(context).person;
  const head = deps.journal.head(runId);
  assert(head !== null, 'a run without its journal');
  const retries = retriedBy(deps.journal, runId);
  const { since, retryable } = await runSince(context.var.web, followed, retries);
  const rows = await rowsPage(followed, FIRST_ROWS, new Turns(deps.clock));
  const result = {
    proof: pageProof(context.var.web),
    figures: withLater(figures, run, since),
    doubts: shownDoubts(followed),
    retriedBy: retries,
    retryable,
    refused: children.refusal(runId),
    head,
    mayAct: mayAct(context),
    mayPlan: roles.includes('preparer'),
    rows: withSince(rows, run, since),
  };
  return answer(context, { ...pageOf(run), body: resultPage(run, runId, result) });
}

/** What every page of a run has. */
export function pageOf({ header }: FollowedRun['run']) {
  return { title: header?.input.name ?? 'Run', here: 'runs' as const, rehearsal: header?.rehearsal ?? null };
}
