import { Hono } from 'hono';
import { z } from 'zod';
import { CELL_LETTERS_MAX } from '../../app/check/cells-file.ts';
import { columnLetters } from '../../app/check/headers.ts';
import type { Saved } from '../../app/edits/edit-log.ts';
import { changesOf, editOrders } from '../../app/edits/edit-orders.ts';
import { type Save, undoableOf } from '../../app/edits/edits.ts';
import { ROWS_MAX, type RowsQuery, type Show } from '../../app/edits/grid-rows.ts';
import { counted, grouped, listed } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import type { Failure } from '../shell/parts.ts';
import { kindTitle } from '../uploads/problems-part.ts';
import { pageOver, uploadBy } from '../uploads/upload-over.ts';
import { uploadName } from '../uploads/upload-parts.ts';
import type { Upload } from '../uploads/uploads.ts';
import { onUpload } from '../uploads/uploads-route.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { recipientOrders } from './recipients.ts';
import { reviewPage } from './review-page.ts';
import { columnsOf, countsOf, numbersOf, type Review } from './reviews.ts';

/** Cells that are named where somebody else has changed them. */
const PLACES_NAMED = 5;

const sent = z.union([
  z.strictObject({ revision: z.int().positive(), orders: editOrders }),
  z.strictObject({ revision: z.int().positive(), undo: z.literal(true) }),
  z.strictObject({ revision: z.int().positive(), redo: z.literal(true) }),
  z.strictObject({ revision: z.int().positive(), row: z.int().positive(), recipient: z.string().max(100) }),
]);

/**
 * The rows of an upload, edited in a grid. Account numbers are in it as in the file: preparers and approvers see it, and only
 * preparers change them.
 */
export function reviewRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole('preparer', 'approver');
  app.get('/uploads/:id/grid', sees, onUpload(show));
  app.get('/uploads/:id/rows', sees, onUpload(sendRows));
  app.post('/uploads/:id/rows', requireRole('preparer'), onUpload(save));
  return app;
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person } = signedIn(context);
  // Begins the check, so that it is perhaps there when the script asks for rows.
  await web.reviews.of(upload);
  const mayEdit = person.roles.includes('preparer');
  const by = await uploadBy(web, upload);
  const title = t`${uploadName(upload)}: review`;
  return answer(context, { title, here: 'payments', ...pageOver(by), body: reviewPage({ upload, by, mayEdit }) });
}

/**
 * A page of rows as JSON, with what is known of all of them: `revision` is that of the edits, `checked` that of the problems,
 * which is an earlier one while the last is being checked.
 */
async function sendRows(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person } = signedIn(context);
  const review = await web.reviews.of(upload);
  const { revision } = upload;
  if (review.state !== 'ready') return context.json({ revision, ...review }, 200);
  using rows = review.open();
  const version = `${upload.id} ${revision} ${review.checkedRevision}`;
  const query = queryOf(context);
  const { total, rows: shown } = rows.page(numbersOf(version, rows, query), query);
  const { undo, redo } = undoableOf(review.saves);
  const [mayUndo, mayRedo] = [undo?.personId === person.id, redo?.personId === person.id];
  const { kinds: found, counts } = countsOf(version, rows);
  const kinds = found.map((kind) => ({ ...kind, title: kindTitle(kind.code) }));
  const summary = { ...summaryOf(review), kinds, counts, mayUndo, mayRedo };
  return context.json({ state: 'ready', revision, checked: review.checkedRevision, total, rows: shown, summary });
}

const CODE = /^[a-z0-9_]{1,60}$/;
const SEARCH_MAX = 100;

function queryOf({ req }: WebContext): RowsQuery {
  const number = (name: string, most: number): number => {
    const asked = req.query(name) ?? '';
    return /^\d{1,8}$/.test(asked) ? Math.min(Number(asked), most) : 0;
  };
  const search = (req.query('search') ?? '').slice(0, SEARCH_MAX);
  return {
    from: number('from', 99_999_999),
    count: number('count', ROWS_MAX),
    show: showOf(req.query('show')),
    search,
  };
}

function showOf(asked = ''): Show {
  if (asked === 'all' || asked === 'edited') return asked;
  const code = asked.startsWith('code:') ? asked.slice('code:'.length) : '';
  return CODE.test(code) ? { code } : 'problems';
}

type ReadyReview = Extract<Review, { state: 'ready' }>;

function summaryOf(review: ReadyReview) {
  const { header_row, payouts, totals, of_all_rows, problem_counts, problems } = review.result;
  // What is about the file as a whole has no row to be shown at.
  const ofFile = problems
    // That there are no rows yet is seen.
    .filter(({ row, code }) => (row === null || row <= header_row) && code !== 'no_payouts')
    .map(({ severity, message, remedy }) => ({ severity, message, remedy }));
  return {
    columns: columnsOf(review.result),
    payouts,
    sums: (of_all_rows?.sums ?? totals).map(({ currency, amount }) => ({ currency, shown: grouped(amount) })),
    unread: of_all_rows?.unread ?? 0,
    errors: problem_counts.errors - (problems.some(({ code }) => code === 'no_payouts') ? 1 : 0),
    warnings: problem_counts.warnings,
    ofFile,
  };
}

async function save(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person } = signedIn(context);
  const body = sent.safeParse(jsonOf(await context.req.text()));
  if (!body.success) return refuse(context, NOT_READ);
  const asked = { ...upload, revision: body.data.revision };
  const { edits } = web.uploads;
  if (await web.plannings.isUnderWay(upload)) return refuse(context, BEING_PLANNED);
  const review = await web.reviews.of(upload);
  if (review.state !== 'ready') return refuse(context, NOT_READY);
  const { data } = body;
  const { sheet } = review.result;
  if ('undo' in data) return savedAnswer(context, await edits.undo(asked, person, web.audit, sheet));
  if ('redo' in data) return savedAnswer(context, await edits.redo(asked, person, web.audit, sheet));
  using rows = review.open();
  const orders = 'orders' in data ? data.orders : await pickedOrders(context, review, data);
  if (orders === null) return refuse(context, NO_RECIPIENT);
  const ordered = changesOf(rows, orders);
  if (asked.revision === upload.revision && ordered.outcome === 'no_such_cell')
    return refuse(context, { ...NO_SUCH_CELL, message: t`Row ${ordered.row} no longer exists.` });
  if (asked.revision === upload.revision && ordered.outcome === 'too_long')
    return refuse(context, { ...TOO_LONG, message: t`The text in row ${ordered.row} is too long for this form.` });
  const changes = ordered.outcome === 'changes' ? ordered.changes : [];
  if (asked.revision === upload.revision && changes.length === 0)
    return savedAnswer(context, { outcome: 'saved', revision: upload.revision });
  return savedAnswer(context, await edits.save(asked, person, web.audit, { sheet, changes }));
}

function pickedOrders(
  context: WebContext,
  review: ReadyReview,
  { row, recipient }: { row: number; recipient: string },
) {
  return recipientOrders(signedIn(context), { id: recipient, row }, columnsOf(review.result));
}

function savedAnswer(context: WebContext, saved: Saved): Response {
  switch (saved.outcome) {
    case 'saved':
      return context.json({ revision: saved.revision });
    case 'stale':
      return refuse(context, { ...STALE, message: staleText(saved.saves) }, { revision: saved.revision });
    case 'too_many':
      return refuse(context, TOO_MANY);
    case 'nothing_to_undo':
      return refuse(context, NOTHING_TO_UNDO);
    case 'nothing_to_redo':
      return refuse(context, NOTHING_TO_REDO);
    default:
      return saved satisfies never;
  }
}

const STALE = textTable({
  status: 409,
  remedy: 'The grid now shows their changes. Check them and make yours again.',
});
const NOT_READ: Failure = textTable({
  status: 400,
  message: 'This could not be read.',
  remedy: 'Reload the page.',
});
const NOT_READY: Failure = textTable({
  status: 409,
  message: 'The file is still being read.',
  remedy: 'Try again shortly.',
});
const BEING_PLANNED: Failure = textTable({
  status: 409,
  message: 'This file is being planned.',
  remedy: 'Wait for it, then edit the rows and plan them again.',
});
const NO_SUCH_CELL = textTable({ status: 422, remedy: 'Reload the page.' });
const TOO_LONG = textTable({
  status: 422,
  get remedy() {
    return t`Edit cells of more than ${CELL_LETTERS_MAX} characters in a spreadsheet program.`;
  },
});
const NO_RECIPIENT: Failure = textTable({
  status: 422,
  message: 'This recipient was not paid before.',
  remedy: 'Look for them under Recipients.',
});
const TOO_MANY: Failure = textTable({
  status: 422,
  message: 'That is more changes than a file can have here.',
  remedy: 'Correct the file in your spreadsheet program, and upload it again.',
});
const NOTHING_TO_UNDO: Failure = textTable({
  status: 409,
  message: 'You have no change to undo.',
  remedy: 'A later change by someone else stays.',
});
const NOTHING_TO_REDO: Failure = textTable({
  status: 409,
  message: 'You have nothing to redo.',
  remedy: 'After another change, you can no longer redo this one.',
});

/** What other people have changed since. */
function staleText(saves: readonly Save[]): string {
  if (saves.length === 0) return t`The file settings were changed in the meantime.`;
  const who = listed([...new Set(saves.map(({ by }) => by))]);
  const places = saves.flatMap(({ changes }) =>
    changes.map((each) => (each.kind === 'cell' ? `${columnLetters(each.column)}${each.row}` : t`row ${each.row}`)),
  );
  const named = [...new Set(places)];
  const more = named.length - PLACES_NAMED;
  const others = more > 0 ? [...named.slice(0, PLACES_NAMED), String(counted(more, 'other'))] : named;
  return t`${who} changed ${listed(others)} in the meantime.`;
}

function refuse(context: WebContext, { status, message, remedy }: Failure, more: object = {}): Response {
  return context.json({ message, remedy, ...more }, status);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
