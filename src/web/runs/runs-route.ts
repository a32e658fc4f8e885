import { Hono } from 'hono';
import { Refusal } from '../../domain/refusal.ts';
import { type RunsPage, runsPage, runsQueryOf } from '../history/runs-list.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { reportCounts } from '../watch/snapshot.ts';
import type { Web, WebEnv } from '../web.ts';
import { SEEING } from './found-run.ts';
import { type OpenCounts, runsPageHtml } from './runs-page.ts';

/** So long the page waits for runs that have to be read first; how large ones stand follows. */
const PATIENCE_MS = 1_000;

/** Every run there was. */
export function runsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs', requireRole(...SEEING), async (context) => {
    const { web } = context.var;
    const page = await runsPage(web.deps.journal, runsQueryOf(context.req.query()));
    const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
    const body = runsPageHtml(page, await openCounts(web, page, waitMs));
    return answer(context, { title: 'Runs', here: 'runs', body });
  });
  return app;
}

/** How the payouts stand of the runs of this page that are not over; null of those that are still being read. */
async function openCounts({ runs, deps }: Web, page: RunsPage, waitMs: number): Promise<OpenCounts> {
  const counts: OpenCounts = new Map();
  const look = async (runId: string) => {
    const reading = await runs.reading(runId, waitMs);
    const followed = reading === null ? await runs.read(runId) : null;
    if (reading !== null || followed !== null) counts.set(runId, followed === null ? null : reportCounts(followed));
  };
  const open = page.runs.filter(({ state }) => state === 'running' || state === 'stopped');
  await Promise.all(
    open.map(({ summary: { run_id } }) =>
      look(run_id).catch((error: unknown) => {
        // Its own page says what is wrong with it.
        if (!(error instanceof Refusal)) throw error;
        deps.log.warn({ error, run: run_id }, 'a run could not be read');
      }),
    ),
  );
  return counts;
}
