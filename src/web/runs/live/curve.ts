import type { ProgressCounts } from '../../../report/model/pace.ts';

/** How many payouts were sent and completed by then (Unix ms). */
export type CurvePoint = { at: number; sent: number; completed: number };

const POINTS_MAX = 64;
const STEP_MS = 500;

/** The course of a run in at most 64 points, however long it is: where there are too many, every second one goes. */
export class RunCurve {
  #points: CurvePoint[] = [];
  #newest: CurvePoint | null = null;
  #stepMs = STEP_MS;

  add(time: number, { accepted, completed, failed }: ProgressCounts): void {
    // Clocks of machines that take a run up from each other differ.
    const at = Math.max(time, this.#newest?.at ?? time);
    this.#newest = { at, sent: accepted + completed + failed, completed };
    const last = this.#points.at(-1);
    if (last !== undefined && at - last.at < this.#stepMs) return;
    this.#points.push(this.#newest);
    if (this.#points.length < POINTS_MAX) return;
    this.#points = this.#points.filter((_, place) => place % 2 === 0);
    this.#stepMs *= 2;
  }

  /** Oldest first, the newest among them. */
  points(): readonly CurvePoint[] {
    const last = this.#points.at(-1);
    return this.#newest === null || last === this.#newest ? [...this.#points] : [...this.#points, this.#newest];
  }
}
