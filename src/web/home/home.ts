import { Hono } from 'hono';
import type { Person } from '../../app/people/people.ts';
import { todayText } from '../../messages/local-time.ts';
import { t } from '../../messages/translate.ts';
import { isOf } from '../page-modes.ts';
import { hasOneOf, requireRole, SEEING } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { icon, newPaymentLink } from '../shell/icon.ts';
import { answer, patienceMs } from '../shell/layout.ts';
import { newUpload, showUploadStep } from '../uploads/upload-step.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { type OverviewParts, overviewParts } from './overview.ts';

const UPLOADS_SHOWN = 10;

/** The first page: what this person can do next. */
export function homeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/', requireRole(), showHome);
  return app;
}

/** What is waiting, with this person's tasks first; before the first payment, the file upload. */
async function showHome(context: WebContext): Promise<Response> {
  const job = context.req.query('job') ?? null;
  const { web, person } = signedIn(context);
  const mayPrepare = hasOneOf(person, ['preparer']);
  if (mayPrepare && job !== null) return showUploadStep(context, { job });
  const seesRuns = hasOneOf(person, SEEING);
  const waiting = seesRuns ? await web.waitingPlans.of(person, patienceMs(context)) : null;
  const drafts = mayPrepare ? await draftsOf(web, person) : [];
  const parts = waiting && (await overviewParts(context, { ...waiting, drafts }));
  const body = html`<div class="overview${parts?.beside && ' sided'}"><div class="body">
${headPart(parts, mayPrepare)}
${parts === null ? noRole(person) : parts.isEmpty ? await emptyPart(context, mayPrepare) : html`${parts.needs}${parts.payments}`}
</div>${parts?.beside}</div>`;
  return answer(context, { title: t`Overview`, here: 'overview', body });
}

/** Their own drafts, in the mode they are viewing. */
async function draftsOf(web: Web, person: Person) {
  const drafts = await web.sight.of(person).openUploads(UPLOADS_SHOWN);
  const { mode } = person;
  if (mode === undefined) return drafts;
  const over = await Promise.all(drafts.map((draft) => web.connections.ofUpload(draft)));
  return drafts.filter((_, at) => isOf(over[at] ?? { isRehearsal: null }, mode));
}

function headPart(parts: OverviewParts | null, mayPrepare: boolean): Html {
  const isFirst = parts === null || parts.isEmpty;
  const awaits = !isFirst && parts.awaits !== '' && html`<span>${parts.awaits}</span>`;
  return html`<div class="head"><div><h1>Overview</h1><p class="soft small meta"><span>${todayText()}</span>${awaits}</p></div>
${mayPrepare && !isFirst && newPaymentLink()}</div>`;
}

/** Shown before the first payment. */
async function emptyPart(context: WebContext, mayPrepare: boolean): Promise<Html> {
  const { web, person } = signedIn(context);
  const next = mayPrepare
    ? await newUpload(web, person, null)
    : html`<p class="soft">${hasOneOf(person, ['approver']) ? t`What awaits your approval appears here once a preparer submits it.` : t`Payments appear here once a preparer submits one.`}</p>`;
  return html`<section class="first stack" aria-labelledby="first"><span class="tile">${icon('payments')}</span><h2 id="first">No payments yet</h2>${next}</section>`;
}

function noRole(person: Person): Html {
  const how = hasOneOf(person, ['administrator'])
    ? html`Give yourself one under <a href="/people">Team</a>: open your name there.`
    : t`Ask an administrator for one.`;
  return html`<p class="empty">You have no role yet that shows you payouts. ${how}</p>`;
}
