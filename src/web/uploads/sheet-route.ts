import { Hono } from 'hono';
import { requireRole } from '../require-role.ts';
import { errorPage } from '../shell/error-page.ts';
import { answer } from '../shell/layout.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { readingSheetPage } from './checking-page.ts';
import { ROWS_SHOWN } from './sheet-cells.ts';
import { sheetPage } from './sheet-page.ts';
import type { Upload } from './uploads.ts';
import { withUpload } from './uploads-route.ts';

const PATIENCE_MS = 1_500;

/** The sheet itself. Account numbers are in it as in the file, so it is for who prepares or approves, and nobody else. */
export function sheetRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole('preparer', 'approver');
  app.get('/uploads/:id/sheet', sees, (context) => withUpload(context, show));
  return app;
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { checks, sheets } = context.var.web;
  const row = firstRow(context);
  const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
  const page = (body: ReturnType<typeof sheetPage>, asksAgain = false) =>
    answer(context, { title: upload.name, here: 'home', body, asksAgain });
  const checked = await checks.look(upload, waitMs);
  const isReady = checked?.state === 'checked' && (await sheets.ready(upload, waitMs));
  if (checked === null || isReady === null)
    return page(readingSheetPage(upload, `/uploads/${upload.id}/sheet?row=${row}`), true);
  const part = isReady ? sheets.read(upload, row) : null;
  if (checked.state === 'checked' && part !== null && part.last > 0)
    return page(sheetPage(upload, checked.result, part));
  return errorPage(context, {
    status: 409,
    what: 'The cells of this file cannot be shown.',
    remedy: 'Its check says what is wrong with it.',
  });
}

/** Pages begin at 1, 101, 201 and so on, wherever in one the row is that is asked for. */
function firstRow(context: WebContext): number {
  const asked = context.req.query('row') ?? '';
  const row = /^[1-9]\d{0,7}$/.test(asked) ? Number(asked) : 1;
  return row - ((row - 1) % ROWS_SHOWN);
}
