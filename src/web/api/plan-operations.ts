import { z } from 'zod';
import { passphraseOf } from '../../app/people/api-tokens.ts';
import { PAYOUTS_OF_A_TOTAL_MIN } from '../../app/people/sight.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PlannedTotal } from '../../domain/plan.ts';
import { runId, scheduledResult } from '../../domain/result.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { isTimeZone } from '../../domain/zone.ts';
import { standingFor } from '../plans/standing.ts';
import type { FollowedRun } from '../runs/followed-run.ts';
import { paymentName } from '../shell/words.ts';
import { unnamed } from '../sights.ts';
import { requireScope } from './bearer.ts';
import { type Call, operation } from './operation.ts';
import { ApiProblem } from './problem.ts';
import { type Asking, seenRun } from './seen-run.ts';
import { shapes, uploadId } from './shapes.ts';
import { ownUpload } from './upload-operations.ts';

/** How long a request waits for its plan: it goes on then, and the same request waits again. */
const PLAN_WAIT_MS = 120_000;

const scheduledStart = z
  .strictObject({
    start_at: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
    time_zone: z.string().max(60).refine(isTimeZone, 'no time zone').default('UTC').describe('Its IANA name.'),
    any_day: z.boolean().default(false).describe('Also on a day that is no business day.'),
  })
  .meta({
    id: 'NewScheduledStart',
    description:
      'When it is started on its own, if it is approved by then, as POST /runs would. Takes the scope runs:start too.',
  });

const newPlan = z
  .strictObject({
    upload_id: uploadId,
    only_valid: z.boolean().optional().describe('Leave out the rows with errors.'),
    period: z
      .string()
      .regex(/^[\w-]{4,20}$/)
      .optional()
      .describe('The period that it pays, such as 2026-11; by default that of the job.'),
    scheduled: scheduledStart.optional(),
  })
  .meta({ id: 'NewPlan' });

type PlanBody = z.input<typeof shapes.plan>;

const create = operation({
  id: 'createPlan',
  method: 'post',
  path: '/plans',
  summary: 'Plan the payment of an upload',
  description:
    'Answers when the plan is made, which takes as long as the service quotes its payouts. Nothing is sent. What was paid before is refused: a person plans it again on the page.',
  scopes: ['plans:write'],
  body: newPlan,
  answers: { 201: shapes.plan },
  problems: ['not_found', 'file_removed', 'plan_refused', 'unavailable'],
  handle: async (call) => ({ status: 201, body: await planned(call) }),
});

const show = operation({
  id: 'getPlan',
  method: 'get',
  path: '/plans/{plan_id}',
  summary: 'Read a plan and its approvals',
  scopes: ['plans:write', 'runs:start', 'payments:read'],
  params: z.object({ plan_id: runId }),
  answers: { 200: shapes.plan },
  problems: ['not_found'],
  handle: async (call) => ({ status: 200, body: await shownPlan(call, await planOf(call, call.params.plan_id)) }),
});

export const planOperations = [create, show];

async function planned(call: Call<unknown, unknown, z.output<typeof newPlan>>): Promise<PlanBody> {
  const { web, person, token, secret, body } = call;
  const upload = await ownUpload(call, body.upload_id);
  const maker = { person, token, passphrase: passphraseOf(secret) };
  const { only_valid: onlyValid = false, period = null, scheduled } = body;
  if (scheduled !== undefined) requireScope(call, ['runs:start']);
  const start = scheduled
    ? { at: scheduled.start_at, time_zone: scheduled.time_zone, anyDay: scheduled.any_day }
    : null;
  await web.plannings.begin(upload, maker, { onlyValid, period, allowRepeat: null, start });
  const made = await web.plannings.look(upload, PLAN_WAIT_MS);
  if (made === null || made === 'busy')
    throw new ApiProblem('unavailable', 'The plan is still being made. Send the same request again.', {
      headers: { 'retry-after': '5' },
    });
  if (made.state === 'planned') return shownPlan(call, await planOf(call, made.runId));
  const { message, remedy, reason } = made;
  throw new ApiProblem('plan_refused', `${message} ${remedy}`.trim(), reason === undefined ? {} : { reason });
}

/** Throws an `ApiProblem` where there is no such plan, or the run was made without one. */
export async function planOf(caller: Asking, id: string): Promise<FollowedRun> {
  const { followed } = await seenRun(caller, id);
  if (followed.run.plan === null) throw new ApiProblem('not_found', 'There is no such plan.');
  return followed;
}

/** Without names and amounts it has the totals of many payouts, and no reason. */
export async function shownPlan({ web, person }: Asking, { run, runId: id }: FollowedRun): Promise<PlanBody> {
  const { plan } = run;
  const { sees } = web.sight.of(person).ofRun(run.header);
  if (run.header === null || plan === null || sees === 'nothing')
    throw new ApiProblem('not_found', 'There is no such plan.');
  const isWhole = sees === 'all';
  const header = isWhole ? run.header : unnamed(run.header);
  const totals = isWhole ? plan.totals : plan.totals.filter(({ payouts }) => payouts >= PAYOUTS_OF_A_TOTAL_MIN);
  const { standing, scheduled, overtaken } = await standingFor(web, run, person);
  return {
    id,
    state: stateOf(run, standing.isReady, overtaken !== null),
    rehearsal: header.rehearsal,
    name: paymentName(header),
    file: header.input.name,
    job: header.job,
    period: header.period,
    created_at: isoUtc(run.createdAt),
    digest: header.digest,
    rows: plan.payouts,
    totals: totals.map((total) => ({ ...totalOf(total), ...(!isWhole && { fees: null }) })),
    warnings: plan.warnings,
    approvals: {
      needed: standing.needed,
      missing: standing.missing,
      given: standing.given.map(({ name, at, until }) => ({
        name,
        approved_at: isoUtc(at),
        expires_at: isoUtc(until),
      })),
      may_approve: [...standing.mayApprove],
      rows_missing: [...standing.rowsMissing],
    },
    scheduled: scheduled && { ...scheduledResult(scheduled.start), state: scheduled.state },
    reason: (isWhole && run.planEnd?.reason) || null,
    page_url: `${web.options.origin}/runs/${id}`,
  };
}

function stateOf(run: RunState, isApproved: boolean, isOvertaken: boolean): PlanBody['state'] {
  if (run.startedBy !== null) return 'started';
  if (run.cancelled) return run.planEnd?.as ?? 'discarded';
  if (isOvertaken) return 'superseded';
  return isApproved ? 'approved' : 'awaiting_approval';
}

function totalOf({ currency, payouts, planned_minor: planned, fees_minor: fees }: PlannedTotal) {
  const major = (minor: string) => formatMajor(BigInt(minor), currency.decimals);
  return {
    currency: currencyLabel(currency),
    payouts,
    amount: major(planned),
    fees: fees === null ? null : major(fees),
  };
}
