import { Hono } from 'hono';
import { html } from 'hono/html';
import { answer } from '../layout.ts';
import { rowsPart, rowsTable } from '../pages/rows-part.ts';
import { runHead } from '../pages/run-head.ts';
import { requireRole } from '../require-role.ts';
import { rowQueryOf, rowsPage } from '../watch/run-rows.ts';
import type { WebEnv } from '../web.ts';
import { findRun, noSuchRun, pageOf, SEEING } from './run.ts';

/** The rows of a run, a page at a time: the table alone where htmx asks, else a page around it. */
export function runRowRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs/:run/rows', requireRole(...SEEING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { run, runId } = found.followed;
    const page = rowsPage(run, rowQueryOf(context.req.query()));
    // Also of one that was just started: what it is exchanged for has to be live too.
    const isLive = found.snapshot.phase !== 'finished';
    if (context.req.header('hx-request') !== undefined) return context.html(rowsTable(runId, page, { isLive }));
    const body = html`${runHead(run)}<p><a href="/runs/${runId}">To the run</a></p>${rowsPart(runId, page, { isLive: false })}`;
    return answer(context, { ...pageOf(run), body });
  });
  return app;
}
