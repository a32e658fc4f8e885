import type { Journal, RunWriter } from '../journal/journal.ts';
import type { RunContext } from './run-context.ts';
import { poll, pollHinted, watch } from './wait/poll.ts';

/** How often the journal is asked whether somebody wants the run cancelled or paused: a look at two rows, no request. */
const CANCEL_LOOK_EVERY_MS = 1_000;
/** How often payouts are polled while others are still submitted. */
const POLL_WHILE_SUBMITTING_MS = 5_000;
/** The same where webhooks say which: enough for people to see progress. */
const HINTED_WHILE_SUBMITTING_MS = 60_000;
/**
 * The same where payouts that fail stop the run. The queue gives these polls their turns, so that with the wait for a turn
 * it is about a second. Webhooks may be lost, so it is not left to them.
 */
const WATCH_WHILE_SUBMITTING_MS = 500;

/**
 * Long runs see their first payouts become final while the last are submitted. Polls yield to payouts in the queue, unless
 * payouts that fail stop the run.
 */
export async function pollBeside(context: RunContext, signal: AbortSignal): Promise<void> {
  const { hinted, breaker } = context;
  const plainMs = hinted ? HINTED_WHILE_SUBMITTING_MS : POLL_WHILE_SUBMITTING_MS;
  for (;;) {
    await context.clock.sleep(breaker.isSet ? WATCH_WHILE_SUBMITTING_MS : plainMs, signal);
    if (signal.aborted) return;
    try {
      await hinted?.gather(context);
      if (signal.aborted) return;
      if (breaker.isSet) await watch(context);
      else await (hinted ? pollHinted(context, hinted) : poll(context));
    } catch (error) {
      // A poll that fails here is tried again by the wait; only a lost lease or journal must not go unseen, and the
      // payouts beside meet that themselves.
      context.log.warn({ error: String(error) }, 'a poll failed');
    }
  }
}

/**
 * Another process may ask to cancel the run: then nothing more is submitted, and what is submitted is waited for. Or to
 * pause it: then this process ends as after Ctrl-C, and the run waits for a person who resumes it.
 */
export function watchRequests(context: RunContext, journal: Journal, runId: string): Beside {
  const { run } = context;
  return beside(async (signal) => {
    while (!signal.aborted && !run.cancelled && !run.paused) {
      const canceller = await journal.cancelAsked(runId);
      const pauser = await journal.pauseAsked(runId);
      // The run may have ended while the journal was asked: after its end nothing is written to it.
      if (signal.aborted || run.cancelled || run.paused) return;
      if (canceller !== null) await context.record({ kind: 'cancelled', by: canceller });
      else if (pauser !== null) await context.record({ kind: 'paused', by: pauser });
      else await context.clock.sleep(CANCEL_LOOK_EVERY_MS, signal);
    }
  });
}

/** Puts the end of the lease off while the run lives. A renewal that is refused ends the run. */
export function beat(context: RunContext, writer: RunWriter, everyMs: number): Beside {
  return beside(async (signal) => {
    while (!signal.aborted) {
      await context.clock.sleep(everyMs, signal);
      if (!signal.aborted) await writer.renew();
    }
  });
}

/** What runs beside the steps: its failure ends the run, its end does not. */
export type Beside = { failed: Promise<never>; stop(): void };

function beside(work: (signal: AbortSignal) => Promise<void>): Beside {
  const end = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    work(end.signal).catch(reject);
  });
  failed.catch(() => {});
  return { failed, stop: () => end.abort() };
}
