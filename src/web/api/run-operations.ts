import { z } from 'zod';
import { TimeSlice } from '../../app/background/time-slice.ts';
import type { ListedState } from '../../app/history/runs-in-history.ts';
import { mayHave } from '../../app/people/api-tokens.ts';
import { runId } from '../../domain/result.ts';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { totalsOf } from '../../report/model/totals.ts';
import { isReadyNow } from '../plans/standing.ts';
import { type FollowedRun, reportCounts, type WatchSnapshot } from '../runs/followed-run.ts';
import { startOf } from '../runs/run-acts.ts';
import { sendReport } from '../runs/run-report.ts';
import { paymentName } from '../shell/words.ts';
import { unnamed } from '../sights.ts';
import { pageById } from './cursor.ts';
import { type Call, type Caller, operation } from './operation.ts';
import { planOf } from './plan-operations.ts';
import { ApiProblem } from './problem.ts';
import { type Asking, seenRun } from './seen-run.ts';
import { paging, shapes } from './shapes.ts';

type RunBody = z.input<typeof shapes.run>;

const newRun = z
  .strictObject({
    plan_id: runId,
    only_valid: z.boolean().optional().describe('Pay the rows that wait for no approval of their own.'),
  })
  .meta({ id: 'NewRun' });

const byId = z.object({ run_id: runId });

const start = operation({
  id: 'startRun',
  method: 'post',
  path: '/runs',
  summary: 'Start an approved plan',
  description: 'A plan is started once. 200: it was started before, and this is its run.',
  scopes: ['runs:start'],
  body: newRun,
  answers: { 200: shapes.run, 201: shapes.run },
  problems: ['not_found', 'not_approved', 'discarded', 'busy', 'start_refused'],
  handle: startRun,
});

const list = operation({
  id: 'listRuns',
  method: 'get',
  path: '/runs',
  summary: 'List runs and plans, newest first',
  scopes: ['payments:read'],
  query: z.object(paging),
  answers: { 200: shapes.runs },
  problems: [],
  handle: async ({ web, person, query }) => {
    const all = await web.sight.of(person).history();
    const page = pageById(all, ({ summary }) => summary.run_id, query.cursor, query.limit);
    const items = page.items.map(({ summary: { run_id, header, created_at }, state, counts }) => ({
      id: run_id,
      state: STATES[state],
      rehearsal: header.rehearsal,
      name: paymentName(header),
      file: header.input.name,
      job: header.job,
      period: header.period,
      created_at: isoUtc(created_at),
      payouts: header.payouts,
      counts,
    }));
    return { status: 200, body: { ...page, items } };
  },
});

const show = operation({
  id: 'getRun',
  method: 'get',
  path: '/runs/{run_id}',
  summary: 'Read a run',
  scopes: ['payments:read', 'runs:start'],
  params: byId,
  answers: { 200: shapes.run },
  problems: ['not_found'],
  handle: async (call) => ({ status: 200, body: await shownRun(call, call.params.run_id) }),
});

const REPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const report = operation({
  id: 'getReport',
  method: 'get',
  path: '/runs/{run_id}/report',
  summary: 'Download the report of a run',
  scopes: ['payments:read'],
  params: byId,
  query: z.object({ format: z.enum(['csv', 'json', 'xlsx']).default('json') }),
  files: Object.values(REPORT_TYPES),
  problems: ['not_found', 'details_hidden', 'unavailable'],
  handle: async ({ params, query, context, ...call }) => {
    const by = { person: call.person.id, token: call.token.name };
    const sent = await sendReport(context, await runWithDetails(call, params.run_id), query.format, by);
    if (sent === null) throw new ApiProblem('unavailable', 'The report could not be written. Try again.');
    return sent;
  },
});

export const runOperations = [start, list, show, report];

async function startRun(
  call: Call<unknown, unknown, z.output<typeof newRun>>,
): Promise<{ status: 200; body: RunBody } | { status: 201; body: RunBody }> {
  const { web, person, token, body } = call;
  const { run, runId: id } = await planOf(call, body.plan_id);
  if (!mayHave(web.sight.of(person).ofRun(run.header).roles, 'runs:start'))
    throw new ApiProblem('role_missing', `${person.name} is no preparer of this payment.`);
  const isUnderWay = (await web.runTasks.going(id)) === 'started';
  if (!isPlannedOnly(run) || isUnderWay) return { status: 200, body: await shownRun(call, id) };
  const refused = await notStartable(call, run);
  if (refused !== null) throw refused;
  const { only_valid: onlyValid = false } = body;
  const task = await startOf(web, run, id, onlyValid);
  const details = { only_valid: onlyValid, token: token.name };
  const under = await web.runTasks.start({ runId: id, act: 'started', task, person: person.id, details });
  if (under !== null && under !== 'started')
    throw new ApiProblem('busy', 'Nothing was done. Read the run, and send this again when that is over.');
  const why = await web.runTasks.refusal(id);
  if (why !== null) {
    await runWithDetails(call, id).catch(() => {
      throw new ApiProblem('start_refused', 'Who sees names and amounts of this payment can read why.');
    });
    throw new ApiProblem('start_refused', `${why.message} ${why.remedy}`.trim());
  }
  return { status: 201, body: await shownRun(call, id) };
}

async function notStartable({ web }: Caller, run: RunState): Promise<ApiProblem | null> {
  if (run.cancelled)
    return new ApiProblem('discarded', 'The plan was rejected, recalled or discarded. Make another one.');
  if ((await web.deps.reads.overtakenBy(run.header)) !== null)
    return new ApiProblem('discarded', 'Another run paid its rows. Make another plan.');
  return (await isReadyNow(web, run))
    ? null
    : new ApiProblem('not_approved', 'An approver approves it on the page; read the plan for who still may.');
}

/** A run whose names and amounts the person sees. Throws an `ApiProblem` where there is none, or they do not. */
export async function runWithDetails(caller: Asking, id: string): Promise<FollowedRun> {
  const { followed, sight } = await seenRun(caller, id);
  if (sight.sees === 'all') return followed;
  throw new ApiProblem('details_hidden', 'An administrator of the page can show them to the person.');
}

const STATES: Readonly<Record<ListedState, RunBody['state']>> = {
  planned: 'planned',
  running: 'running',
  stopped: 'stopped',
  finished: 'finished',
  cancelled_plan: 'discarded',
  rejected_plan: 'rejected',
  recalled_plan: 'recalled',
  overtaken_plan: 'superseded',
};

/** Without names and amounts it has counts and states alone: what of a total was sent gives away what was not. */
export async function shownRun(call: Asking, id: string): Promise<RunBody> {
  const { web } = call;
  const { followed, sight } = await seenRun(call, id);
  const snapshot = await web.runs.snapshot(id);
  const { run } = followed;
  if (snapshot === null || run.header === null) throw new ApiProblem('not_found', 'Run not found.');
  const { startedAt, finishedAt } = run;
  const isWhole = sight.sees === 'all';
  const header = isWhole ? run.header : unnamed(run.header);
  const turns = new TimeSlice(web.deps.clock);
  const totals = isWhole ? totalsOf(run) : [];
  if (turns.isOver) await turns.next();
  return {
    id,
    state: await stateOf(call, run, snapshot),
    rehearsal: header.rehearsal,
    name: paymentName(header),
    file: header.input.name,
    job: header.job,
    period: header.period,
    created_at: isoUtc(run.createdAt),
    payouts: header.payouts,
    counts: reportCounts(followed),
    totals,
    started_at: startedAt === null ? null : isoUtc(startedAt),
    finished_at: finishedAt === null ? null : isoUtc(finishedAt),
    paused: snapshot.isPaused,
    stopped_because: isWhole && snapshot.phase === 'stopped' ? snapshot.stopText : null,
    page_url: `${web.options.origin}/runs/${id}`,
  };
}

async function stateOf(
  { web }: Pick<Caller, 'web'>,
  run: RunState,
  { phase }: WatchSnapshot,
): Promise<RunBody['state']> {
  if (!isPlannedOnly(run)) return phase;
  if (run.cancelled) return run.planEnd?.as ?? 'discarded';
  if ((await web.deps.reads.overtakenBy(run.header)) !== null) return 'superseded';
  return (await web.runTasks.going(run.header?.run_id ?? '')) === 'started' ? 'running' : 'planned';
}
