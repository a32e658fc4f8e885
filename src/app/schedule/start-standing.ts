import type { Withdrawals } from '../../approval/check.ts';
import type { StartTime } from '../../domain/entry.ts';
import { type RunState, type ScheduledStart, scheduledStart } from '../../domain/run/run-state.ts';
import { planStanding } from '../approve/plan-standing.ts';
import { LATE_MAX_MS } from './schedule-times.ts';

/** Why a plan was not started at its time, and will not be on its own. */
export type WhyMissed =
  /** Too few had approved it by then. */
  | 'not_approved'
  /** Rows to new or changed accounts waited for an approval of their own. */
  | 'rows_not_approved'
  /** Who set the time is no preparer any more, was deactivated, or has another key. */
  | 'person'
  /** It was refused when it was to be started. */
  | 'refused'
  /** Nobody was there to start it: as with a job, whose time is missed after as long. */
  | 'nobody';

/** How a plan stands that people scheduled: `due` is for ten minutes. */
export type StartStanding = ScheduledStart & { start: StartTime } & (
    | { state: 'ahead'; why: 'person' | null }
    | { state: 'due'; why: null }
    | { state: 'missed'; why: WhyMissed }
  );

/** `isPreparer`: whether who set the time may start plans now. `isRefused`: whether the start at that time was tried, and refused. */
type StartFacts = { nowMs: number; withdrawals: Withdrawals; isPreparer: boolean; isRefused: boolean };

/**
 * Null where nobody scheduled the plan. Only what was approved by then is started at its time: what is approved later has
 * missed it, and is started by a person, who looks at it again.
 */
export function startStanding(
  run: Pick<RunState, 'header' | 'plan' | 'approvals' | 'schedules'>,
  facts: StartFacts,
): StartStanding | null {
  const scheduled = scheduledStart(run);
  if (scheduled === null) return null;
  const { at } = scheduled.start;
  if (facts.nowMs < at) return { ...scheduled, state: 'ahead', why: facts.isPreparer ? null : 'person' };
  const why = whyMissed(run, at, facts);
  return why === null ? { ...scheduled, state: 'due', why } : { ...scheduled, state: 'missed', why };
}

function whyMissed(
  run: Pick<RunState, 'header' | 'plan' | 'approvals'>,
  at: number,
  { nowMs, withdrawals, isPreparer, isRefused }: StartFacts,
): WhyMissed | null {
  if (isRefused) return 'refused';
  if (!isPreparer) return 'person';
  const approvals = run.approvals.filter(({ signed_at }) => signed_at <= at);
  const { isReady, rowsMissing } = planStanding({ ...run, approvals }, Math.min(nowMs, at + LATE_MAX_MS), withdrawals);
  if (!isReady) return 'not_approved';
  if (rowsMissing.length > 0) return 'rows_not_approved';
  return nowMs - at > LATE_MAX_MS ? 'nobody' : null;
}
