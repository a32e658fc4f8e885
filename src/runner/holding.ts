import type { StopReason } from '../domain/entry.ts';
import type { StopWhy } from '../domain/outcomes/stop-why.ts';
import { Halt } from './halt.ts';
import type { RunContext } from './run-context.ts';

/** How work on a run ended before its end. `resume` continues the run. */
export type Stopped = { end: 'interrupted' } | { end: 'halted'; reason: StopReason; why: StopWhy };

/** How often the journal is asked whether a person wants the run cancelled or paused: a read of two rows, no request. */
const REQUESTS_EVERY_MS = 1_000;

/**
 * Does work on a run that this process holds: extends the lease, obeys a person who cancels or pauses the run, and records
 * why the work stopped, if it did. Rejects only where the process must stop: the lease is lost or a commit is uncertain.
 */
export async function whileHolding<End>(
  context: RunContext,
  leaseMs: number,
  work: () => Promise<End>,
): Promise<End | Stopped> {
  const ended = new AbortController();
  const failures = [keepLease(context, leaseMs / 3, ended.signal), obeyRequests(context, ended.signal)].map(failureOf);
  try {
    return await Promise.race([work(), ...failures]);
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    if (context.stop.aborted && error.reason !== 'person_needed') {
      await context.record({ kind: 'stopped', reason: 'interrupted' });
      return { end: 'interrupted' };
    }
    const { reason, why } = error;
    await context.record({ kind: 'stopped', reason, why });
    return { end: 'halted', reason, why };
  } finally {
    ended.abort();
  }
}

/** Extends the lease until `signal` aborts. Rejects where that is refused. */
async function keepLease({ clock, renew }: RunContext, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal);
    if (!signal.aborted) await renew();
  }
}

/**
 * Another process may ask to cancel the run: then nothing more is submitted, and what is submitted is waited for. Or to
 * pause it: then this process ends as after Ctrl-C, and the run waits for a person who resumes it.
 */
export async function obeyRequests(context: RunContext, signal: AbortSignal): Promise<void> {
  const { run, journal, clock } = context;
  const runId = run.header?.run_id ?? '';
  const isOver = (): boolean => signal.aborted || run.cancelled || run.paused;
  while (!isOver()) {
    const canceller = await journal.cancelAsked(runId);
    const pauser = await journal.pauseAsked(runId);
    // The run may have ended while the journal was asked: after its end nothing is written to it.
    if (isOver()) return;
    if (canceller !== null) await context.record({ kind: 'cancelled', by: canceller });
    else if (pauser !== null) await context.record({ kind: 'paused', by: pauser });
    else await clock.sleep(REQUESTS_EVERY_MS, signal);
  }
}

/** Rejects where the work does, and never resolves: its end is not the end of the run. */
function failureOf(work: Promise<void>): Promise<never> {
  const failure = new Promise<never>((_, reject) => {
    work.catch(reject);
  });
  failure.catch(() => {});
  return failure;
}
