import type { ReadFailure } from '../client/client.ts';
import type { StopReason } from '../domain/entry.ts';
import type { HeldWhy, StopWhy } from '../domain/outcomes/stop-why.ts';
import type { RunContext } from './run-context.ts';

/**
 * Stops a run before its end, to be resumed. Steps throw it and `holding.ts` catches it and writes it to the journal; it is
 * no error of the program.
 */
export class Halt extends Error {
  readonly reason: StopReason;
  readonly why: StopWhy;

  constructor(why: StopWhy) {
    super(why.code);
    this.name = 'Halt';
    this.why = why;
    this.reason = stopReasonOf(why);
  }
}

/** A read gave nothing: the run stops, and `resume` continues it. */
export function haltFor(failure: ReadFailure): Halt {
  switch (failure.kind) {
    case 'unreachable':
      return new Halt({ code: 'service_trouble', trouble: failure.trouble });
    case 'refused_credentials':
      return new Halt({ code: 'credentials_refused', cause: failure.message });
    case 'rejected':
      return new Halt({ code: 'read_refused', cause: failure.message });
    case 'unreadable':
      return new Halt({ code: 'unreadable', cause: failure.message });
  }
}

/** Whether a payout waits that may be submitted. */
export function mayStart(context: RunContext): boolean {
  return context.tally.waiting > 0 && !context.noMore.aborted && whyHeld(context) === null;
}

/** Why nothing may be submitted until a person has looked; null where it may. */
export function whyHeld(context: RunContext): HeldWhy | null {
  const { run, tally, breaker } = context;
  if (tally.suspected > 0) return { code: 'old_copy', rows: tally.suspected };
  const [row] = context.twice;
  const payout = row === undefined ? null : context.payout(row);
  if (row !== undefined && payout?.state === 'unresolved') {
    return { code: 'paid_twice', row, token: payout.intent.token, transactions: payout.transactions.length };
  }
  // A service that takes one payout twice may take the next one twice. The rest can be planned again once this is cancelled.
  const second = run.surfaced.find(({ isDecided }) => !isDecided);
  if (second !== undefined && tally.waiting > 0) {
    return { code: 'second_payment', row: second.row, transactionId: second.transaction_id };
  }
  return breaker.why();
}

/** Whether a later attempt can help on its own (`outage`, `wait_timeout`), or a person has to decide first. */
function stopReasonOf(why: StopWhy): StopReason {
  switch (why.code) {
    case 'service_trouble':
    case 'credentials_refused':
    case 'read_refused':
    case 'unreadable':
    case 'unreached':
    case 'no_usable_answer':
    case 'attempts_used_up':
      return 'outage';
    case 'not_final':
      return why.held === null ? 'wait_timeout' : 'person_needed';
    case 'open_payees':
      return why.states.some((state) => state !== 'not_made') ? 'person_needed' : 'outage';
    case 'old_copy':
    case 'paid_twice':
    case 'second_payment':
    case 'too_many_failures':
    case 'misfit':
    case 'first_unresolved':
    case 'first_missing':
    case 'copy_unseen':
      return 'person_needed';
  }
}

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
