import { Hono } from 'hono';
import type { Person } from '../../app/people/people.ts';
import { isoUtc } from '../../domain/time.ts';
import { approvalsPart } from '../plans/approvals.ts';
import { whyNoApprover } from '../plans/plan-policy.ts';
import { hasOneOf, requireRole, SEEING } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, patienceMs } from '../shell/layout.ts';
import { type Failure, problemNotice } from '../shell/parts.ts';
import { uploadForm } from '../uploads/upload-parts.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';

const UPLOADS_SHOWN = 10;

/** Why the last upload was refused, and the job that was chosen. */
type Shown = { wrong?: Failure | null; job?: string | null };

/** The first page: what this person can do next. */
export function homeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/', requireRole(), (context) => showHome(context, { job: context.req.query('job') ?? null }));
  return app;
}

/** A file to pay, and what waits, what waits for this person first. */
export async function showHome(context: WebContext, { wrong = null, job = null }: Shown = {}): Promise<Response> {
  const { web, person } = signedIn(context);
  const mayPrepare = hasOneOf(person, ['preparer']);
  const seesRuns = hasOneOf(person, SEEING);
  const waiting = seesRuns ? await web.waitingPlans.of(person, patienceMs(context)) : null;
  const body = html`<h1>Overview</h1>
${problemNotice(wrong)}
<div class="columns">
${mayPrepare && (await newPayment(web, person, job))}
${waiting && approvalsPart(waiting, '/')}
${mayPrepare && (await openUploads(web))}
</div>
${!seesRuns && noRole(person)}`;
  return answer(context, { title: 'Overview', here: 'overview', body }, wrong?.status ?? 200);
}

async function newPayment(web: Web, person: Person, job: string | null): Promise<Html> {
  const jobs = web.deps.jobs().filter(({ problems }) => problems.length === 0);
  const whys = await whyNoApprover(web, person);
  return html`<section class="card" aria-labelledby="pay"><h2 id="pay">New payment</h2><p class="soft">You see what is wrong with it, and what would be paid, before anything is.</p>${whys && noApprover(person, whys)}${uploadForm({ jobs, job })}</section>`;
}

/** Said before the upload: a plan that only its maker could approve is never paid. */
function noApprover(person: Person, whys: readonly string[]): Html {
  const where = hasOneOf(person, ['administrator']) ? html`under <a href="/people">Team</a>` : 'under Team';
  const way =
    whys.length === 0
      ? html`An administrator invites an approver ${where}, or makes somebody else one.`
      : html`${whys.map((why) => html`${why} `)}`;
  return html`<div class="notice care"><p><strong>Nobody here can approve what you upload.</strong></p><p>${way}</p><p>Only a job that names its own approvers can be approved.</p></div>`;
}

async function openUploads({ uploads, people }: Web): Promise<Html | null> {
  const names = new Map((await people.list()).map(({ id, name }) => [id, name]));
  const items = (await uploads.open(UPLOADS_SHOWN)).map(({ id, name, personId, at, job }) => {
    const when = isoUtc(at).slice(0, 16).replace('T', ' ');
    return html`<li>
<a href="/uploads/${id}">${name}</a>
<span class="soft">${job !== null && `${job}, `}${names.get(personId)}, ${when}</span>
</li>`;
  });
  if (items.length === 0) return null;
  return html`<section class="card" aria-labelledby="files"><h2 id="files">Files without a plan</h2>
<ul class="entries">${items}</ul></section>`;
}

function noRole(person: Person): Html {
  const how = hasOneOf(person, ['administrator'])
    ? html`Give yourself one under <a href="/people">Team</a>: open your name there.`
    : 'An administrator gives you one.';
  return html`<p class="empty">You have no role yet in which you see payouts. ${how}</p>`;
}
