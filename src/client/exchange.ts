import { pathOf } from '../contract/operations.ts';
import type { SignerRequest } from '../contract/signer.ts';
import type { SignedRequest } from '../domain/entry.ts';
import type { Awaited } from '../domain/outcomes/awaited.ts';
import type { Clock, Randomness } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { measure } from '../platform/measures.ts';
import { traceRequest } from '../platform/tracing.ts';
import { classify, type Outcome } from './classify.ts';
import type { RequestQueue, Turn } from './rate-limit.ts';
import { isSilent, type Outgoing, type Sent, type Transport } from './transport.ts';

/** Where the service answers 429 without a time. */
const PAUSE_DEFAULT_MS = 1_000;
/** How long after a request's deadline its answer is waited for: it may have been on its way. */
const ANSWER_GRACE_MS = 2_000;
/** How long after the deadline an answer that trickles in is given up. */
const ANSWER_WHOLE_MS = 60_000;

export type ExchangeOptions = {
  transport: Transport;
  queue: RequestQueue;
  /** Perhaps on another thread: other requests go on meanwhile. */
  signer: { sign(request: SignerRequest): Record<string, string> | Promise<Record<string, string>> };
  clock: Clock;
  randomness: Randomness;
  log: Log;
  /** `request_lifetime` of the profile. */
  requestLifetimeMs: number;
};

/** What came of a request, and what that means. */
export type Exchanged = { sent: Sent; outcome: Outcome };

/** One request and its answer: composed with a deadline, signed, sent once, classified. */
export class Exchange {
  readonly #options: ExchangeOptions;
  /** For how long the service has been silent. */
  readonly silence: Silence;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.silence = new Silence(options.clock);
  }

  compose(operation: string, body: object): SignedRequest {
    const { clock, randomness, requestLifetimeMs } = this.#options;
    const nowMs = clock.wallMs();
    return {
      operation,
      body: JSON.stringify(body),
      created: Math.floor(nowMs / 1_000),
      expires: Math.max(Math.floor((nowMs + requestLifetimeMs) / 1_000), Math.floor(nowMs / 1_000) + 1),
      nonce: Buffer.from(randomness.bytes(16)).toString('base64url'),
    };
  }

  /**
   * Signs and sends, if the deadline has not passed and the request is still ours: neither now nor when the first byte is
   * about to leave. It is signed before the gate, which nothing that takes time may follow. Where its place in the rate was
   * lost before it left, because a connection took long, it waits for another one.
   */
  async transmit(request: SignedRequest, turn: Turn, bornMs: number, isOurs: () => boolean): Promise<Exchanged> {
    const { transport, signer } = this.#options;
    const leftMs = (): number => this.#timeLeftMs(request, bornMs);
    if (leftMs() <= 0) return this.#meaning(WITHHELD);
    const path = transport.prefix + pathOf(request.operation);
    const headers = await signer.sign({ path, authority: transport.authority, ...request });
    for (;;) {
      if (!(await turn.gate(leftMs()))) return this.#meaning(WITHHELD);
      const timeoutMs = leftMs();
      if (timeoutMs <= 0) return this.#meaning(WITHHELD);
      let hasPlace = true;
      const outgoing: Outgoing = {
        path,
        headers,
        body: request.body,
        timeoutMs: timeoutMs + ANSWER_GRACE_MS,
        mayLeave() {
          if (leftMs() <= 0 || !isOurs()) return false;
          hasPlace = turn.leaves();
          return hasPlace;
        },
        isAwaited: () => leftMs() > -ANSWER_WHOLE_MS,
      };
      const { operation } = request;
      const exchanged = await traceRequest(
        operation,
        () => this.#send(operation, outgoing),
        ({ outcome }) => outcome.kind,
      );
      // Only what is known not to have left may be sent.
      if (hasPlace || exchanged.sent.kind !== 'withheld') return exchanged;
    }
  }

  async #send(operation: string, outgoing: Outgoing): Promise<Exchanged> {
    const { transport, clock, log } = this.#options;
    const sentMs = clock.monotonicMs();
    const sent = await this.silence.during(operation, outgoing.timeoutMs, () => transport.send(outgoing));
    const exchanged = this.#meaning(sent);
    const durationMs = clock.monotonicMs() - sentMs;
    if (!log.isDebugOff)
      log.debug({ operation, result: resultOf(sent), duration_ms: Math.round(durationMs) }, 'request');
    const seconds = durationMs / 1_000;
    if (sent.kind !== 'withheld') measure({ kind: 'request', operation, outcome: exchanged.outcome.kind, seconds });
    return exchanged;
  }

  /** Time to the deadline by whichever clock is nearer: a clock that was set back must not lengthen a request's life. */
  #timeLeftMs(request: SignedRequest, bornMs: number): number {
    const { clock, requestLifetimeMs } = this.#options;
    const byWall = request.expires * 1_000 - clock.wallMs();
    const byMonotonic = requestLifetimeMs - (clock.monotonicMs() - bornMs);
    return Math.min(byWall, byMonotonic);
  }

  /** A 429 slows every request down. */
  #meaning(sent: Sent): Exchanged {
    const { clock, queue } = this.#options;
    const outcome = classify(sent, clock.wallMs());
    if (outcome.kind === 'no_effect' && outcome.answered) queue.pauseFor(outcome.retryAfterMs ?? PAUSE_DEFAULT_MS);
    return { sent, outcome };
  }
}

const WITHHELD: Sent = Object.freeze({ kind: 'withheld' });

function resultOf(sent: Sent): number | string {
  switch (sent.kind) {
    case 'answer':
      return sent.status;
    case 'withheld':
      return 'too late';
    case 'not_connected':
    case 'lost':
      return sent.reason;
    default:
      return sent satisfies never;
  }
}

/** A request that waits for its answer. `forMs`: for how long nothing was heard of the service, whatever was sent to it. */
export type Unanswered = Extract<Awaited, { code: 'answer' }>;

/** For how long a service has been silent while requests wait for its answers. One that times out is followed by the next. */
class Silence {
  readonly #clock: Clock;
  readonly #open = new Set<{ operation: string; untilMs: number }>();
  #sinceMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves as `send` does. */
  async during(operation: string, mostMs: number, send: () => Promise<Sent>): Promise<Sent> {
    const request = { operation, untilMs: this.#clock.monotonicMs() + mostMs };
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
    const nowMs = this.#clock.monotonicMs();
    const leftMs = Math.max(first.untilMs - nowMs, 0);
    return { code: 'answer', operation: first.operation, forMs: nowMs - this.#sinceMs, leftMs };
  }
}
