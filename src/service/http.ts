import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../platform/clock.ts';
import { createServer } from '../platform/http-server.ts';
import type { Log } from '../platform/log.ts';
import { type Answer, answerOf, BROKEN, badRequest } from './gateway/answers.ts';

/** A request whose whole body has come. */
export type HttpRequest = {
  method: string;
  /** Path and query as they stand on the request line. */
  target: string;
  /** The host and port that the request is for, in its own spelling. */
  authority: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they came; null where there are more than `BODY_BYTES_MAX`. */
  body: Uint8Array | null;
};

/** Answers a request. A rejection is answered with 500. */
export type Handle = (request: HttpRequest) => Promise<Answer>;

export type Listening = {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  port: number;
  /** Accepts nothing new, waits for what is in flight (at most `CLOSE_MAX_MS`), and closes every connection. */
  close(): Promise<void>;
};

/** Longest body (`decisions.md`, errors). */
export const BODY_BYTES_MAX = 1_048_576;

const LOOPBACK = '127.0.0.1';
const CONNECTIONS_MAX = 1_024;
/** Longer than clients keep an idle connection, so that it is they who close it: we could do so while they write. */
const KEEP_ALIVE_MS = 75_000;
const REQUEST_MAX_MS = 60_000;
const CLOSE_MAX_MS = 10_000;

/** Listens on loopback only; port 0 takes a free one. Rejects where the port is taken. */
export async function listen(options: { handle: Handle; port: number; clock: Clock; log: Log }): Promise<Listening> {
  const { handle, clock, log } = options;
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: REQUEST_MAX_MS,
      requireHostHeader: false,
      // Of two Hosts or content-types Node would keep the first and say nothing; joined they are none of ours.
      joinDuplicateHeaders: true,
    },
    (incoming, outgoing) => receive(incoming, outgoing, handle, log),
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

function receive(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle, log: Log): void {
  const { method = '', headers } = incoming;
  const place = placeOf(incoming);
  if (place === null) {
    send(outgoing, answerOf(UNREADABLE));
    return;
  }
  readBody(incoming, (body) => {
    handle({ method, ...place, headers, body }).then(
      (answer) => send(outgoing, answer),
      (error: unknown) => {
        log.error({ error }, 'a request could not be answered');
        send(outgoing, answerOf(BROKEN));
      },
    );
  });
}

const UNREADABLE = badRequest('INVALID', 'the request line or the Host cannot be read');

/** Null where the request line or the Host cannot be read. A whole URL on the request line says more than the Host (RFC 9112, 3.2.2). */
function placeOf({ url = '', headers }: IncomingMessage): Pick<HttpRequest, 'target' | 'authority'> | null {
  const isPath = url.startsWith('/');
  const whole = isPath ? `http://${headers.host ?? ''}` : url;
  if (!URL.canParse(whole)) return null;
  if (isPath) return { target: url, authority: headers.host ?? '' };
  const path = url.indexOf('/', url.indexOf('//') + 2);
  return { target: path < 0 ? '/' : url.slice(path), authority: new URL(url).host };
}

/**
 * Gives the whole body once, or null as soon as it is known to be too long: the rest is read and dropped. A body that ends
 * early is never given, so its request has no effect.
 */
function readBody(incoming: IncomingMessage, done: (body: Uint8Array | null) => void): void {
  if (Number(incoming.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    done(null);
    return;
  }
  const parts: Buffer[] = [];
  let length = 0;
  incoming.on('data', (part: Buffer) => {
    const isTooLong = length > BODY_BYTES_MAX;
    length += part.length;
    if (length <= BODY_BYTES_MAX) parts.push(part);
    else if (!isTooLong) done(null);
  });
  incoming.on('end', () => {
    if (length > BODY_BYTES_MAX) return;
    done(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
  });
}

function send(outgoing: ServerResponse, { status, headers, body, cut }: Answer): void {
  const bytes = Buffer.byteLength(body);
  const head: Record<string, string | number> = { 'content-type': 'application/json', ...headers };
  if (status !== 304) head['content-length'] = bytes;
  const { socket } = outgoing;
  switch (cut) {
    case undefined:
      outgoing.writeHead(status, head).end(body);
      break;
    case 'close':
      socket?.destroy();
      break;
    case 'reset':
      socket?.resetAndDestroy();
      break;
    case 'truncate':
      outgoing.writeHead(status, head);
      outgoing.write(Buffer.from(body).subarray(0, bytes >> 1), () => socket?.destroySoon());
      break;
  }
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

/**
 * Answers bytes that are no HTTP, or that did not come in time. The connection is closed whole: one whose other half stays
 * open would keep its place among the `CONNECTIONS_MAX` for as long as the client likes.
 */
function refuseBytes({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, problem] = BROKEN_BYTES.get(code) ?? ['400 Bad Request', 'this is not a request of HTTP/1.1'];
  const { body } = answerOf(badRequest('INVALID', problem));
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
