import { z } from 'zod';
import type { Withdrawals } from '../../approval/check.ts';
import { onPayingDay, type PayingDays, payingDaysOf } from '../../domain/business-days.ts';
import { startTime } from '../../domain/entries/plan.ts';
import type { Actor, EntryOf, StartTime } from '../../domain/entry.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ScheduleFault } from '../../domain/refusals/run-reasons.ts';
import { applyToRun } from '../../domain/run/run.ts';
import { isPlannedOnly, type RunState, scheduledStart } from '../../domain/run/run-state.ts';
import type { Job } from '../../job/job.ts';
import type { Journal } from '../../journal/journal.ts';
import { planStanding } from '../approve/plan-standing.ts';
import { jobToday } from '../plan/job-today.ts';
import { planRefusal, whyEnded } from '../plan/require-plan.ts';
import { holdingRun, readKnownRun } from '../runs/known-run.ts';
import { LATE_MAX_MS } from './schedule-times.ts';

/** A time to start a plan at. `anyDay`: also on a day on which payment systems rest, unless the job of the plan forbids that. */
export const wantedStart = startTime.extend({ anyDay: z.boolean() });
export type WantedStart = z.output<typeof wantedStart>;

/** `start` is null where the time is recalled. `publicKey` (base64url): of the preparer in whose name it is started. */
export type SchedulePlan = { runId: string; start: WantedStart | null; publicKey: string; actor: Actor };

/** A person who changes it more often does something else. */
const CHANGES_MAX = 100;

type ScheduleDeps = { journal: Journal; withdrawals(run: RunState): Promise<Withdrawals> };

/**
 * Sets, changes or recalls when a plan is started. On disk when it resolves. Throws a `Refusal` where the plan does not wait for
 * its start, or cannot be started then.
 */
export async function schedulePlan(
  deps: ScheduleDeps,
  { runId, start, publicKey, actor }: SchedulePlan,
): Promise<void> {
  const { by: _, ...person } = actor;
  await holdingRun(deps.journal, { runId, person }, async (writer) => {
    const run = await readKnownRun(deps.journal, runId);
    await requireWaiting(deps, run, runId, start);
    const entry = scheduledEntry(start, publicKey, actor);
    applyToRun(run, entry, await writer.append([entry]));
  });
}

function scheduledEntry(start: StartTime | null, publicKey: string, actor: Actor): EntryOf<'scheduled'> {
  const time = start && { at: start.at, time_zone: start.time_zone };
  return { kind: 'scheduled', start: time, public_key: publicKey, ...actor };
}

/** A plan that is being made, and who makes it by which key; empty where the account says who does. */
type NewPlan = { plan: PlanFacts; job: Pick<Job, 'schedule'> | null; publicKey: string; actor: Actor };

/** The entry that schedules a plan as it is made. Throws a `Refusal` where it cannot be started then. */
export async function scheduledWith(
  journal: Pick<Journal, 'scheduling'>,
  start: WantedStart,
  { plan, job, publicKey, actor }: NewPlan,
): Promise<EntryOf<'scheduled'>> {
  const { approval, run_id: runId } = plan;
  if (approval === null) throw refusal(runId, { why: 'needs_no_approval' });
  const nowMs = await journal.scheduling.now();
  requireStart(start, { runId, nowMs, validForMs: approval.valid_for_ms, days: payingDays(job, plan) });
  return scheduledEntry(start, publicKey, actor);
}

async function requireWaiting(
  { journal, withdrawals }: ScheduleDeps,
  run: RunState,
  runId: string,
  start: WantedStart | null,
): Promise<void> {
  const { header, plan } = run;
  if (!isPlannedOnly(run)) throw planRefusal(run, { why: 'started' });
  if (run.cancelled) throw planRefusal(run, whyEnded(run));
  if (header === null || !plan?.approval) throw new Refusal({ code: 'needs_no_approval', runId });
  if (start === null) {
    if (scheduledStart(run) === null) throw refusal(runId, { why: 'no_time' });
    return;
  }
  if (run.schedules.length >= CHANGES_MAX) throw refusal(runId, { why: 'changed_too_often', times: CHANGES_MAX });
  const nowMs = await journal.scheduling.now();
  const job = await jobToday(header);
  requireStart(start, { runId, nowMs, validForMs: plan.approval.valid_for_ms, days: payingDays(job, plan) });
  const lapsed = lapsedBy(run, start.at + LATE_MAX_MS, nowMs, await withdrawals(run));
  if (lapsed === null) return;
  const [until, approver] = [lapsed.until - LATE_MAX_MS, lapsed.name];
  throw refusal(runId, { why: 'beyond_approvals', until, timeZone: start.time_zone, approver });
}

/** The approval that ends first, where more are missing at that time than now; null where none is. */
function lapsedBy(run: RunState, atMs: number, nowMs: number, withdrawals: Withdrawals) {
  const now = planStanding(run, nowMs, withdrawals);
  if (planStanding(run, atMs, withdrawals).missing <= now.missing) return null;
  const [first = null] = now.given.toSorted((one, other) => one.until - other.until);
  return first;
}

/** The days on which a plan is paid: as its job says, else those of its currencies. */
function payingDays(job: Pick<Job, 'schedule'> | null, { totals }: Pick<PlanFacts, 'totals'>): PayingDays {
  const rule = job?.schedule?.businessDays ?? null;
  if (rule !== null) return { rules: [rule], direction: rule.direction, isOfJob: true };
  return payingDaysOf(totals.map(({ currency }) => currency.code));
}

/** The latest start (Unix ms) of a plan whose approvals are given now and stay valid for `validForMs`. */
export function latestStart(nowMs: number, validForMs: number): number {
  return nowMs + validForMs - LATE_MAX_MS;
}

type StartBounds = { runId: string; nowMs: number; validForMs: number; days: PayingDays };

/**
 * Throws a `Refusal` (`not_scheduled`) where a plan cannot be started then: any approval from now on has to be good until the
 * last moment at which it may still be started.
 */
function requireStart(
  { at, time_zone: timeZone, anyDay }: WantedStart,
  { runId, nowMs, validForMs, days }: StartBounds,
): void {
  if (at <= nowMs) throw refusal(runId, { why: 'past', at, timeZone });
  const until = latestStart(nowMs, validForMs);
  if (at > until) throw refusal(runId, { why: 'beyond_approvals', until, timeZone, approver: null });
  const nearest = onPayingDay(at, timeZone, days);
  if (nearest === at || (anyDay && !days.isOfJob)) return;
  const offered = nearest !== null && nearest > nowMs && nearest <= until ? nearest : null;
  throw refusal(runId, { why: 'day_of_rest', at, timeZone, offered, isOfJob: days.isOfJob });
}

function refusal(runId: string, fault: ScheduleFault): Refusal {
  return new Refusal({ code: 'not_scheduled', runId, fault });
}
