import { Hono } from 'hono';
import { listShownJobs } from '../history/jobs-list.ts';
import { requireRole } from '../require-role.ts';
import { SEEING } from '../runs/found-run.ts';
import { answer } from '../shell/layout.ts';
import { signedIn, type WebEnv } from '../web.ts';
import { jobsPage } from './jobs-page.ts';

/** The jobs of the folder, and when they come. */
export function jobsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/jobs', requireRole(...SEEING), async (context) => {
    const mayPrepare = signedIn(context).person.roles.includes('preparer');
    const body = jobsPage(await listShownJobs(context.var.web.deps), { mayPrepare });
    return answer(context, { title: 'Jobs', here: 'jobs', body });
  });
  return app;
}
