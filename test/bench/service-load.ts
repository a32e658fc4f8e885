import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * Sends each request (all its bytes, made beforehand) once, over that many kept connections with one request in flight
 * on each. Gives the wall time and the transaction ids of the answers. Throws for any answer but a 200.
 */
export async function sendAll(
  port: number,
  connections: number,
  requests: readonly Buffer[],
): Promise<{ wallMs: number; ids: string[] }> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const ids: string[] = [];
  let next = 0;
  const startedMs = performance.now();
  await Promise.all(sockets.map((socket) => work(socket, () => requests[next++], ids)));
  const wallMs = performance.now() - startedMs;
  for (const socket of sockets) socket.destroy();
  return { wallMs, ids };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}

function work(socket: Socket, take: () => Buffer | undefined, ids: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const send = (): void => {
      const request = take();
      if (request === undefined) resolve();
      else socket.write(request);
    };
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1');
      const body = bodyOf(received);
      if (body === null) return;
      const id = /^\{"data":"(txn_\w+)"\}$/.exec(body)?.[1];
      if (id === undefined || !received.startsWith('HTTP/1.1 200')) return reject(new Error(received));
      ids.push(id);
      received = '';
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection was closed after ${JSON.stringify(received)}`)));
    send();
  });
}

/** The body of an answer of a stated length, or null while it is not there as a whole. */
function bodyOf(received: string): string | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received.slice(0, end + 2))?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${received}`);
  const body = received.slice(end + 4);
  return body.length < Number(length) ? null : body;
}
