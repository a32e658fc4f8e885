import { createServer, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { classify } from '../../src/client/classify.ts';
import { httpTransport, type Sent } from '../../src/client/transport.ts';
import type { TunnelProxy } from '../../src/client/tunnel.ts';
import { type Certificate, selfSigned } from '../support/certificate.ts';
import { connectProxy } from '../support/connect-proxy.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';

const certificate = selfSigned();
const withTls = test.skipIf(certificate === null);

function proxyAt(url: string): TunnelProxy {
  const { protocol, hostname, port, host } = new URL(url);
  return { name: host, hostname, port, isTls: protocol === 'https:', authorization: null };
}

type At = { baseUrl: string; proxy: TunnelProxy; timeoutMs?: number; connectTimeoutMs?: number };

async function post({ baseUrl, proxy, timeoutMs = 30_000, connectTimeoutMs = 10_000 }: At) {
  const trust = certificate === null ? null : createSecureContext({ ca: certificate.cert });
  const transport = httpTransport({ baseUrl, connections: 1, proxy, trust, connectTimeoutMs });
  let asked = 0;
  const mayLeave = () => ++asked > 0;
  const request = { path: '/v1/transaction.transfer', headers: {}, body: '{"marker":"first"}', mayLeave };
  try {
    const sent = await transport.send({ ...request, timeoutMs, isAwaited: () => true });
    return { sent, asked };
  } finally {
    await transport.close();
  }
}

describe('a proxy that makes no tunnel: no effect', () => {
  test.each<[what: string, onConnection: (socket: Socket) => void, fault: Sent]>([
    ['a refusal', say('HTTP/1.1 502 Bad Gateway\r\n\r\n'), fault({ status: 502 })],
    ['credentials asked for', say('HTTP/1.1 407 Asked\r\ncontent-length: 2\r\n\r\nno'), fault({ status: 407 })],
    ['a redirect', say('HTTP/1.1 307 Go\r\nlocation: /\r\n\r\n'), fault({ status: 307 })],
    ['what is no HTTP', say('SSH-2.0-OpenSSH_9.2\r\n'), fault({ status: null })],
    ['an end', (socket) => socket.end(), fault({ status: null })],
    ['a reset', (socket) => socket.resetAndDestroy(), fault({ status: null })],
    ['nothing', () => {}, fault({ status: null })],
  ])('%s', async (_, onConnection, expected) => {
    const came: string[] = [];
    const url = await plainServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        came.push(bytes.toString('latin1'));
        onConnection(socket);
      });
    });
    const { sent, asked } = await post({ baseUrl: 'https://pay.example', proxy: proxyAt(url), connectTimeoutMs: 300 });
    expect(sent).toMatchObject(expected);
    expect(classify(sent, 0)).toMatchObject({ kind: 'no_effect', unreached: true });
    expect(asked).toBe(0);
    expect(came).toEqual([expect.stringMatching(/^CONNECT pay\.example:443 HTTP\/1\.1\r\n/)]);
  });
});

describe('a request in a tunnel', () => {
  withTls.each([
    ['plain', null],
    ['TLS', certificate],
  ])('that is given up resets the connection with the proxy: %s', async (_, tls) => {
    const server = await serviceOver(() => {});
    let ended: Promise<unknown> = Promise.resolve();
    const proxy = await connectProxy((_authority, { socket }) => {
      ended = new Promise((resolve) => socket.once('error', resolve).once('close', () => resolve('closed')));
      return { port: server.port };
    }, tls);
    const { sent, asked } = await post({ baseUrl: server.url, proxy: proxyAt(proxy.url), timeoutMs: 300 });
    expect([sent.kind, asked]).toEqual(['lost', 1]);
    expect(classify(sent, 0).kind).toBe('in_doubt');
    expect(await ended).toMatchObject({ code: 'ECONNRESET' });
  });

  withTls('to a proxy that speaks TLS itself is answered', async () => {
    const server = await serviceOver((socket) => socket.write(answer(200, '{"data":"tx_1"}')));
    const proxy = await connectProxy(() => ({ port: server.port }), certificate);
    const { sent } = await post({ baseUrl: server.url, proxy: proxyAt(proxy.url) });
    expect(sent).toMatchObject({ kind: 'answer', body: '{"data":"tx_1"}' });
    expect(server.arrivals()).toBe(1);
  });
});

function say(text: string): (socket: Socket) => void {
  return (socket) => socket.end(text);
}

function fault({ status }: { status: number | null }): Sent {
  return expect.objectContaining({ kind: 'not_connected', proxy: { name: expect.any(String), status } });
}

async function serviceOver(behaviour: Behaviour) {
  const server = await hostileServer(behaviour, { tls: certificate as Certificate });
  onTestFinished(() => server.close());
  const port = Number(new URL(server.baseUrl).port);
  return { url: `https://localhost:${port}`, port, arrivals: () => server.count('first') };
}

async function plainServer(onConnection: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as import('node:net').AddressInfo).port}`;
}
