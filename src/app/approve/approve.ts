import { approverOf, checkApprovals, isPreparer, isPreparersAccount, type Withdrawals } from '../../approval/check.ts';
import { signStatement, statementOf } from '../../approval/statement.ts';
import type { OnPage, RunCreated } from '../../domain/entry.ts';
import type { Approval, ApprovalPolicy, Approver, PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';
import { readEncryptedKeyFile } from '../../keys/encrypted-key-file.ts';
import { KeyFileError } from '../../keys/key-file.ts';
import { requireComment } from '../comment.ts';
import { type Looking, requirePlan, sourceOf } from '../plan/require-plan.ts';
import { holdingRun, readKnownRun, requireFree } from '../runs/known-run.ts';
import { nextOf } from './approvals.ts';

/** `withdrawals`: whose approvals of a plan do not count any more. */
export type ApproveDeps = Looking & { withdrawals(run: RunState): Promise<Withdrawals> };

/** A plan that an approver can sign. */
export type PlanToApprove = { run: RunState; header: RunCreated; facts: PlanFacts; policy: ApprovalPolicy };

export type Approved = { run: RunState; approval: Approval };

/** The actor of the approval: the account, and the person of the page. */
export type ApprovedBy = { account: string; person: OnPage };

/** The plan as it can be approved now. Throws a `Refusal` where it cannot. */
export async function planToApprove(deps: ApproveDeps, runId: string): Promise<PlanToApprove> {
  const run = await readKnownRun(deps.journal, runId);
  const { header, plan: facts } = run;
  // The maker of the plan allowed that it repeats an earlier run; whether it may is asked again when it is started.
  const allowed = header === null || header.repeats === null ? undefined : [header.repeats];
  await requirePlan(run, deps, { allowed, isToSign: true });
  if (header === null || !facts?.approval) throw new Refusal({ code: 'needs_no_approval', runId });
  return { run, header, facts, policy: facts.approval };
}

/** Whose key it is among the approvers of a plan. Throws a `Refusal` where its holder does not approve it. */
export async function approverWith(
  deps: ApproveDeps,
  { run, header, facts, policy }: PlanToApprove,
  key: SigningKey,
  account: string,
): Promise<Approver> {
  const of = { runId: header.run_id, next: nextOf(run, deps.clock.wallMs()) };
  const approver = approverOf(policy, publicKeyTexts(key.publicKey).base64url);
  if (approver === null) throw new Refusal({ code: 'unknown_approver', ...of });
  const { preparer, preparer_key: preparerKey = null } = policy;
  if (isPreparer(policy, approver)) throw new Refusal({ code: 'preparer', preparer, key: preparerKey, ...of });
  if (isPreparersAccount(policy, account))
    throw new Refusal({ code: 'preparers_account', preparer, isOfJob: header.job !== null, ...of });
  const why = (await deps.withdrawals(run)).get(approver.public_key);
  if (why !== undefined) throw new Refusal({ code: 'withdrawn', why, ...of });
  refuseApprovedBefore(deps, { run, facts }, approver, facts.cooling_off);
  return approver;
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

/** Throws a `Refusal` where an approval of that person counts already, for these rows too. */
function refuseApprovedBefore(
  { clock }: ApproveDeps,
  { run, facts }: Pick<PlanToApprove, 'run' | 'facts'>,
  { name, public_key }: Approver,
  rows: readonly number[],
): void {
  const [first, ...others] = countedOf({ run, facts }, public_key, clock.wallMs());
  const approved = new Set([first, ...others].flatMap((one) => one?.rows ?? []));
  if (first === undefined || rows.some((row) => !approved.has(row))) return;
  const next = nextOf(run, clock.wallMs());
  throw new Refusal({ code: 'approved_before', runId: next.runId, name, until: first.expires_at, next });
}

/** Who signs, the rows that are approved by themselves, and what the approver writes beside it. */
type Signing = { approver: Approver; key: SigningKey; rows: readonly number[]; comment?: string; by: ApprovedBy };

/**
 * Signs the plan that was shown: the lease is taken only for the moment in which it is looked at again and the approval is
 * written. On disk when it resolves. Throws a `Refusal` where it cannot be approved any more.
 */
export function signPlan(
  deps: ApproveDeps,
  { header, facts, policy }: PlanToApprove,
  { approver, key, by, ...signed }: Signing,
): Promise<Approved> {
  const runId = header.run_id;
  const signedAt = deps.clock.wallMs();
  const times = { signedAt, expiresAt: signedAt + policy.valid_for_ms };
  const who = { approver: approver.name, publicKey: key.publicKey };
  const approval = signStatement(statementOf(facts, header.digest, who, times, signed), key, by.account);
  return holdingRun(deps.journal, { runId, person: by.person }, async (writer) => {
    const plan = await planToApprove(deps, runId);
    const { run } = plan;
    requireDigest(plan, header.digest);
    const known = approverOf(plan.policy, approval.public_key);
    if (known !== null) refuseApprovedBefore(deps, plan, known, approval.rows);
    const entry = { kind: 'approved' as const, approval };
    applyToRun(run, entry, await writer.append([entry]));
    return { run, approval };
  });
}

/** Throws a `Refusal` where the plan is not the one that was shown. */
function requireDigest({ run, header }: PlanToApprove, digest: string): void {
  if (header.digest !== digest)
    throw new Refusal({ code: 'no_plan', obstacle: { why: 'another_than_shown', plan: sourceOf(run) } });
}

/**
 * The plan of this digest, the rows of it that are approved by themselves, what the approver writes beside it (at most
 * `COMMENT_MAX` characters), and the approver's key.
 */
export type ApprovePlan = {
  runId: string;
  digest: string;
  rows: readonly number[];
  comment?: string;
  keyFile: string;
  passphrase: string;
  by: ApprovedBy;
};

/** Signs a plan that was shown elsewhere, with the key of a file. Throws a `Refusal` where it is not approved. */
export async function approvePlan(deps: ApproveDeps, input: ApprovePlan): Promise<Approved> {
  const { runId, digest, rows, comment = '', by } = input;
  requireComment(comment);
  await requireFree(deps.journal, runId);
  const plan = await planToApprove(deps, runId);
  requireDigest(plan, digest);
  const other = rows.find((row) => !plan.facts.cooling_off.includes(row));
  if (other !== undefined) throw new Refusal({ code: 'no_such_row_to_approve', runId, row: other });
  const key = await unlocked(input);
  const approver = await approverWith(deps, plan, key, by.account);
  return signPlan(deps, plan, { approver, key, rows, comment, by });
}

async function unlocked({ keyFile, passphrase }: ApprovePlan): Promise<SigningKey> {
  try {
    const locked = readEncryptedKeyFile(keyFile);
    if (locked !== null) return await locked.unlock(passphrase);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    throw new Refusal({ code: 'key_unusable', fault: error.fault });
  }
  throw new Refusal({ code: 'key_unusable', fault: { path: keyFile, code: 'not_encrypted', could: null } });
}
