import { type Dispatcher, Pool } from 'undici';
import { type AddressChecks, checkedConnector } from './checked-connector.ts';

/** What became of one attempt. `failed`: there was no whole answer head in time; `problem` is a sentence. */
export type Attempt =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  | { kind: 'failed'; problem: string };

export type Post = {
  /** Sends once, follows nothing, repeats nothing. Never rejects, and takes `timeoutMs` at most. */
  send(headers: Record<string, string>, body: string): Promise<Attempt>;
  /** Ends every connection at once; attempts that are under way fail. */
  close(): Promise<void>;
};

/** Deliveries to one endpoint that are under way at once, each on a connection of its own. */
export const CONNECTIONS_MAX = 8;

/** Of an answer's body, which nobody looks at: read so that the connection can be used again. */
const ANSWER_BYTES_MAX = 4_096;

/** Shorter than the idle limits of common servers (5 s and more), so that it is rarely they who close first. */
const KEEP_ALIVE_MS = 4_000;

/** Posts to one URL over HTTP/1.1. Every connection's address is checked when it is made. */
export function openPost(url: URL, checks: AddressChecks): Post {
  const pool = new Pool(url.origin, {
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    allowH2: false,
    // The attempt's own limit counts from its beginning, and is by the clock that was given.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: checkedConnector(url, checks),
  });
  const path = url.pathname + url.search;
  return {
    async send(headers, body) {
      const alarm = new AbortController();
      const handler = new AttemptHandler();
      pool.dispatch({ path, method: 'POST', headers, body }, handler);
      void checks.clock.sleep(checks.timeoutMs, alarm.signal).then(() => handler.giveUp());
      try {
        return await handler.done;
      } finally {
        alarm.abort();
      }
    },
    close: () => pool.destroy(),
  };
}

class AttemptHandler implements Dispatcher.DispatchHandler {
  readonly done: Promise<Attempt>;
  readonly #settle: (attempt: Attempt) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #isDone = false;
  #answer: { kind: 'answered'; status: number; retryAfter: string | null } | null = null;
  #bytes = 0;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Attempt>();
    this.done = promise;
    this.#settle = resolve;
  }

  /** The time is over. An answer whose head is there counts, whatever its body does. */
  giveUp(): void {
    this.#end({ kind: 'failed', problem: 'did not answer in time' });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up before there was a connection.
    if (this.#isDone) controller.abort(new Error('given up'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx come before the answer.
    if (status < 200) return;
    const retryAfter = headers['retry-after'];
    this.#answer = { kind: 'answered', status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.giveUp();
  }

  onResponseEnd(): void {
    this.#end({ kind: 'failed', problem: 'ended the connection without an answer' });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#end({ kind: 'failed', problem: problemOf(error) });
  }

  #end(otherwise: Attempt): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#settle(this.#answer ?? otherwise);
    // After the end of an answer this does nothing: else the connection is closed, as the rest is not wanted.
    this.#controller?.abort(new Error('given up'));
  }
}

/** Longest reason that is kept. */
const PROBLEM_CHARACTERS_MAX = 200;

/** In words of the network, for whoever mends the receiver. */
function problemOf(error: Error): string {
  // A host with several addresses fails with one error for each, and an empty message.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return (first.message.trim() || first.name).slice(0, PROBLEM_CHARACTERS_MAX);
}
