import { approverOf, isPreparer } from '../../approval/check.ts';
import type { Actor, PlanEnd } from '../../domain/entry.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { countPayouts } from '../../domain/run/tally.ts';
import { requireComment } from '../comment.ts';
import { planRefusal, whyEnded } from '../plan/require-plan.ts';
import { holdingRun, readKnownRun } from '../runs/known-run.ts';
import { nextOf } from './approvals.ts';
import type { ApproveDeps } from './approve.ts';

/**
 * An approver rejects a plan, or who made it recalls it: `publicKey` (base64url) is theirs, `reason` at most `COMMENT_MAX`
 * characters, and not empty where it is rejected.
 */
export type EndWaiting = { runId: string; as: PlanEnd['as']; publicKey: string; reason: string; actor: Actor };

/**
 * Ends a plan that nobody has started, for good: from then on no approval of it is taken, and nothing starts it. On disk when
 * it resolves. Throws a `Refusal` where this person may not, the plan was started or ended before, or a process works on it.
 */
export async function endWaiting(deps: ApproveDeps, input: EndWaiting): Promise<void> {
  const { runId, as, reason, actor } = input;
  requireComment(reason);
  assert(as === 'recalled' || reason !== '', 'a plan is rejected without a reason');
  await personOf(deps, await readKnownRun(deps.journal, runId), input);
  const { by: _, ...person } = actor;
  await holdingRun(deps.journal, { runId, person }, async (writer) => {
    const run = await readKnownRun(deps.journal, runId);
    const name = await personOf(deps, run, input);
    const entry = { kind: 'cancelled' as const, plan_end: { as, person: name, reason }, ...actor };
    applyToRun(run, entry, deps.clock.wallMs());
    const { open: _open, ...counts } = countPayouts(run);
    await writer.append([entry, { kind: 'finished', counts }]);
  });
}

/** What the plan calls this person. Throws a `Refusal` where they may not end it, or it cannot be ended so any more. */
async function personOf(deps: ApproveDeps, run: RunState, { runId, as, publicKey }: EndWaiting): Promise<string> {
  if (!isPlannedOnly(run)) throw planRefusal(run, { why: 'started' });
  if (run.cancelled) throw planRefusal(run, whyEnded(run));
  const policy = run.plan?.approval ?? null;
  if (policy === null) throw new Refusal({ code: 'needs_no_approval', runId });
  const { preparer, preparer_key: key = null } = policy;
  const of = { runId, next: nextOf(run, deps.clock.wallMs()) };
  if (as === 'recalled') {
    if (key !== publicKey) throw new Refusal({ code: 'not_its_preparer', preparer, key, ...of });
    return preparer;
  }
  const approver = approverOf(policy, publicKey);
  if (approver === null) throw new Refusal({ code: 'unknown_approver', ...of });
  if (isPreparer(policy, approver)) throw new Refusal({ code: 'preparer', preparer, key, ...of });
  const why = (await deps.withdrawals(run)).get(publicKey);
  if (why !== undefined) throw new Refusal({ code: 'withdrawn', why, ...of });
  return approver.name;
}
