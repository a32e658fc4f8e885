import type { Clock } from '../domain/clock.ts';
import type { Sent } from './transport.ts';

/** What is waited for, and for how long nothing was heard of the service, ms. */
export type Unanswered = { operation: string; ms: number };

/** For how long a service has said nothing while requests wait for its answers. One that times out is followed by the next. */
export class Silence {
  readonly #clock: Clock;
  readonly #open = new Set<{ operation: string }>();
  #sinceMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves as `send` does. */
  async during(operation: string, send: () => Promise<Sent>): Promise<Sent> {
    const request = { operation };
    this.#open.add(request);
    this.#sinceMs ??= this.#clock.monotonicMs();
    try {
      const sent = await send();
      if (!isSilent(sent)) this.#sinceMs = null;
      return sent;
    } finally {
      this.#open.delete(request);
      if (this.#open.size > 0) this.#sinceMs ??= this.#clock.monotonicMs();
    }
  }

  /** Null while nothing is waited for. */
  now(): Unanswered | null {
    const [first] = this.#open;
    if (first === undefined || this.#sinceMs === null) return null;
    return { operation: first.operation, ms: this.#clock.monotonicMs() - this.#sinceMs };
  }
}

/** undici's words for an answer that did not come in its time, head or body. */
const TIMED_OUT: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Whether a request that had left was given up for want of an answer. */
export function isSilent(sent: Sent): boolean {
  return sent.kind === 'lost' && TIMED_OUT.has(sent.code ?? '');
}
