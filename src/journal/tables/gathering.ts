import type { Clock } from '../../platform/clock.ts';

/** For so many turns more is waited for: for the least of them in any case, and then while each brings some. */
const TURNS_LEAST = 2;
const TURNS_MAX = 16;

type Gathering = { clock: Pick<Clock, 'soon'>; count(): number; commit(): void };

/**
 * Calls `commit` after two turns, or as soon after them as a turn adds nothing to what is counted: the answers that are there
 * now bring their results, and so the next intents, into the same commit.
 */
export function gather(gathering: Gathering, turn = 1): void {
  const { clock, count, commit } = gathering;
  const before = count();
  clock.soon(() => {
    const isMore = count() > before && turn < TURNS_MAX;
    if (turn < TURNS_LEAST || isMore) gather(gathering, turn + 1);
    else commit();
  });
}
