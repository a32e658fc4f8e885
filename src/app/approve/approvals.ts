import { checkApprovals, type VoidReason, type Withdrawals } from '../../approval/check.ts';
import type { Approval } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import type { ReportedApproval } from '../../report/json.ts';

/** The approvals of a run, in the order that they were given, and how many count. */
export type ApprovalsShown = {
  needed: number;
  counted: number;
  missing: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: number[];
  approvals: ReportedApproval[];
};

/** Why an approval does not count, in words. */
export const WHY_VOID: Readonly<Record<VoidReason, string>> = {
  not_signed: 'its signature is not that of its key',
  another_plan: 'it is of another plan, or of other figures',
  unknown_approver: 'its key is not that of an approver of this plan',
  preparer: 'who makes a plan does not approve it',
  expired: 'it has expired',
  bad_times: 'it was signed in the future, or is good for longer than the plan allows',
  other_rows: 'it names a row that does not wait for an approval of its own',
  again: 'this approver has signed before',
  another_key: 'this approver has another key on the page since',
  locked_out: 'this approver is locked out of the page',
  no_approver: 'this approver is no approver on the page any more',
  access_changed:
    'an administrator reset how this approver signs in to the page, or gave the access, and no other administrator has confirmed it',
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
