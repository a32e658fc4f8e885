import type { Counts } from '../domain/entry.ts';
import { assert } from '../domain/refusal.ts';
import { mayHaveCopy } from '../domain/run/payout.ts';
import { isPlannedOnly } from '../domain/run/run-plan.ts';
import { countPayouts } from '../domain/run/tally.ts';
import type { Journal, RunWriter } from '../journal/journal.ts';
import { giveUpWaiting } from './cancel.ts';
import { type Stopped, whileHolding } from './holding.ts';
import type { Phase } from './phase.ts';
import { ensureAll } from './provision/ensure.ts';
import { haltForOpenPayees } from './provision/open-payees.ts';
import { lastLook } from './reconcile/last-look.ts';
import { isListHopeless } from './reconcile/patience.ts';
import { settle } from './reconcile/settle.ts';
import { lookForSuspects } from './reconcile/suspects.ts';
import type { RunContext } from './run-context.ts';
import { concurrently } from './submit/concurrently.ts';
import { Halt } from './submit/halt.ts';
import { mayStart, whyHeld } from './submit/held.ts';
import { submitAll } from './submit/submit-all.ts';
import { waitForAll } from './wait/wait.ts';

/** How the execution ended; `cli/exit.ts` makes an exit code of it. */
export type RunEnd = { end: 'finished'; counts: Counts } | Stopped;

export type ExecuteOptions = {
  /** The lease is put off three times in this. */
  leaseMs: number;
  /** The shortest pause between polls; it grows while nothing becomes final. */
  pollEveryMs: number;
  /** From the last submission on. */
  waitTimeoutMs: number;
  onPhase(phase: Phase): void;
};

/**
 * Executes a run from wherever its journal says it stands: a new run and a resumed one take the same way. Ends with each
 * payout settled, or stopped in a state from which this can be called again. Rejects only where the process must stop:
 * the lease is lost or a commit is uncertain.
 */
export async function execute(
  context: RunContext,
  journal: Journal,
  writer: RunWriter,
  options: ExecuteOptions,
): Promise<RunEnd> {
  assert(!isPlannedOnly(context.run), 'a plan is executed before somebody started it');
  return whileHolding(context, journal, writer, options.leaseMs, () => steps(context, journal, options));
}

async function steps(context: RunContext, journal: Journal, options: ExecuteOptions): Promise<RunEnd> {
  const { run, stop, tally } = context;
  const { onPhase } = options;
  const askedBy = run.header === null ? null : await journal.cancelAsked(run.header.run_id);
  if (askedBy !== null && !run.cancelled) await context.record({ kind: 'cancelled', by: askedBy });
  onPhase('checking the journal');
  await settleDoubts(context);
  if (mayStart(context) && !run.isAccounted) {
    onPhase('checking the service for earlier payments');
    await lookForSuspects(context, journal);
  }
  if (mayStart(context)) {
    onPhase('preparing payees');
    await ensureAll(context, journal);
    await submitAll(context, onPhase);
  }
  if (run.cancelled && tally.waiting > 0 && !stop.aborted) {
    onPhase('checking the service for earlier payments');
    await giveUpWaiting(context, journal);
  }
  await waitForFinal(context, journal, options);
  const held = whyHeld(context) ?? whyMisfit(context);
  if (held !== null && !stop.aborted) throw new Halt('person_needed', held);
  const { open, ...counts } = countPayouts(run);
  const halt = stop.aborted ? null : haltForOpenPayees(context);
  if (halt) throw halt;
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

function whyMisfit({ misfits }: RunContext): string | null {
  const [first = null] = misfits.values();
  if (first === null || misfits.size === 1) return first;
  return `${first}; and ${misfits.size - 1} others`;
}

/** Waits for what is accepted, then takes the last look: what was held for dead may be found to be accepted too. */
async function waitForFinal(context: RunContext, journal: Journal, options: ExecuteOptions): Promise<void> {
  const { tally, stop, misfits } = context;
  while (!stop.aborted) {
    if (tally.accepted > misfits.size) {
      options.onPhase('waiting');
      const times = { pollEveryMs: options.pollEveryMs, timeoutMs: options.waitTimeoutMs };
      await waitForAll(context, times).catch((error: unknown) => {
        throw heldToo(context, error);
      });
    }
    if (stop.aborted) return;
    options.onPhase('checking what was sent');
    requireSight(context, await lastLook(context, journal));
    if (tally.accepted <= misfits.size) return;
  }
}

/** Throws a `Halt` where a refused request may have a copy, and the service would not show it. */
function requireSight(context: RunContext, { isSearchBlind }: { isSearchBlind: boolean }): void {
  const isHopeless = isListHopeless(context);
  if (!(isHopeless || isSearchBlind) || !context.run.dead.values().some(mayHaveCopy)) return;
  const why = isHopeless
    ? 'the service lists what it accepted half an hour late or never'
    : 'the service gives its list in part, and does not find payouts by the tokens that they were sent with';
  const so = 'so that a copy of a refused request may be paid unseen';
  throw new Halt('person_needed', `${why}, ${so}. Look for the refused payouts there, then cancel the run`);
}

/** Where the wait took too long, what holds the run is said with it: whoever goes on has to know. */
function heldToo(context: RunContext, error: unknown): unknown {
  const held = whyHeld(context);
  if (held === null || !(error instanceof Halt) || error.reason !== 'wait_timeout') return error;
  return new Halt('person_needed', `${held}; and ${error.message}`);
}

/** What an earlier process left without an outcome is in doubt, and may only be looked up. */
async function settleDoubts(context: RunContext): Promise<void> {
  const doubtful: number[] = [];
  for (const [row, payout] of context.run.payouts) {
    if (payout.state === 'sending') {
      const reason = 'payrun stopped before the answer was recorded';
      await context.record({ kind: 'doubt', row, attempt: payout.attempts, reason });
      doubtful.push(row);
    } else if (payout.state === 'in_doubt' || payout.state === 'unresolved') doubtful.push(row);
  }
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  await concurrently(
    doubtful,
    concurrency,
    (row) => settle(context, row, false),
    () => !context.stop.aborted,
  );
}
