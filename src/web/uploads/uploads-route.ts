import { Hono } from 'hono';
import { jobLines } from '../../app/check/job-settings.ts';
import { ASKED_NAMES, type Reading } from '../../app/check/reading.ts';
import type { Person } from '../../app/people/people.ts';
import { requireRole } from '../require-role.ts';
import { sendFile, XLSX } from '../send-file.ts';
import { readForm, text } from '../shell/form.ts';
import type { Html } from '../shell/html.ts';
import { answer, errorPage, patienceMs } from '../shell/layout.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { checkingPage, checkPage, type UploadView, uncheckedPage } from './check-page.ts';
import type { Checked } from './checks.ts';
import { withChoice, withEach } from './column-choices.ts';
import { receive } from './receive-upload.ts';
import { goneWords, keptText, removeUpload, unneededSince } from './retention.ts';
import { DEFAULT_READING, type Upload } from './uploads.ts';

/** How long a page waits for a check before it says that it is under way. */
const PATIENCE_MS = 1_500;

const SHEET_MAX = 200;

/** Files: uploaded, checked, and read in another way. Those who prepare or approve see the account numbers in them. */
export function uploadRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole('preparer', 'approver');
  const prepares = requireRole('preparer');
  app.get('/template.xlsx', prepares, sendTemplate);
  app.post('/uploads', prepares, receive);
  app.get('/uploads/:id', sees, onUpload(show));
  app.get('/uploads/:id/annotated.xlsx', sees, onUpload(sendAnnotated));
  app.get('/uploads/:id/job-lines.yaml', sees, onUpload(sendJobLines));
  app.post('/uploads/:id/reading', prepares, onUpload(changeReading));
  app.post('/uploads/:id/columns', prepares, onUpload(changeColumns));
  app.post('/uploads/:id/remove', prepares, onUpload(remove));
  app.post('/uploads/:id/again', prepares, onUpload(checkAgain));
  return app;
}

type UploadHandler = (context: WebContext, upload: Upload) => Response | Promise<Response>;

/** Hands the upload of the address to `act`, or shows that there is none, or none any more. The id is looked up, and never a path. */
export function onUpload(act: UploadHandler) {
  return async (context: WebContext) => {
    const { web } = context.var;
    const upload = await web.uploads.get(context.req.param('id') ?? '');
    if (upload?.removed) return errorPage(context, { status: 410, ...(await goneWords(web, upload)) });
    if (upload !== null) return act(context, upload);
    const message = 'There is no such file.';
    return errorPage(context, { status: 404, message, remedy: 'Upload it on the first page.' });
  };
}

function toUpload(context: WebContext, { id }: Upload): Response {
  return context.redirect(`/uploads/${id}`, 303);
}

/** The empty spreadsheet of `payrun template`, for every rail. */
async function sendTemplate(context: WebContext): Promise<Response> {
  const { calls, log } = context.var.web.deps;
  try {
    return await sendFile(context, await calls.template(), 'payroll-template.xlsx', XLSX);
  } catch (error) {
    log.warn({ error }, 'no template was written');
    const message = 'The empty spreadsheet could not be made.';
    return errorPage(context, { status: 503, message, remedy: 'Try again.' });
  }
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person } = signedIn(context);
  const checked = await web.checks.look(upload, patienceMs(context, PATIENCE_MS));
  const view = {
    upload,
    by: await web.people.nameOf(upload.personId),
    mayPrepare: person.roles.includes('preparer'),
    removal: await removalOf(web, upload, person),
  };
  const body = pageOf(view, checked);
  return answer(context, { title: upload.name, here: 'overview', body, asksAgain: checked === null });
}

function pageOf(view: UploadView, checked: Checked | null): Html {
  if (checked === null) return checkingPage(view);
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

const NOT_REMOVED = {
  message: 'This file was not removed.',
  remedy: 'The person who uploaded it can remove it when no plan waits with it and nothing of it is being paid.',
};

/** The copy with the problems marked, made when it is first asked for. */
async function sendAnnotated(context: WebContext, upload: Upload): Promise<Response> {
  const { path } = await context.var.web.checks.copy(upload, 'annotated');
  if (path === null) {
    const remedy = 'Look at the check again: there may be nothing to mark.';
    return errorPage(context, { status: 409, message: 'There is no copy to download.', remedy });
  }
  const stem = upload.name.slice(0, -upload.kind.length) || 'upload';
  return sendFile(context, path, `${stem} with problems.xlsx`, XLSX);
}

/** What people chose for its headers, as a job has it. */
async function sendJobLines(context: WebContext, upload: Upload): Promise<Response> {
  const checked = await context.var.web.checks.look(upload, PATIENCE_MS);
  const settings = checked?.state === 'checked' ? checked.result.job_settings : undefined;
  if (settings === undefined) {
    const remedy = 'Look at the check again: there may be nothing that a job needs for it.';
    return errorPage(context, { status: 409, message: 'There are no lines to download.', remedy });
  }
  return context.body(jobLines(settings), 200, {
    'content-type': 'application/yaml; charset=utf-8',
    'content-disposition': 'attachment; filename="job-lines.yaml"',
  });
}

const RAIL_FIELD = /^rail\.([A-Z0-9]{2,12})$/;
const CURRENCY = /^[A-Z0-9]{2,12}$/;
const RAIL = /^[A-Z0-9_]{2,24}$/;

async function changeReading(context: WebContext, upload: Upload): Promise<Response> {
  const { reading } = upload;
  const fields = {
    reset: text,
    sheet: text,
    encoding: text.optional(),
    decimal: text.optional(),
    currency: text.optional(),
    references: text.optional(),
  };
  const { reset, sheet, encoding, decimal, currency: code, references, ...form } = await readForm(context, fields);
  if (reset !== '')
    return readAgain(context, upload, { ...DEFAULT_READING, columns: reading.columns }, { reset: true });
  const rails = { ...reading.rails };
  for (const [name, rail] of Object.entries(form)) {
    const currency = RAIL_FIELD.exec(name)?.[1];
    if (currency === undefined) continue;
    delete rails[currency];
    if (typeof rail === 'string' && RAIL.test(rail)) rails[currency] = rail;
  }
  const chosen = {
    rails,
    sheet: sheet === '' ? reading.sheet : sheet.slice(0, SHEET_MAX),
    encoding: encoding === undefined ? reading.encoding : (ASKED_NAMES.find((name) => name === encoding) ?? null),
    foldReferences: references === undefined ? reading.foldReferences : references === 'fold',
    currency: code === undefined ? reading.currency : CURRENCY.test(code) ? code : null,
    decimal: decimal === undefined ? reading.decimal : decimal === '.' || decimal === ',' ? decimal : null,
  };
  return readAgain(context, upload, { ...reading, ...chosen }, chosen);
}

async function changeColumns(context: WebContext, upload: Upload): Promise<Response> {
  const form = await readForm(context, { forget: text, column: text, other: text, means: text });
  const { reading } = upload;
  if (form.forget !== '')
    return readAgain(context, upload, { ...reading, columns: {}, currency: null, encoding: null }, { forget: true });
  const checked = await context.var.web.checks.look(upload, PATIENCE_MS);
  const result = checked?.state === 'checked' ? checked.result : { columns: [] };
  const choice = { ...form, other: form.other.trim().toUpperCase() };
  const chosen =
    form.column === ''
      ? withEach(reading.columns, (letters) => text.parse(form[`means.${letters}`]), result)
      : withChoice(reading.columns, choice, result);
  if (chosen === null) return errorPage(context, { status: 422, ...NO_COLUMN });
  return readAgain(context, upload, { ...reading, columns: chosen.columns }, { columns: chosen.changed });
}

const NO_COLUMN = {
  message: 'There is no such column, so nothing was changed.',
  remedy: 'Go back, and name another column by its letter, with what both are together.',
};

/** `changed` is what the audit log keeps, for everybody who may read that: no text of a cell. */
async function readAgain(
  context: WebContext,
  upload: Upload,
  reading: Reading,
  changed: Record<string, unknown>,
): Promise<Response> {
  const { web, person } = signedIn(context);
  const now = await web.store.transaction(async () => {
    await web.uploads.setReading(upload.id, reading);
    await web.audit.append({ person: person.id, act: 'reading_changed', details: { upload: upload.id, ...changed } });
    return web.uploads.get(upload.id);
  });
  // Before the answer: another host, which knows of nothing to be forgotten, may be asked for the page next.
  if (now !== null) await web.checks.start(now, { forget: changed.forget === true });
  return toUpload(context, upload);
}

function checkAgain(context: WebContext, upload: Upload): Response {
  const { checks } = context.var.web;
  checks.again(upload);
  void checks.begin(upload);
  return toUpload(context, upload);
}
