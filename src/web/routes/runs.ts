import { Hono } from 'hono';
import type { Counts } from '../../domain/entry.ts';
import { countsOf } from '../../report/outcome.ts';
import { type RunsPage, runsPage, runsQueryOf } from '../history/runs-list.ts';
import { answer } from '../layout.ts';
import { runsPageHtml } from '../pages/runs-page.ts';
import { requireRole } from '../require-role.ts';
import type { Web, WebEnv } from '../web.ts';
import { SEEING } from './run.ts';

/** Every run there was. */
export function runsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs', requireRole(...SEEING), async (context) => {
    const { web } = context.var;
    const page = runsPage(web.doors.journal, runsQueryOf(context.req.query()));
    const body = runsPageHtml(page, await openCounts(web, page));
    return answer(context, { title: 'Runs', here: 'runs', body });
  });
  return app;
}

/** How the payouts stand of the runs of this page that are not over. */
async function openCounts({ runs }: Web, page: RunsPage): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>();
  for (const { summary, state } of page.runs) {
    if (state !== 'running' && state !== 'stopped') continue;
    const followed = await runs.read(summary.run_id);
    if (followed !== null) counts.set(summary.run_id, countsOf(followed.run));
  }
  return counts;
}
