import { Hono } from 'hono';
import { assert } from '../../domain/refusal.ts';
import { retriedBy } from '../../runner/submit/retries.ts';
import { pageProof } from '../audit/page-proof.ts';
import { planLivePart } from '../plans/plan-page.ts';
import { planLive, showPlan } from '../plans/plan-route.ts';
import { whenRead } from '../plans/when-read.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { TimeSlice } from '../time-slice.ts';
import { shownDoubts } from '../watch/doubt-acts.ts';
import type { FollowedRun } from '../watch/followed-run.ts';
import { type ResultFigures, resultFigures, withLater } from '../watch/result-figures.ts';
import { FIRST_ROWS, rowsPage } from '../watch/run-rows.ts';
import { runSince, withSince } from '../watch/run-since.ts';
import type { WatchSnapshot } from '../watch/snapshot.ts';
import { WorkedOut } from '../watch/worked-out.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type Found, findRun, mayAct, noSuchRun, pageOf, SEEING } from './found-run.ts';
import { resultPage } from './result-page.ts';
import { watchPage } from './watch-page.ts';

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
    return showResult(context, followed, await figures.of(followed, new TimeSlice(context.var.web.deps.clock)));
  };
  // What the page of a plan asks for while it is open. Where the plan was started meanwhile, the run takes the page's place.
  app.get('/runs/:run/standing', requireRole(...SEEING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    if (isWaitingPlan(context, found)) return context.html(planLivePart(await planLive(context, found.followed)));
    for (const header of ['hx-retarget', 'hx-reselect']) context.header(header, '#main');
    return showStarted(context, found);
  });
  return app;
}

function isWaitingPlan({ var: { web } }: WebContext, { followed, snapshot }: Found): boolean {
  const { isStarted, phase } = snapshot;
  return !isStarted && phase === 'planned' && web.runTasks.going(followed.runId) !== 'started';
}

async function showWatch(context: WebContext, followed: FollowedRun, snapshot: WatchSnapshot) {
  const { run, runId } = followed;
  const { runTasks, deps } = context.var.web;
  const watched = {
    proof: pageProof(context.var.web),
    snapshot,
    going: runTasks.going(runId),
    refused: await runTasks.refusal(runId),
    doubts: snapshot.phase === 'stopped' ? shownDoubts(followed) : null,
    mayAct: mayAct(context),
  };
  const rows = await rowsPage(followed, FIRST_ROWS, new TimeSlice(deps.clock));
  return answer(context, { ...pageOf(run), body: watchPage(run, runId, watched, rows) });
}

async function showResult(context: WebContext, followed: FollowedRun, figures: ResultFigures) {
  const { run, runId } = followed;
  const { deps, runTasks } = context.var.web;
  const { roles } = signedIn(context).person;
  const head = await deps.journal.head(runId);
  assert(head !== null, 'a run without its journal');
  const retries = await retriedBy(deps.journal, runId);
  const { since, retryable } = await runSince(context.var.web, followed, retries);
  const rows = await rowsPage(followed, FIRST_ROWS, new TimeSlice(deps.clock));
  const result = {
    proof: pageProof(context.var.web),
    figures: withLater(figures, run, since),
    doubts: shownDoubts(followed),
    retriedBy: retries,
    retryable,
    refused: await runTasks.refusal(runId),
    head,
    mayAct: mayAct(context),
    mayPlan: roles.includes('preparer'),
    rows: withSince(rows, run, since),
  };
  return answer(context, { ...pageOf(run), body: resultPage(run, runId, result) });
}
