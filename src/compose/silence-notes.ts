import type { Unanswered } from '../client/exchange.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** After so long without an answer people are told what is waited for, and then at pauses that double up to a minute. */
const FIRST_MS = 2_500;
const PAUSE_FIRST_MS = 10_000;
const PAUSE_MAX_MS = 60_000;
const LOOK_EVERY_MS = 250;

type Options = { clock: Clock; log: Log; unanswered: () => Unanswered | null; note: (text: string) => void };

/** Shows life while a service says nothing. `stop` has to be called. */
export class SilenceNotes {
  readonly #options: Options;
  readonly #end = new AbortController();
  #note: (text: string) => void;
  #pauseMs = PAUSE_FIRST_MS;
  #nextAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    this.#note = options.note;
    void this.#watch();
  }

  /** From now on it is said there: a progress that draws over itself has the lines above it. */
  reportTo(note: (text: string) => void): void {
    this.#note = note;
  }

  stop(): void {
    this.#end.abort();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#options.clock.sleep(LOOK_EVERY_MS, signal);
      if (!signal.aborted) this.#look();
    }
  }

  #look(): void {
    const { clock, log, unanswered } = this.#options;
    const silent = unanswered();
    if (silent === null || silent.ms < FIRST_MS) {
      this.#pauseMs = PAUSE_FIRST_MS;
      return;
    }
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#nextAtMs) return;
    this.#nextAtMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MAX_MS);
    const seconds = Math.round(silent.ms / 1_000);
    this.#note(`Waiting for the service: no answer to ${silent.operation} for ${seconds} s.`);
    log.warn({ operation: silent.operation, seconds }, 'waiting for an answer');
  }
}
