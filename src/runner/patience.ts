import { promisesOf } from '../domain/run.ts';
import type { RunContext } from './recorder.ts';

/** How far the service's clock may be from ours (a run does not start at more), with a second for rounding. */
export const CLOCK_ALLOWANCE_MS = 6_000;
/** The `Date` header has whole seconds. */
export const DATE_GRAIN_MS = 1_000;
/** Until a first payout came back, nothing shows how late the service lists: it is given so much more than it promises. */
const UNSEEN_MS = 5_000;

/** How late the service may list: as its profile says, or as the canary showed. */
export function lagMs(context: RunContext): number {
  const { canary } = context.run;
  const promisedMs = promisesOf(context.run).listing_lag_ms;
  return canary === null ? promisedMs + UNSEEN_MS : Math.max(promisedMs, canary.visible_after_ms);
}
