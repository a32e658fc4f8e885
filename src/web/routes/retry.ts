import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { withoutCommands } from '../../report/without-commands.ts';
import { errorPage } from '../pages/error-page.ts';
import { NO_APPROVER } from '../plans/plannings.ts';
import { retryPolicy, writePolicy } from '../plans/policy.ts';
import { requireRole } from '../require-role.ts';
import { refusalResult } from '../uploads/check-result.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { findRun, noSuchRun } from './run.ts';

/** A plan of the rows that were not paid: it is looked at and approved like any other. */
export function retryRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/runs/:run/retry', requireRole('preparer'), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { runId } = found.followed;
    const { person, session } = signedIn(context);
    const { web } = context.var;
    const policy = retryPolicy(web, found.followed.run, person);
    if (policy === null || person.keyFile === null) return errorPage(context, { status: 409, ...NOT_POSSIBLE });
    const path = join(web.doors.drafts, `retry-${runId}.json`);
    if (policy !== '') writePolicy(path, policy);
    const said = policy === '' ? [] : [`--approval=${path}`];
    const words = ['retry', runId, ...said, `--as=${person.keyFile}`, '--passphrase-file=-'];
    const stdin = `${session.passphrase}\n`;
    const { children } = web;
    const { refused, result } = await children.act({ runId, act: 'retry_planned', words, person: person.id, stdin });
    rmSync(path, { force: true });
    const planned = refused === null ? runIdIn(result) : null;
    return context.redirect(`/runs/${planned ?? runId}`, 303);
  });
  app.get('/runs/:run/correct.xlsx', requireRole('preparer'), sendRows);
  return app;
}

/** The rows that can be retried, with whole account numbers: for whoever may correct them. */
async function sendRows(context: WebContext): Promise<Response> {
  const found = await findRun(context);
  if (found === null) return noSuchRun(context);
  const { runId } = found.followed;
  const { web } = context.var;
  const folder = await mkdtemp(join(web.doors.drafts, 'rows-'));
  try {
    const path = join(folder, 'rows.xlsx');
    const { exit, result, said } = await web.doors.payrun(['retry', runId, `--to=${path}`]);
    const why = refusalResult.safeParse(result);
    if (exit !== 0) {
      web.doors.log.warn({ run: runId, exit, said }, 'no rows to be corrected were written');
      const what = why.success ? withoutCommands(why.data.message) : 'The rows could not be written.';
      return errorPage(context, { status: 409, what, remedy: 'Look at the run again.' });
    }
    const bytes = await readFile(path);
    web.audit.append({ person: signedIn(context).person.id, act: 'failed_rows_taken', runId });
    return context.body(new Uint8Array(bytes), 200, {
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-disposition': `attachment; filename="${runId}-to-correct.xlsx"`,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NOT_POSSIBLE = { what: NO_APPROVER.message, remedy: NO_APPROVER.remedy };

function runIdIn(result: unknown): string | null {
  const id = typeof result === 'object' && result !== null && 'run_id' in result ? result.run_id : null;
  return typeof id === 'string' ? id : null;
}
