import { connect, createServer, type Server, type Socket } from 'node:net';
import { atEnd } from './side-by-side.ts';

/** One request of the runner that came whole, in the hands of whoever decides what becomes of it. */
export type Exchange = {
  /** The operation, such as `transaction.transfer`. */
  operation: string;
  /** Head and body, byte for byte. */
  bytes: Buffer;
  body: string;
  /** What tells requests of one intent from others: the token of a transfer, else the body. */
  intent: string;
  /** The connection to the runner. */
  socket: Socket;
  /** Resolves when that connection has ended. */
  gone: Promise<void>;
  /** Takes the request to the service, by a connection of its own, in these pieces; resolves with the whole answer. */
  deliver(pieces?: (bytes: Buffer) => Buffer[]): Promise<Buffer>;
};

/** What becomes of a request. Whoever does not answer it ends the connection. */
export type Fate = (exchange: Exchange) => Promise<void>;

export type TcpProxy = {
  baseUrl: string;
  /** What came whole from the runner, in order. */
  received: Exchange[];
  /** How often the service was brought each intent. */
  delivered: Map<string, number>;
  /** Who decides from now on. Everything passes until somebody does. */
  decide(choose: (exchange: Exchange) => Fate): void;
  /** Resolves with the first request, of those that came and those to come, that is like this. */
  until(isLike: (exchange: Exchange) => boolean): Promise<Exchange>;
  /** Ends all connections with a reset and lets nobody connect, until told otherwise. */
  shut(): Promise<void>;
  open(): Promise<void>;
};

const TOKEN = /\bPR[0-9A-HJKMNP-TV-Z]{13}\b/;

/** Takes the request to the service and its answer to the runner, as a network should. */
export const pass: Fate = async ({ deliver, socket }) => {
  const bytes = await deliver();
  // An answer that the service cut off stays cut off.
  if (messageLength(bytes) === null) socket.end(bytes);
  else socket.write(bytes);
};

/**
 * A proxy of bare sockets on the way from a runner to the service at this address. It keeps each request until it is
 * whole and passes its bytes on unchanged, so that signatures hold. The service answers only for its own Host: the proxy
 * has the same port on the other loopback address, `[::1]`.
 */
export async function tcpProxy(serviceUrl: string): Promise<TcpProxy> {
  const port = Number(new URL(serviceUrl).port);
  const received: Exchange[] = [];
  const delivered = new Map<string, number>();
  const watchers = new Set<(exchange: Exchange) => void>();
  const open = new Set<Socket>();
  let choose: (exchange: Exchange) => Fate = () => pass;
  const onRequest = (exchange: Exchange): Promise<void> => {
    received.push(exchange);
    for (const watcher of watchers) watcher(exchange);
    return choose(exchange)(exchange);
  };
  const accept = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    readRequests(socket, port, delivered, onRequest);
  };
  let server = await listen(port, accept);
  const shut = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of open) socket.resetAndDestroy();
    await closed;
  };
  atEnd(shut);
  return {
    baseUrl: `http://[::1]:${port}`,
    received,
    delivered,
    decide(next) {
      choose = next;
    },
    until: (isLike) =>
      new Promise((resolve) => {
        const watcher = (exchange: Exchange): void => {
          if (!isLike(exchange)) return;
          watchers.delete(watcher);
          resolve(exchange);
        };
        const before = received.find(isLike);
        if (before) resolve(before);
        else watchers.add(watcher);
      }),
    shut,
    async open() {
      server = await listen(port, accept);
    },
  };
}

/** Whether this machine has the loopback address that the proxy needs. Tests that need it skip visibly. */
export async function hasSecondLoopback(): Promise<boolean> {
  try {
    const server = await listen(0, () => {});
    await new Promise<void>((resolve) => server.close(() => resolve()));
    return true;
  } catch {
    return false;
  }
}

function listen(port: number, accept: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '::1', () => resolve(server));
  });
}

/** Requests of one connection, one after the other. */
function readRequests(
  socket: Socket,
  port: number,
  delivered: Map<string, number>,
  onRequest: (exchange: Exchange) => Promise<void>,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  let turn = Promise.resolve();
  const gone = new Promise<void>((resolve) => {
    // A runner that has ended its side waits for nothing any more.
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.on('end', () => socket.end(() => resolve()));
  });
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let length = messageLength(bytes); length !== null; length = messageLength(bytes)) {
      const exchange = exchangeOf(bytes.subarray(0, length), { socket, gone, port, delivered });
      bytes = bytes.subarray(length);
      turn = turn.then(() => onRequest(exchange));
    }
  });
}

function exchangeOf(
  bytes: Buffer,
  at: { socket: Socket; gone: Promise<void>; port: number; delivered: Map<string, number> },
): Exchange {
  const text = bytes.toString('utf8');
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const operation = /^POST \S*\/v1\/(\S+) /.exec(text)?.[1] ?? 'unknown';
  const intent = (operation === 'transaction.transfer' && TOKEN.exec(body)?.[0]) || body;
  const { socket, gone, port, delivered } = at;
  return {
    operation,
    bytes,
    body,
    intent,
    socket,
    gone,
    deliver(pieces = (whole) => [whole]) {
      delivered.set(intent, (delivered.get(intent) ?? 0) + 1);
      return deliver(port, pieces(bytes));
    },
  };
}

/** Writes the pieces, each when the one before has left, and reads the answer: all there is, where it is cut off. */
async function deliver(port: number, pieces: Buffer[]): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const answer = new Promise<Buffer>((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (messageLength(bytes) !== null) resolve(bytes);
    });
    socket.on('error', () => resolve(bytes)).on('close', () => resolve(bytes));
  });
  for (const piece of pieces) await written(socket, piece);
  const bytes = await answer;
  socket.destroy();
  return bytes;
}

/** Writes in pieces that the other side can see as such. */
export async function writeSlowly(socket: Socket, pieces: Buffer[]): Promise<void> {
  for (const piece of pieces) {
    await written(socket, piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function written(socket: Socket, piece: Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(piece, () => resolve()));
}

/** The length of the first HTTP/1.1 message with a content-length in the bytes, or null where it is not whole yet. */
function messageLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length < length ? null : length;
}
