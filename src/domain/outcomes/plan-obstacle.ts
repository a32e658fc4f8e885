import { z } from 'zod';
import { notStarted, runUnavailable } from './run-outcome.ts';

const [unknownRun, damaged, held] = runUnavailable.options;

/** A run, and whether it moved no money. */
export const runNamed = z.object({ runId: z.string(), isRehearsal: z.boolean() });
export type RunNamed = z.output<typeof runNamed>;

/** Why an earlier run that somebody names may not be repeated. */
export const notAllowed = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('run_since'), older: z.string(), newest: runNamed }),
  z.object({
    outcome: z.literal('no_earlier_run'),
    name: z.string(),
    newest: z.string().nullable(),
    wasRehearsal: z.boolean(),
    period: z.string().nullable(),
  }),
]);
export type NotAllowed = z.output<typeof notAllowed>;

/** From what a plan was made, so that it can be made again. `retries`: the run whose rows it retries. */
export const planSource = z.object({
  runId: z.string(),
  retries: z.string().nullable(),
  path: z.string(),
  job: z.string().nullable(),
  jobFile: z.string().nullable(),
  period: z.string().nullable(),
  isMadeWithKey: z.boolean(),
});
export type PlanSource = z.output<typeof planSource>;

const rowLeft = z.object({ row: z.number(), why: z.string() });
export type RowLeft = z.output<typeof rowLeft>;

/** Why there is nothing of a run to be paid again. `nothing`: no row that failed, was rejected or not sent is to be paid still. */
export const nothingToRetry = z.discriminatedUnion('outcome', [
  unknownRun,
  damaged,
  held,
  notStarted,
  z.object({ outcome: z.literal('not_finished'), runId: z.string() }),
  z.object({ outcome: z.literal('nothing'), runId: z.string(), leftOut: z.array(rowLeft).readonly() }),
]);
export type NothingToRetry = z.output<typeof nothingToRetry>;

const problem = z.discriminatedUnion('why', [
  z.object({ why: z.literal('started') }),
  z.object({ why: z.literal('cancelled') }),
  z.object({ why: z.literal('not_whole') }),
  z.object({ why: z.literal('not_signed_by_maker') }),
  z.object({ why: z.literal('another_than_shown') }),
  z.object({ why: z.literal('retry_repeated') }),
  z.object({ why: z.literal('replaced'), by: z.string() }),
  z.object({ why: z.literal('file_changed'), name: z.string() }),
  z.object({ why: z.literal('not_allowed'), cause: notAllowed }),
  /** `period`: both are of this one. `isToSign`: an approver looks, who cannot let anything be paid again. */
  z.object({
    why: z.literal('run_meanwhile'),
    by: runNamed,
    job: z.string().nullable(),
    period: z.string().nullable(),
    isToSign: z.boolean(),
  }),
  z.object({ why: z.literal('corrections_run_before'), name: z.string(), by: runNamed }),
  z.object({ why: z.literal('nothing_to_retry'), cause: nothingToRetry }),
  /** `row`: one that is not to be paid any more, and why. `last`: the retry that was started since. */
  z.object({
    why: z.literal('retried_since'),
    retries: z.string(),
    row: rowLeft.nullable(),
    last: z.string().nullable(),
  }),
  z.object({ why: z.literal('planned_by_earlier_payrun') }),
  /** `more`: what the job in `file` asks for beyond the plan. */
  z.object({ why: z.literal('job_changed'), file: z.string(), more: z.array(z.string()).readonly() }),
  z.object({ why: z.literal('another_service') }),
  z.object({ why: z.literal('payees_changed') }),
  z.object({ why: z.literal('interrupted') }),
]);
export type PlanProblem = z.output<typeof problem>;

/** Why a plan cannot be started, or signed. */
export const planObstacle = z.intersection(z.object({ plan: planSource }), problem);
export type PlanObstacle = z.output<typeof planObstacle>;
