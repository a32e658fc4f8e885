import type { Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';

/** What became of one request as far as the network tells. Nothing here is sent a second time. */
export type Sent =
  | { kind: 'answer'; status: number; headers: Record<string, string | string[] | undefined>; body: string }
  /** No connection was made, so no byte of the request left. */
  | { kind: 'not_connected'; reason: string }
  /** A connection was made, and what became of the request is not known. */
  | { kind: 'lost'; reason: string };

/** Carries bytes to the service and back, once. Built in `cli/compose.ts`; a simulation brings its own. */
export type Transport = {
  /** The Host that the requests carry, for the signature. */
  readonly authority: string;
  /** The path of the base URL, without a slash at its end: every request's path begins with it, and is signed with it. */
  readonly prefix: string;
  send(request: { path: string; headers: Record<string, string>; body: string; timeoutMs: number }): Promise<Sent>;
  close(): Promise<void>;
};

/** Longest answer that is read: a full page of 500 transactions is about half a mebibyte. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
/** From the headers on, silence of this length loses the answer. */
const BODY_TIMEOUT_MS = 15_000;

/**
 * HTTP/1.1 over `undici.request` on one Pool: the one way in this runtime that never sends a POST twice by itself.
 * Built-in `fetch` repeats on 421 and follows 307; HTTP/2 repeats after GOAWAY and REFUSED_STREAM, so it is not offered;
 * there is no retry agent and no interceptor. `connections` is the most sockets that are open at once.
 */
export function httpTransport(options: { baseUrl: string; connections: number }): Transport {
  const base = new URL(options.baseUrl);
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    allowH2: false,
    maxResponseSize: ANSWER_BYTES_MAX,
    bodyTimeout: BODY_TIMEOUT_MS,
    keepAliveTimeout: 4_000,
    connect: resettingConnector(),
  });
  return {
    authority: base.host,
    prefix: base.pathname.replace(/\/+$/, ''),
    async send({ path, headers, body, timeoutMs }) {
      try {
        const answer = await pool.request({
          path,
          method: 'POST',
          headers,
          body,
          headersTimeout: timeoutMs,
        });
        return { kind: 'answer', status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
      } catch (error) {
        const reason = reasonOf(error);
        return neverConnected(error) ? { kind: 'not_connected', reason } : { kind: 'lost', reason };
      }
    },
    close: () => pool.destroy(),
  };
}

/**
 * Sockets that end with a reset when they end with an error. After a plain close the kernel may still deliver what was
 * queued, minutes after we gave the request up; a reset throws it away.
 */
function resettingConnector(): ReturnType<typeof buildConnector> {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  return (options, callback) =>
    connect(options, (...result) => {
      const socket: Socket | null = result[1];
      if (socket && !('encrypted' in socket)) resetOnError(socket);
      callback(...result);
    });
}

function resetOnError(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error?: Error) => {
    socket.destroy = destroy;
    if (error && !socket.destroyed && !socket.connecting) socket.resetAndDestroy();
    return destroy(error);
  };
}

const CERTIFICATE_ERRORS = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Whether the error proves that no connection was made. Only what names the act of connecting counts: a reset without
 * that may have come after the request was read, and so is a doubt.
 */
export function neverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverConnected);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return code !== undefined && CERTIFICATE_ERRORS.has(code);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return code ? `${code}: ${error.message || error.name}` : error.message || error.name;
}
