// A process of its own on the way to the service, so that nothing else delays what it measures: when each request arrives.
import { connect, createServer } from 'node:net';
import process from 'node:process';

/** `[port]`: of the service on 127.0.0.1. The service answers for its own port only: this has the same one on `[::1]`. */
const port = Number(process.argv[2]);

const POST = 'POST ';
const TOO_MANY = 'HTTP/1.1 429';

/** Unix ms, by the monotonic clock. */
const arrivedMs: number[] = [];
let refused = 0;

const server = createServer({ noDelay: true }, (client) => {
  const service = connect({ port, host: '127.0.0.1', noDelay: true });
  client.on('data', (piece: Buffer) => {
    // A request comes in one piece, for it is written in one.
    if (piece.toString('latin1', 0, POST.length) === POST) arrivedMs.push(performance.timeOrigin + performance.now());
    service.write(piece);
  });
  service.on('data', (piece: Buffer) => {
    if (piece.toString('latin1', 0, TOO_MANY.length) === TOO_MANY) refused++;
    client.write(piece);
  });
  for (const [socket, other] of [
    [client, service],
    [service, client],
  ] as const) {
    socket.on('error', () => other.destroy());
    socket.on('close', () => other.destroy());
  }
});

server.listen(port, '::1', () => process.send?.({ ready: true }));
process.on('message', () => process.send?.({ arrivedMs, refused }));
process.on('disconnect', () => process.exit());
