import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificate.ts';

/** One request as its bytes came. `nth` counts the requests of the same marker, from 1. */
export type Arrival = { marker: string; head: string; body: string; connection: number; nth: number };

/** What the server does once a request is there, whole. It owns the socket. */
export type Behaviour = (socket: Socket, arrival: Arrival, server: HostileServer) => void;

/** How a connection ended, as the server saw it: `ECONNRESET` is a reset, `end` a peaceful close. */
export type End = string;

export type HostileServer = {
  baseUrl: string;
  arrivals: Arrival[];
  /** Bytes of each connection that belong to no whole request, by connection. */
  leftovers: string[];
  connections: number;
  /** What the connections chose by ALPN. */
  protocols: string[];
  /** How often a marker arrived whole. */
  count(marker: string): number;
  /** How the connection ended, once it has. */
  ended(connection: number): Promise<End>;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
};

const MARKER = /"marker":"([^"]+)"/;

/**
 * A server of bare sockets that reads HTTP/1.1 requests with a content-length and then does whatever it is told, so
 * that it can break every rule. It counts how often each request arrives, by `"marker":"…"` in the body.
 */
export async function hostileServer(
  behaviour: Behaviour,
  options: { tls?: Certificate; alpn?: string[]; host?: string } = {},
): Promise<HostileServer> {
  const { tls, alpn = ['http/1.1'], host = '127.0.0.1' } = options;
  const ends: { promise: Promise<End>; resolve: (end: End) => void }[] = [];
  const open = new Set<Socket>();
  let behave = behaviour;
  const accept = (socket: Socket): void => {
    const connection = state.connections++;
    const end = endOf(connection);
    if ('alpnProtocol' in socket) state.protocols.push(String(socket.alpnProtocol));
    socket.on('error', (error: NodeJS.ErrnoException) => end.resolve(error.code ?? error.message));
    socket.on('end', () => end.resolve('end'));
    socket.on('close', () => end.resolve('closed by the server'));
    readRequests(socket, connection, state, (arrival) => behave(socket, arrival, state));
  };
  const server: Server = tls
    ? createTlsServer({ key: tls.key, cert: tls.cert, ALPNProtocols: alpn, allowHalfOpen: true }, accept)
    : createPlainServer({ allowHalfOpen: true }, accept);
  const state: HostileServer = {
    baseUrl: '',
    arrivals: [],
    leftovers: [],
    connections: 0,
    protocols: [],
    count: (marker) => state.arrivals.filter((arrival) => arrival.marker === marker).length,
    ended: (connection) => endOf(connection).promise,
    behave(next) {
      behave = next;
    },
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  server.on('tlsClientError', () => {});
  // Also those whose TLS never came about.
  server.on('connection', (socket: Socket) => open.add(socket.once('close', () => open.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  state.baseUrl = `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`;
  return state;

  function endOf(connection: number) {
    ends[connection] ??= Promise.withResolvers<End>();
    return ends[connection];
  }
}

/** The bytes of an answer. The length is that of the body unless told otherwise. */
export function answer(status: number, body: string, headers: Record<string, string> = {}): string {
  const given = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${body}`;
}

function readRequests(
  socket: Socket,
  connection: number,
  state: HostileServer,
  onRequest: (arrival: Arrival) => void,
): void {
  let bytes = Buffer.alloc(0);
  state.leftovers[connection] = '';
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const request = takeRequest(bytes);
      if (!request) break;
      bytes = bytes.subarray(request.length);
      const marker = MARKER.exec(request.body)?.[1] ?? 'none';
      const arrival = { marker, head: request.head, body: request.body, connection, nth: state.count(marker) + 1 };
      state.arrivals.push(arrival);
      onRequest(arrival);
    }
    state.leftovers[connection] = bytes.toString('latin1');
  });
}

function takeRequest(bytes: Buffer): { head: string; body: string; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length < length ? null : { head, body: bytes.toString('utf8', headEnd + 4, length), length };
}
