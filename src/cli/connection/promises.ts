import type { Entry } from '../../domain/entry.ts';
import { type Profile, type Promises, promisesIn } from '../../domain/profile.ts';
import { applyToRun, promisesOf } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunWriter } from '../../journal/journal.ts';

/**
 * Keeps what a profile that is given now promises less than the run was told before: it stays with the run, because what
 * a person has taken back once must not be relied on by the next `resume` that forgets the profile. Returns what to tell
 * the person, or null where nothing changes.
 */
export async function keepPromises(run: RunState, writer: RunWriter, profile: Profile): Promise<string | null> {
  const before = promisesOf(run);
  const given = promisesIn(profile);
  const less = differences(before, given);
  const stated = statedNow(before, given);
  if (less.length === 0 && stated.length === 0) {
    return differences(given, before).length === 0
      ? null
      : 'The profile promises more than this run was told before. The run keeps its weaker guarantees.';
  }
  const entry: Entry = { kind: 'promises', promises: given };
  applyToRun(run, entry, await writer.append([entry]));
  if (less.length === 0) return `From now on this run relies on ${stated.join(' and ')}.`;
  return `From now on this run relies on less, also where it is resumed without this profile: ${less.join('; ')}.`;
}

/** The times that the second states and the first left open, in words. */
function statedNow(first: Promises, second: Promises): string[] {
  const words: string[] = [];
  if (first.listing_lag_ms === null && second.listing_lag_ms !== null) {
    words.push(`a list that is at most ${seconds(second.listing_lag_ms)} late`);
  }
  const [before, now] = [commitsMs(first), commitsMs(second)];
  if (isAtArrival(first) && before === null && now !== null) {
    words.push(`payments that are made at most ${seconds(now)} after they arrived`);
  }
  return words;
}

function isAtArrival({ guarantees }: Promises): boolean {
  return guarantees.enforces_expiry === 'at_arrival';
}

/** Null where nothing is said of it, and where it means nothing. */
function commitsMs(promises: Promises): number | null {
  return isAtArrival(promises) ? (promises.commits_within_ms ?? null) : null;
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

/** What the second promises less than the first, in words. */
function differences(first: Promises, second: Promises): string[] {
  const words: string[] = [];
  if (first.guarantees.enforces_expiry && !second.guarantees.enforces_expiry) {
    words.push('the service may still make a payment that it did not take in time');
  }
  if (first.guarantees.replay_protection && !second.guarantees.replay_protection) {
    words.push('the service may make a payment twice if it is asked twice');
  }
  if (first.guarantees.enforces_expiry === true && isAtArrival(second)) {
    words.push('the service may make a payment after its deadline if it arrived in time');
  }
  const [before, now] = [commitsMs(first), commitsMs(second)];
  if (before !== null && now !== null && now > before) {
    words.push(`the service may make a payment ${seconds(now)} after it arrived`);
  }
  if (first.guarantees.refusals_are_final === true && second.guarantees.refusals_are_final !== true) {
    words.push('the service may make a payment of which it refused a copy');
  }
  if (second.listing_lag_ms !== null && first.listing_lag_ms !== null && second.listing_lag_ms > first.listing_lag_ms) {
    words.push(`its list may show a payment ${seconds(second.listing_lag_ms)} late`);
  }
  if (first.cursor && !second.cursor) words.push('its list is cut off after one page');
  return words;
}
