import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { errorPage } from '../pages/error-page.ts';
import type { Person } from '../people/people.ts';
import { NO_APPROVER } from '../plans/plannings.ts';
import { pagePolicy, writePolicy } from '../plans/policy.ts';
import { requireRole } from '../require-role.ts';
import type { FollowedRun } from '../watch/followed-run.ts';
import { signedIn, type Web, type WebEnv } from '../web.ts';
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
    const policy = policyFor(web, found.followed, person);
    if (policy === null || person.keyFile === null) return errorPage(context, { status: 409, ...NOT_POSSIBLE });
    const path = join(web.store.folder, `retry-${runId}.json`);
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
  return app;
}

const NOT_POSSIBLE = { what: NO_APPROVER.message, remedy: NO_APPROVER.remedy };

/**
 * Who approves it: empty where its job says so, or the plan that is retried did; else everybody of the page. Null where
 * nobody could.
 */
function policyFor(web: Web, { run }: FollowedRun, person: Person): string | null {
  const { job } = run.header ?? { job: null };
  const listed = job === null ? undefined : web.doors.jobs().find(({ name }) => name === job);
  const isOfJob = listed?.read.ok === true && listed.read.job.approval !== null;
  return isOfJob || (run.plan?.approval ?? null) !== null ? '' : pagePolicy(web, person);
}

function runIdIn(result: unknown): string | null {
  const id = typeof result === 'object' && result !== null && 'run_id' in result ? result.run_id : null;
  return typeof id === 'string' ? id : null;
}
