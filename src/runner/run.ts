import type { Counts } from '../domain/entry.ts';
import type { RunStep } from '../domain/outcomes/run-outcome.ts';
import type { StopWhy } from '../domain/outcomes/stop-why.ts';
import { assert } from '../domain/refusal.ts';
import { mayHaveCopy } from '../domain/run/payout.ts';
import { isPlannedOnly } from '../domain/run/run-state.ts';
import { countPayouts } from '../domain/run/tally.ts';
import { traceRun } from '../platform/tracing.ts';
import { endWaiting } from './cancel.ts';
import { concurrently } from './concurrently.ts';
import { Halt, mayStart, type Stopped, whileHolding, whyHeld } from './halt.ts';
import { leaveOutAllHeld } from './leave-out.ts';
import { ensureAll } from './provision/ensure.ts';
import { whyPayeesOpen } from './provision/payees.ts';
import { isListHopeless } from './reconcile/deadlines.ts';
import { lastLook } from './reconcile/last-look.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { lookForSuspects } from './reconcile/suspects.ts';
import type { RunContext } from './run-context.ts';
import { submitAll } from './submit.ts';
import { waitForAll } from './wait.ts';

/** How the execution ended. */
export type RunEnd = { end: 'finished'; counts: Counts } | Stopped;

export type ExecuteOptions = {
  /** The lease is extended three times in this. */
  leaseMs: number;
  /** The shortest pause between polls; it grows while nothing becomes final. */
  pollEveryMs: number;
  /** From the last submission on. */
  waitTimeoutMs: number;
  onPhase(phase: RunStep): void;
};

/**
 * Executes a run from where its journal stands: a new run and a resumed one take the same way. Ends with each payout
 * settled, or stopped in a state from which this can be called again. Rejects only where the process must stop: the lease is
 * lost or a commit is uncertain.
 */
export async function execute(context: RunContext, options: ExecuteOptions): Promise<RunEnd> {
  assert(!isPlannedOnly(context.run), 'a plan is executed before somebody started it');
  const { header } = context.run;
  const attributes = { 'payrun.run_id': header?.run_id ?? '', 'payrun.rehearsal': header?.rehearsal ?? false };
  return traceRun(attributes, (begin) => {
    const onPhase = (phase: RunStep): void => {
      if (phase !== 'done') begin(phase);
      options.onPhase(phase);
    };
    return whileHolding(context, options.leaseMs, () => steps(context, { ...options, onPhase }));
  });
}

async function steps(context: RunContext, options: ExecuteOptions): Promise<RunEnd> {
  const { run, stop, tally } = context;
  const { onPhase } = options;
  const askedBy = await context.journal.cancelAsked(run.header?.run_id ?? '');
  if (askedBy !== null && !run.cancelled) await context.record({ kind: 'cancelled', by: askedBy });
  onPhase('checking_journal');
  await reconcileLeft(context);
  if (mayStart(context) && !run.isAccounted) {
    onPhase('checking_earlier_payments');
    await lookForSuspects(context);
  }
  if (mayStart(context)) await leaveOutAllHeld(context);
  if (mayStart(context)) {
    onPhase('preparing_payees');
    await ensureAll(context);
    await submitAll(context, onPhase);
  }
  if (run.cancelled && tally.waiting > 0 && !stop.aborted) {
    onPhase('checking_earlier_payments');
    await endWaiting(context);
  }
  await waitForFinal(context, options);
  const held = whyHeld(context) ?? whyMisfit(context);
  const why = held ?? whyPayeesOpen(run);
  if (why !== null && !stop.aborted) throw new Halt(why);
  const { open, ...counts } = countPayouts(run);
  // All that was sent is looked for once more before the run is called finished: by the next process, then.
  const isLeft = held !== null || run.intents > 0;
  if (open > 0 || (stop.aborted && isLeft)) {
    await context.record({ kind: 'stopped', reason: 'interrupted' });
    return { end: 'interrupted' };
  }
  await context.record({ kind: 'finished', counts });
  onPhase('done');
  return { end: 'finished', counts };
}

/** What an earlier process left without an outcome is in doubt, and may only be looked up. */
async function reconcileLeft(context: RunContext): Promise<void> {
  const doubtful: number[] = [];
  for (const [row, payout] of context.run.payouts) {
    if (payout.state === 'sending') {
      const reason = { code: 'process_stopped' as const };
      await context.record({ kind: 'doubt', row, attempt: payout.attempts, reason });
      doubtful.push(row);
    } else if (payout.state === 'in_doubt' || payout.state === 'unresolved') doubtful.push(row);
  }
  const goOn = (): boolean => !context.stop.aborted;
  await concurrently(doubtful, context.profile.concurrency, (row) => reconcile(context, row, false), goOn);
}

/** Waits for what is accepted, then takes the last look: what counted as dead may be found to be accepted too. */
async function waitForFinal(context: RunContext, options: ExecuteOptions): Promise<void> {
  const { tally, stop, misfits } = context;
  while (!stop.aborted) {
    if (tally.accepted > misfits.size) {
      options.onPhase('waiting');
      await waitForAll(context, { pollEveryMs: options.pollEveryMs, timeoutMs: options.waitTimeoutMs });
    }
    if (stop.aborted) return;
    options.onPhase('checking_sent');
    requireSight(context, await lastLook(context));
    if (tally.accepted <= misfits.size) return;
  }
}

/** Throws a `Halt` where a refused request may have a copy, and the service would not show it. */
function requireSight(context: RunContext, { isSearchBlind }: { isSearchBlind: boolean }): void {
  const isHopeless = isListHopeless(context.run);
  if (!(isHopeless || isSearchBlind) || !context.run.dead.values().some(mayHaveCopy)) return;
  throw new Halt({ code: 'copy_unseen', because: isHopeless ? 'list_late' : 'search_blind' });
}

function whyMisfit({ misfits }: RunContext): StopWhy | null {
  const [first] = misfits;
  if (first === undefined) return null;
  return { code: 'misfit', row: first[0], transactionId: first[1], others: misfits.size - 1 };
}
