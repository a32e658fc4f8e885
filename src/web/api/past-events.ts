import { approvalsAt } from '../../app/approve/approvals.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import type { FollowedRun } from '../runs/followed-run.ts';

export const PLAN_EVENTS = ['plan.created', 'plan.approved', 'plan.ended'] as const;
export const RUN_EVENTS = ['run.started', 'run.stopped', 'run.finished'] as const;

/** An event that happened once: `key` is of no other. */
export type ApiEvent = {
  key: string;
  type: (typeof PLAN_EVENTS)[number] | (typeof RUN_EVENTS)[number];
  runId: string;
};

/** A run that nobody works on may be handed over from one process to the next; for longer than this it is stopped. */
export const STOPPED_FOR_MS = 30_000;

/** An event that is over; when it was (Unix ms). */
type PastEvent = ApiEvent & { at: number };

/**
 * What happened to a run up to now, by its journal, oldest first: what began and ended while no page looked too. What it is at now is
 * not among it.
 */
export function pastEvents({ run, runId, takeovers }: FollowedRun): PastEvent[] {
  const events: PastEvent[] = [];
  const add = (type: ApiEvent['type'], at: number, place = '') =>
    events.push({ key: `${type} ${runId}${place}`, type, runId, at });
  if (run.plan !== null) add('plan.created', run.createdAt);
  // Whether one that waits is approved now depends on more than its journal.
  if (run.plan !== null && (run.cancelled || !isPlannedOnly(run))) {
    const { missing } = approvalsAt(run, run.startedAt ?? run.finishedAt ?? run.createdAt);
    const last = run.approvals.at(-1);
    if (last !== undefined && missing === 0) add('plan.approved', last.signed_at);
  }
  if (!isPlannedOnly(run)) add('run.started', run.startedAt ?? run.createdAt);
  // By the number of entries that there were while it was stopped, as a page that looked then noted it.
  for (const { at, left } of takeovers) if (at - left.at >= STOPPED_FOR_MS) add('run.stopped', left.at, ` ${left.n}`);
  return events;
}
