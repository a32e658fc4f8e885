import { Hono } from 'hono';
import { html } from 'hono/html';
import { isoUtc } from '../../domain/time.ts';
import type { WaitingPlan } from '../plans/waiting-plans.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import type { Html } from '../shell/parts.ts';
import type { Refused } from '../uploads/receive-file.ts';
import { type UploadForm, uploadForm } from '../uploads/upload-parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';

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

type OpenUpload = { id: string; name: string; by: string; at: string; job: string | null };

type Home = {
  name: string;
  /** Null for who may not prepare. */
  upload: UploadForm | null;
  /** Why the last upload was refused. */
  wrong: { what: string; remedy: string } | null;
  plans: readonly WaitingPlan[];
  /** Whether more plans follow, when they are read. */
  isReading: boolean;
  uploads: readonly OpenUpload[];
  /** Whether this person sees plans and files at all. */
  seesRuns: boolean;
  isAdministrator: boolean;
};

/** The first page: a file to pay, and what waits, what waits for this person first. */
function homePage({ name, upload, wrong, plans, isReading, uploads, seesRuns, isAdministrator }: Home): Html {
  return html`<h1>Good day, ${name}</h1>
${wrong === null ? '' : html`<div class="notice wrong" role="alert"><p><strong>${wrong.what}</strong></p><p>${wrong.remedy}</p></div>`}
<div class="columns">
${upload === null ? '' : html`<section class="card" aria-labelledby="pay"><h2 id="pay">New payment</h2><p class="soft">You see what is wrong with it, and what would be paid, before anything is.</p>${uploadForm(upload)}</section>`}
${seesRuns ? waiting(plans, isReading) : ''}
${uploads.length === 0 ? '' : opened(uploads)}
</div>
${upload === null && !seesRuns ? html`<p class="empty">You have no role yet in which you see payouts. ${isAdministrator ? html`Give yourself one under <a href="/people">People</a>: open your name there.` : 'An administrator gives you one.'}</p>` : ''}`;
}

function waiting(plans: readonly WaitingPlan[], isReading: boolean): Html {
  const sorted = [...plans].sort((one, other) => Number(other.isMine) - Number(one.isMine));
  const items = sorted.map(
    ({ runId, file, job, what, waitsFor, isMine }) => html`<li>
<a href="/runs/${runId}">${job === null ? file : `${job}: ${file}`}</a>
<span>${what}</span>
<span class="${isMine ? 'for-me' : 'soft'}">${waitsFor}</span>
</li>`,
  );
  const again = isReading
    ? html` hx-get="/" hx-trigger="every 1s" hx-select="#plans" hx-swap="outerHTML" hx-headers='{"x-refresh": "page"}'`
    : '';
  return html`<section class="card" id="plans" aria-labelledby="waiting"${again}><h2 id="waiting">Awaiting approval</h2>
${isReading ? html`<p class="soft" role="status">Large plans are being read: they follow in some seconds.</p>` : ''}
${items.length === 0 && isReading ? '' : items.length === 0 ? html`<p class="soft">No plan waits.</p>` : html`<ul class="entries">${items}</ul>`}</section>`;
}

function opened(uploads: readonly OpenUpload[]): Html {
  return html`<section class="card" aria-labelledby="files"><h2 id="files">Files without a plan</h2>
<ul class="entries">${uploads.map(
    ({ id, name, by, at, job }) => html`<li>
<a href="/uploads/${id}">${name}</a>
<span class="soft">${job === null ? '' : `${job}, `}${by}, ${at}</span>
</li>`,
  )}</ul></section>`;
}
