import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { classify } from '../../src/client/classify.ts';
import { httpTransport, type Sent } from '../../src/client/transport.ts';
import { type Certificate, selfSigned } from '../support/certificate.ts';
import { type Behaviour, hostileServer } from '../support/hostile-server.ts';

const certificate = selfSigned();
const withTls = test.skipIf(certificate === null);
const silent: Behaviour = () => {};

afterEach(() => {
  vi.restoreAllMocks();
  setDefaultCACertificates(getCACertificates('bundled'));
});

describe('no connection was made: no effect', () => {
  test('a closed port', async () => {
    await expectUnreached(`http://127.0.0.1:${await closedPort()}`, /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });

  test('a closed port of a name with several addresses', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const lookup = (_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(null, addresses);
    vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
    // Node makes one error of all, with an empty message of its own.
    await expectUnreached(`http://two.example:${await closedPort()}`, /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });

  test('an unknown host', async () => {
    // A label of 64 characters is longer than DNS allows, so no resolver is asked.
    await expectUnreached(`http://${'x'.repeat(64)}.invalid`, /ENOTFOUND|EAI_|EBADNAME/);
  });

  test('a host that does not take the connection', async () => {
    const port = await fullBacklog();
    await expectUnreached(`http://127.0.0.1:${port}`, /UND_ERR_CONNECT_TIMEOUT/, 200);
  });

  withTls('a certificate that nobody vouches for', async () => {
    const server = await start({ tls: certificate as Certificate });
    await expectUnreached(server.baseUrl, /DEPTH_ZERO_SELF_SIGNED_CERT|self-signed/);
    expect(server.arrivals).toEqual([]);
  });

  withTls('a certificate of another name', async () => {
    setDefaultCACertificates([...getCACertificates('bundled'), (certificate as Certificate).cert]);
    const server = await start({ tls: certificate as Certificate, host: '127.0.0.2' });
    await expectUnreached(server.baseUrl, /ERR_TLS_CERT_ALTNAME_INVALID/);
    expect(server.arrivals).toEqual([]);
  });

  const instead: [what: string, onHello: (socket: Socket) => void, reason: RegExp][] = [
    ['plain HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), /EPROTO|wrong version number/],
    ['an end', (socket) => socket.end(), /ECONNRESET/],
    ['a reset', (socket) => socket.resetAndDestroy(), /ECONNRESET/],
    ['nothing', () => {}, /UND_ERR_CONNECT_TIMEOUT/],
  ];
  test.each(instead)('TLS to a port that answers its greeting with %s', async (_, onHello, reason) => {
    const greetings: string[] = [];
    const port = await plainPort((socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        greetings.push(bytes.toString('latin1'));
        onHello(socket);
      });
    });
    await expectUnreached(`https://127.0.0.1:${port}`, reason, 200);
    expect(greetings.length).toBe(1);
    expect(greetings.join()).not.toContain('POST');
  });
});

describe('a request that began to leave is a doubt', () => {
  test.each<[what: string, onConnection: (socket: Socket) => void]>([
    ['reset before anything is read', (socket) => socket.resetAndDestroy()],
    ['ended before anything is read', (socket) => socket.end()],
    ['reset when a part is read', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ])('%s', async (_, onConnection) => {
    const port = await plainPort((socket) => {
      socket.on('error', () => {});
      onConnection(socket);
    });
    let hasLeft = false;
    const mayLeave = () => {
      hasLeft = true;
      return true;
    };
    const sent = await post(`http://127.0.0.1:${port}`, { body: 'x'.repeat(1024 * 1024), mayLeave });
    // A reset can come before the connection is known to be there; then nothing left, and nothing is in doubt.
    expect(sent.kind).toBe(hasLeft ? 'lost' : 'not_connected');
    expect(classify(sent, 0).kind).toBe(hasLeft ? 'in_doubt' : 'no_effect');
  });

  test('no answer in time', async () => {
    const server = await start({});
    const sent = await post(server.baseUrl, { timeoutMs: 50 });
    expect(sent).toMatchObject({ kind: 'lost', reason: 'UND_ERR_HEADERS_TIMEOUT: Headers Timeout Error' });
    expect(server.arrivals.length).toBe(1);
  });
});

async function expectUnreached(baseUrl: string, reason: RegExp, connectTimeoutMs?: number): Promise<void> {
  const left: boolean[] = [];
  const mayLeave = () => {
    left.push(true);
    return true;
  };
  const sent = await post(baseUrl, { mayLeave }, connectTimeoutMs);
  expect(sent).toMatchObject({ kind: 'not_connected', reason: expect.stringMatching(reason) });
  expect(classify(sent, 0)).toMatchObject({ kind: 'no_effect', unreached: true });
  expect(left).toEqual([]);
}

async function post(
  baseUrl: string,
  options: { body?: string; timeoutMs?: number; mayLeave?: () => boolean } = {},
  connectTimeoutMs?: number,
): Promise<Sent> {
  const transport = httpTransport({ baseUrl, connections: 1, ...(connectTimeoutMs && { connectTimeoutMs }) });
  try {
    return await transport.send({
      path: '/v1/transaction.transfer',
      headers: {},
      body: '{"marker":"first"}',
      timeoutMs: 30_000,
      mayLeave: () => true,
      isAwaited: () => true,
      ...options,
    });
  } finally {
    await transport.close();
  }
}

async function start(options: Parameters<typeof hostileServer>[1]) {
  const server = await hostileServer(silent, options);
  onTestFinished(() => server.close());
  return server;
}

async function plainPort(onConnection: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** The port of a process that listens and never accepts, with no room left for a connection that waits. */
async function fullBacklog(): Promise<number> {
  const script = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  });
  const port = Number(
    await new Promise<string>((resolve) => child.stdout.once('data', (bytes) => resolve(String(bytes)))),
  );
  // The kernel takes backlog + 1 connections by itself. Others wait for ever; which of ours did is seen by who connects.
  for (let n = 0; n < 2; n++) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
  }
  return port;
}
