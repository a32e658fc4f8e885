import { approverOf, checkApprovals, isPreparer } from '../../approval/check.ts';
import type { RunState } from '../../domain/run.ts';
import type { Person } from '../people/people.ts';
import type { Web } from '../web.ts';
import { counted, listed } from '../words.ts';

/** How far a plan is on its way to being paid. */
export type Standing = {
  needed: number;
  missing: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: readonly number[];
  /** Who approved it, as far as that counts. */
  given: readonly { name: string; at: number; until: number; rows: readonly number[] }[];
  /** Whose approvals do not count any more, and why: `was locked out since`. */
  gone: readonly { name: string; why: string }[];
  /** Whether it may be started, but for the rows that wait for an approval of their own. */
  isReady: boolean;
  /** Who still may. */
  mayApprove: readonly string[];
};

/** Why what a key has signed does not count any more; null where it does. */
export type WhyGone = (publicKey: string) => string | null;

/** By the page's people as they are now. Keys that never were of one of them are for the plan's policy alone. */
export function whyGone({ people, audit }: Pick<Web, 'people' | 'audit'>): WhyGone {
  return (publicKey) => {
    const person = people.byPublicKey(publicKey);
    if (person === null) return audit.hasComeInWith(publicKey) ? 'has another key since' : null;
    if (person.lockedAt !== null) return 'was locked out since';
    return person.roles.includes('approver') ? null : 'is no approver any more';
  };
}

type OfPlan = Pick<RunState, 'header' | 'plan' | 'approvals'>;

/** Where nobody has to approve, nothing is missing. */
export function standingOf({ header, plan, approvals }: OfPlan, nowMs: number, why: WhyGone): Standing {
  if (header === null || plan === null) return NOTHING;
  const valid = approvals.filter(({ public_key }) => why(public_key) === null);
  const checked = checkApprovals(plan, header.digest, valid, nowMs);
  const all = checkApprovals(plan, header.digest, approvals, nowMs);
  const gone = new Map<string, string>();
  for (const { approver, public_key } of all.counted) {
    const words = why(public_key);
    if (words !== null) gone.set(approver, words);
  }
  // The command that starts it counts all of them.
  const isHeld = checked.rowsMissing.length > all.rowsMissing.length;
  const signed = new Set(checked.counted.map(({ public_key }) => public_key));
  const others = (plan.approval?.approvers ?? []).filter(
    (approver) =>
      plan.approval &&
      !isPreparer(plan.approval, approver) &&
      !signed.has(approver.public_key) &&
      why(approver.public_key) === null,
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
    gone: Array.from(gone, ([name, words]) => ({ name, why: words })),
    isReady: checked.needed > 0 && checked.approvers >= checked.needed && !isHeld,
    mayApprove: others.map(({ name }) => name),
  };
}

const NOTHING: Standing = {
  needed: 0,
  missing: 0,
  rowsMissing: [],
  given: [],
  gone: [],
  isReady: false,
  mayApprove: [],
};

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
  const has = standingOf(run, nowMs, () => null).given.some(({ name }) => name === approver.name);
  return has && rowsLeft(run, approver.public_key, nowMs).length === 0 ? 'You have approved it.' : null;
}
