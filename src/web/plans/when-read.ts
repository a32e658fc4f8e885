import type { MiddlewareHandler } from 'hono';
import { readingRunPage } from '../runs/reading-run-page.ts';
import { answer } from '../shell/layout.ts';
import type { WebContext, WebEnv } from '../web.ts';

/** So long whoever asks waits for a run that has to be read first. */
const PATIENCE_MS = 1_000;

/**
 * On pages of a run, behind who may see it: one that was not looked at lately is read whole, which takes seconds where it
 * is large. Until then the page says how far that is, and asks again.
 */
export const whenRead: MiddlewareHandler<WebEnv> = async (context, next) => {
  if (wantsPart(context)) return next();
  const { runs } = context.var.web;
  const runId = context.req.param('run') ?? '';
  const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
  const reading = await runs.reading(runId, waitMs);
  if (reading === null) return next();
  const { pathname, search } = new URL(context.req.url);
  const body = readingRunPage(runId, reading, `${pathname}${search}`);
  return answer(context, { title: runId, here: 'runs', asksAgain: true, body });
};

/** Whether htmx asks for a part of a page, and not for the page that it waits for. */
export function wantsPart(context: WebContext): boolean {
  return context.req.header('hx-request') !== undefined && context.req.header('x-refresh') !== 'page';
}
