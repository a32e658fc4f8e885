import { canonicalJson } from '../domain/canonical-json.ts';
import type { VoidReason, Withdrawal } from '../domain/outcomes/approve-outcome.ts';
import type { Approval, ApprovalPolicy, Approver, PlanFacts } from '../domain/plan.ts';
import { isSigned, plannedSums } from './statement.ts';

export type { VoidReason, Withdrawal } from '../domain/outcomes/approve-outcome.ts';

/** Whose approvals of a plan do not count any more, by their key. */
export type Withdrawals = ReadonlyMap<string, Withdrawal>;

const NOBODY: Withdrawals = new Map();

export type Approvals = {
  needed: number;
  /** Those that count. One approver may have given several, each for more rows. */
  counted: Approval[];
  /** How many approvers gave them. */
  approvers: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: number[];
  void: { approval: Approval; why: VoidReason }[];
};

/** How far the clocks of two machines may be apart. */
const CLOCK_ALLOWANCE_MS = 60_000;

/**
 * Which approvals of a run count at `nowMs`: signed by different approvers of the policy, over this very digest and its
 * figures, not by the preparer, not expired, and not withdrawn. `needed` is 0 where the plan has no policy.
 */
export function checkApprovals(
  plan: PlanFacts,
  digest: string,
  approvals: readonly Approval[],
  nowMs: number,
  withdrawals: Withdrawals = NOBODY,
): Approvals {
  const policy = plan.approval;
  // Nobody may approve what cools off where nobody is named who could.
  if (policy === null) return { needed: 0, counted: [], approvers: 0, rowsMissing: plan.cooling_off, void: [] };
  const needed = approvalsNeeded(policy, plan);
  const result: Approvals = { needed, counted: [], approvers: 0, rowsMissing: [], void: [] };
  /** By approver, the rows that they approved. */
  const seen = new Map<string, Set<number>>();
  for (const approval of approvals) {
    const before = seen.get(approval.public_key);
    const isAgain = before !== undefined && approval.rows.every((row) => before.has(row));
    const why =
      whyVoid(policy, plan, digest, approval, nowMs) ??
      withdrawals.get(approval.public_key) ??
      (isAgain ? 'again' : null);
    if (why !== null) {
      result.void.push({ approval, why });
      continue;
    }
    seen.set(approval.public_key, new Set([...(before ?? []), ...approval.rows]));
    result.counted.push(approval);
  }
  result.approvers = seen.size;
  result.rowsMissing = plan.cooling_off.filter((row) => {
    const approvers = [...seen.values()].filter((rows) => rows.has(row)).length;
    return approvers < Math.max(needed, 1);
  });
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

/** These bands, of which each plan needs that many approvals at least. */
export function atLeast(bands: ApprovalPolicy['bands'], needed: number): ApprovalPolicy['bands'] {
  return bands.map((band) => (band.over === null ? { ...band, approvals: Math.max(band.approvals, needed) } : band));
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
export function isPreparer(
  { preparer, preparer_key }: Pick<ApprovalPolicy, 'preparer' | 'preparer_key'>,
  { name, public_key }: Approver,
): boolean {
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
): Exclude<VoidReason, 'again' | Withdrawal> | null {
  if (!isSigned(approval)) return 'not_signed';
  const { payouts, totals, signed_at, expires_at } = approval;
  const isSame = payouts === plan.payouts && canonicalJson(totals) === canonicalJson(plannedSums(plan.totals));
  if (approval.digest !== digest || !isSame) return 'another_plan';
  if (approval.rows.some((row) => !plan.cooling_off.includes(row))) return 'other_rows';
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
