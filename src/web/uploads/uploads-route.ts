import { Hono } from 'hono';
import { jobLines } from '../../app/check/job-settings.ts';
import type { Person } from '../../app/people/people.ts';
import { t, textTable } from '../../messages/translate.ts';
import { offeredStart } from '../plans/start-fields.ts';
import { enter, requireRole } from '../require-role.ts';
import { sendFile, XLSX } from '../send-file.ts';
import type { Html } from '../shell/html.ts';
import { answer, errorPage, patienceMs } from '../shell/layout.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { checkingPage, checkPage, type UploadView, uncheckedPage } from './check-page.ts';
import type { Checked } from './checks.ts';
import { jobChoiceOf } from './job-choice.ts';
import { receive, receiveOfJob } from './receive-upload.ts';
import { goneWords, keptText, removeUpload, unneededSince } from './retention.ts';
import { pageOver, uploadBy } from './upload-over.ts';
import type { StepName } from './upload-parts.ts';
import { showOtherUpload, showUploadStep } from './upload-step.ts';
import type { Upload } from './uploads.ts';

/** How long a page waits for a check before it says that it is under way. */
export const PATIENCE_MS = 1_500;

/** Files: uploaded, checked, and read in another way. Those who prepare or approve see the account numbers in them. */
export function uploadRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole('preparer', 'approver');
  const prepares = requireRole('preparer');
  app.get('/template.xlsx', prepares, sendTemplate);
  app.get('/uploads/new', prepares, (context) => showUploadStep(context, { job: context.req.query('job') ?? null }));
  app.post('/uploads', prepares, receive);
  app.post('/jobs/:job/run', prepares, receiveOfJob);
  app.get('/uploads/:id/upload', prepares, onUpload(showOtherUpload));
  app.get('/uploads/:id/review', sees, onUpload(showReview));
  app.get('/uploads/:id/annotated.xlsx', sees, onUpload(sendAnnotated));
  app.get('/uploads/:id/job-lines.yaml', sees, onUpload(sendJobLines));
  app.post('/uploads/:id/remove', prepares, onUpload(remove));
  app.post('/uploads/:id/again', prepares, onUpload(checkAgain));
  return app;
}

type UploadHandler = (context: WebContext, upload: Upload) => Response | Promise<Response>;

/** Hands the upload of the address to `act`, or shows that there is none, or none any more. The id is looked up, and never a path. */
export function onUpload(act: UploadHandler) {
  return async (context: WebContext) => {
    const { web, person } = signedIn(context);
    const seen = await web.sight.of(person).upload(context.req.param('id') ?? '');
    const refused = seen && (await enter(context, seen.sight));
    if (refused) return refused;
    if (seen?.upload.removed) return errorPage(context, { status: 410, ...(await goneWords(web, seen.upload)) });
    if (seen !== null) return act(context, seen.upload);
    const message = t`File not found.`;
    return errorPage(context, { status: 404, message, remedy: t`Upload it on Overview.` });
  };
}

export function toUpload(context: WebContext, { id }: Upload): Response {
  return context.redirect(`/uploads/${id}`, 303);
}

/** The empty spreadsheet of `payrun template`, for every rail. */
async function sendTemplate(context: WebContext): Promise<Response> {
  const { calls, log } = context.var.web.deps;
  try {
    return await sendFile(context, await calls.template(), 'payroll-template.xlsx', XLSX);
  } catch (error) {
    log.warn({ error }, 'no template was written');
    const message = t`The empty spreadsheet could not be made.`;
    return errorPage(context, { status: 503, message, remedy: t`Try again.` });
  }
}

async function showReview(context: WebContext, upload: Upload): Promise<Response> {
  const { checks } = context.var.web;
  return answerStep(context, upload, await checks.look(upload, patienceMs(context, PATIENCE_MS)));
}

/** Answers with the review of a file, or with what is there before it was read. */
export async function answerStep(
  context: WebContext,
  upload: Upload,
  checked: Checked | null,
  step: StepName = 'review',
): Promise<Response> {
  const view = await viewOf(context, upload, checked);
  const body = pageOf(view, checked, step);
  return answer(context, {
    title: upload.name,
    here: 'payments',
    ...pageOver(view.by),
    body,
    asksAgain: checked === null,
  });
}

export async function viewOf(context: WebContext, upload: Upload, checked: Checked | null): Promise<UploadView> {
  const { web, person } = signedIn(context);
  const headers = checked?.state === 'checked' ? checked.result.columns.map(({ header }) => header) : [];
  return {
    upload,
    by: await uploadBy(web, upload),
    mayPrepare: person.roles.includes('preparer'),
    jobs: await jobChoiceOf(web, person, upload, headers),
    start: offeredStart(web, upload.job),
    removal: await removalOf(web, upload, person),
  };
}

function pageOf(view: UploadView, checked: Checked | null, step: StepName): Html {
  if (checked === null) return checkingPage(view, step);
  if (checked.state === 'checked') return checkPage(view, checked.result);
  return uncheckedPage(view, checked.state === 'refused' ? checked : null);
}

/** For the person who uploaded it and may remove it now: how long it is kept else. */
async function removalOf(web: Web, upload: Upload, person: Person): Promise<string | null> {
  return upload.personId === person.id && (await unneededSince(web, upload)) !== null ? keptText(web) : null;
}

async function remove(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person } = signedIn(context);
  if ((await removalOf(web, upload, person)) === null) return errorPage(context, { status: 409, ...NOT_REMOVED });
  await removeUpload(web, upload, person.id);
  return toUpload(context, upload);
}

const NOT_REMOVED = textTable({
  message: 'This file was not removed.',
  remedy: 'The person who uploaded it can remove it when no plan is waiting and nothing in it is being paid.',
});

/** The copy with the problems marked, made when it is first asked for. */
async function sendAnnotated(context: WebContext, upload: Upload): Promise<Response> {
  const { path } = await context.var.web.checks.copy(upload, 'annotated');
  if (path === null) {
    const remedy = t`Look at the check again: there may be nothing to mark.`;
    return errorPage(context, { status: 409, message: t`No copy to download.`, remedy });
  }
  const stem = upload.name.slice(0, -upload.kind.length) || 'upload';
  return sendFile(context, path, t`${stem} with problems.xlsx`, XLSX);
}

/** What people chose for its headers, as a job has it. */
async function sendJobLines(context: WebContext, upload: Upload): Promise<Response> {
  const checked = await context.var.web.checks.look(upload, PATIENCE_MS);
  const settings = checked?.state === 'checked' ? checked.result.job_settings : undefined;
  if (settings === undefined) {
    const remedy = t`Look at the check again: a job may need nothing for it.`;
    return errorPage(context, { status: 409, message: t`There are no lines to download.`, remedy });
  }
  return context.body(jobLines(settings), 200, {
    'content-type': 'application/yaml; charset=utf-8',
    'content-disposition': 'attachment; filename="job-lines.yaml"',
  });
}

function checkAgain(context: WebContext, upload: Upload): Response {
  const { checks } = context.var.web;
  checks.again(upload);
  void checks.begin(upload);
  return toUpload(context, upload);
}
