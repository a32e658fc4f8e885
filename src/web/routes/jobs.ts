import { Hono } from 'hono';
import { listShownJobs } from '../history/jobs-list.ts';
import { answer } from '../layout.ts';
import { jobsPage } from '../pages/jobs-page.ts';
import { requireRole } from '../require-role.ts';
import { signedIn, type WebEnv } from '../web.ts';
import { SEEING } from './found-run.ts';

/** The jobs of the folder, and when they come. */
export function jobsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/jobs', requireRole(...SEEING), (context) => {
    const mayPrepare = signedIn(context).person.roles.includes('preparer');
    const body = jobsPage(listShownJobs(context.var.web.deps), { mayPrepare });
    return answer(context, { title: 'Jobs', here: 'jobs', body });
  });
  return app;
}
