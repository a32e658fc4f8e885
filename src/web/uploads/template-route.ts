import { Hono } from 'hono';
import { requireRole } from '../require-role.ts';
import { errorPage } from '../shell/error-page.ts';
import type { WebContext, WebEnv } from '../web.ts';

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
