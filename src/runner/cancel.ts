import type { Actor, Entry } from '../domain/entry.ts';
import { CANCELLED } from '../domain/run/left-out.ts';
import { applyToRun } from '../domain/run/run.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { countPayouts } from '../domain/run/tally.ts';
import type { RunWriter } from '../journal/journal.ts';
import { Halt, type Stopped, whileHolding, whyHeld } from './halt.ts';
import { lastLook, lookForDeadAttempts } from './reconcile/last-look.ts';
import { lookForSuspects } from './reconcile/suspects.ts';
import { recordInChunks } from './recorder.ts';
import type { RunContext } from './run-context.ts';

/** How the cancelling ended. `open`: what was submitted is still to be waited for, or a doubt to be reconciled. */
export type CancelEnd = { end: 'finished' } | { end: 'open' } | Stopped;

/** From now on nothing more of the run is submitted, whether or not the service can be asked about the rest. */
export async function markCancelled(run: RunState, writer: RunWriter, actor: Actor): Promise<void> {
  if (run.cancelled) return;
  const entry: Entry = { kind: 'cancelled', ...actor };
  applyToRun(run, entry, await writer.append([entry]));
}

/**
 * Ends what waits in a run that is cancelled: it is `not_submitted`, or for a person where the service shows that it may
 * have been paid. What is submitted is still to be waited for, and `resume` reconciles doubts.
 */
export async function endCancelled(context: RunContext, { leaseMs }: { leaseMs: number }): Promise<CancelEnd> {
  return whileHolding<CancelEnd>(context, leaseMs, async () => {
    const { run, tally } = context;
    const isAsked = tally.waiting > 0;
    if (isAsked) await endWaiting(context);
    if (tally.waiting > 0) {
      await context.record({ kind: 'stopped', reason: 'interrupted' });
      return { end: 'interrupted' };
    }
    const held = whyHeld(context);
    if (held !== null) throw new Halt(held);
    if (countPayouts(run).open > 0 || (run.dead.size > 0 && !isAsked)) return { end: 'open' };
    await lastLook(context);
    const { open, ...counts } = countPayouts(run);
    if (open > 0 || context.stop.aborted) return { end: 'open' };
    await context.record({ kind: 'finished', counts });
    return { end: 'finished' };
  });
}

/**
 * What waits in a cancelled run is not submitted, unless the service shows that it may have been paid all the same: by a
 * journal of which this one is an old copy, or by an attempt that counted as dead. A person who reads "not submitted" pays
 * in another way, so the service is asked first; where that cannot be, or is interrupted, the rows go on waiting. Throws
 * a `Halt` where the service cannot be asked.
 */
export async function endWaiting(context: RunContext): Promise<void> {
  if (!context.run.isAccounted) await lookForSuspects(context);
  await lookForDeadAttempts(context);
  if (context.stop.aborted) return;
  const entries: Entry[] = [];
  for (const [row, payout] of context.run.payouts) {
    if (payout.state !== 'waiting') continue;
    const code = payout.attempts === 0 ? 'cancelled_unsent' : 'cancelled_without_effect';
    entries.push({ kind: 'not_submitted', row, code: CANCELLED, message: { code } });
  }
  await recordInChunks(context, entries);
}
