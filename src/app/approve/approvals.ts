import { checkApprovals, type Withdrawals } from '../../approval/check.ts';
import type { Approval } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { WHY_VOID } from '../../messages/approve-words.ts';
import type { ReportedApproval } from '../../report/report-result.ts';

/** The approvals of a run, in the order that they were given, and how many count. */
export type ApprovalsShown = {
  needed: number;
  counted: number;
  missing: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: number[];
  approvals: ReportedApproval[];
};

/**
 * As they count at `nowMs` (Unix), or did when the plan was started. `withdrawals`: whose approvals do not count any more;
 * whatever decides about paying or signing gives them.
 */
export function approvalsAt(
  run: Pick<RunState, 'header' | 'plan' | 'approvals' | 'startedAt'>,
  nowMs: number,
  withdrawals?: Withdrawals,
): ApprovalsShown {
  if (run.plan === null || run.header === null)
    return { needed: 0, counted: 0, missing: 0, rowsMissing: [], approvals: [] };
  const checked = checkApprovals(run.plan, run.header.digest, run.approvals, run.startedAt ?? nowMs, withdrawals);
  const whys = new Map(checked.void.map(({ approval, why }) => [approval, WHY_VOID[why]]));
  const approvals = run.approvals.map((approval) => shownApproval(approval, whys.get(approval) ?? null));
  const { needed, approvers: count, rowsMissing } = checked;
  return { needed, counted: count, missing: Math.max(0, needed - count), rowsMissing, approvals };
}

function shownApproval(approval: Approval, why: string | null): ReportedApproval {
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
