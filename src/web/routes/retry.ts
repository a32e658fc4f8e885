import { Hono } from 'hono';
import { requireRole } from '../require-role.ts';
import { signedIn, type WebEnv } from '../web.ts';
import { findRun, noSuchRun } from './run.ts';

/** A plan of the rows that were not paid: it is looked at and approved like any other. */
export function retryRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/runs/:run/retry', requireRole('preparer'), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { runId } = found.followed;
    const { person, session } = signedIn(context);
    const words = ['retry', runId, `--as=${person.keyFile}`, '--passphrase-file=-'];
    const stdin = `${session.passphrase}\n`;
    const { children } = context.var.web;
    const { refused, result } = await children.act({ runId, act: 'retry_planned', words, person: person.id, stdin });
    const planned = refused === null ? runIdIn(result) : null;
    return context.redirect(`/runs/${planned ?? runId}`, 303);
  });
  return app;
}

function runIdIn(result: unknown): string | null {
  const id = typeof result === 'object' && result !== null && 'run_id' in result ? result.run_id : null;
  return typeof id === 'string' ? id : null;
}
