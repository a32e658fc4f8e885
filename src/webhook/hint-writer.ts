import { HINTS_CALL_MAX, type Hint, type Journal } from '../journal/journal.ts';
import type { Clock } from '../platform/clock.ts';

/** Deliveries that may wait for a commit. The receiver has fewer connections than this. */
const WAITING_MAX = 4_096;

/**
 * From one commit to the next. The first of a burst is written at once and the others gather: a sync for each would
 * take the disk from the run beside, and no sender minds 10 ms.
 */
const BETWEEN_COMMITS_MS = 10;

type Waiting = { hint: Hint; resolve(): void; reject(error: unknown): void };

/** Writes hints to the journal, those that come together in one commit. */
export class HintWriter {
  readonly #journal: Pick<Journal, 'addHints'>;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'sleep' | 'soon'>;
  #waiting: Waiting[] = [];
  #isWriting = false;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  constructor(journal: Pick<Journal, 'addHints'>, clock: Pick<Clock, 'monotonicMs' | 'sleep' | 'soon'>) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Resolves when the hint is on disk or was there. Rejects with what the journal threw: it may or may not be on disk then. */
  add(hint: Hint): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_MAX)
        throw new Error(`more than ${WAITING_MAX} webhooks wait for the journal`);
      this.#waiting.push({ hint, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Until no hint waits. Never rejects. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const pauseMs = this.#writtenAtMs + BETWEEN_COMMITS_MS - this.#clock.monotonicMs();
      if (pauseMs > 0) await this.#clock.sleep(pauseMs);
      else await new Promise<void>((resolve) => this.#clock.soon(resolve));
      const group = this.#waiting.splice(0, HINTS_CALL_MAX);
      try {
        await this.#journal.addHints(group.map(({ hint }) => hint));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      this.#writtenAtMs = this.#clock.monotonicMs();
    }
    this.#isWriting = false;
  }
}
