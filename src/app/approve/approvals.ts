import { approvalsNeeded, checkApprovals, isPreparer, type Withdrawals } from '../../approval/check.ts';
import type { PlanNext, VoidReason } from '../../domain/outcomes/approve-outcome.ts';
import type { Approval, ApprovalPolicy, PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import type { ReportedApproval } from '../../report/model/report.ts';

/** The approvals of a run, in the order that they were given, and how many count. */
export type ApprovalsShown = {
  needed: number;
  counted: number;
  missing: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: number[];
  approvals: ReportedApproval[];
};

const NONE: ApprovalsShown = { needed: 0, counted: 0, missing: 0, rowsMissing: [], approvals: [] };

/**
 * As they count at `nowMs` (Unix), or did when the plan was started. `withdrawals`: whose approvals do not count any more;
 * whatever decides about paying or signing gives them.
 */
export function approvalsAt(
  run: Pick<RunState, 'header' | 'plan' | 'approvals' | 'startedAt'>,
  nowMs: number,
  withdrawals?: Withdrawals,
): ApprovalsShown {
  if (run.plan === null || run.header === null) return NONE;
  const checked = checkApprovals(run.plan, run.header.digest, run.approvals, run.startedAt ?? nowMs, withdrawals);
  const whys = new Map(checked.void.map(({ approval, why }) => [approval, why]));
  const approvals = run.approvals.map((approval) => shownApproval(approval, whys.get(approval) ?? null));
  const { needed, approvers: count, rowsMissing } = checked;
  return { needed, counted: count, missing: Math.max(0, needed - count), rowsMissing, approvals };
}

function shownApproval(approval: Approval, why: VoidReason | null): ReportedApproval {
  const { approver, by, public_key, rows, signed_at, expires_at, signature } = approval;
  const times = { signed_at: isoUtc(signed_at), expires_at: isoUtc(expires_at) };
  return {
    approver,
    by,
    public_key,
    ...(rows.length > 0 && { rows }),
    ...times,
    signature,
    counts: why === null,
    why_not: why,
  };
}

/** What a plan needs next, as its approvals count at `nowMs`. */
export function nextOf(run: RunState, nowMs: number, withdrawals?: Withdrawals): PlanNext {
  const { missing, rowsMissing, approvals } = approvalsAt(run, nowMs, withdrawals);
  const { header } = run;
  const mayApprove = mayStillApprove(run, approvals);
  return { runId: header?.run_id ?? '', missing, mayApprove, rowsMissing, repeats: header?.repeats ?? null };
}

/** The names of those who may approve a plan and have not, as far as that counts. */
export function mayStillApprove({ plan }: Pick<RunState, 'plan'>, approvals: ApprovalsShown['approvals']): string[] {
  if (!plan?.approval) return [];
  const signed = new Set(approvals.filter(({ counts }) => counts).map(({ public_key }) => public_key));
  return mayApprove(plan.approval)
    .filter(({ public_key }) => !signed.has(public_key))
    .map(({ name }) => name);
}

export function mayApprove(policy: ApprovalPolicy): ApprovalPolicy['approvers'] {
  return policy.approvers.filter((approver) => !isPreparer(policy, approver));
}

/** Throws a `Refusal` (`approvals_missing`) where approvals of a plan are missing, with why those that were given do not count. */
export function requireApproved(run: RunState, nowMs: number, withdrawals: Withdrawals): void {
  const { needed, missing, approvals } = approvalsAt(run, nowMs, withdrawals);
  if (missing === 0) return;
  const voids = approvals.filter(({ counts }) => !counts);
  throw new Refusal({ code: 'approvals_missing', needed, voids, next: nextOf(run, nowMs, withdrawals) });
}

/**
 * The rows that are not paid because too few approved them: none, unless the others are to be paid without them. Throws a
 * `Refusal` (`rows_unapproved`) that names them.
 */
export function requireRowsApproved(
  run: RunState,
  nowMs: number,
  { onlyValid, withdrawals }: { onlyValid: boolean; withdrawals: Withdrawals },
): number[] {
  const { rowsMissing: rows } = approvalsAt(run, nowMs, withdrawals);
  const payable = run.rows.values().reduce((count, { order }) => count + (order === null ? 0 : 1), 0);
  if (rows.length === 0 || (onlyValid && rows.length < payable)) return rows;
  const { run_id: runId = '', repeats = null } = run.header ?? {};
  throw new Refusal({ code: 'rows_unapproved', runId, rows, payable, repeats });
}

/** Throws a `Refusal` (`never_approvable`) where there are too few approvers besides who makes the plan. */
export function requireApprovable(facts: Pick<PlanFacts, 'approval' | 'totals' | 'conversions'>): void {
  const { approval } = facts;
  if (approval === null) return;
  const needed = approvalsNeeded(approval, facts);
  const able = mayApprove(approval).length;
  if (able >= needed) return;
  const { preparer, preparer_key: key = null } = approval;
  throw new Refusal({ code: 'never_approvable', needed, able, preparer, key });
}
