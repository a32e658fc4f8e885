import type { Clock } from '../domain/clock.ts';

/** Longer work keeps the other requests of this process waiting. */
const SLICE_MS = 10;

/** Shares this thread between long work and the other requests: the work asks often whether its slice is over. */
export class TimeSlice {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  #sinceMs: number;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'soon'>) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Whether the others are to go on now. */
  get isOver(): boolean {
    return this.#clock.monotonicMs() - this.#sinceMs >= SLICE_MS;
  }

  /** Resolves when the others went on; a new slice begins. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.soon(resolve));
    this.#sinceMs = this.#clock.monotonicMs();
  }
}

/** So many are sorted before others have their turn: some milliseconds. */
const SORTED_AT_ONCE = 2_048;

/** The same in order, as `toSorted` gives it, without keeping others of this process waiting. */
export async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
  turns: TimeSlice,
): Promise<Item[]> {
  let parts: Item[][] = [];
  for (let at = 0; at < items.length; at += SORTED_AT_ONCE) {
    parts.push(items.slice(at, at + SORTED_AT_ONCE).sort(compare));
    if (turns.isOver) await turns.next();
  }
  while (parts.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < parts.length; at += 2)
      merged.push(await mergeInTurns(parts[at] ?? [], parts[at + 1] ?? [], compare, turns));
    parts = merged;
  }
  return parts[0] ?? [];
}

async function mergeInTurns<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
  turns: TimeSlice,
): Promise<Item[]> {
  const merged: Item[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const [first, second] = [one[left], other[right]];
    if (second === undefined || (first !== undefined && compare(first, second) <= 0)) {
      merged.push(first as Item);
      left++;
    } else {
      merged.push(second);
      right++;
    }
    if (merged.length % SORTED_AT_ONCE === 0 && turns.isOver) await turns.next();
  }
  return merged;
}
