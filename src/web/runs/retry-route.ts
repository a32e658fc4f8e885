import { Hono } from 'hono';
import type { CorrectionSheet } from '../../app/background/calls.ts';
import { NO_APPROVER, retryPolicy } from '../plans/plannings.ts';
import { requireRole } from '../require-role.ts';
import { errorPage } from '../shell/layout.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { findRun, noSuchRun } from './found-run.ts';

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
    if (policy.outcome === 'nobody' || person.keyFile === null)
      return errorPage(context, { status: 409, ...NOT_POSSIBLE });
    const maker = { keyFile: person.keyFile, passphrase: session.passphrase, person: person.name };
    const order = { runId, maker, policy: policy.outcome === 'of_page' ? policy.policy : null };
    const planned = await web.runTasks.planRetry(order, person.id);
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
  const sheet = await web.deps.calls.correctionSheet(runId).catch((error: unknown) => {
    web.deps.log.warn({ error, run: runId }, 'no rows to be corrected were written');
    return null;
  });
  if (sheet?.outcome !== 'written')
    return errorPage(context, { status: 409, ...WHY_NO_ROWS[sheet?.outcome ?? 'damaged'] });
  web.audit.append({ person: signedIn(context).person.id, act: 'failed_rows_taken', runId });
  return context.body(new Uint8Array(sheet.content), 200, {
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-disposition': `attachment; filename="${runId}-to-correct.xlsx"`,
  });
}

type WhyNoRows = Exclude<CorrectionSheet['outcome'], 'written'>;

const LOOK_AGAIN = 'Look at the run again.';

const WHY_NO_ROWS: Readonly<Record<WhyNoRows, { what: string; remedy: string }>> = {
  unknown_run: { what: 'There is no such run.', remedy: 'See the list of runs.' },
  damaged: { what: 'The rows could not be read.', remedy: 'The log file in the data directory has the reason.' },
  not_started: { what: 'This payment has not been started.', remedy: LOOK_AGAIN },
  held: { what: 'This payment is still being sent.', remedy: 'Wait until it is finished, then try again.' },
  not_finished: { what: 'This payment is not finished.', remedy: 'Let it go on first, then try again.' },
  nothing: { what: 'No row of this payment is left to correct.', remedy: LOOK_AGAIN },
};

const NOT_POSSIBLE = { what: NO_APPROVER.message, remedy: NO_APPROVER.remedy };
