/** How far clocks of two machines may drift apart: 0.02 %, which is more than those of servers do. */
const DRIFT = 0.0002;

const ANSWERS_ENOUGH = 8;

/**
 * How far another machine's clock is ahead of the monotonic one of this process, as two bounds. Each answer narrows them: it was
 * made between the question and its arrival. So a slow answer loses nothing that a quick one has shown before. Where the two
 * contradict each other, that clock was set, and only the newest answer counts.
 */
export class ClockOffset {
  #leastMs = -Infinity;
  #mostMs = Infinity;
  #atMs = 0;
  #answers = 0;

  /** An answer that the other clock gave at `theirMs`. */
  note(askedMs: number, theirMs: number, answeredMs: number): void {
    const driftMs = DRIFT * (answeredMs - this.#atMs);
    this.#atMs = answeredMs;
    this.#answers++;
    const leastMs = Math.max(theirMs - answeredMs, this.#leastMs - driftMs);
    const mostMs = Math.min(theirMs - askedMs, this.#mostMs + driftMs);
    const isPossible = leastMs <= mostMs;
    this.#leastMs = isPossible ? leastMs : theirMs - answeredMs;
    this.#mostMs = isPossible ? mostMs : theirMs - askedMs;
  }

  /** When a moment of the other clock comes at the earliest, and at the latest, on this one. */
  around(theirMs: number): { earliestMs: number; latestMs: number } {
    return { earliestMs: theirMs - this.#mostMs, latestMs: theirMs - this.#leastMs };
  }

  /** Between the two, once there were enough answers, so that a slow one among the first says nothing; until then 0. */
  get uncertainMs(): number {
    return this.#answers < ANSWERS_ENOUGH ? 0 : this.#mostMs - this.#leastMs;
  }
}
