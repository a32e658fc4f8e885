import type { SignedRequest } from '../../domain/entry.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';

/** How far the service's clock may be from ours (a run does not start at more), with a second for rounding. */
export const CLOCK_ALLOWANCE_MS = 6_000;
/** The `Date` header has whole seconds. */
export const DATE_GRAIN_MS = 1_000;
/** How much older than its request a record may be shown: a clock may have been set in between. */
export const BEFORE_INTENT_MS = 360_000;
/** Until a first payout came back, nothing shows how late the service lists: it is given so much more than it states. */
const UNSEEN_MS = 5_000;
/** How late a service may list whose profile does not state it: an assumption, which README names. */
const UNSTATED_LAG_MS = 60_000;
/** How many times the longest lag seen is assumed where none is stated. */
const SEEN_TIMES = 3;
/** A service that lists later than this is not waited for: its list proves no absence. */
const SEEN_MAX_MS = 30 * 60_000;

/** How late the service may list: as its profile states, and at least as late as it was seen to. */
export function lagMs(run: RunState): number {
  const statedMs = promisesOf(run).listing_lag_ms;
  const seenMs = lagSeenMs(run);
  if (statedMs === null) return Math.max(UNSTATED_LAG_MS, Math.min(SEEN_TIMES * seenMs, SEEN_MAX_MS));
  return Math.max(statedMs + (run.canary === null ? UNSEEN_MS : 0), seenMs);
}

/** The same of what is made for payees: as its profile states and payouts showed, or as late as payouts are assumed to be. */
export function creationsListedWithinMs(run: RunState): number {
  const statedMs = promisesOf(run).listing_lag_ms;
  return statedMs === null ? lagMs(run) : Math.max(statedMs, lagSeenMs(run));
}

/** The longest lag that was seen, up to the longest that is waited for. */
export function lagSeenMs(run: RunState): number {
  return Math.min(longestLagMs(run), SEEN_MAX_MS);
}

/** Whether something that the service accepted was missing from its list for so long that nobody waits for it. */
export function isListHopeless(run: RunState): boolean {
  return longestLagMs(run) > Math.max(SEEN_MAX_MS, promisesOf(run).listing_lag_ms ?? 0);
}

function longestLagMs({ lagSeenMs, canary }: RunState): number {
  return Math.max(lagSeenMs, canary?.visible_after_ms ?? 0);
}

/**
 * How long after its deadline a request can still be committed, by our clocks: the service's may be behind, and where
 * expiry is checked only when a request arrives, the commit takes as long as the profile states.
 */
export function afterDeadlineMs(run: RunState): number {
  return CLOCK_ALLOWANCE_MS + commitMs(run);
}

function commitMs(run: RunState): number {
  const { guarantees, commits_within_ms } = promisesOf(run);
  return guarantees.enforces_expiry === 'at_arrival' ? (commits_within_ms ?? 0) : 0;
}

/**
 * Whether a list of `serverMs`, by the service's own clock, is younger than everything that the request can have done and
 * the service may list late: our clock may be ahead of it.
 */
export function isListedBy(
  run: RunState,
  request: Pick<SignedRequest, 'expires'>,
  listedWithinMs: number,
  serverMs: number,
): boolean {
  const fromMs = request.expires * 1_000 + DATE_GRAIN_MS + commitMs(run) + listedWithinMs;
  return serverMs > fromMs;
}

/** Whether a request can take no effect once `afterDeadlineMs` has passed since its deadline, by what the service promises. */
export function isExpiryEnforced(run: RunState): boolean {
  const { guarantees, commits_within_ms } = promisesOf(run);
  if (guarantees.enforces_expiry === 'at_arrival') return typeof commits_within_ms === 'number';
  return guarantees.enforces_expiry;
}
