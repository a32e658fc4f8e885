import { z } from 'zod';
import { runNamed } from '../outcomes/plan-obstacle.ts';

/** A run of the past. `at`: Unix ms. */
const pastRun = z.object({ ...runNamed.shape, at: z.number() });

const rows = z.array(z.number()).readonly();

/** Why a plan is not made or not started: for the sake of single payments, of approvals, and of other plans. */
export const PAID_REASONS = [
  /** `runs` paid the same amounts to the same accounts within the window, the newest first. */
  z.object({
    code: z.literal('paid_before'),
    rows,
    runs: z.array(pastRun).readonly(),
    isWaiting: z.boolean(),
    job: z.string().nullable(),
  }),
  /** All payouts of a file were paid before. `why`: of the first of them, in words. */
  z.object({ code: z.literal('nothing_left'), name: z.string(), payouts: z.number(), why: z.string() }),
  /** A file of rows of a run that are to be corrected is to be paid as one of its own. */
  z.object({ code: z.literal('sheet_of_run'), path: z.string(), runId: z.string() }),
  /** `cause`: what the system says. */
  z.object({ code: z.literal('history_unreadable'), cause: z.string() }),
] as const;

/** `approvals` that do not count are in `voids`, each as a line of text. */
const approvalsMissing = z.object({
  code: z.literal('approvals_missing'),
  runId: z.string(),
  needed: z.number(),
  missing: z.number(),
  voids: z.array(z.string()).readonly(),
  /** Those who can still approve; null where the plan names nobody. */
  mayApprove: z.array(z.string()).readonly().nullable(),
});

/** `payable`: how many rows can be paid. `repeats`: the run that the plan repeats. */
const rowsUnapproved = z.object({
  code: z.literal('rows_unapproved'),
  runId: z.string(),
  rows,
  payable: z.number(),
  repeats: z.string().nullable(),
});

/** Another plan. `age`: ms since it was made. */
const otherPlan = z.object({ runId: z.string(), ageMs: z.number(), approvedBy: z.array(z.string()).readonly() });

export const APPROVAL_REASONS = [
  approvalsMissing,
  rowsUnapproved,
  /** More approvals are needed than there are approvers besides who makes the plan. */
  z.object({ code: z.literal('never_approvable'), needed: z.number(), able: z.number(), preparer: z.string() }),
  /** A plan that pays the same is approved. `next`: the command that is next for it. */
  z.object({ code: z.literal('other_plan_approved'), plan: otherPlan, next: z.string() }),
  /** A plan of a job that asks for approval pays the same file. `why`: why that one cannot be run any more, or null. */
  z.object({
    code: z.literal('other_plan_of_job'),
    plan: otherPlan,
    job: z.string().nullable(),
    why: z.string().nullable(),
    next: z.string(),
  }),
] as const;
