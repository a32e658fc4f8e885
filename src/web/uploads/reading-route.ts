import { Hono } from 'hono';
import { ASKED_NAMES, type Reading } from '../../app/check/reading.ts';
import { textTable } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { errorPage } from '../shell/layout.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { withChoice, withEach } from './column-choices.ts';
import { meaningOfText } from './column-words.ts';
import { jobChoiceOf } from './job-choice.ts';
import { notOfJob } from './upload-over.ts';
import { DEFAULT_READING, type Upload } from './uploads.ts';
import { onUpload, PATIENCE_MS, toUpload } from './uploads-route.ts';

const SHEET_MAX = 200;
const RAIL_FIELD = /^rail\.([A-Z0-9]{2,12})$/;
const CURRENCY = /^[A-Z0-9]{2,12}$/;
const RAIL = /^[A-Z0-9_]{2,24}$/;

/** How a file is read, what its columns map to and which job it is for, as people choose it. */
export function readingRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const prepares = requireRole('preparer');
  app.post('/uploads/:id/reading', prepares, onUpload(changeReading));
  app.post('/uploads/:id/columns', prepares, onUpload(changeColumns));
  app.post('/uploads/:id/job', prepares, onUpload(changeJob));
  return app;
}

async function changeReading(context: WebContext, upload: Upload): Promise<Response> {
  const { reading } = upload;
  const form = await readForm(context, { reset: text });
  if (form.reset !== '')
    return readAgain(context, upload, { ...DEFAULT_READING, columns: reading.columns }, { reset: true });
  const chosen = readingChosen(reading, form);
  return readAgain(context, upload, { ...reading, ...chosen }, chosen);
}

/** What the fields of a form choose of how a file is read; what it has no field for stays as it is. */
export function readingChosen(reading: Reading, form: Record<string, unknown>): Omit<Reading, 'columns'> {
  const field = (name: string) => text.optional().parse(form[name]);
  const [sheet, encoding, decimal] = [field('sheet') ?? '', field('encoding'), field('decimal')];
  const [code, references] = [field('currency'), field('references')];
  const rails = { ...reading.rails };
  for (const [name, rail] of Object.entries(form)) {
    const currency = RAIL_FIELD.exec(name)?.[1];
    if (currency === undefined) continue;
    delete rails[currency];
    if (typeof rail === 'string' && RAIL.test(rail)) rails[currency] = rail;
  }
  return {
    rails,
    sheet: sheet === '' ? reading.sheet : sheet.slice(0, SHEET_MAX),
    encoding: encoding === undefined ? reading.encoding : (ASKED_NAMES.find((name) => name === encoding) ?? null),
    foldReferences: references === undefined ? reading.foldReferences : references === 'fold',
    currency: code === undefined ? reading.currency : CURRENCY.test(code) ? code : null,
    decimal: decimal === undefined ? reading.decimal : decimal === '.' || decimal === ',' ? decimal : null,
  };
}

async function changeColumns(context: WebContext, upload: Upload): Promise<Response> {
  const form = await readForm(context, { forget: text, column: text, other: text, means: text });
  const { reading } = upload;
  if (form.forget !== '')
    return readAgain(context, upload, { ...reading, columns: {}, currency: null, encoding: null }, { forget: true });
  const checked = await context.var.web.checks.look(upload, PATIENCE_MS);
  const result = checked?.state === 'checked' ? checked.result : { columns: [] };
  const [column, other] = [form.column, form.other].map((letters) => letters.trim().toUpperCase());
  const choice = { column: column ?? '', other: other ?? '', means: meaningOfText(form.means) ?? form.means };
  const chosen =
    choice.column === ''
      ? withEach(reading.columns, (letters) => meaningIn(form, letters), result)
      : withChoice(reading.columns, choice, result);
  if (chosen === null) return errorPage(context, { status: 422, ...NO_COLUMN });
  return readAgain(context, upload, { ...reading, columns: chosen.columns }, { columns: chosen.changed });
}

/** What the field of a column says, the last where a button says it too; null where it has none, or no meaning is in it. */
export function meaningIn(form: Record<string, unknown>, letters: string): ReturnType<typeof meaningOfText> {
  const field = [form[`means.${letters}`]].flat().at(-1);
  return typeof field === 'string' ? meaningOfText(field) : null;
}

export const NO_COLUMN = textTable({
  message: 'There is no such column. Nothing was changed.',
  remedy: 'Go back and enter the letter of the other column, and what the two together are.',
});

/** What a file is for, chosen when it is there: that may change how it is read, so it is checked again. */
async function changeJob(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person } = signedIn(context);
  const { job: chosen } = await readForm(context, { job: text });
  const job = chosen === '' ? null : chosen;
  const choice = await jobChoiceOf(web, person, upload, []);
  if (choice === null || (await web.plannings.isUnderWay(upload)))
    return errorPage(context, { status: 409, ...PLANNED });
  const isOne = job === null ? choice.mayGoWithout : choice.jobs.some(({ name }) => name === job);
  if (!isOne) return errorPage(context, { status: 422, ...NO_JOB });
  if (job === upload.job) return toUpload(context, upload);
  const connection = upload.connectionId === null ? null : await web.connections.ofUpload(upload);
  const other = connection && (await notOfJob(web, connection, job));
  if (other) return errorPage(context, { status: 422, ...other });
  const now = await web.store.transaction(async () => {
    await web.uploads.setJob(upload.id, job);
    await web.audit.append({
      person: person.id,
      act: 'job_chosen',
      details: { upload: upload.id, job: job ?? 'none' },
    });
    return web.uploads.get(upload.id);
  });
  if (now !== null) await web.checks.start(now, {});
  return toUpload(context, upload);
}

const PLANNED = textTable({
  message: 'The job of this file can no longer be changed.',
  remedy: 'It has been planned, or is being planned. Upload the file again for another job.',
});
const NO_JOB = textTable({
  message: 'Job not found, or its file has errors.',
  remedy: 'Choose another one. Schedules shows what is wrong with the file of each.',
});

/** `changed` is what the audit log keeps, for everybody who may read that: no text of a cell. */
export async function readAgain(
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
