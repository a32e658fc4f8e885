import { canonicalJson } from '../domain/canonical-json.ts';
import type { Approval, ApprovalPolicy, Approver, PlanFacts } from '../domain/plan.ts';
import { isSigned, plannedSums } from './statement.ts';

/** Why an approval does not count. */
export type VoidReason =
  /** It is not signed by the key that it names. */
  | 'not_signed'
  /** It is of another plan, or states other figures. */
  | 'another_plan'
  /** Its key is no approver's of this plan. */
  | 'unknown_approver'
  /** Who made the plan does not approve it. */
  | 'preparer'
  | 'expired'
  /** It says that it is good for longer than the policy allows, or that it was signed in the future. */
  | 'bad_times'
  /** The same approver has signed before. */
  | 'again';

export type Approvals = {
  needed: number;
  counted: Approval[];
  void: { approval: Approval; why: VoidReason }[];
};

/** How far the clocks of two machines may be apart. */
const CLOCK_ALLOWANCE_MS = 60_000;

/**
 * Which approvals of a run count at `nowMs`: signed by different approvers of the policy, over this very digest and its
 * figures, not by the preparer, and not expired. `needed` is 0 where the plan has no policy.
 */
export function checkApprovals(
  plan: PlanFacts,
  digest: string,
  approvals: readonly Approval[],
  nowMs: number,
): Approvals {
  const policy = plan.approval;
  if (policy === null) return { needed: 0, counted: [], void: [] };
  const result: Approvals = { needed: approvalsNeeded(policy, plan), counted: [], void: [] };
  const seen = new Set<string>();
  for (const approval of approvals) {
    const why = whyVoid(policy, plan, digest, approval, nowMs) ?? (seen.has(approval.public_key) ? 'again' : null);
    if (why !== null) result.void.push({ approval, why });
    else {
      seen.add(approval.public_key);
      result.counted.push(approval);
    }
  }
  return result;
}

/**
 * How many approvers have to sign: as many as the strictest band that the plan is over asks for. What is received in a
 * band's currency counts, and what is sent from it for payees who receive another one.
 */
export function approvalsNeeded(
  { bands }: Pick<ApprovalPolicy, 'bands'>,
  plan: Pick<PlanFacts, 'totals' | 'conversions'>,
): number {
  const sums = sumsByCode(plan);
  let needed = 0;
  for (const { over, approvals } of bands) {
    const isReached = over === null || (sums.get(over.code) ?? 0n) > BigInt(over.minor);
    if (isReached) needed = Math.max(needed, approvals);
  }
  return needed;
}

function sumsByCode({ totals, conversions }: Pick<PlanFacts, 'totals' | 'conversions'>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (code: string, minor: string): void => void sums.set(code, (sums.get(code) ?? 0n) + BigInt(minor));
  for (const { currency, planned_minor } of totals) add(currency.code, planned_minor);
  for (const { source, sent_minor } of conversions?.pairs ?? []) add(source.code, sent_minor);
  return sums;
}

/** The policy's approver with that key, or null. */
export function approverOf({ approvers }: ApprovalPolicy, publicKey: string): Approver | null {
  return approvers.find(({ public_key }) => public_key === publicKey) ?? null;
}

/**
 * Whether an approver is the one who made the plan: by the key it was made with, and by name. Where it was made without a
 * key, the names are those that machines give: `anna@desk-7` and `anna@laptop` are one, and so is an approver `Anna`.
 */
export function isPreparer({ preparer, preparer_key }: ApprovalPolicy, { name, public_key }: Approver): boolean {
  return public_key === preparer_key || accountOf(preparer) === accountOf(name);
}

/** Whether an approval given from that account is void: the plan was made there, by somebody who showed no key. */
export function isPreparersAccount({ preparer, preparer_key }: ApprovalPolicy, account: string): boolean {
  return preparer_key === undefined && accountOf(preparer) === accountOf(account);
}

function whyVoid(
  policy: ApprovalPolicy,
  plan: PlanFacts,
  digest: string,
  approval: Approval,
  nowMs: number,
): Exclude<VoidReason, 'again'> | null {
  if (!isSigned(approval)) return 'not_signed';
  const { payouts, totals, signed_at, expires_at } = approval;
  const isSame = payouts === plan.payouts && canonicalJson(totals) === canonicalJson(plannedSums(plan.totals));
  if (approval.digest !== digest || !isSame) return 'another_plan';
  const approver = approverOf(policy, approval.public_key);
  if (approver === null || approver.name !== approval.approver) return 'unknown_approver';
  if (isPreparer(policy, approver) || isPreparersAccount(policy, approval.by)) return 'preparer';
  if (expires_at - signed_at > policy.valid_for_ms || signed_at > nowMs + CLOCK_ALLOWANCE_MS) return 'bad_times';
  return expires_at <= nowMs ? 'expired' : null;
}

function accountOf(person: string): string {
  const [account = ''] = person.split('@');
  return account.normalize('NFKC').trim().toLowerCase();
}
