import { Hono } from 'hono';
import { requireRole } from '../require-role.ts';
import { isYes, readForm, text } from '../shell/form.ts';
import { answer, errorPage, patienceMs } from '../shell/layout.ts';
import type { Upload } from '../uploads/uploads.ts';
import { onUpload } from '../uploads/uploads-route.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { notPlannedPage, paidOf, planningPage, type Repeat } from './planning-page.ts';
import type { RefusedPlan } from './plannings.ts';

const PATIENCE_MS = 1_500;

const matching = (pattern: RegExp) => text.transform((typed) => (pattern.test(typed.trim()) ? typed.trim() : null));

const choices = {
  only_valid: isYes,
  period: matching(/^[\w-]{4,20}$/),
  allow_repeat: matching(/^R\d{8}-[0-9A-Z]{8}$/),
};

/** Making a plan of an upload. */
export function planRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const prepares = requireRole('preparer');
  app.post('/uploads/:id/plan', prepares, onUpload(begin));
  app.get('/uploads/:id/plan', prepares, onUpload(show));
  return app;
}

async function begin(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person, session } = signedIn(context);
  const { only_valid: onlyValid, period, allow_repeat: allowRepeat } = await readForm(context, choices);
  if (person.keyFile === null)
    return errorPage(context, { status: 409, message: 'You have no key yet.', remedy: 'Sign out and sign back in.' });
  web.plannings.begin(upload, { person, passphrase: session.passphrase }, { onlyValid, period, allowRepeat });
  return context.redirect(`/uploads/${upload.id}/plan`, 303);
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { web } = context.var;
  const waitMs = patienceMs(context, PATIENCE_MS);
  const planned = await web.plannings.look(upload, waitMs);
  const by = web.people.nameOf(upload.personId);
  const page = { title: upload.name, here: 'home' } as const;
  if (planned === 'busy') return answer(context, { ...page, body: planningPage(upload, by), asksAgain: true });
  const isPoll = waitMs === 0;
  if (planned?.state === 'refused') {
    const body = notPlannedPage(upload, by, planned, await repeatOf(context, upload, planned));
    return answer(context, { ...page, body }, isPoll ? 200 : 409);
  }
  const path = planned === null ? `/uploads/${upload.id}` : `/runs/${planned.runId}`;
  if (!isPoll) return context.redirect(path, 303);
  context.header('hx-redirect', path);
  return context.body(null, 200);
}

async function repeatOf({ var: { web } }: WebContext, upload: Upload, refused: RefusedPlan): Promise<Repeat | null> {
  const { repeatable: runId, rows = null } = refused;
  if (runId === undefined) return null;
  const checked = await web.checks.look(upload, 0);
  const payouts = checked?.state === 'checked' ? checked.result.payouts : null;
  return { runId, rows, payouts, earlier: paidOf((await web.runs.read(runId))?.run) };
}
