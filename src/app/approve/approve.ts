import { approverOf, checkApprovals, isPreparer, isPreparersAccount, type Withdrawals } from '../../approval/check.ts';
import { signStatement, statementOf } from '../../approval/statement.ts';
import type { OnPage, RunCreated } from '../../domain/entry.ts';
import type { NotApprovable, NotApproved, NotItsApprover } from '../../domain/outcomes/approve-outcome.ts';
import type { Approval, ApprovalPolicy, Approver, PlanFacts } from '../../domain/plan.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';
import { readEncryptedKeyFile } from '../../keys/encrypted-key-file.ts';
import { KeyFileError } from '../../keys/key-file.ts';
import { type Looking, planObstacle, sourceOf } from '../plan/plan-obstacle.ts';
import { holderOf, openRun, readRun, reportingLoss } from '../runs/known-run.ts';

/** `withdrawals`: whose approvals of a plan do not count any more. */
export type ApproveDeps = Looking & { withdrawals(run: RunState): Withdrawals };

/** A plan that an approver can sign. */
export type PlanToApprove = { run: RunState; header: RunCreated; facts: PlanFacts; policy: ApprovalPolicy };

export type Approved = { outcome: 'approved'; run: RunState; approval: Approval };

/** The actor of the approval: the account, and the person of the page. */
export type ApprovedBy = { account: string; person: OnPage };

/** The plan as it can be approved now. */
export async function planToApprove(
  deps: ApproveDeps,
  runId: string,
): Promise<({ outcome: 'awaits_approval' } & PlanToApprove) | NotApprovable> {
  const read = await readRun(deps.journal, runId);
  if (read.outcome !== 'read') return read;
  const { run } = read;
  const { header, plan: facts } = run;
  // Who made the plan said that it repeats an earlier run, and is asked again when it is started.
  const allowed = header === null || header.repeats === null ? undefined : [header.repeats];
  const obstacle = await planObstacle(run, deps, { allowed, isToSign: true });
  if (obstacle !== null) return { outcome: 'no_plan', obstacle };
  if (header === null || !facts?.approval) return { outcome: 'needs_no_approval', runId };
  return { outcome: 'awaits_approval', run, header, facts, policy: facts.approval };
}

/** Whose key it is among the approvers of a plan. */
export function approverWith(
  deps: ApproveDeps,
  { run, header, facts, policy }: PlanToApprove,
  key: SigningKey,
  account: string,
): { outcome: 'approver'; approver: Approver } | NotItsApprover {
  const runId = header.run_id;
  const approver = approverOf(policy, publicKeyTexts(key.publicKey).base64url);
  if (approver === null) return { outcome: 'unknown_approver', runId };
  const { preparer, preparer_key: preparerKey = null } = policy;
  if (isPreparer(policy, approver)) return { outcome: 'preparer', runId, preparer, key: preparerKey };
  if (isPreparersAccount(policy, account)) return { outcome: 'preparers_account', runId, preparer };
  const why = deps.withdrawals(run).get(approver.public_key);
  if (why !== undefined) return { outcome: 'withdrawn', runId, why };
  return approvedBefore(deps, { run, facts }, approver, facts.cooling_off) ?? { outcome: 'approver', approver };
}

/** The rows that an approver has approved by themselves, as far as that counts now. */
export function rowsApprovedBy(
  { run, facts }: Pick<PlanToApprove, 'run' | 'facts'>,
  publicKey: string,
  nowMs: number,
): Set<number> {
  return new Set(countedOf({ run, facts }, publicKey, nowMs).flatMap(({ rows }) => rows));
}

function countedOf({ run, facts }: Pick<PlanToApprove, 'run' | 'facts'>, publicKey: string, nowMs: number): Approval[] {
  const { counted } = checkApprovals(facts, run.header?.digest ?? '', run.approvals, nowMs);
  return counted.filter(({ public_key }) => public_key === publicKey);
}

/** That an approval of that person counts already, for these rows too. */
function approvedBefore(
  { clock }: ApproveDeps,
  plan: Pick<PlanToApprove, 'run' | 'facts'>,
  { name, public_key }: Approver,
  rows: readonly number[],
): NotItsApprover | null {
  const [first, ...others] = countedOf(plan, public_key, clock.wallMs());
  const approved = new Set([first, ...others].flatMap((one) => one?.rows ?? []));
  if (first === undefined || rows.some((row) => !approved.has(row))) return null;
  return { outcome: 'approved_before', runId: plan.run.header?.run_id ?? '', name, until: first.expires_at };
}

/**
 * Signs the plan that was shown: the lease is taken only for the moment in which it is looked at again and the approval is
 * written. On disk when it resolves.
 */
export function signPlan(
  deps: ApproveDeps,
  { header, facts, policy }: PlanToApprove,
  { approver, key, rows, by }: { approver: Approver; key: SigningKey; rows: readonly number[]; by: ApprovedBy },
): Promise<Approved | NotApproved> {
  const runId = header.run_id;
  return reportingLoss<Approved | NotApproved>(runId, async () => {
    const signedAt = deps.clock.wallMs();
    const times = { signedAt, expiresAt: signedAt + policy.valid_for_ms };
    const who = { approver: approver.name, publicKey: key.publicKey };
    const approval = signStatement(statementOf(facts, header.digest, who, times, rows), key, by.account);
    const opened = await openRun(deps.journal, runId, by.person);
    if (opened.outcome !== 'opened') return opened;
    const { writer } = opened;
    try {
      const plan = await planToApprove(deps, runId);
      if (plan.outcome !== 'awaits_approval') return plan;
      const { run } = plan;
      if (plan.header.digest !== header.digest)
        return { outcome: 'no_plan', obstacle: { why: 'another_than_shown', plan: sourceOf(run) } };
      const known = approverOf(plan.policy, approval.public_key);
      const before = known && approvedBefore(deps, plan, known, approval.rows);
      if (before !== null) return before;
      const entry = { kind: 'approved' as const, approval };
      applyToRun(run, entry, await writer.append([entry]));
      return { outcome: 'approved', run, approval };
    } finally {
      await writer.release();
    }
  });
}

/** The plan of this digest, the rows of it that are approved by themselves, and the key of who approves it. */
export type ApprovePlan = {
  runId: string;
  digest: string;
  rows: readonly number[];
  keyFile: string;
  passphrase: string;
  by: ApprovedBy;
};

/** Signs a plan that was shown elsewhere, with the key of a file. */
export async function approvePlan(deps: ApproveDeps, input: ApprovePlan): Promise<Approved | NotApproved> {
  const { runId, digest, rows, by } = input;
  const held = await holderOf(deps.journal, runId);
  if (held !== null) return held;
  const plan = await planToApprove(deps, runId);
  if (plan.outcome !== 'awaits_approval') return plan;
  if (plan.header.digest !== digest)
    return { outcome: 'no_plan', obstacle: { why: 'another_than_shown', plan: sourceOf(plan.run) } };
  const other = rows.find((row) => !plan.facts.cooling_off.includes(row));
  if (other !== undefined) return { outcome: 'no_such_row', runId, row: other };
  const key = await unlocked(input);
  if ('outcome' in key) return key;
  const found = approverWith(deps, plan, key, by.account);
  if (found.outcome !== 'approver') return found;
  return signPlan(deps, plan, { approver: found.approver, key, rows, by });
}

async function unlocked({ keyFile, passphrase }: ApprovePlan): Promise<SigningKey | NotApproved> {
  try {
    const locked = readEncryptedKeyFile(keyFile);
    if (locked !== null) return await locked.unlock(passphrase);
    return { outcome: 'key_unusable', message: `the key file ${keyFile} is not encrypted`, remedy: 'encrypt it' };
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return { outcome: 'key_unusable', message: error.message, remedy: error.remedy };
  }
}
