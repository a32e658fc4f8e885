import { Halt, whyHeld } from './halt.ts';
import type { HintedPayouts } from './hinted.ts';
import { poll, pollHinted, watch } from './poll.ts';
import type { RunContext } from './run-context.ts';

/** The pause between polls grows to this many times the shortest. */
const BACKOFF_TIMES_MAX = 30;
const BACKOFF_GROWTH = 1.5;

/** How often the journal is asked for new hints: a look at one table, no request. */
const HINTS_EVERY_MS = 200;
/** Hints gather until none came for so many of the shortest pauses between polls, and at least so long. */
const QUIET_TIMES = 5;
const QUIET_MIN_MS = 1_000;
/**
 * Webhooks can be lost, so all open payouts are read at least so often, in shortest pauses and in time. Once webhooks
 * were heard, the time doubles with each such reading that shows nothing new, up to so many times the first.
 */
const SAFETY_TIMES = BACKOFF_TIMES_MAX;
const SAFETY_MIN_MS = 30_000;
const SAFETY_GROWTH = 2;
const SAFETY_GROWN_MAX = 20;

/** How often payouts are polled while others are still submitted; where webhooks report them, often enough to see progress. */
const POLL_EVERY_MS = 5_000;
const HINTED_EVERY_MS = 60_000;
/**
 * The same where payouts that fail stop the run. The queue gives these polls their turns, so that with the wait for a turn
 * it is about a second. Webhooks may be lost, so it is not left to them.
 */
const WATCH_EVERY_MS = 500;

/** Progress names the time of the next look in longer pauses only: in shorter ones the runner looks for hints, without asking the service. */
const SHOWN_PAUSE_MS = 1_000;

type WaitOptions = {
  /** The shortest pause between polls. */
  pollEveryMs: number;
  timeoutMs: number;
};

/**
 * Reads the accepted payouts until each is final, and returns whether all are: not where the run is stopped. Throws a
 * `Halt` after `timeoutMs`. Where webhooks are received, reading waits for them; a lost one makes the run slower, and
 * none can make it wrong, because only what the service itself shows of a transaction is recorded.
 */
export async function waitForAll(context: RunContext, options: WaitOptions): Promise<boolean> {
  const { clock, stop, tally, hinted, misfits, awaiting } = context;
  const startedMs = clock.monotonicMs();
  const pace = hinted === null ? plainPace(options) : hintedPace(hinted, options, startedMs);
  while (tally.accepted > misfits.size) {
    if (stop.aborted) return false;
    if (clock.monotonicMs() - startedMs > options.timeoutMs) {
      // What else holds the run is reported too: a person has to know it.
      throw new Halt({ code: 'not_final', payouts: tally.accepted, held: whyHeld(context) });
    }
    const pauseMs = await pace(context);
    if (tally.accepted <= misfits.size) break;
    const nowMs = clock.monotonicMs();
    const untilMs = startedMs + options.timeoutMs;
    const nextMs = pauseMs < SHOWN_PAUSE_MS ? null : nowMs + pauseMs;
    awaiting.current = { code: 'outcomes', sinceMs: startedMs, untilMs, nextMs };
    await clock.sleep(pauseMs, stop);
  }
  awaiting.current = null;
  return true;
}

/**
 * Long runs see their first payouts become final while the last are submitted. Polls yield to payouts in the queue, unless
 * payouts that fail stop the run.
 */
export async function pollWhileSubmitting(context: RunContext, signal: AbortSignal): Promise<void> {
  const { clock, hinted, breaker, log } = context;
  const pauseMs = breaker.isSet ? WATCH_EVERY_MS : hinted ? HINTED_EVERY_MS : POLL_EVERY_MS;
  for (;;) {
    await clock.sleep(pauseMs, signal);
    if (signal.aborted) return;
    try {
      await hinted?.gather(context);
      if (signal.aborted) return;
      if (breaker.isSet) await watch(context);
      else await (hinted ? pollHinted(context, hinted) : poll(context));
    } catch (error) {
      // A poll that fails here is tried again by the wait; only a lost lease or journal must not go unseen, and the
      // payouts beside meet that themselves.
      log.warn({ error: String(error) }, 'a poll failed');
    }
  }
}

/** One turn of waiting: reads, where it is time to. Resolves to the length of the next pause, ms. */
type Pace = (context: RunContext) => Promise<number>;

/** A round each turn; the pauses grow while nothing becomes final. */
function plainPace({ pollEveryMs }: WaitOptions): Pace {
  let pauseMs = pollEveryMs;
  return async (context) => {
    const before = context.tally.accepted;
    await throughOutage(context, () => poll(context));
    pauseMs = context.tally.accepted < before ? pollEveryMs : grown(pauseMs, pollEveryMs);
    return pauseMs;
  };
}

/**
 * A round over the hinted ones when all that are open are hinted, or when hints stopped coming for a while; a round over
 * all when the last is long ago. After a failed round the pauses grow.
 */
function hintedPace(hinted: HintedPayouts, { pollEveryMs }: WaitOptions, startedMs: number): Pace {
  const turnMs = Math.min(HINTS_EVERY_MS, pollEveryMs);
  const quietMs = Math.max(QUIET_TIMES * pollEveryMs, QUIET_MIN_MS);
  const safetyMinMs = Math.max(SAFETY_TIMES * pollEveryMs, SAFETY_MIN_MS);
  let safetyMs = safetyMinMs;
  let readAllAtMs = hinted.mustLookFirst ? Number.NEGATIVE_INFINITY : startedMs;
  let pauseMs = pollEveryMs;
  return async (context) => {
    const nowMs = context.clock.monotonicMs();
    await hinted.gather(context);
    const isSafetyDue = nowMs - readAllAtMs >= safetyMs;
    const isQuiet = nowMs - hinted.newestAtMs >= quietMs;
    const areHintsDue = hinted.size > 0 && (hinted.size >= context.tally.accepted || isQuiet);
    if (!isSafetyDue && !areHintsDue) return turnMs;
    const unheardBefore = unheard(context, hinted);
    const isRead = await throughOutage(context, () => (isSafetyDue ? poll(context) : pollHinted(context, hinted)));
    if (!isRead) {
      pauseMs = grown(pauseMs, pollEveryMs);
      return pauseMs;
    }
    pauseMs = pollEveryMs;
    if (isSafetyDue) {
      const isNews = unheard(context, hinted) < unheardBefore;
      if (isNews) context.log.info({}, 'payouts became final that no webhook reported');
      const isHeard = hinted.newestAtMs > Number.NEGATIVE_INFINITY;
      safetyMs = isNews || !isHeard ? safetyMinMs : Math.min(safetyMs * SAFETY_GROWTH, safetyMinMs * SAFETY_GROWN_MAX);
      readAllAtMs = nowMs;
    }
    return turnMs;
  };
}

/** Open payouts that no webhook reported. */
function unheard(context: RunContext, hinted: HintedPayouts): number {
  return context.tally.accepted - hinted.rows(context).size;
}

function grown(pauseMs: number, shortestMs: number): number {
  return Math.min(pauseMs * BACKOFF_GROWTH, shortestMs * BACKOFF_TIMES_MAX);
}

/** A service that is away while we wait is waited for too; only what time does not repair ends the wait. */
async function throughOutage(context: RunContext, round: () => Promise<void>): Promise<boolean> {
  try {
    await round();
    return true;
  } catch (error) {
    if (!(error instanceof Halt) || error.reason !== 'outage' || error.why.code === 'credentials_refused') throw error;
    context.log.warn({ why: error.why }, 'the service is away; still waiting');
    return false;
  }
}
