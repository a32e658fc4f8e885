import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { classify, type Outcome } from '../../src/client/classify.ts';
import { httpTransport, type Outgoing, type Sent, type Transport } from '../../src/client/transport.ts';
import { type Certificate, selfSigned } from '../support/certificate.ts';
import { type Arrival, answer, type Behaviour, type HostileServer, hostileServer } from '../support/hostile-server.ts';

const MEBIBYTE = 1024 * 1024;
const ACCEPTED = answer(200, '{"data":"tx_1"}');
const certificate = selfSigned();
const withTls = test.skipIf(certificate === null);

afterEach(() => setDefaultCACertificates(getCACertificates('bundled')));

describe('a POST arrives exactly once, and its outcome is as the table of exactly-once says', () => {
  const table: [what: string, behaviour: Behaviour, sent: Sent['kind'], outcome: Outcome['kind']][] = [
    ['accepted', (socket) => socket.write(ACCEPTED), 'answer', 'accepted'],
    ['421 Misdirected Request', (socket) => socket.write(answer(421, '')), 'answer', 'in_doubt'],
    ...[301, 302, 303, 307, 308].map((status) => redirect(status)),
    ['408 Request Timeout', (socket) => socket.write(answer(408, '')), 'answer', 'in_doubt'],
    ['425 Too Early', (socket) => socket.write(answer(425, '')), 'answer', 'in_doubt'],
    ['503 with Retry-After', (socket) => socket.write(answer(503, '', { 'retry-after': '0' })), 'answer', 'in_doubt'],
    ['429', (socket) => socket.write(answer(429, '')), 'answer', 'no_effect'],
    ['a reset after it was read', (socket) => socket.resetAndDestroy(), 'lost', 'in_doubt'],
    ['an end after it was read', (socket) => socket.end(), 'lost', 'in_doubt'],
    ['half a head, then an end', (socket) => socket.end('HTTP/1.1 200 OK\r\nconte'), 'lost', 'in_doubt'],
    ['half a body, then an end', (socket) => socket.end(ACCEPTED.slice(0, -5)), 'lost', 'in_doubt'],
    ['half a body, then a reset', halfThenReset, 'lost', 'in_doubt'],
    ['half a chunked body, then an end', (socket) => socket.end(chunked('{"data":"tx_')), 'lost', 'in_doubt'],
    [
      'half a body that ends with the connection',
      (socket) => socket.end(unbounded('{"data":"tx_')),
      'answer',
      'in_doubt',
    ],
    [
      'a whole body that ends with the connection',
      (socket) => socket.end(unbounded('{"data":"tx_1"}')),
      'answer',
      'accepted',
    ],
    ['garbage', (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'lost', 'in_doubt'],
    ['nothing but line ends, then an end', (socket) => socket.end('\r\n\r\n\r\n'), 'lost', 'in_doubt'],
    ['100 before the answer', (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ACCEPTED}`), 'lost', 'in_doubt'],
    [
      '102 and 103 before the answer',
      (socket) => socket.write(`${early(102)}${early(103)}${ACCEPTED}`),
      'answer',
      'accepted',
    ],
    ['101 to another protocol', (socket) => socket.write(upgrade()), 'lost', 'in_doubt'],
    ['two answers', (socket) => socket.write(ACCEPTED + answer(200, '{"data":"tx_2"}')), 'answer', 'accepted'],
    ['an answer with two lengths', (socket) => socket.write(twoLengths()), 'lost', 'in_doubt'],
    [
      'a head of 64 KiB',
      (socket) => socket.write(answer(200, '{}', { large: 'x'.repeat(65_536) })),
      'lost',
      'in_doubt',
    ],
    ['a 200 of HTML', (socket) => socket.write(answer(200, '<html>Log in</html>')), 'answer', 'in_doubt'],
    ['a compressed answer that nobody asked for', compressed, 'answer', 'in_doubt'],
    ['an answer that is not UTF-8', (socket) => socket.write(latin1('{"data":"tx_\xe9"}')), 'answer', 'in_doubt'],
    ['a body where none may be', (socket) => socket.write(answer(204, '{"data":"tx_1"}')), 'answer', 'in_doubt'],
  ];

  test.each(table)('%s', async (_, behaviour, kind, outcome) => {
    const { server, transport } = await start(behaviour);
    const sent = await send(transport, 'first');
    expect(sent).toMatchObject({ kind });
    expect(classify(sent, 0)).toMatchObject({ kind: outcome });
    // A second sending would come from a timer or a new connection; the next request comes after either could begin.
    server.behave((socket) => socket.write(answer(200, '{"data":"tx_next"}')));
    expect(await send(transport, 'next')).toMatchObject({ kind: 'answer', body: '{"data":"tx_next"}' });
    expect(server.count('first')).toBe(1);
    expect(server.count('next')).toBe(1);
    expect(server.leftovers.join('')).toBe('');
  });

  test('the connection is closed while the next request is written to it', async () => {
    const { server, transport } = await start((socket, { marker }) => {
      if (marker === 'second') socket.resetAndDestroy();
      else socket.write(ACCEPTED);
    });
    expect(await send(transport, 'first')).toMatchObject({ kind: 'answer' });
    expect(await send(transport, 'second')).toMatchObject({ kind: 'lost' });
    expect([server.count('second'), server.connections]).toEqual([1, 1]);
  });

  test('a server that closes kept-alive connections at any moment gets no request twice', async () => {
    const answered = new Set<string>();
    const { server, transport } = await start((socket, { marker, nth }) => {
      answered.add(marker);
      socket.write(answer(200, `{"data":"${marker}-${nth}"}`));
      // From at once to a few turns of the event loop later: before, while and after the next request is written.
      inTurns(Number(marker) % 7, () => (Number(marker) % 2 === 0 ? socket.end() : socket.resetAndDestroy()));
    });
    const kinds = new Set<string>();
    for (let n = 0; n < 400; n++) {
      const sent = await send(transport, String(n));
      kinds.add(sent.kind);
      if (sent.kind === 'answer') expect(sent.body).toBe(`{"data":"${n}-1"}`);
      const arrived = { answer: 1, lost: server.count(String(n)), not_connected: 0, withheld: NaN }[sent.kind];
      expect(server.count(String(n))).toBe(arrived);
      expect(arrived).toBeLessThanOrEqual(1);
    }
    expect(kinds).toContain('answer');
    expect(answered.size).toBe(server.arrivals.length);
  });

  withTls('HTTP/2 is not offered to a server that prefers it', async () => {
    const { server, transport } = await startTls((socket) => socket.write(ACCEPTED), ['h2', 'http/1.1']);
    expect(await send(transport, 'first')).toMatchObject({ kind: 'answer', body: '{"data":"tx_1"}' });
    expect(server.protocols).toEqual(['http/1.1']);
    expect(server.count('first')).toBe(1);
  });

  withTls('a server that speaks only HTTP/2 gets nothing', async () => {
    const { server, transport } = await startTls((socket) => socket.write(ACCEPTED), ['h2']);
    const sent = await send(transport, 'first');
    expect(sent).toMatchObject({ kind: 'not_connected' });
    expect(classify(sent, 0)).toMatchObject({ kind: 'no_effect', unreached: true });
    expect(server.arrivals).toEqual([]);
  });
});

describe('a request that is given up is reset', () => {
  const never: Behaviour = () => {};
  const ways: [what: string, behaviour: Behaviour, options: Partial<Outgoing>][] = [
    ['no head in time', never, { timeoutMs: 50 }],
    ['a body that trickles', (socket) => trickle(socket, answer(200, 'x'.repeat(100)).slice(0, -50)), impatient(5)],
    ['endless 1xx', (socket) => trickle(socket, early(102).repeat(50), early(102).length), impatient(5)],
    ['an answer of 33 MiB', (socket) => socket.write(answer(200, 'x'.repeat(33 * MEBIBYTE))), {}],
  ];

  test.each(ways)('%s', async (_, behaviour, options) => {
    const { server, transport } = await start(behaviour);
    const sent = await send(transport, 'first', options);
    expect(sent).toMatchObject({ kind: 'lost' });
    expect((sent as { reason: string }).reason).not.toBe('UND_ERR_SOCKET: closed');
    expect(await server.ended(0)).toBe('ECONNRESET');
    expect(server.count('first')).toBe(1);
  });

  withTls.each(ways)('%s, over TLS', async (_, behaviour, options) => {
    const { server, transport } = await startTls(behaviour);
    expect(await send(transport, 'first', options)).toMatchObject({ kind: 'lost' });
    expect(await server.ended(0)).toBe('ECONNRESET');
    expect(server.count('first')).toBe(1);
  });

  test('what the kernel still holds of it is never delivered', async () => {
    const bytes = 64 * MEBIBYTE;
    let received = 0;
    const seen = Promise.withResolvers<string>();
    const sockets = Promise.withResolvers<import('node:net').Socket>();
    const server = createServer({ pauseOnConnect: true }, (socket) => sockets.resolve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as import('node:net').AddressInfo;
    const transport = httpTransport({ baseUrl: `http://127.0.0.1:${port}`, connections: 1 });
    onTestFinished(() => transport.close());
    const sent = await send(transport, 'first', { body: 'x'.repeat(bytes), timeoutMs: 50 });
    expect(sent).toMatchObject({ kind: 'lost' });
    const socket = await sockets.promise;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => seen.resolve(error.code ?? ''));
    socket.on('end', () => seen.resolve('end'));
    socket.resume();
    expect(await seen.promise).toBe('ECONNRESET');
    expect(received).toBeLessThan(bytes);
  });

  test('closing the transport resets what is unanswered', async () => {
    const arrived = Promise.withResolvers<void>();
    const { server, transport } = await start(() => arrived.resolve());
    const sending = send(transport, 'first');
    await arrived.promise;
    await transport.close();
    expect(await sending).toMatchObject({ kind: 'lost' });
    expect(await server.ended(0)).toBe('ECONNRESET');
  });
});

describe('a connection on which nothing is under way ends in peace', () => {
  test('when the transport is closed', async () => {
    const { server, transport } = await start((socket) => socket.write(ACCEPTED));
    await send(transport, 'first');
    await transport.close();
    expect(await server.ended(0)).toBe('end');
  });

  test('when the answer says that it is the last', async () => {
    const last = answer(200, '{"data":"tx_1"}', { connection: 'close' });
    const { server, transport } = await start((socket) => socket.write(last));
    await send(transport, 'first');
    expect(await server.ended(0)).toBe('end');
  });

  withTls('over TLS', async () => {
    const { server, transport } = await startTls((socket) => socket.write(ACCEPTED));
    await send(transport, 'first');
    await transport.close();
    expect(await server.ended(0)).toBe('end');
  });
});

describe('what may not leave does not', () => {
  test('on a new connection', async () => {
    const { server, transport } = await start((socket) => socket.write(ACCEPTED));
    expect(await send(transport, 'late', { mayLeave: () => false })).toEqual({ kind: 'withheld' });
    expect(await send(transport, 'next')).toMatchObject({ kind: 'answer' });
    expect(server.arrivals.map(({ marker }) => marker)).toEqual(['next']);
    expect(server.leftovers.join('')).toBe('');
  });

  test('on a pooled connection', async () => {
    const { server, transport } = await start((socket) => socket.write(ACCEPTED));
    await send(transport, 'first');
    expect(await send(transport, 'late', { mayLeave: () => false })).toEqual({ kind: 'withheld' });
    expect(await send(transport, 'next')).toMatchObject({ kind: 'answer' });
    expect(server.arrivals.map(({ marker }) => marker)).toEqual(['first', 'next']);
    expect(server.leftovers.join('')).toBe('');
  });

  test('it is asked once, when there is a connection and before the server has anything', async () => {
    const asked: [arrivals: number, connections: number][] = [];
    const { server, transport } = await start((socket) => socket.write(ACCEPTED));
    const mayLeave = () => {
      asked.push([server.arrivals.length, server.connections]);
      return true;
    };
    await send(transport, 'first', { mayLeave });
    await send(transport, 'second', { mayLeave });
    expect(asked.map(([arrivals]) => arrivals)).toEqual([0, 1]);
    expect(server.connections).toBe(1);
  });

  test('after the transport was closed', async () => {
    const { server, transport } = await start((socket) => socket.write(ACCEPTED));
    await transport.close();
    expect(await send(transport, 'late')).toMatchObject({ kind: 'not_connected' });
    expect(server.arrivals).toEqual([]);
  });
});

describe('what is sent', () => {
  test('is the given headers and body, and of undici only host, connection and content-length', async () => {
    const { server, transport } = await start((socket) => socket.write(ACCEPTED));
    await send(transport, 'größe €', { path: '/base/v1/transaction.transfer', headers: { 'x-one': '1' } });
    const { head, body } = server.arrivals[0] as Arrival;
    const [line, ...headers] = head.split('\r\n');
    expect(line).toBe('POST /base/v1/transaction.transfer HTTP/1.1');
    expect(headers).toEqual([
      `host: ${transport.authority}`,
      'connection: keep-alive',
      'x-one: 1',
      `content-length: ${Buffer.byteLength(body)}`,
    ]);
    expect(body).toBe('{"marker":"größe €"}');
  });

  test.each([
    ['http://127.0.0.1:8080/', '127.0.0.1:8080', ''],
    ['https://Payouts.Example:443/base/path//', 'payouts.example', '/base/path'],
    ['http://[::1]:9000/v0', '[::1]:9000', '/v0'],
  ])('authority and prefix of %s', async (baseUrl, authority, prefix) => {
    const transport = httpTransport({ baseUrl, connections: 1 });
    expect(transport).toMatchObject({ authority, prefix });
    await transport.close();
  });

  test('goes over no more connections than told', async () => {
    const { server, transport } = await start((socket) => socket.write(ACCEPTED), { connections: 3 });
    await Promise.all(Array.from({ length: 30 }, (_, n) => send(transport, String(n))));
    expect(server.arrivals.length).toBe(30);
    expect(server.connections).toBeLessThanOrEqual(3);
  });

  test('a header that no request may have is a bug, and nothing is sent', async () => {
    const { server, transport } = await start((socket) => socket.write(ACCEPTED));
    await expect(send(transport, 'first', { headers: { 'x-one': 'a\r\nx-two: b' } })).rejects.toThrow('header');
    expect(server.arrivals).toEqual([]);
  });
});

async function start(behaviour: Behaviour, options: { connections?: number } = {}) {
  const server = await hostileServer(behaviour);
  return withTransport(server, options.connections ?? 1);
}

/** A server whose certificate is trusted for this test. */
async function startTls(behaviour: Behaviour, alpn: string[] = ['http/1.1']) {
  const tls = certificate as Certificate;
  setDefaultCACertificates([...getCACertificates('bundled'), tls.cert]);
  return withTransport(await hostileServer(behaviour, { tls, alpn }), 1);
}

function withTransport(server: HostileServer, connections: number) {
  const transport = httpTransport({ baseUrl: server.baseUrl, connections });
  onTestFinished(async () => {
    await transport.close();
    await server.close();
  });
  return { server, transport };
}

function send(transport: Transport, marker: string, options: Partial<Outgoing> = {}): Promise<Sent> {
  return transport.send({
    path: '/v1/transaction.transfer',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ marker }),
    timeoutMs: 30_000,
    mayLeave: () => true,
    isAwaited: () => true,
    ...options,
  });
}

function redirect(status: number): [string, Behaviour, 'answer', 'in_doubt'] {
  const behaviour: Behaviour = (socket, _, server) =>
    socket.write(answer(status, '', { location: `${server.baseUrl}/v1/transaction.transfer` }));
  return [`${status} to itself`, behaviour, 'answer', 'in_doubt'];
}

function halfThenReset(socket: import('node:net').Socket): void {
  socket.write(ACCEPTED.slice(0, -5), () => socket.resetAndDestroy());
}

function compressed(socket: import('node:net').Socket, { head }: Arrival): void {
  expect(head).not.toMatch(/accept-encoding/i);
  const body = gzipSync('{"data":"tx_1"}');
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body);
}

function latin1(body: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`, 'latin1');
}

function early(status: number): string {
  return `HTTP/1.1 ${status} Early\r\nlink: </x>\r\n\r\n`;
}

function upgrade(): string {
  return 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
}

function chunked(start: string): string {
  return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${start.length.toString(16)}\r\n${start}\r\n`;
}

function unbounded(body: string): string {
  return `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`;
}

function twoLengths(): string {
  return 'HTTP/1.1 200 OK\r\ncontent-length: 15\r\ncontent-length: 5\r\n\r\n{"data":"tx_1"}';
}

/** Writes a piece at a time, each in a turn of its own. */
function trickle(socket: import('node:net').Socket, text: string, pieceLength = 1): void {
  let at = 0;
  const next = (): void => {
    if (at >= text.length || socket.destroyed) return;
    socket.write(text.slice(at, at + pieceLength));
    at += pieceLength;
    setTimeout(next, 1);
  };
  next();
}

/** Gives up at the n-th part of the answer. */
function impatient(parts: number): Partial<Outgoing> {
  let left = parts;
  return { isAwaited: () => left-- > 0 };
}

function inTurns(turns: number, work: () => void): void {
  if (turns === 0) work();
  else setImmediate(() => inTurns(turns - 1, work));
}
