import { createReadStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type { Reading } from '../../app/check/reading.ts';
import { endForLog } from '../../app/launcher/launch.ts';
import type { Person } from '../people/people.ts';
import { requireRole } from '../require-role.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { field, signedIn, type WebContext, type WebEnv } from '../web.ts';
import { checkPage } from './check-page.ts';
import { hasHeader, isColumnName, looksLikeAccount } from './reading-forms.ts';
import { receive } from './receive-upload.ts';
import { goneWords, keptText, removeUpload, unneededSince } from './retention.ts';
import { checkingPage, uncheckedPage } from './upload-parts.ts';
import { fileOrderOf, type Upload } from './uploads.ts';

/** So long a page waits for a check before it says that it is under way. */
const PATIENCE_MS = 1_500;

const SHEET_MAX = 200;

/** Files: uploaded, checked, and read in another way. Account numbers in them are seen by who prepares or approves. */
export function uploadRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole('preparer', 'approver');
  const prepares = requireRole('preparer');
  app.post('/uploads', prepares, receive);
  app.get('/uploads/:id', sees, (context) => withUpload(context, show));
  app.get('/uploads/:id/annotated.xlsx', sees, (context) => withUpload(context, download));
  app.post('/uploads/:id/reading', prepares, (context) => withUpload(context, changeReading));
  app.post('/uploads/:id/columns', prepares, (context) => withUpload(context, changeColumns));
  app.post('/uploads/:id/remove', prepares, (context) => withUpload(context, remove));
  app.post('/uploads/:id/again', prepares, (context) => withUpload(context, checkAgain));
  return app;
}

/** Hands the upload of the address to `act`, or says that there is none, or none any more. The id is looked up, and never a path. */
export async function withUpload(
  context: WebContext,
  act: (context: WebContext, upload: Upload) => Response | Promise<Response>,
): Promise<Response> {
  const upload = context.var.web.uploads.get(context.req.param('id') ?? '');
  if (upload?.removed) return errorPage(context, { status: 410, ...goneWords(context.var.web, upload) });
  if (upload !== null) return act(context, upload);
  return errorPage(context, { status: 404, what: 'There is no such file.', remedy: 'Upload it on the first page.' });
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { checks, people } = context.var.web;
  const { person } = signedIn(context);
  const isPoll = context.req.header('x-refresh') !== undefined;
  const checked = await checks.look(upload, isPoll ? 0 : PATIENCE_MS);
  const by = people.get(upload.personId)?.name ?? 'somebody';
  const of = {
    upload,
    by,
    mayPrepare: person.roles.includes('preparer'),
    removal: await removalOf(context, upload, person),
  };
  const page = (body: ReturnType<typeof checkPage>, asksAgain = false) =>
    answer(context, { title: upload.name, here: 'home', body, asksAgain });
  if (checked === null) return page(checkingPage(of, `/uploads/${upload.id}`), true);
  if (checked.state === 'checked') return page(checkPage({ ...of, result: checked.result }));
  return page(uncheckedPage(of, checked.state === 'refused' ? checked : null));
}

/** For whoever uploaded it and may remove it now: how long it is kept else. */
async function removalOf({ var: { web } }: WebContext, upload: Upload, person: Person): Promise<string | null> {
  return upload.personId === person.id && (await unneededSince(web, upload)) !== null ? keptText(web) : null;
}

async function remove(context: WebContext, upload: Upload): Promise<Response> {
  const { person } = signedIn(context);
  if ((await removalOf(context, upload, person)) === null) return errorPage(context, { status: 409, ...NOT_REMOVED });
  removeUpload(context.var.web, upload, person.id);
  return context.redirect(`/uploads/${upload.id}`, 303);
}

const NOT_REMOVED = {
  what: 'This file was not removed.',
  remedy: 'Whoever uploaded it removes it, when no plan waits with it and nothing of it is being paid.',
};

/** The copy with the problems marked, made when it is first asked for. */
async function download(context: WebContext, upload: Upload): Promise<Response> {
  const { uploads, deps } = context.var.web;
  const path = uploads.beside(upload, `annotated-${upload.revision}.xlsx`);
  if (!existsSync(path)) {
    const file = fileOrderOf(upload, uploads, deps.jobs());
    const ended = await deps.tasks.check({ ...file, forgetColumns: false, copy: { kind: 'annotated', path } });
    if (!existsSync(path)) {
      deps.log.warn({ upload: upload.id, ...endForLog(ended) }, 'no copy with the problems was written');
      const remedy = 'Look at the check again: there may be nothing to mark.';
      return errorPage(context, { status: 409, what: 'There is no copy to download.', remedy });
    }
  }
  const stem = upload.name.slice(0, -upload.kind.length) || 'upload';
  context.header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  context.header('content-disposition', attachment(`${stem} with problems.xlsx`));
  return context.body(Readable.toWeb(createReadStream(path)) as ReadableStream);
}

/** A name that only browsers read as text: RFC 6266 with the encoding of RFC 8187. */
function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="upload.xlsx"; filename*=UTF-8''${encoded}`;
}

async function changeReading(context: WebContext, upload: Upload): Promise<Response> {
  const form = await context.req.parseBody();
  const sheet = field(form, 'sheet').slice(0, SHEET_MAX);
  const decimal = field(form, 'decimal');
  const rails = { ...upload.reading.rails };
  for (const name of Object.keys(form)) {
    const currency = /^rail\.([A-Z0-9]{2,12})$/.exec(name)?.[1];
    const rail = field(form, name);
    if (currency === undefined) continue;
    delete rails[currency];
    if (/^[A-Z0-9_]{2,24}$/.test(rail)) rails[currency] = rail;
  }
  const said = {
    rails,
    sheet: sheet === '' ? upload.reading.sheet : sheet,
    decimal: 'decimal' in form ? (decimal === '.' || decimal === ',' ? decimal : null) : upload.reading.decimal,
  };
  return readAgain(context, upload, { ...upload.reading, ...said }, said);
}

/**
 * Headers are taken from the check, so that nothing but a choice comes from the form. Of a sheet without headers they are
 * what the first payout holds: its account number is not kept, and the audit log names columns by their letters.
 */
async function changeColumns(context: WebContext, upload: Upload): Promise<Response> {
  const form = await context.req.parseBody();
  if (field(form, 'forget') !== '')
    return readAgain(context, upload, { ...upload.reading, columns: {} }, { forget: true });
  const checked = await context.var.web.checks.look(upload, PATIENCE_MS);
  const columns = { ...upload.reading.columns };
  const said: string[] = [];
  const picked = field(form, 'column');
  if (checked?.state === 'checked') {
    const isHeader = hasHeader(checked.result.columns);
    for (const { column, header, means, ignored } of checked.result.columns) {
      if (picked !== '' && column !== picked) continue;
      const chosen = field(form, picked === '' ? `means.${column}` : 'means');
      const name = header.trim();
      const isNew = chosen === 'ignore' ? !ignored : isColumnName(chosen) && chosen !== means;
      const isGone = chosen === '' && (means !== null || ignored);
      if (isNew && !isHeader && looksLikeAccount(name)) return noHeader(context, column);
      if (isNew) columns[name] = chosen === 'ignore' ? '' : chosen;
      if (isGone) delete columns[name];
      if (isNew || isGone) said.push(`${column}: ${chosen || 'nothing said'}`);
    }
  }
  return readAgain(context, upload, { ...upload.reading, columns }, { columns: said });
}

function noHeader(context: WebContext, column: string): Response | Promise<Response> {
  const what = `What stands in the header of column ${column} looks like a number of an account or a payout, and not like a header.`;
  const remedy = 'Put a row with a header for each column above the payouts, and upload the file again.';
  return errorPage(context, { status: 422, what, remedy });
}

/** `said` is what the audit log keeps of it, for everybody who may read that: no text of a cell. */
function readAgain(context: WebContext, upload: Upload, reading: Reading, said: Record<string, unknown>): Response {
  const { uploads, audit, checks } = context.var.web;
  const { person } = signedIn(context);
  uploads.setReading(upload.id, reading);
  audit.append({ person: person.id, act: 'reading_changed', details: { upload: upload.id, ...said } });
  const changed = uploads.get(upload.id);
  if (changed !== null) void checks.begin(changed, { forget: said.forget === true });
  return context.redirect(`/uploads/${upload.id}`, 303);
}

function checkAgain(context: WebContext, upload: Upload): Response {
  const { checks } = context.var.web;
  checks.again(upload);
  void checks.begin(upload);
  return context.redirect(`/uploads/${upload.id}`, 303);
}

/** The empty spreadsheet of `payrun template`, for every rail. */
export function templateRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/template.xlsx', requireRole('preparer'), send);
  return app;
}

async function send(context: WebContext): Promise<Response> {
  const { deps } = context.var.web;
  try {
    const bytes = await deps.calls.template();
    return context.body(new Uint8Array(bytes), 200, {
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename="payroll-template.xlsx"',
    });
  } catch (error) {
    deps.log.warn({ error }, 'no template was written');
    return errorPage(context, { status: 503, what: 'The empty spreadsheet could not be made.', remedy: 'Try again.' });
  }
}
