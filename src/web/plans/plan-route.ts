import { Hono } from 'hono';
import { pageProof } from '../audit/page-proof.ts';
import { requireRole } from '../require-role.ts';
import type { FollowedRun } from '../runs/followed-run.ts';
import { mayAct, pageOf } from '../runs/found-run.ts';
import { FIRST_ROWS, rowsPage } from '../runs/rows.ts';
import { refusalNotice } from '../runs/run-head.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { TimeSlice } from '../time-slice.ts';
import type { Upload } from '../uploads/uploads.ts';
import { withUpload } from '../uploads/uploads-route.ts';
import { field, signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type PlanLive, planPage } from './plan-page.ts';
import { notPlannedPage, paidOf, planningPage, type RefusedPlan, type Repeat } from './planning-page.ts';
import type { PlanChoices } from './plannings.ts';
import { goneOf, overtakenBy, ownLinks, standingOf, whyNotApprove } from './standing.ts';

const PATIENCE_MS = 1_500;
const RUN_ID = /^R\d{8}-[0-9A-Z]{8}$/;

/** Making a plan of an upload. */
export function planRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const prepares = requireRole('preparer');
  app.post('/uploads/:id/plan', prepares, (context) => withUpload(context, begin));
  app.get('/uploads/:id/plan', prepares, (context) => withUpload(context, show));
  return app;
}

async function begin(context: WebContext, upload: Upload): Promise<Response> {
  const { web } = context.var;
  const { person, session } = signedIn(context);
  const choices = choicesIn(await context.req.parseBody());
  if (person.keyFile === null)
    return errorPage(context, { status: 409, what: 'You have no key yet.', remedy: 'Sign out and sign back in.' });
  web.plannings.begin(web, upload, { person, passphrase: session.passphrase }, choices);
  return context.redirect(`/uploads/${upload.id}/plan`, 303);
}

function choicesIn(form: Record<string, unknown>): PlanChoices {
  const period = field(form, 'period').trim();
  const repeat = field(form, 'allow_repeat');
  return {
    onlyValid: field(form, 'only_valid') === 'yes',
    period: /^[\w-]{4,20}$/.test(period) ? period : null,
    allowRepeat: RUN_ID.test(repeat) ? repeat : null,
  };
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { web } = context.var;
  const isPoll = context.req.header('x-refresh') !== undefined;
  const planned = await web.plannings.look(web, upload, isPoll ? 0 : PATIENCE_MS);
  const by = web.people.get(upload.personId)?.name ?? 'somebody';
  const page = (body: ReturnType<typeof planningPage>, status: 200 | 409 = 200) =>
    answer(context, { title: upload.name, here: 'home', body }, status);
  if (planned === 'busy')
    return answer(context, { title: upload.name, here: 'home', body: planningPage(upload, by), asksAgain: true });
  if (planned?.state === 'refused') {
    const repeat = await repeatOf(context, upload, planned);
    return page(notPlannedPage(upload, by, planned, repeat), isPoll ? 200 : 409);
  }
  const place = planned === null ? `/uploads/${upload.id}` : `/runs/${planned.runId}`;
  if (!isPoll) return context.redirect(place, 303);
  context.header('hx-redirect', place);
  return context.body(null, 200);
}

async function repeatOf({ var: { web } }: WebContext, upload: Upload, refused: RefusedPlan): Promise<Repeat | null> {
  const runId = refused.repeatable ?? null;
  if (runId === null) return null;
  const checked = await web.checks.look(upload, 0);
  const payouts = checked?.state === 'checked' ? checked.result.payouts : null;
  const earlier = paidOf((await web.runs.read(runId))?.run);
  return { runId, rows: refused.rows ?? null, payouts, earlier };
}

/** Who has approved it and what comes next, as far as it concerns who looks. */
export async function planLive(context: WebContext, { run, runId }: FollowedRun): Promise<PlanLive> {
  const { web } = context.var;
  const { person } = signedIn(context);
  const now = web.deps.clock.wallMs();
  const gone = goneOf(web, run);
  const whyNot = person.roles.includes('approver') ? whyNotApprove(run, person, now, gone) : null;
  return {
    runId,
    run,
    overtaken: await overtakenBy(web, run),
    standing: standingOf(run, now, gone),
    approve: { may: person.roles.includes('approver') && whyNot === null, whyNot },
    mayStart: person.roles.includes('preparer'),
    mayAct: mayAct(context),
  };
}

/** A plan that waits, for whoever may see runs. */
export async function showPlan(context: WebContext, followed: FollowedRun): Promise<Response> {
  const { run, runId, n } = followed;
  const { web } = context.var;
  const body = planPage({
    ...(await planLive(context, followed)),
    proof: pageProof(web),
    extras: await web.planViews.of(web, run, n),
    links: ownLinks(web, run, signedIn(context).person),
    refused: refusalNotice(await web.runTasks.refusal(runId)),
    rows: await rowsPage(followed, FIRST_ROWS, new TimeSlice(web.deps.clock)),
  });
  return answer(context, { ...pageOf(run), body });
}
