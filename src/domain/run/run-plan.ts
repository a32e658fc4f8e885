import type { PlanEntry } from '../entry.ts';
import { assert } from '../refusal.ts';
import { CANCELLED } from './left-out.ts';
import type { RunState } from './run-state.ts';

/** Whether the run is a plan and no more: nothing was done, and nothing may be before it is started. */
export function isPlannedOnly(run: RunState): boolean {
  return run.plan !== null && run.startedBy === null;
}

/** Applies what happens to a run before it begins, at a time (Unix ms). */
export function applyToPlan(run: RunState, entry: PlanEntry, at: number): void {
  switch (entry.kind) {
    case 'planned':
      assert(run.plan === null && run.startedBy === null, 'a run was planned twice');
      run.plan = entry.plan;
      run.planSignature = entry.signature ?? null;
      return;
    case 'approved':
      assert(isPlannedOnly(run), 'a run was approved that does not wait for it');
      run.approvals.push(entry.approval);
      return;
    case 'started':
      assert(
        isPlannedOnly(run) && !run.cancelled,
        'a run was started twice, without a plan, or after it was cancelled',
      );
      run.startedBy = entry.by;
      run.startedOnPage = entry.page_person ?? null;
      run.startedAt = at;
  }
}

/** Of a plan that nobody has started nothing was sent, and there is nothing to look for. */
export function giveUpPlan(run: RunState): void {
  const message =
    run.replacedBy === null
      ? 'The plan was cancelled before anybody started it.'
      : `The plan was replaced by ${run.replacedBy} before anybody started it.`;
  for (const [row, payout] of run.payouts)
    if (payout.state === 'waiting')
      run.payouts.set(row, { state: 'not_submitted', attempts: 0, code: CANCELLED, message });
}
