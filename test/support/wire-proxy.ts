import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * What becomes of a piece that a client has sent: it passes; the connection is cut before it arrives, or after it has arrived
 * and before any answer; or nothing of this connection arrives any more, in either direction, while both ends stay open.
 */
export type Cut = 'pass' | 'before' | 'after' | 'stall';

export type WireProxy = {
  port: number;
  /** How many pieces were sent by clients so far. */
  sent(): number;
  /** Asked for each piece that a client sends, by its number from 1. */
  decide(choose: (n: number, piece: Buffer) => Cut): void;
  close(): Promise<void>;
};

/** A proxy of bare sockets on loopback, which knows nothing of what it passes on. */
export async function wireProxy(to: { host: string; port: number }): Promise<WireProxy> {
  let sent = 0;
  let choose: (n: number, piece: Buffer) => Cut = () => 'pass';
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to.port, to.host);
    let isDeaf = false;
    const cut = (): void => {
      client.resetAndDestroy();
      upstream.end();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.end());
    upstream.on('data', (piece) => {
      if (!isDeaf) client.write(piece);
    });
    client.on('data', (piece: Buffer) => {
      if (isDeaf) return;
      const fate = choose(++sent, piece);
      isDeaf = fate !== 'pass';
      if (fate === 'pass' || fate === 'after') upstream.write(piece);
      // The server has read it before it sees the end.
      if (fate === 'after') client.resetAndDestroy();
      if (fate === 'before') cut();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    sent: () => sent,
    decide(next) {
      choose = next;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
