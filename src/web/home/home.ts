import { Hono } from 'hono';
import type { Person } from '../../app/people/people.ts';
import { t } from '../../messages/translate.ts';
import { hasOneOf, requireRole, SEEING } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, patienceMs } from '../shell/layout.ts';
import { newUpload } from '../uploads/upload-step.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { overviewParts } from './overview.ts';

const UPLOADS_SHOWN = 10;

/** The first page: what this person can do next. */
export function homeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/', requireRole(), showHome);
  return app;
}

/** A file to pay, and what waits, what waits for this person first. */
async function showHome(context: WebContext): Promise<Response> {
  const job = context.req.query('job') ?? null;
  const { web, person } = signedIn(context);
  const mayPrepare = hasOneOf(person, ['preparer']);
  const seesRuns = hasOneOf(person, SEEING);
  const waiting = seesRuns ? await web.waitingPlans.of(person, patienceMs(context)) : null;
  const drafts = mayPrepare ? await web.sight.of(person).openUploads(UPLOADS_SHOWN) : [];
  const parts = waiting && (await overviewParts(context, { ...waiting, drafts }));
  const body = html`<h1>Overview</h1>
<div class="${parts ? 'overview' : 'stack'}"><div>
${parts?.needs}
${mayPrepare && (await newPayment(web, person, job))}
${parts?.payments}
</div>${parts && html`<div>${parts.beside}</div>`}</div>
${!seesRuns && noRole(person)}`;
  return answer(context, { title: t`Overview`, here: 'overview', body });
}

async function newPayment(web: Web, person: Person, job: string | null): Promise<Html> {
  return html`<section class="card" aria-labelledby="pay"><h2 id="pay">New payment</h2>${await newUpload(web, person, job)}</section>`;
}

function noRole(person: Person): Html {
  const how = hasOneOf(person, ['administrator'])
    ? html`Give yourself one under <a href="/people">Team</a>: open your name there.`
    : t`An administrator gives you one.`;
  return html`<p class="empty">You have no role yet in which you see payouts. ${how}</p>`;
}
