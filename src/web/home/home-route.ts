import { Hono } from 'hono';
import { isoUtc } from '../../domain/time.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import type { Refused } from '../uploads/receive/receive.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { homePage } from './home-page.ts';

const UPLOADS_SHOWN = 10;
/** So long the page waits for plans that have to be read first; large ones follow. */
const PATIENCE_MS = 1_000;

type Shown = {
  wrong?: Refused | null;
  /** The job that was chosen. */
  job?: string | null;
};

/** The first page: what this person can do next. */
export function homeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/', requireRole(), (context) => showHome(context, { job: context.req.query('job') ?? null }));
  return app;
}

export async function showHome(context: WebContext, { wrong = null, job = null }: Shown = {}) {
  const { web } = context.var;
  const { person } = signedIn(context);
  const is = (...roles: readonly string[]) => person.roles.some((role) => roles.includes(role));
  const jobs = web.deps
    .jobs()
    .flatMap(({ name, read }) => (read.ok ? [{ name, description: read.job.description }] : []));
  const uploads = is('preparer') ? web.uploads.open(UPLOADS_SHOWN) : [];
  const seesRuns = is('preparer', 'approver', 'viewer');
  const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
  const waiting = seesRuns ? await web.waitingPlans.of(web, person, waitMs) : { plans: [], isReading: false };
  const body = homePage({
    name: person.name,
    upload: is('preparer') ? { jobs, job, mends: null } : null,
    wrong,
    ...waiting,
    seesRuns,
    isAdministrator: is('administrator'),
    uploads: uploads.map(({ id, name, personId, at, job: of }) => ({
      id,
      name,
      by: web.people.get(personId)?.name ?? 'somebody',
      at: isoUtc(at).slice(0, 16).replace('T', ' '),
      job: of,
    })),
  });
  return answer(context, { title: 'Pay', here: 'home', body }, wrong?.status ?? 200);
}
