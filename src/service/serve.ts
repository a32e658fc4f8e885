import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Env, Hono } from 'hono';
import { answerOf, refused } from './gateway/answers.ts';
import type { DirectListener } from './gateway/operation-listener.ts';
import type { Clock, Log } from './time/clock.ts';

export type Listening = {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  port: number;
  /** Accepts nothing new, waits for what is in flight (at most `CLOSE_MAX_MS`), and closes every connection. */
  close(): Promise<void>;
};

const LOOPBACK = '127.0.0.1';
const CONNECTIONS_MAX = 1_024;
/** Longer than clients keep an idle connection, so that it is they who close it: we could do so while they write. */
const KEEP_ALIVE_MS = 75_000;
const REQUEST_MAX_MS = 60_000;
const CLOSE_MAX_MS = 10_000;

/**
 * Listens on loopback only; port 0 takes a free one. Rejects where the port is taken. `direct` is asked first, and `app`
 * answers what it leaves.
 */
export async function listen<E extends Env>(options: {
  app: Hono<E>;
  direct?: DirectListener;
  port: number;
  clock: Clock;
  log: Log;
}): Promise<Listening> {
  const { app, direct, clock, log } = options;
  const fetchApp = (request: Request, bindings: unknown) => app.fetch(request, bindings as E['Bindings']);
  const answerByApp = getRequestListener(fetchApp, { errorHandler: (error) => unreadable(error, log) });
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: REQUEST_MAX_MS,
      requireHostHeader: false,
      // Of two Hosts or content-types Node would keep the first and say nothing; joined they are none of ours.
      joinDuplicateHeaders: true,
    },
    (incoming, outgoing) => {
      if (!direct?.(incoming, outgoing)) void answerByApp(incoming, outgoing);
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', refuseBytes);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, LOOPBACK, 1_024, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${LOOPBACK}:${port}`, port, close: () => close(server, clock) };
}

/** The authorities under which a loopback port is reached by somebody who means it. */
export function isLoopbackHost(authority: string, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((host) => authority === `${host}:${port}`);
}

async function close(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const over = new AbortController();
  // An answer that ends now leaves its connection open for the next request, which must not come.
  server.on('request', (_request, response) => response.once('close', () => server.closeIdleConnections()));
  const closeLater = async (): Promise<void> => {
    for (let waitedMs = 0; waitedMs < CLOSE_MAX_MS && !over.signal.aborted; waitedMs += 50) {
      server.closeIdleConnections();
      await clock.sleep(50, over.signal);
    }
    if (!over.signal.aborted) server.closeAllConnections();
  };
  await Promise.all([closed.finally(() => over.abort()), closeLater()]);
}

/** What the adapter could not make a request of: a broken URL or Host, or a body that ended early. */
function unreadable(error: unknown, log: Log): Response {
  const isRequest = error instanceof Error && error.name === 'RequestError';
  if (!isRequest) log.warn({ error }, 'a request could not be answered');
  const answer = isRequest
    ? answerOf(refused('BAD_REQUEST', 'the request line or the Host cannot be read', 'INVALID'))
    : answerOf(refused('INTERNAL_SERVER_ERROR', 'something is broken in the service'));
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } });
}

/**
 * Bytes that are no HTTP, or that did not come in time. The connection is closed whole: one whose other half stays open
 * would keep its place among the `CONNECTIONS_MAX` for as long as the client likes.
 */
function refuseBytes({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, problem] = BROKEN_BYTES.get(code) ?? ['400 Bad Request', 'this is not a request of HTTP/1.1'];
  const { body } = answerOf(refused('BAD_REQUEST', problem, 'INVALID'));
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}

/** By Node's codes. */
const BROKEN_BYTES: ReadonlyMap<string, readonly [status: string, problem: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['400 Bad Request', 'the headers are larger than 16 KiB']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'the request did not come whole in time']],
]);
