import { Hono } from 'hono';
import { html } from 'hono/html';
import { isPlannedOnly } from '../../domain/run/run-plan.ts';
import { retriedBy } from '../../runner/submit/retries.ts';
import { pageProof } from '../audit/page-proof.ts';
import { wantsPart, whenRead } from '../plans/when-read.ts';
import { requireRole } from '../require-role.ts';
import { errorPage } from '../shell/error-page.ts';
import { answer } from '../shell/layout.ts';
import { TimeSlice } from '../time-slice.ts';
import type { FollowedRun } from '../watch/followed-run.ts';
import { type RowsPage, rowQueryOf, rowsPage } from '../watch/run-rows.ts';
import { runSince, withSince } from '../watch/run-since.ts';
import type { Web, WebEnv } from '../web.ts';
import { findRun, noSuchRun, pageOf, SEEING } from './found-run.ts';
import { rowsPart, rowsTable } from './rows-part.ts';
import { runHead } from './run-head.ts';

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
    const page = isLive ? asked : await withLater(context.var.web, found.followed, asked);
    const isStarted = !isPlannedOnly(run) || context.var.web.runTasks.going(runId) === 'started';
    if (wantsPart(context)) return context.html(rowsTable(runId, page, { isLive, isStarted }));
    const body = html`${runHead(run, pageProof(context.var.web))}<p><a href="/runs/${runId}">To the run</a></p>${rowsPart(runId, page, { isLive: false, isStarted })}`;
    return answer(context, { ...pageOf(run), body });
  });
  return app;
}

async function withLater(web: Web, followed: FollowedRun, page: RowsPage): Promise<RowsPage> {
  const { run, runId } = followed;
  const { since } = await runSince(web, followed, await retriedBy(web.deps.journal, runId));
  return withSince(page, run, since);
}

const NO_SUCH_PAGE = { what: 'Rows have no such page.', remedy: 'Pages are numbered from 1: begin at the first.' };
