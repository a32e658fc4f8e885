import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { errorPage } from '../pages/error-page.ts';
import { requireRole } from '../require-role.ts';
import type { WebContext, WebEnv } from '../web.ts';

/** The empty spreadsheet of `payrun template`, for every rail. */
export function templateRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/template.xlsx', requireRole('preparer'), send);
  return app;
}

async function send(context: WebContext): Promise<Response> {
  const { doors } = context.var.web;
  const folder = await mkdtemp(join(doors.drafts, 'template-'));
  try {
    const path = join(folder, 'template.xlsx');
    const { exit, said } = await doors.payrun(['template', '--out', path]);
    if (exit !== 0) {
      doors.log.warn({ exit, said }, 'no template was written');
      return errorPage(context, {
        status: 503,
        what: 'The empty spreadsheet could not be made.',
        remedy: 'Try again.',
      });
    }
    const bytes = await readFile(path);
    return context.body(new Uint8Array(bytes), 200, {
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': 'attachment; filename="payroll-template.xlsx"',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
