import { Hono } from 'hono';
import { html } from 'hono/html';
import { assert } from '../../domain/refusal.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { retriedBy } from '../../runner/retries.ts';
import { pageProof } from '../audit/page-proof.ts';
import { WorkedOut } from '../once.ts';
import { giveUpPage, planLivePart } from '../plans/plan-page.ts';
import { planLive, showPlan } from '../plans/plan-route.ts';
import { requireRole } from '../require-role.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { TimeSlice } from '../time-slice.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { shownDoubts } from './doubts.ts';
import type { FollowedRun } from './followed-run.ts';
import {
  ACTING,
  begin,
  type Found,
  findRun,
  mayAct,
  noSuchRun,
  pageOf,
  SEEING,
  wantsPart,
  whenRead,
} from './found-run.ts';
import { type ResultFigures, resultFigures, withLater } from './result-figures.ts';
import { resultPage } from './result-page.ts';
import { FIRST_ROWS, type RowsPage, rowQueryOf, rowsPage, rowsPart, rowsTable } from './rows.ts';
import { runHead } from './run-head.ts';
import { runSince, withSince } from './since.ts';
import type { WatchSnapshot } from './snapshot.ts';
import { cancelPage, watchPage } from './watch-page.ts';

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

/** The rows of a run, a page at a time: the table alone where htmx asks, else a page around it. */
export function runRowRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs/:run/rows', requireRole(...SEEING), whenRead, async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { run, runId } = found.followed;
    const query = rowQueryOf(context.req.query());
    if (query === null) return errorPage(context, { status: 400, ...NO_SUCH_PAGE });
    const asked = await rowsPage(found.followed, query, new TimeSlice(context.var.web.deps.clock));
    // Also of one that was just started: what it is exchanged for has to be live too.
    const isLive = found.snapshot.phase !== 'finished';
    const page = isLive ? asked : await withWhatBecame(context.var.web, found.followed, asked);
    const isStarted = !isPlannedOnly(run) || context.var.web.runTasks.going(runId) === 'started';
    if (wantsPart(context)) return context.html(rowsTable(runId, page, { isLive, isStarted }));
    const body = html`${runHead(run, pageProof(context.var.web))}<p><a href="/runs/${runId}">To the run</a></p>${rowsPart(runId, page, { isLive: false, isStarted })}`;
    return answer(context, { ...pageOf(run), body });
  });
  return app;
}

async function withWhatBecame(web: Web, followed: FollowedRun, page: RowsPage): Promise<RowsPage> {
  const { run, runId } = followed;
  const { since } = await runSince(web, followed, await retriedBy(web.deps.journal, runId));
  return withSince(page, run, since);
}

const NO_SUCH_PAGE = { what: 'Rows have no such page.', remedy: 'Pages are numbered from 1: begin at the first.' };

/** Stopping a run, and letting one go on. */
export function runActRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();

  app.get('/runs/:run/cancel', requireRole(...ACTING), whenRead, async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { followed, snapshot } = found;
    if (snapshot.phase === 'finished') return context.redirect(`/runs/${followed.runId}`, 303);
    const { run, runId } = followed;
    const proof = pageProof(context.var.web);
    const isPlan = !snapshot.isStarted && snapshot.phase === 'planned';
    const body = isPlan ? giveUpPage(run, runId, proof) : cancelPage(run, runId, snapshot, proof);
    return answer(context, { ...pageOf(run), body });
  });

  app.post('/runs/:run/cancel', requireRole(...ACTING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { followed, snapshot } = found;
    const { runId } = followed;
    const { runTasks } = context.var.web;
    const { person } = signedIn(context);
    if (snapshot.phase === 'finished' && !snapshot.isHeld) return context.redirect(`/runs/${runId}`, 303);
    // A process that works on it, or comes up, is only asked; else the service is asked about what waits.
    if (snapshot.isHeld || (await runTasks.cancel(runId, person.id)) !== null)
      await runTasks.askToCancel(runId, person);
    return context.redirect(`/runs/${runId}`, 303);
  });

  app.post('/runs/:run/resume', requireRole(...ACTING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { followed, snapshot } = found;
    const { runId } = followed;
    const person = signedIn(context).person.id;
    const isToDo = snapshot.phase !== 'finished' || countsOf(followed.run).unresolved > 0;
    if (snapshot.isStarted && !snapshot.isHeld && isToDo)
      return begin(context, { runId, act: 'resumed', task: { name: 'resume' }, person });
    return context.redirect(`/runs/${runId}`, 303);
  });

  return app;
}
