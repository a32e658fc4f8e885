import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Log } from '../platform/log.ts';
import { setSecurityHeaders } from './guard.ts';
import type { WebEnv } from './web.ts';

export type Tls = { cert: string; key: string };

export type WebServer = {
  port: number;
  use(app: Hono<WebEnv>): void;
  /** Takes nobody new. Resolves when everybody who had asked is answered, or cut off when `patience` is over. */
  close(patience: Promise<unknown>): Promise<void>;
};

const CONNECTIONS_MAX = 1_024;
/** A workbook of 25 MB over a slow line. */
const REQUEST_MAX_MS = 300_000;
const HEADERS_MAX_MS = 20_000;
const refusal = (status: string): string => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;
const UNREADABLE = refusal('400 Bad Request');
const TOO_SLOW = refusal('408 Request Timeout');

/** A machine that knows only one kind of address has no other to listen on. */
const NO_SUCH_KIND: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Listens; port 0 takes a free one, which the page has to know before it can be made. Until `use` nobody is answered.
 * Rejects where the port or the address cannot be had. `also` is another address of the same port, where the machine has
 * one of that kind: of `localhost` a browser may ask the one or the other, and nobody else is to stand there.
 */
export async function listenForWeb(options: {
  host: string;
  also: string | null;
  port: number;
  tls: Tls | null;
  log: Log;
}): Promise<WebServer> {
  const { host, also, tls, log } = options;
  const first = await listen(host, options.port, tls);
  const servers = [first];
  const { port } = first.address() as AddressInfo;
  try {
    if (also !== null) servers.push(await listen(also, port, tls));
  } catch (error) {
    if (!NO_SUCH_KIND.has((error as NodeJS.ErrnoException).code ?? '')) {
      first.close();
      throw error;
    }
  }
  return {
    port,
    use: (app) => {
      const answer = getRequestListener((request, bindings) => app.fetch(request, bindings as WebEnv['Bindings']), {
        errorHandler: (error) => unreadable(error, tls !== null, log),
      });
      for (const server of servers) server.on('request', (incoming, outgoing) => void answer(incoming, outgoing));
    },
    close: async (patience) => {
      await Promise.all(servers.map((server) => close(server, patience)));
    },
  };
}

async function listen(host: string, port: number, tls: Tls | null): Promise<Server> {
  const limits = {
    requestTimeout: REQUEST_MAX_MS,
    headersTimeout: HEADERS_MAX_MS,
    // Of two Hosts Node would keep the first and say nothing; joined they are none of ours.
    joinDuplicateHeaders: true,
  };
  const server: Server =
    tls === null ? createPlainServer(limits) : createTlsServer({ ...limits, ...tls, minVersion: 'TLSv1.2' });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (socket.writable) socket.write(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : UNREADABLE);
    socket.destroySoon();
  });
  server.on('request', ({ socket }, outgoing) => {
    // Of a server that ends, no connection waits for another request.
    outgoing.once('close', () => {
      if (!server.listening) socket.destroySoon();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

async function close(server: Server, patience: Promise<unknown>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await Promise.race([closed, patience]);
  server.closeAllConnections();
  await closed;
}

/** What the adapter could make no request of, such as a Host that is no host. */
function unreadable(error: unknown, isSecure: boolean, log: Log): Response {
  const isRequest = error instanceof Error && error.name === 'RequestError';
  if (!isRequest) log.warn({ error }, 'a request could not be answered');
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8' });
  setSecurityHeaders(headers, isSecure);
  return new Response(isRequest ? 'This request cannot be read.\n' : 'Something is broken.\n', {
    status: isRequest ? 400 : 500,
    headers,
  });
}
