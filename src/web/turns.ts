import type { Clock } from '../domain/clock.ts';

/** So long work may keep everybody else of this process waiting. */
const TURN_MS = 10;

/** Long work that others of this process do not wait for: it is asked often whether their turn has come. */
export class Turns {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'soon'>;
  #sinceMs: number;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'soon'>) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Whether the others have waited long enough. */
  get isOver(): boolean {
    return this.#clock.monotonicMs() - this.#sinceMs >= TURN_MS;
  }

  /** Resolves when the others had their turn. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.soon(resolve));
    this.#sinceMs = this.#clock.monotonicMs();
  }
}
