import { isUtf8 } from 'node:buffer';
import type { SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { resettingConnector } from './connector.ts';
import { ProxyError, type TunnelProxy } from './tunnel.ts';

/** What became of one request as far as the network shows. Nothing here is sent a second time. */
export type Sent =
  | { kind: 'answer'; status: number; headers: AnswerHeaders; body: string }
  /** There was no connection, or it ended before the request began to leave: no byte of it left. */
  | { kind: 'not_connected'; reason: string; code?: string | undefined; proxy?: ProxyFault | undefined }
  /** A connection was there, and the request was held back: no byte of it left. */
  | { kind: 'withheld' }
  /** Bytes may have left, and what became of the request is not known. */
  | { kind: 'lost'; reason: string; code?: string | undefined };

/** What stands between: `name` is its `host:port`, `status` what it answers, null where it is not reached. */
type ProxyFault = { name: string; status: number | null };

/** Lower-case names. A name that came more than once has its values in a list. */
export type AnswerHeaders = Record<string, string | string[] | undefined>;

export type Outgoing = {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** How long the head of the answer is waited for, once the request has left. */
  timeoutMs: number;
  /** Asked once, immediately before the first byte leaves. Where it returns false, none does. */
  mayLeave(): boolean;
  /** Asked whenever a part of the answer comes. Where it returns false, the rest is not waited for, and the answer is lost. */
  isAwaited(): boolean;
};

/** Carries bytes to the service and back, once. Built in `cli/compose.ts`; a simulation brings its own. */
export type Transport = {
  /** The Host that the requests carry, for the signature. */
  readonly authority: string;
  /** The path of the base URL, without a slash at its end: every request's path begins with it, and is signed with it. */
  readonly prefix: string;
  /** Rejects only where the request is none that HTTP can carry, which is a bug of ours. */
  send(request: Outgoing): Promise<Sent>;
  /** Ends idle connections in peace, and those with an unanswered request with a reset. */
  close(): Promise<void>;
};

/** Longest answer that is read: a full page of 500 transactions is about half a mebibyte. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
/** From the head of the answer on, silence of this length loses it. */
const BODY_TIMEOUT_MS = 15_000;
/** Shorter than the idle limits of common servers (5 s and more), so that it is rarely they who close first. */
const KEEP_ALIVE_MS = 4_000;

/**
 * HTTP/1.1 over one undici Pool: the one way in this runtime that never sends a POST twice on its own. Built-in `fetch`
 * repeats on 421 and follows 307; HTTP/2 repeats after GOAWAY and REFUSED_STREAM, so it is not offered; there is no
 * retry agent and no interceptor. `connections` is the most sockets that are open at once.
 *
 * The Pool is used by `dispatch`, which is what its `request` is made of, because only there can be known whether a
 * request has begun to leave. What has not, had no effect, whatever the error is; what has, is in doubt.
 */
export function httpTransport(options: {
  baseUrl: string;
  connections: number;
  /** For the TCP connection, and again for TLS over it, and so for each step with a proxy; 10 s. */
  connectTimeoutMs?: number;
  /** Null, and so by default: straight to the service. */
  proxy?: TunnelProxy | null;
  /** The trusted certificate authorities. Null, the default: those of Node. */
  trust?: SecureContext | null;
}): Transport {
  const base = new URL(options.baseUrl);
  let unanswered = 0;
  let closing: Promise<void> | null = null;
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    allowH2: false,
    maxResponseSize: ANSWER_BYTES_MAX,
    bodyTimeout: BODY_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: resettingConnector({
      timeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      hasUnanswered: () => unanswered > 0,
      proxy: options.proxy ?? null,
      trust: options.trust ?? null,
    }),
  });
  return {
    authority: base.host,
    prefix: base.pathname.replace(/\/+$/, ''),
    async send(request) {
      unanswered++;
      try {
        return await exchange(pool, request);
      } finally {
        unanswered--;
      }
    },
    close() {
      closing ??= unanswered > 0 ? pool.destroy() : pool.close();
      return closing;
    },
  };
}

/** One request and its answer. */
function exchange(pool: Pool, request: Outgoing): Promise<Sent> {
  const { path, headers, body, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    const handler = new RequestHandler(request, resolve, reject);
    pool.dispatch({ path, method: 'POST', headers, body, headersTimeout: timeoutMs }, handler);
  });
}

class RequestHandler implements Dispatcher.DispatchHandler {
  readonly #request: Outgoing;
  readonly #resolve: (sent: Sent) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #stage: 'waiting' | 'withheld' | 'left' = 'waiting';
  #status = 0;
  #headers: AnswerHeaders = {};

  constructor(request: Outgoing, resolve: (sent: Sent) => void, reject: (error: Error) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** undici calls this and then writes to the socket, in one piece of synchronous work. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#stage === 'left') {
      // A second start would be a second sending. undici starts a POST once; should it ever not, this stands before it.
      controller.abort(new Error('a request that had left was about to be sent again'));
      return;
    }
    if (this.#stage === 'waiting' && this.#request.mayLeave()) {
      this.#stage = 'left';
      return;
    }
    this.#stage = 'withheld';
    controller.abort(new Error('withheld'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // 1xx come before the answer, and any number of them: none may put the end of the wait off.
    this.#requireAwaited(controller);
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#requireAwaited(controller);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    // What is not UTF-8 is no JSON (RFC 8259, section 8.1). Replaced characters could make an id that never was.
    const body = isUtf8(bytes) ? bytes.toString('utf8') : '';
    this.#resolve({ kind: 'answer', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (codeOf(error) === 'UND_ERR_INVALID_ARG') this.#reject(error);
    else if (this.#stage === 'left') this.#resolve({ kind: 'lost', ...reasonOf(error) });
    else if (this.#stage === 'withheld') this.#resolve({ kind: 'withheld' });
    else this.#resolve({ kind: 'not_connected', ...reasonOf(error), proxy: proxyFaultOf(error) });
  }

  #requireAwaited(controller: Dispatcher.DispatchController): void {
    if (!this.#request.isAwaited()) controller.abort(new Error('the answer took too long'));
  }
}

function proxyFaultOf(error: Error): ProxyFault | undefined {
  return error instanceof ProxyError ? { name: error.proxy, status: error.status } : undefined;
}

function codeOf(error: Error): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1` is shown without the first word. */
function reasonOf(error: Error): { reason: string; code: string | undefined } {
  // A host with several addresses fails with one error for each, and an empty message.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = codeOf(first);
  const message = first.message.trim() || first.name;
  return { reason: code === undefined || message.includes(code) ? message : `${code}: ${message}`, code };
}

/** undici's words for an answer that did not come in its time, head or body. */
const TIMED_OUT: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Whether a request that had left was given up for want of an answer. */
export function isSilent(sent: Sent): boolean {
  return sent.kind === 'lost' && TIMED_OUT.has(sent.code ?? '');
}
