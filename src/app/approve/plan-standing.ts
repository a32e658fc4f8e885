import { approverOf, checkApprovals, isPreparer, type Withdrawals } from '../../approval/check.ts';
import type { Withdrawal } from '../../domain/outcomes/approve-outcome.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { AccessChange, PeopleParts } from '../people/access.ts';
import type { Person } from '../people/people.ts';

type OfPlan = Pick<RunState, 'header' | 'plan' | 'approvals'>;

/** How far a plan is on its way to being paid. */
export type PlanStanding = {
  needed: number;
  missing: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: readonly number[];
  /** The approvals that count, with their times (Unix ms). */
  given: readonly { name: string; at: number; until: number; rows: readonly number[] }[];
  /** Whose approvals do not count any more, and why. */
  withdrawn: readonly { name: string; why: Withdrawal }[];
  /** The keys of approvers who count only when another administrator confirms what was changed of their access. */
  onHold: readonly string[];
  /** Whether it may be started, but for the rows that wait for an approval of their own. */
  isReady: boolean;
  /** Who still may approve it. */
  mayApprove: readonly string[];
};

const NOTHING: PlanStanding = {
  needed: 0,
  missing: 0,
  rowsMissing: [],
  given: [],
  withdrawn: [],
  onHold: [],
  isReady: false,
  mayApprove: [],
};

/** As its approvals count at `nowMs`. Where nobody has to approve, nothing is missing. */
export function planStanding(
  { header, plan, approvals }: OfPlan,
  nowMs: number,
  withdrawals: Withdrawals,
): PlanStanding {
  if (header === null || plan === null) return NOTHING;
  const checked = checkApprovals(plan, header.digest, approvals, nowMs, withdrawals);
  // Rows whose only approvals were withdrawn since wait for another approver, and are not left out.
  const isHeld = checked.rowsMissing.length > checkApprovals(plan, header.digest, approvals, nowMs).rowsMissing.length;
  const withdrawn = new Map<string, Withdrawal>();
  for (const { approval, why } of checked.void) {
    const withdrawal = withdrawals.get(approval.public_key);
    if (why === withdrawal && withdrawal !== 'access_changed') withdrawn.set(approval.approver, withdrawal);
  }
  const signed = new Set(checked.counted.map(({ public_key }) => public_key));
  const { approval: policy } = plan;
  const approvers = policy === null ? [] : policy.approvers.filter((approver) => !isPreparer(policy, approver));
  const others = approvers.filter(({ public_key }) => !signed.has(public_key) && !withdrawals.has(public_key));
  return {
    needed: checked.needed,
    missing: Math.max(0, checked.needed - checked.approvers),
    rowsMissing: checked.rowsMissing,
    given: checked.counted.map(({ approver: name, signed_at: at, expires_at: until, rows }) => ({
      name,
      at,
      until,
      rows,
    })),
    withdrawn: Array.from(withdrawn, ([name, why]) => ({ name, why })),
    onHold: approvers.map(({ public_key }) => public_key).filter((key) => withdrawals.get(key) === 'access_changed'),
    isReady: checked.needed > 0 && checked.approvers >= checked.needed && !isHeld,
    mayApprove: others.map(({ name }) => name),
  };
}

/** The rows to new or changed accounts that the owner of a key has not approved yet. */
export function rowsToApprove({ header, plan, approvals }: OfPlan, publicKey: string, nowMs: number): number[] {
  if (header === null || plan === null) return [];
  const { counted } = checkApprovals(plan, header.digest, approvals, nowMs);
  const own = new Set(counted.filter(({ public_key }) => public_key === publicKey).flatMap(({ rows }) => rows));
  return plan.cooling_off.filter((row) => !own.has(row));
}

/** Why somebody may not approve a plan. */
export type WhyNotApprove =
  | { code: 'started' | 'discarded' | 'by_command' | 'own' | 'approved' | 'on_hold' }
  | { code: 'no_approver' | 'sees_no_details' }
  | { code: 'not_among'; approvers: string[] }
  /** The run `by` took its rows. */
  | { code: 'overtaken'; by: string };

/** Why the owner of a key may not approve a plan; null where they may. */
export function whyNotApprove(
  run: OfPlan & Pick<RunState, 'startedBy' | 'cancelled'>,
  publicKey: string,
  nowMs: number,
  withdrawals: Withdrawals,
): WhyNotApprove | null {
  const { plan } = run;
  if (plan === null || run.startedBy !== null) return { code: 'started' };
  if (run.cancelled) return { code: 'discarded' };
  if (plan.approval === null) return { code: 'by_command' };
  const approver = approverOf(plan.approval, publicKey);
  if (approver === null) return { code: 'not_among', approvers: plan.approval.approvers.map(({ name }) => name) };
  if (isPreparer(plan.approval, approver)) return { code: 'own' };
  const withdrawal = withdrawals.get(publicKey);
  if (withdrawal === 'access_changed') return { code: 'on_hold' };
  if (withdrawal === 'no_approver' || withdrawal === 'sees_no_details') return { code: withdrawal };
  const hasApproved = planStanding(run, nowMs, new Map()).given.some(({ name }) => name === approver.name);
  return hasApproved && rowsToApprove(run, publicKey, nowMs).length === 0 ? { code: 'approved' } : null;
}

/** Whether a person made the plan, themselves or by one of their programs. */
export function isMaker(policy: ApprovalPolicy, { name, publicKey }: Pick<Person, 'name' | 'publicKey'>): boolean {
  return isPreparer(policy, { name, public_key: publicKey ?? '' });
}

/** An approver who joined by a link of the person who made the plan (`maker`), who could have opened it. `at`: Unix ms. */
export type OwnLink = { personId: string; approver: string; maker: string; at: number };

/** The approvers of a plan who joined by such a link; without `viewerId` once that person has approved. */
export async function ownLinks(
  { people, audit }: Pick<PeopleParts, 'people' | 'audit'>,
  { plan, approvals }: Pick<RunState, 'plan' | 'approvals'>,
  viewerId: string,
): Promise<OwnLink[]> {
  const policy = plan?.approval ?? null;
  const links: OwnLink[] = [];
  for (const approver of policy?.approvers ?? []) {
    const person = await people.byPublicKey(approver.public_key);
    if (policy === null || person === null || isPreparer(policy, approver)) continue;
    const link = await audit.linkOf(person.id);
    const maker = link?.person == null ? null : await people.get(link.person);
    if (link === null || maker === null) continue;
    if (!isPreparer(policy, { name: maker.name, public_key: maker.publicKey ?? '' })) continue;
    const hasApproved = approvals.some(({ public_key }) => public_key === approver.public_key);
    if (person.id === viewerId && hasApproved) continue;
    links.push({ personId: person.id, approver: approver.name, maker: maker.name, at: link.at });
  }
  return links;
}

/** The resets of the approvers of a plan that nobody confirmed, where they keep nothing from counting (any more). */
export async function unconfirmedResets(
  { people, access }: Pick<PeopleParts, 'people' | 'access'>,
  { header, plan }: Pick<RunState, 'header' | 'plan'>,
): Promise<AccessChange[]> {
  const policy = plan?.approval ?? null;
  const found: AccessChange[] = [];
  for (const { public_key } of policy?.approvers ?? []) {
    const person = await people.byPublicKey(public_key);
    if (
      policy === null ||
      person === null ||
      (await access.onHold(public_key, policy, header?.rehearsal === false)) !== null
    )
      continue;
    found.push(...(await access.openResets(person.id)));
  }
  return found;
}
