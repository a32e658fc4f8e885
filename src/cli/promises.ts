import type { Entry } from '../domain/entry.ts';
import type { Profile, Promises } from '../domain/profile.ts';
import { applyToRun, promisesOf, type RunState } from '../domain/run.ts';
import type { RunWriter } from '../journal/journal.ts';

/**
 * Keeps what a profile that is given now promises less than the run was told before: it stays with the run, because what
 * a person has taken back once must not be relied on by the next `resume` that forgets the profile. Returns what to tell
 * the person, or null where nothing changes.
 */
export async function keepPromises(run: RunState, writer: RunWriter, profile: Profile): Promise<string | null> {
  const before = promisesOf(run);
  const { guarantees, listing_lag_ms, cursor } = profile;
  const given: Promises = { guarantees, listing_lag_ms, cursor };
  const less = differences(before, given);
  if (less.length === 0) {
    return differences(given, before).length === 0
      ? null
      : 'The profile promises more than this run was told before. The run goes on relying on the less.';
  }
  const entry: Entry = { kind: 'promises', promises: given };
  applyToRun(run, entry, await writer.append([entry]));
  return `From now on this run relies on less, also where it is resumed without this profile: ${less.join('; ')}.`;
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
  if (second.listing_lag_ms > first.listing_lag_ms) {
    words.push(`its list may show a payment ${second.listing_lag_ms / 1_000} s late`);
  }
  if (first.cursor && !second.cursor) words.push('its list is cut off after one page');
  return words;
}
