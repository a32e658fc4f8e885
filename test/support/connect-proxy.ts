import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Certificate } from './certificate.ts';
import { atEnd } from './side-by-side.ts';

export type ConnectProxy = {
  /** For HTTPS_PROXY, without credentials. */
  url: string;
  /** `host:port` of each tunnel that was asked for. */
  asked: string[];
  /** What each of them gave as its credentials. */
  credentials: (string | undefined)[];
  /** Tunnels that are open now, and how many there were at most. */
  open: Set<Socket>;
  most: number;
  /** Ends all tunnels with a reset towards the client. */
  cut(): void;
};

/**
 * An HTTP proxy that makes tunnels by CONNECT. `route` gives the port on loopback to which a tunnel leads, or the status that
 * is answered in its place.
 */
export async function connectProxy(
  route: (authority: string, request: IncomingMessage) => { port: number } | { status: number },
  tls: Certificate | null = null,
): Promise<ConnectProxy> {
  const server = tls === null ? createServer() : createTlsServer(tls);
  const sockets = new Set<Socket>();
  const state: ConnectProxy = {
    url: '',
    asked: [],
    credentials: [],
    open: new Set(),
    most: 0,
    cut() {
      for (const socket of state.open) socket.destroy();
    },
  };
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    state.asked.push(String(request.url));
    state.credentials.push(request.headers['proxy-authorization']);
    const to = route(String(request.url), request);
    client.on('error', () => {});
    if ('status' in to) {
      client.end(`HTTP/1.1 ${to.status} Whatever\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(to.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(onward).pipe(client);
    });
    state.open.add(client);
    state.most = Math.max(state.most, state.open.size);
    onward.on('error', () => client.destroy());
    client.on('close', () => {
      state.open.delete(client);
      onward.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => server.once('listening', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  state.url = `${tls === null ? 'http' : 'https'}://${tls === null ? '127.0.0.1' : 'localhost'}:${port}`;
  return state;
}
