import { existsSync } from 'node:fs';
import type { Withdrawals } from '../../approval/check.ts';
import type { EntryOf } from '../../domain/entry.ts';
import { currencyKey, type Money } from '../../domain/money.ts';
import { costOf, type PlannedConversions } from '../../domain/plan.ts';
import { COOLING_OFF } from '../../domain/run/left-out.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import type { RunWriter, StartRun } from '../../journal/journal.ts';
import { markCancelled } from '../../runner/cancel.ts';
import { findPayees, plannedPayees } from '../../runner/plan/planned-payees.ts';
import { preflight } from '../../runner/plan/preflight.ts';
import { requireApproved, requireRowsApproved } from '../approve/approvals.ts';
import { compareWithPast } from '../compare/compare-runs.ts';
import { allowedRuns } from '../compare/earlier-runs.ts';
import { allowedBy, plannedWithin, refusePaidBefore } from '../compare/paid-before.ts';
import { dayExcess } from '../limits/day-excess.ts';
import { refuseDay, refuseExcess } from '../limits/limits.ts';
import { refuseBesideJob } from '../plan/awaiting.ts';
import { asking } from '../plan/draw-plan.ts';
import { requireToday } from '../plan/job-today.ts';
import { planRefusal, requirePlan, runMeanwhile } from '../plan/require-plan.ts';
import { holdingRun, jobHeld, readKnownRun, requireJobFree } from '../runs/known-run.ts';
import type { Connection } from '../service/at-service.ts';
import type { Beginning } from './beginning.ts';
import { requireSharedService } from './left-run.ts';
import type { RunDeps } from './run-deps.ts';
import { startSeen } from './start-seen.ts';

/** A plan as somebody agrees to pay it. */
export type PlanProposal = {
  payouts: number;
  from: string;
  totals: readonly Money[];
  isRehearsal: boolean;
  /** Rows that are left out, as too few have approved them. */
  unapproved: readonly number[];
  conversions: PlannedConversions | null;
};

export type StartDeps = RunDeps & {
  /** Throws a `Refusal` (`connection_closed`) if the page's connection is disabled or has not passed its test. */
  requireOpen(connection: string | undefined): Promise<void>;
  /** Whose approvals of a plan do not count any more. */
  withdrawals(run: RunState): Promise<Withdrawals>;
  /** Asks the person who starts it. Throws a `Refusal` where they do not agree. */
  confirm(proposal: PlanProposal): Promise<void>;
  /** Does what only asks the service, until somebody stops it. */
  whileLooking<Result>(work: (stop: AbortSignal) => Promise<Result>): Promise<Result>;
  /** The file of the plan is not there any more: the journal has its rows, and the plan is as good without it. */
  onFileGone(run: RunState): void;
};

/** `onlyValid`: without the rows that too few have approved. `allowRepeat`: the earlier runs, with commas, that are paid again. */
export type StartPlan = { runId: string; onlyValid: boolean; allowRepeat: string | undefined };

/**
 * Does exactly what was planned, or refuses. The journal's rows, the file, the service, its payees and accounts and the
 * balances have to be as they were, and enough approvers have signed; then the plan is started once, by one process. Throws a
 * `Refusal`.
 */
export async function startPlan<Result>(
  deps: StartDeps,
  input: StartPlan,
  { queued, goOn }: Beginning<Result>,
): Promise<Result> {
  const { journal } = deps;
  const { runId, allowRepeat } = input;
  const { by: _, ...person } = deps.actor;
  const planned = await readKnownRun(journal, runId);
  await requirePlan(planned, deps, { allowed: allowedIn(allowRepeat) });
  await requireJobFree(journal, planned.header?.job ?? null);
  return holdingRun(journal, { runId, person }, async (writer) => {
    const seen = await journal.startedRuns();
    const run = await readKnownRun(journal, runId);
    if (queued !== undefined && run.header !== null) requireSharedService(run.header.profile);
    const held = { deps, input, run, writer, queued };
    // Another process may have started it before this one had its lease.
    await look(held);
    if (isFileGone(run)) deps.onFileGone(run);
    const way = await deps.wayOf(run);
    return deps.whileReceiving(way.profile, async (hints) => {
      const connection = await way.connect();
      try {
        await requireSame(held, connection);
        await start(held, seen);
        return await goOn({ run, writer, connection, hints });
      } finally {
        await connection.close();
      }
    });
  });
}

type Held = Pick<StartRun, 'queued'> & { deps: StartDeps; input: StartPlan; run: RunState; writer: RunWriter };

function allowedIn(allowRepeat: string | undefined): string[] | undefined {
  return allowRepeat === undefined ? undefined : allowedRuns(allowRepeat);
}

/** Everything that can be refused by the journal and the file alone. Throws a `Refusal`. */
async function look(held: Held): Promise<void> {
  const { deps, input, run } = held;
  await cancelIfAsked(held);
  await requirePlan(run, deps, { allowed: allowedIn(input.allowRepeat) });
  await deps.requireOpen(run.header?.connection);
  await requireToday(run);
  await requireApprovals(held);
  await refuseRepeated(held);
  const { header, plan, rows } = run;
  if (header === null || plan === null) return;
  const { approval, limits, conversions } = plan;
  await refuseBesideJob(header, approval, deps);
  refuseExcess(limits, rows, conversions);
  refuseDay(await dayExcess({ limits, header, rows, conversions }, deps));
}

/** The rows that are left out, as too few have approved them. Throws a `Refusal` where approvals are missing. */
async function requireApprovals({ deps, input: { onlyValid }, run }: Held): Promise<number[]> {
  const nowMs = deps.clock.wallMs();
  const withdrawals = await deps.withdrawals(run);
  requireApproved(run, nowMs, withdrawals);
  return requireRowsApproved(run, nowMs, { onlyValid, withdrawals });
}

/** Throws a `Refusal` where somebody has asked, since this process came up, that the plan be cancelled: now it is. */
async function cancelIfAsked({ deps, run, writer }: Held): Promise<void> {
  const by = await deps.journal.cancelAsked(writer.runId);
  if (by === null || !isPlannedOnly(run)) return;
  await markCancelled(run, writer, { by });
  throw planRefusal(run, { why: 'cancelled' });
}

/** Throws a `Refusal` (`paid_before`) where rows were paid within the plan's window, since they were planned too. */
async function refuseRepeated({ deps, input, run }: Held): Promise<void> {
  const { header, plan, rows } = run;
  const repeatWindowMs = header && plan && plannedWithin(header, plan);
  if (header === null || repeatWindowMs === null) return;
  const { journal, clock } = deps;
  const compared = await compareWithPast(header, rows, { journal, clock, repeatWindowMs, coolingMs: null });
  refusePaidBefore(compared, allowedBy(input.allowRepeat, header.repeats), header);
}

function isFileGone({ header }: RunState): boolean {
  if (header === null || (header.retries !== null && header.corrections_sha256 === null)) return false;
  return !existsSync(header.input.path);
}

/** Throws a `Refusal` where the service is not the one, or does not hold, what the plan says. */
async function requireSame({ deps, run }: Held, { client, scope }: Connection): Promise<void> {
  const { header, plan, rows } = run;
  if (header === null || plan === null) return;
  const { journal, clock, randomness, log } = deps;
  const { isRehearsal } = await preflight(client, clock, costOf(plan));
  if (scope !== plan.scope || isRehearsal !== plan.rehearsal) throw planRefusal(run, { why: 'another_service' });
  const { payees } = plan;
  await deps.whileLooking(async (stop) => {
    if (payees !== null) {
      const entries = [header, { kind: 'rows' as const, rows: [...rows] }];
      const found = await asking(() => findPayees({ journal, client, clock, randomness, log, stop, entries }));
      if (plannedPayees(found).sha256 !== payees.sha256) throw planRefusal(run, { why: 'payees_changed' });
    }
    if (stop.aborted) throw planRefusal(run, { why: 'interrupted' });
  });
}

/** `seen` is how many runs had been started when the journal was looked at. */
async function start(held: Held, seen: number): Promise<void> {
  const { deps, input, run, writer, queued } = held;
  const { journal, actor } = deps;
  const { header, plan } = run;
  if (header === null || plan === null) return;
  const left = await requireApprovals(held);
  await deps.confirm(proposalOf(run, left));
  // While the prompt was open, the approval may have expired or the connection may have been disabled.
  await deps.requireOpen(header.connection);
  if ((await requireApprovals(held)).length > left.length)
    await requireApprovals({ ...held, input: { ...input, onlyValid: false } });
  const refuseRepeat = input.allowRepeat === undefined || header.retries !== null;
  const also = left.map(notApproved);
  await cancelIfAsked(held);
  const begin = (now: number) => writer.start({ ...actor, ...(queued && { queued }), refuseRepeat, seen: now, also });
  const started = await startSeen(journal, seen, begin, () => look(held));
  if (started.outcome === 'job_held') throw jobHeld(header.job ?? '', started);
  if (started.outcome === 'repeats') throw planRefusal(run, await runMeanwhile(journal, started.runId, header));
  for (const entry of [{ kind: 'started' as const, ...actor }, ...also]) applyToRun(run, entry, started.at);
}

function notApproved(row: number): EntryOf<'not_submitted'> {
  return { kind: 'not_submitted', row, code: COOLING_OFF, message: { code: 'account_not_approved' } };
}

/** What is paid without the rows that are left out. */
function proposalOf({ header, rows, plan }: RunState, unapproved: readonly number[]): PlanProposal {
  const out = new Set(unapproved);
  const totals = new Map<string, Money>();
  let payouts = 0;
  for (const { order } of rows) {
    if (order === null || out.has(order.row)) continue;
    payouts++;
    const { currency, amount_minor } = order;
    const minor = BigInt(amount_minor) + (totals.get(currencyKey(currency))?.minor ?? 0n);
    totals.set(currencyKey(currency), { currency, minor });
  }
  return {
    payouts,
    from: header?.input.name ?? '',
    totals: [...totals.values()],
    isRehearsal: plan?.rehearsal ?? false,
    unapproved,
    conversions: plan?.conversions ?? null,
  };
}
