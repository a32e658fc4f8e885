import { Hono } from 'hono';
import { TimeSlice } from '../../app/background/time-slice.ts';
import { assert } from '../../domain/refusal.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { textTable } from '../../messages/translate.ts';
import { Worded } from '../once.ts';
import { planHead, planLive, planLivePart, planTimeline, showPlan } from '../plans/plan-page.ts';
import { keptCompared } from '../plans/plan-view.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { html } from '../shell/html.ts';
import { answer, answerPart, errorPage } from '../shell/layout.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { showCounts, showCountsStanding } from './counts-page.ts';
import { shownDoubts } from './doubts.ts';
import type { FollowedRun } from './followed-run.ts';
import { type Found, mayAct, onRun, pageOf, wantsPart, whenRead } from './found-run.ts';
import { type ResultFigures, resultFigures, sinceOfRun, withLater } from './result-figures.ts';
import { resultPage } from './result-page.ts';
import { FIRST_ROWS, rowQueryOf, rowsPage, withSince } from './rows/rows.ts';
import { rowsPart, rowsTable } from './rows/rows-part.ts';
import { pageProof, runHead } from './run-head.ts';
import { commentsOf } from './timeline.ts';
import { withoutPaidSince } from './totals.ts';
import { showWatch } from './watch-page.ts';

const NO_SUCH_PAGE = textTable({
  message: 'There is no such page of rows.',
  remedy: 'Pages are numbered from 1: start with the first.',
});

/** A run: a plan, how far it is, or what became of it; and its rows. */
export function runRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/runs/:run', sees, whenRead, onRun(showRun, showCounts));
  app.get('/runs/:run/standing', sees, onRun(showStanding, showCountsStanding));
  app.get('/runs/:run/rows', sees, whenRead, onRun(showRows));
  return app;
}

async function showRun(context: WebContext, found: Found): Promise<Response> {
  if (await isWaitingPlan(context, found)) return showPlan(context, found.followed);
  return found.snapshot.phase === 'finished' ? showResult(context, found) : showWatch(context, found);
}

/** What the page of a plan asks for while it is open. Where the plan was started meanwhile, the run takes the page's place. */
async function showStanding(context: WebContext, found: Found): Promise<Response> {
  if (await isWaitingPlan(context, found)) {
    const live = await planLive(context, found.followed);
    return answerPart(context, html`${planLivePart(live)}${planHead(live)}${await planTimeline(context, live, true)}`);
  }
  for (const header of ['hx-retarget', 'hx-reselect']) context.header(header, '#main');
  return showRun(context, found);
}

async function isWaitingPlan({ var: { web } }: WebContext, { followed, snapshot }: Found): Promise<boolean> {
  const { isStarted, phase } = snapshot;
  return !isStarted && phase === 'planned' && (await web.runTasks.going(followed.runId)) !== 'started';
}

const FIGURES = new Worded<FollowedRun, Promise<ResultFigures>>();

async function showResult(context: WebContext, { followed, snapshot }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { deps, runTasks } = web;
  const { run, runId } = followed;
  const figures = await FIGURES.of(followed, followed.n, () => resultFigures(followed, new TimeSlice(deps.clock)));
  const head = await deps.reads.head(runId);
  assert(head !== null, 'a run without its journal');
  const related = await deps.reads.related(run);
  const { since, retryable } = await sinceOfRun(web, followed, related);
  const rows = await rowsPage(followed, FIRST_ROWS, new TimeSlice(deps.clock));
  const mayPlan = person.roles.includes('preparer');
  const upload = mayPlan && run.header?.retries === null ? await web.sight.of(person).uploadOfRun(runId) : null;
  const body = resultPage(run, runId, {
    upload: upload?.removed === null ? upload.id : null,
    comments: await commentsOf(web, runId),
    compared: await keptCompared(web, person, runId),
    proof: await pageProof(web, run),
    figures: withLater(figures, run, since),
    totals: withoutPaidSince(snapshot.totals, followed, since),
    doubts: shownDoubts(followed),
    retriedBy: related.retriedBy,
    retryable,
    refused: await runTasks.refusal(runId),
    head,
    mayAct: mayAct(context),
    mayPlan,
    rows: withSince(rows, run, since),
  });
  return answer(context, { ...pageOf(run), body });
}

/** The rows of a run, a page at a time: the table alone where htmx asks, else a page around it. */
async function showRows(context: WebContext, { followed, snapshot }: Found): Promise<Response> {
  const { web } = context.var;
  const { run, runId } = followed;
  const query = rowQueryOf(context.req.query(), context.req.queries('column') ?? []);
  if (query === null) return errorPage(context, { status: 400, ...NO_SUCH_PAGE });
  const asked = await rowsPage(followed, query, new TimeSlice(web.deps.clock), snapshot.phase);
  // Also of one that was just started: what it is exchanged for has to be live too.
  const isLive = snapshot.phase !== 'finished';
  const since = isLive ? null : (await sinceOfRun(web, followed, await web.deps.reads.related(run))).since;
  const page = since === null ? asked : withSince(asked, run, since);
  const isStarted = !isPlannedOnly(run) || (await web.runTasks.going(runId)) === 'started';
  if (wantsPart(context)) return answerPart(context, rowsTable(runId, page, { isLive, isStarted }));
  const body = html`${runHead(run, await pageProof(web, run), { tab: 'payouts' })}<p><a href="/runs/${runId}">View payment</a></p>${rowsPart(runId, page, { isLive: false, isStarted })}`;
  return answer(context, { ...pageOf(run), body });
}
