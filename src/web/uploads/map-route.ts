import { isDeepStrictEqual } from 'node:util';
import { Hono } from 'hono';
import type { ShownCheck } from '../../app/check/check-result.ts';
import { headerIdentity, meaningBy } from '../../app/check/headers.ts';
import type { FileLayout } from '../../app/people/file-layouts.ts';
import { t } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { answer, askedPage, errorPage, patienceMs } from '../shell/layout.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { withEach, withOne } from './column-choices.ts';
import { isColumnName, meaningOfText } from './column-words.ts';
import { layoutsHere, SAVED, saveNamed } from './layouts-route.ts';
import { mapPage } from './map-page.ts';
import { needsMap } from './map-questions.ts';
import { meaningIn, NO_COLUMN, readAgain, readingChosen } from './reading-route.ts';
import { pageOver } from './upload-over.ts';
import type { Upload } from './uploads.ts';
import { answerStep, onUpload, PATIENCE_MS, viewOf } from './uploads-route.ts';

const FIND_MAX = 100;

/** The second step of a new payment: what the columns of its file map to. */
export function mapRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole('preparer', 'approver');
  const prepares = requireRole('preparer');
  app.get('/uploads/:id', sees, onUpload(showStep));
  app.get('/uploads/:id/map', sees, onUpload(show));
  app.post('/uploads/:id/map', prepares, onUpload(change));
  return app;
}

/** The step where a file is: its mapping, where something of that is open, else its review. */
async function showStep(context: WebContext, upload: Upload): Promise<Response> {
  const checked = await context.var.web.checks.look(upload, patienceMs(context, PATIENCE_MS));
  const isOpen = checked?.state === 'checked' && needsMap(upload, checked.result);
  return isOpen ? answerMap(context, upload, checked.result) : answerStep(context, upload, checked);
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const checked = await context.var.web.checks.look(upload, patienceMs(context, PATIENCE_MS));
  return checked?.state === 'checked'
    ? answerMap(context, upload, checked.result)
    : answerStep(context, upload, checked, 'map');
}

async function answerMap(context: WebContext, upload: Upload, result: ShownCheck): Promise<Response> {
  const isLayoutSaved = context.req.query('done') === 'layout';
  const asked = { find: (context.req.query('find') ?? '').slice(0, FIND_MAX), page: askedPage(context), isLayoutSaved };
  const view = await viewOf(context, upload, { state: 'checked', result });
  const body = mapPage(view, result, await layoutsHere(context.var.web.layouts, result), asked);
  return answer(context, { title: upload.name, here: 'payments', ...pageOver(view.by), body });
}

/** Takes what the whole step chose at once, and leads on: to the review, or to what is still open. */
async function change(context: WebContext, upload: Upload): Promise<Response> {
  const { reading } = upload;
  const form = await readForm(context, { layout: text.optional(), save_layout: text.optional() });
  const checked = await context.var.web.checks.look(upload, PATIENCE_MS);
  const result = checked?.state === 'checked' ? checked.result : null;
  const wrong = result?.columns.find(({ column }) => meaningIsUnknown(form[`means.${column}`]));
  if (wrong !== undefined) return errorPage(context, { status: 422, ...notKnown(form[`means.${wrong.column}`]) });
  const refused = await saveNamed(context, upload, form, result);
  if (refused !== null) return errorPage(context, refused);
  const columns = result === null ? null : columnsChosen(upload, form, result, await savedIn(context, form.layout));
  if (columns === null) return errorPage(context, { status: 422, ...NO_COLUMN });
  const chosen = readingChosen(reading, form);
  const changed = { ...reading, ...chosen, columns: columns.columns };
  const staysHere = form.save_layout !== undefined;
  const map = `/uploads/${upload.id}/map?done=layout`;
  if (isDeepStrictEqual(changed, reading))
    return context.redirect(staysHere ? map : `/uploads/${upload.id}/review`, 303);
  const answered = await readAgain(context, upload, changed, { ...chosen, columns: columns.changed });
  return staysHere ? context.redirect(map, 303) : answered;
}

async function savedIn({ var: { web } }: WebContext, layout: string | undefined): Promise<FileLayout | null> {
  return layout?.startsWith(SAVED) ? web.layouts.get(layout.slice(SAVED.length)) : null;
}

function columnsChosen(
  { reading }: Upload,
  form: Record<string, unknown>,
  result: ShownCheck,
  saved: FileLayout | null,
): ReturnType<typeof withOne> {
  const { layout } = form;
  if (saved !== null) {
    const headers = new Map(result.columns.map(({ column, header }) => [column, headerIdentity(header)]));
    const meansOf = (letters: string) => {
      const means = saved.columns[headers.get(letters) ?? ''];
      return means === undefined ? null : (means ?? 'ignore');
    };
    return withEach(reading.columns, meansOf, result);
  }
  if (typeof layout === 'string') {
    const meaning = meaningBy(layout);
    const headers = new Map(result.columns.map(({ column, header }) => [column, header]));
    return withEach(reading.columns, (letters) => meaning(headers.get(letters) ?? '') ?? 'ignore', result);
  }
  let chosen: ReturnType<typeof withOne> = withEach(reading.columns, (letters) => meaningIn(form, letters), result);
  for (const [name, letters] of Object.entries(form)) {
    const means = name.startsWith('is.') ? name.slice('is.'.length) : '';
    if (chosen === null || letters === '' || typeof letters !== 'string' || !isColumnName(means)) continue;
    const one = withOne(chosen.columns, means, letters, result);
    chosen = one && { columns: one.columns, changed: [...chosen.changed, ...one.changed] };
  }
  return chosen;
}

function meaningIsUnknown(field: unknown): boolean {
  const typed = [field].flat().at(-1);
  return typeof typed === 'string' && meaningOfText(typed) === null;
}

function notKnown(field: unknown): { message: string; remedy: string } {
  const typed = String([field].flat().at(-1)).slice(0, FIND_MAX);
  return {
    message: t`There is no payment column called “${typed}”. Nothing was changed.`,
    remedy: t`Go back and choose one from the list.`,
  };
}
