import type { Entry } from '../../domain/entry.ts';
import type { PromiseLess, PromisesKept } from '../../domain/outcomes/service-outcome.ts';
import { type Profile, type Promises, promisesIn } from '../../domain/profile.ts';
import { applyToRun, promisesOf } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunWriter } from '../../journal/journal.ts';

/**
 * Keeps what a profile that is given now promises less than the run was told before: it stays with the run, because what
 * a person has taken back once must not be relied on by the next `resume` that forgets the profile. Null where nothing
 * changes.
 */
export async function keepPromises(run: RunState, writer: RunWriter, profile: Profile): Promise<PromisesKept | null> {
  const before = promisesOf(run);
  const given = promisesIn(profile);
  const less = differences(before, given);
  const stated = statedNow(before, given);
  if (less.length === 0 && stated.length === 0)
    return differences(given, before).length === 0 ? null : { kept: 'before' };
  const entry: Entry = { kind: 'promises', promises: given };
  applyToRun(run, entry, await writer.append([entry]));
  return less.length === 0 ? { kept: 'stated', stated } : { kept: 'less', less };
}

/** The times that the second states and the first left open. */
function statedNow(first: Promises, second: Promises): Extract<PromiseLess, { ms: number }>[] {
  const stated: Extract<PromiseLess, { ms: number }>[] = [];
  if (first.listing_lag_ms === null && second.listing_lag_ms !== null) {
    stated.push({ code: 'listing_lag', ms: second.listing_lag_ms });
  }
  const [before, now] = [commitsMs(first), commitsMs(second)];
  if (isAtArrival(first) && before === null && now !== null) {
    stated.push({ code: 'commits_within', ms: now });
  }
  return stated;
}

function isAtArrival({ guarantees }: Promises): boolean {
  return guarantees.enforces_expiry === 'at_arrival';
}

/** Null where it is not mapped, and where it means nothing. */
function commitsMs(promises: Promises): number | null {
  return isAtArrival(promises) ? (promises.commits_within_ms ?? null) : null;
}

/** What the second promises less than the first. */
function differences(first: Promises, second: Promises): PromiseLess[] {
  const less: PromiseLess[] = [];
  if (first.guarantees.enforces_expiry && !second.guarantees.enforces_expiry) {
    less.push({ code: 'may_make_late' });
  }
  if (first.guarantees.replay_protection && !second.guarantees.replay_protection) {
    less.push({ code: 'may_make_twice' });
  }
  if (first.guarantees.enforces_expiry === true && isAtArrival(second)) {
    less.push({ code: 'may_make_after_deadline' });
  }
  const [before, now] = [commitsMs(first), commitsMs(second)];
  if (before !== null && now !== null && now > before) {
    less.push({ code: 'commits_within', ms: now });
  }
  if (first.guarantees.refusals_are_final === true && second.guarantees.refusals_are_final !== true) {
    less.push({ code: 'refusals_not_final' });
  }
  if (second.listing_lag_ms !== null && first.listing_lag_ms !== null && second.listing_lag_ms > first.listing_lag_ms) {
    less.push({ code: 'listing_lag', ms: second.listing_lag_ms });
  }
  if (first.cursor && !second.cursor) less.push({ code: 'list_cut_off' });
  return less;
}
