import { Hono } from 'hono';
import type { ShownCheck } from '../../app/check/check-result.ts';
import { hasHeader, headerIdentity, layoutsLike } from '../../app/check/headers.ts';
import type { FileLayout, FileLayouts, LayoutColumns } from '../../app/people/file-layouts.ts';
import { NAME_MAX, nameFault } from '../../app/people/people.ts';
import { counted } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { NAME_FAULTS } from '../people/access-words.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { doneNotice, type Failure, moment, type Problem, problemNotice } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { isColumnName, type meaningOfText } from './column-words.ts';
import { meaningIn } from './reading-route.ts';
import type { Upload } from './uploads.ts';

/** The layouts that people saved on the Map step. They name headers and columns, and nothing of what is paid. */
export function layoutRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const may = requireRole('preparer');
  app.get('/layouts', may, (context) => show(context, null));
  app.post('/layouts/:id/name', may, rename);
  app.post('/layouts/:id/remove', may, remove);
  return app;
}

const DONE: Readonly<Record<string, string>> = textTable({
  renamed: 'The layout was renamed.',
  removed: 'The layout was deleted.',
});

async function show(context: WebContext, wrong: Problem | string | null): Promise<Response> {
  const { web } = signedIn(context);
  const layouts = await web.layouts.list();
  const people = new Map((await web.people.list()).map(({ id, name }) => [id, name]));
  const item = ({ id, name, columns, savedAt, savedBy }: FileLayout) => {
    const used = Object.values(columns).filter((means) => means !== null).length;
    return html`<li><div class="row"><form class="row" method="post" action="/layouts/${id}/name"><label><span class="hidden">Name of ${name}</span><input name="name" required maxlength="${NAME_MAX}" autocomplete="off" value="${name}"></label><button>Rename<span class="hidden"> ${name}</span></button></form>
<form method="post" action="/layouts/${id}/remove"><button class="quiet">Delete<span class="hidden"> ${name}</span></button></form></div>
<span class="soft small">${used} of ${counted(Object.keys(columns).length, 'column')} mapped. Saved by ${people.get(savedBy)}, ${moment(savedAt, 'sentence')}.</span></li>`;
  };
  const none = html`<p class="empty">No layouts yet. Map the columns of a file and save that as a layout. The next file with these headers shows its name.</p>`;
  const body = html`<h1>Layouts</h1>
<p class="soft">What the columns of your files map to, by name. To rename or delete a layout changes no file that was read.</p>
${problemNotice(wrong)}${wrong === null && doneNotice(DONE[context.req.query('done') ?? ''] ?? null)}
${layouts.length === 0 ? none : html`<ul class="entries">${layouts.map(item)}</ul>`}`;
  return answer(context, { title: t`Layouts`, here: 'payments', body }, wrong === null ? 200 : 422);
}

async function rename(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const { name } = await readForm(context, { name: text });
  const fault = nameFault(name);
  if (fault !== null) return show(context, NAME_FAULTS[fault]);
  const id = context.req.param('id') ?? '';
  const outcome = await web.store.transaction(async () => {
    const before = await web.layouts.get(id);
    const renamed = await web.layouts.rename(id, name);
    const details = { layout: name.trim(), before: before?.name };
    if (renamed === 'renamed') await web.audit.append({ person: person.id, act: 'layout_renamed', details });
    return renamed;
  });
  if (outcome === 'taken') return show(context, NOT_SAVED.taken);
  return outcome === 'gone' ? show(context, gone()) : context.redirect('/layouts?done=renamed', 303);
}

async function remove(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const id = context.req.param('id') ?? '';
  const isRemoved = await web.store.transaction(async () => {
    const before = await web.layouts.get(id);
    if (before === null || !(await web.layouts.remove(id))) return false;
    await web.audit.append({ person: person.id, act: 'layout_removed', details: { layout: before.name } });
    return true;
  });
  return isRemoved ? context.redirect('/layouts?done=removed', 303) : show(context, gone());
}

const gone = () => t`There is no such layout any more.`;

/**
 * Gives what the columns map to, as the form of the Map step chooses it, the name in its field `layout_name`. Why that
 * cannot be; null where it is done, or the form names none.
 */
export async function saveNamed(
  context: WebContext,
  upload: Upload,
  form: Record<string, unknown>,
  result: ShownCheck | null,
): Promise<Failure | null> {
  const { web, person } = signedIn(context);
  const name = typeof form.layout_name === 'string' ? form.layout_name : '';
  if (name.trim() === '' && form.save_layout === undefined) return null;
  const fault = nameFault(name);
  if (fault !== null) return { status: 422, message: t`The layout was not saved.`, remedy: NAME_FAULTS[fault] };
  if (result === null || !isNameable(result)) return { status: 422, ...NOT_SAVED.headless };
  const answered = Object.entries(form).flatMap(([field, letters]) => {
    const means = field.startsWith('is.') ? field.slice('is.'.length) : '';
    return typeof letters === 'string' && isColumnName(means) ? [[letters, means] as const] : [];
  });
  const answers = new Map(answered);
  const columns = layoutOf(result, (letters) => answers.get(letters) ?? meaningIn(form, letters));
  const outcome = await web.store.transaction(async () => {
    const saved = await web.layouts.save(name, columns, person.id);
    const details = { upload: upload.id, layout: name.trim() };
    if (saved === 'saved') await web.audit.append({ person: person.id, act: 'layout_saved', details });
    return saved;
  });
  return outcome === 'saved' ? null : { status: 422, ...NOT_SAVED[outcome] };
}

const NOT_SAVED = textTable({
  headless: {
    message: 'The layout was not saved.',
    remedy: 'Only a spreadsheet with a header can have a layout.',
  },
  taken: {
    message: 'A layout with this name already exists. Nothing was changed.',
    remedy: 'Choose another name, or rename the other layout under Layouts.',
  },
  full: {
    message: 'There are too many layouts. Nothing was changed.',
    remedy: 'Delete one you no longer need under Layouts.',
  },
});

type Shown = Pick<ShownCheck, 'columns' | 'header_row' | 'format'>;

/** What precedes the id of a layout that people saved, where the layout of a product is named by its name. */
export const SAVED = 'saved:';

/** A layout is offered for a file that has so many of its headers, or all. */
const SHARED_MIN = 3;

export type LayoutsHere = {
  /** The one that people saved for exactly these headers. */
  named: FileLayout | null;
  /** Whether the columns map to something else by now. */
  isChanged: boolean;
  /** Others that people saved for headers like these, and it. */
  offered: readonly FileLayout[];
  /** Those of products. */
  known: readonly string[];
  /** Whether the file has headers that a layout can name. */
  maySave: boolean;
};

/** The layouts that a file may have. */
export async function layoutsHere(layouts: FileLayouts, result: Shown): Promise<LayoutsHere> {
  const now = layoutOf(result);
  const headers = new Set(Object.keys(now));
  const maySave = isNameable(result);
  const named = maySave ? await layouts.ofHeaders(headers) : null;
  const shared = ({ columns }: FileLayout) => Object.keys(columns).filter((header) => headers.has(header)).length;
  const all = maySave ? await layouts.list() : [];
  return {
    named,
    isChanged: named !== null && Object.entries(named.columns).some(([header, means]) => now[header] !== means),
    offered: all.filter((one) => shared(one) >= Math.min(SHARED_MIN, Object.keys(one.columns).length)),
    known: layoutsLike(result.columns.map(({ header }) => header)),
    maySave,
  };
}

/** A layout names few enough headers to be kept and compared whole. */
const HEADERS_MAX = 1_000;

/** Of a file without a header, cells stand in its place; a bank file has columns of its own. */
function isNameable({ columns, header_row, format }: Shown): boolean {
  const isSmall = columns.length > 0 && columns.length <= HEADERS_MAX;
  return header_row !== null && format === undefined && isSmall && hasHeader(columns);
}

/** What each header maps to, as the form chooses it. `chosenOf`: by letters, what of a column is chosen; null or empty for nothing. */
function layoutOf(
  { columns }: Pick<ShownCheck, 'columns'>,
  chosenOf: (letters: string) => ReturnType<typeof meaningOfText> = () => null,
): LayoutColumns {
  const named = columns.filter(({ header }) => header.trim() !== '');
  return Object.fromEntries(
    named.map(({ column, header, means }) => {
      const chosen = chosenOf(column) || means;
      return [headerIdentity(header), chosen !== null && isColumnName(chosen) ? chosen : null];
    }),
  );
}
