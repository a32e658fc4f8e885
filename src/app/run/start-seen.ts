import { Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';

/** More starts of others than anybody makes while one run is looked at. */
const LOOKS_MAX = 20;

/**
 * Starts what was looked at when `seen` runs had been started, or, as often as others were started in between, looks
 * again first. So of two that would pay the same, each of which saw nothing, one sees the other before it starts. Throws
 * what `lookAgain` throws, and a `Refusal` (`held`) where others are started without end.
 */
export async function startSeen<Outcome extends { outcome: string }>(
  journal: Pick<Journal, 'startedRuns'>,
  seen: number,
  start: (seen: number) => Promise<Outcome>,
  lookAgain: () => void | Promise<void>,
): Promise<Exclude<Outcome, { outcome: 'moved' }>> {
  let now = seen;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const started = await start(now);
    if (started.outcome !== 'moved') return started as Exclude<Outcome, { outcome: 'moved' }>;
    now = await journal.startedRuns();
    await lookAgain();
  }
  throw new Refusal('held', 'Other runs kept starting. Nothing was sent.', 'Try again.');
}
