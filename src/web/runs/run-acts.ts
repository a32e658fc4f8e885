import { Hono } from 'hono';
import { z } from 'zod';
import { actorOnPage } from '../../app/actor.ts';
import type { CorrectionSheet } from '../../app/background/calls.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { t, textTable } from '../../messages/translate.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { discardPage } from '../plans/discarded.ts';
import { knownToAll } from '../plans/paid-before.ts';
import { NO_APPROVER, retryPolicy } from '../plans/plan-policy.ts';
import { isReadyNow } from '../plans/standing.ts';
import { startForm, wantedStart } from '../plans/start-fields.ts';
import { inWordsOfReader, notEnded, refusedBy } from '../refused.ts';
import { ACTING, requireRole } from '../require-role.ts';
import { sendFile, XLSX } from '../send-file.ts';
import { isYes, readForm, text, texts } from '../shell/form.ts';
import { answer, errorPage } from '../shell/layout.ts';
import type { Problem } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { askCounts } from './counts-page.ts';
import { begin, type Found, onRun, pageOf, toRun, whenRead } from './found-run.ts';
import { askRemaining, KINDS, rowsOfOtherKind } from './remaining.ts';
import { pageProof } from './run-head.ts';
import type { RunAct } from './run-tasks.ts';
import { cancelPage, mayPause } from './watch-page.ts';

/** Starting a run, stopping it, letting it go on, and planning again what it did not pay. */
export function runActRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const acts = requireRole(...ACTING);
  const prepares = requireRole('preparer');
  app.post('/runs/:run/start', prepares, onRun(start, start));
  app.get('/runs/:run/cancel', acts, whenRead, onRun(askWhether, askCounts));
  app.post('/runs/:run/cancel', acts, onRun(cancel, cancel));
  app.post('/runs/:run/pause', acts, onRun(pause, pause));
  app.post('/runs/:run/resume', acts, onRun(resume, resume));
  app.get('/runs/:run/remaining', acts, whenRead, onRun(askRemaining));
  app.post('/runs/:run/retry', prepares, onRun(retry));
  app.get('/runs/:run/correct.xlsx', prepares, onRun(sendRows));
  return app;
}

/** A plan has few acts before it is started. */
const APPROVALS_READ = 1_000;

/** Starts what is approved. The process that is started looks at everything again. */
async function start(context: WebContext, { followed: { runId, run }, snapshot }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { only_valid: onlyValid } = await readForm(context, { only_valid: isYes });
  if (!(await isReadyNow(web, run)) || snapshot.phase !== 'planned') return toRun(context, runId);
  const task = await startOf(web, run, runId, onlyValid);
  return begin(context, { runId, act: 'started', task, person: person.id, details: { only_valid: onlyValid } });
}

/** The start of an approved plan: what its approvers knew to be paid once more is. */
export async function startOf(
  web: Web,
  { header }: RunState,
  runId: string,
  onlyValid: boolean,
): Promise<RunAct['task']> {
  const repeats = header?.repeats ?? null;
  const known = knownToAll(await web.audit.list({ runId, limit: APPROVALS_READ }));
  const allowRepeat = [...new Set([...(repeats === null ? [] : [repeats]), ...known])];
  return { name: 'run', onlyValid, allowRepeat };
}

/** Asks whether it is meant. */
async function askWhether(context: WebContext, { followed: { run, runId }, snapshot }: Found) {
  if (snapshot.phase === 'finished') return toRun(context, runId);
  const proof = await pageProof(context.var.web, run);
  const isPlan = !snapshot.isStarted && snapshot.phase === 'planned';
  const body = isPlan ? discardPage(run, runId, proof) : cancelPage(run, runId, snapshot, proof);
  return answer(context, { ...pageOf(run), body });
}

async function cancel(context: WebContext, { followed: { runId }, snapshot }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  if (snapshot.phase === 'finished' && !snapshot.isHeld) return toRun(context, runId);
  // A process that works on it, or comes up, is only asked; else the service is asked about what waits.
  if (snapshot.isHeld || (await web.runTasks.cancel(runId, person.id)) !== null)
    await web.runTasks.askToCancel(runId, person);
  return toRun(context, runId);
}

/** Nothing more is sent until a person lets it go on. */
async function pause(context: WebContext, { followed: { runId }, snapshot }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  if (!mayPause(snapshot)) return toRun(context, runId);
  const { calls, account, log } = web.deps;
  const pausing = calls.pause({ runId, actor: actorOnPage(account, person.name) }).then(() => null);
  const refused = await pausing.catch((error: unknown) =>
    refusedBy(error, notEnded(), (why) => log.error({ run: runId, error: why }, 'a run was not paused')),
  );
  if (refused !== null) return errorPage(context, { status: 409, ...inWordsOfReader(refused) });
  await web.audit.append({ person: person.id, act: 'paused', runId });
  return toRun(context, runId);
}

async function resume(context: WebContext, { followed: { runId, run }, snapshot }: Found): Promise<Response> {
  const isToDo = snapshot.phase !== 'finished' || countsOf(run).unresolved > 0;
  if (!snapshot.isStarted || snapshot.isHeld || !isToDo) return toRun(context, runId);
  return begin(context, { runId, act: 'resumed', task: { name: 'resume' }, person: signedIn(context).person.id });
}

/** `row`: of that one alone; empty for all of a kind. */
const remaining = { only: z.enum(KINDS).catch('all'), leave_out: texts, row: text, at_time: isYes, ...startForm };

/** Plans the rows that were not paid, but those left out: the plan is looked at and approved like any other. */
async function retry(context: WebContext, { followed: { runId, run } }: Found): Promise<Response> {
  const { web, person, session } = signedIn(context);
  const { only, leave_out, row: alone, at_time: isTimed, ...typed } = await readForm(context, remaining);
  const start = isTimed ? wantedStart(typed) : null;
  if (start !== null && 'message' in start) return errorPage(context, { status: 422, ...start });
  const ticked = new Set(leave_out);
  const rows = run.rows.map(({ row }) => row);
  const leaveOut =
    alone === ''
      ? [...rowsOfOtherKind(run, rows, only), ...rows.filter((row) => ticked.has(String(row)))]
      : rows.filter((row) => String(row) !== alone);
  const policy = await retryPolicy(web, run, person, start);
  if (policy.outcome === 'nobody' || person.keyFile === null)
    return errorPage(context, { status: 409, ...NO_APPROVER });
  const order = { runId, leaveOut, start, policy: policy.outcome === 'of_page' ? policy.policy : null };
  const planned = await web.people.withKey(person, (keyFile) => {
    const maker = { keyFile, passphrase: session.passphrase, person: person.name };
    return web.runTasks.planRetry({ ...order, maker }, person.id);
  });
  return toRun(context, planned ?? runId);
}

/** The rows that can be retried, with whole account numbers: for preparers, who may correct them. */
async function sendRows(context: WebContext, { followed: { runId } }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const sheet = await web.deps.calls.correctionSheet(runId).catch((error: unknown) => {
    web.deps.log.warn({ error, run: runId }, 'no rows to be corrected were written');
    return null;
  });
  if (sheet?.outcome !== 'written')
    return errorPage(context, { status: 409, ...WHY_NO_ROWS[sheet?.outcome ?? 'damaged'] });
  await web.audit.append({ person: person.id, act: 'failed_rows_taken', runId });
  return sendFile(context, sheet.content, `${runId}-to-correct.xlsx`, XLSX);
}

type WhyNoRows = Exclude<CorrectionSheet['outcome'], 'written'>;

const lookAgain = () => t`Look at the run again.`;

const WHY_NO_ROWS: Readonly<Record<WhyNoRows, Problem>> = textTable({
  unknown_run: { message: 'Run not found.', remedy: 'See the list of runs.' },
  damaged: { message: 'The rows could not be read.', remedy: 'See the log file in the data directory.' },
  not_started: {
    message: 'This payment has not been started.',
    get remedy() {
      return lookAgain();
    },
  },
  held: { message: 'This payment is still being sent.', remedy: 'Wait until it is finished, then try again.' },
  not_finished: { message: 'This payment is not finished.', remedy: 'Continue it first, then try again.' },
  nothing_to_retry: {
    message: 'This payment has no rows left to correct.',
    get remedy() {
      return lookAgain();
    },
  },
});
