import { approverOf, checkApprovals, isPreparer } from '../../approval/check.ts';
import type { RunState } from '../../domain/run.ts';
import type { Person } from '../people/people.ts';
import { counted, listed } from '../words.ts';

/** How far a plan is on its way to being paid. */
export type Standing = {
  needed: number;
  missing: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: readonly number[];
  /** Who approved it, as far as that counts. */
  given: readonly { name: string; at: number; until: number; rows: readonly number[] }[];
  /** Who still may. */
  mayApprove: readonly string[];
};

type OfPlan = Pick<RunState, 'header' | 'plan' | 'approvals'>;

/** Where nobody has to approve, nothing is missing. */
export function standingOf({ header, plan, approvals }: OfPlan, nowMs: number): Standing {
  if (header === null || plan === null) return { needed: 0, missing: 0, rowsMissing: [], given: [], mayApprove: [] };
  const checked = checkApprovals(plan, header.digest, approvals, nowMs);
  const signed = new Set(checked.counted.map(({ public_key }) => public_key));
  const others = (plan.approval?.approvers ?? []).filter(
    (approver) => plan.approval && !isPreparer(plan.approval, approver) && !signed.has(approver.public_key),
  );
  return {
    needed: checked.needed,
    missing: Math.max(0, checked.needed - checked.approvers),
    rowsMissing: checked.rowsMissing,
    given: checked.counted.map(({ approver, signed_at, expires_at, rows }) => ({
      name: approver,
      at: signed_at,
      until: expires_at,
      rows,
    })),
    mayApprove: others.map(({ name }) => name),
  };
}

/** What a plan waits for, in words. */
export function waitsForText({ missing, rowsMissing, mayApprove, needed }: Standing): string {
  if (needed === 0) return 'Nobody has to approve it; it is started by command.';
  if (missing > 0)
    return `Waits for ${counted(missing, 'approval')}, by ${listed(mayApprove) || 'nobody who is left'}.`;
  const rows = rowsMissing.length === 0 ? '' : ` ${rowsText(rowsMissing.length)}.`;
  return `Approved. Waits to be started.${rows}`;
}

function rowsText(count: number): string {
  return count === 1 ? '1 row to a new account still waits' : `${counted(count, 'row')} to new accounts still wait`;
}

/** The rows to new or changed accounts that this person has not approved yet. */
export function rowsLeft({ header, plan, approvals }: OfPlan, publicKey: string, nowMs: number): number[] {
  if (header === null || plan === null) return [];
  const { counted: valid } = checkApprovals(plan, header.digest, approvals, nowMs);
  const own = new Set(valid.filter(({ public_key }) => public_key === publicKey).flatMap(({ rows }) => rows));
  return plan.cooling_off.filter((row) => !own.has(row));
}

/** Why this person, who is an approver of the page, may not approve this plan; null where they may. */
export function whyNotApprove(
  run: OfPlan & Pick<RunState, 'startedBy' | 'cancelled'>,
  person: Person,
  nowMs: number,
): string | null {
  const { plan } = run;
  if (plan === null || run.startedBy !== null) return 'It was started already.';
  if (run.cancelled) return 'It was given up, or a newer plan took its place.';
  if (plan.approval === null) return 'It was made by command, and asks nobody for an approval.';
  const approver = approverOf(plan.approval, person.publicKey ?? '');
  if (approver === null)
    return `When it was made, you were not among its approvers: ${listed(plan.approval.approvers.map(({ name }) => name))}.`;
  if (isPreparer(plan.approval, approver)) return 'You made it, and whoever makes a plan does not approve it.';
  const has = standingOf(run, nowMs).given.some(({ name }) => name === approver.name);
  return has && rowsLeft(run, approver.public_key, nowMs).length === 0 ? 'You have approved it.' : null;
}
