import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorEnvelope } from '../../src/contract/operations.ts';
import { type SignedBytes, startTestService, type TestService } from './harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Sends anything at all; a chunked body where `chunks` are given. */
async function send(method: string, path: string, headers: Record<string, string>, body?: string | Buffer[]) {
  const answer = await request(service.service.baseUrl + path, {
    method: method as 'POST',
    headers,
    body: Array.isArray(body) ? (chunked(body) as never) : (body ?? null),
    // A connection of its own: one that is kept may be closed by the service at the moment it is used again.
    reset: true,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

async function* chunked(parts: Buffer[]) {
  yield* parts;
}

/** Writes bytes to the port, and no more, and reads what comes back until it closes. */
async function raw(text: string, { isOpen = false } = {}): Promise<string> {
  const socket = connect(Number(new URL(service.service.baseUrl).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  if (isOpen) socket.write(text);
  else socket.end(text);
  await once(socket, 'close');
  return received;
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('every error is an envelope', () => {
  it.each([
    ['an unknown operation', 'POST', '/v1/transaction.delete', JSON_TYPE, '{}', 404, 'NOT_FOUND'],
    ['a name of Object.prototype', 'POST', '/v1/constructor', JSON_TYPE, '{}', 404, 'NOT_FOUND'],
    ['another path', 'POST', '/', JSON_TYPE, '{}', 404, 'NOT_FOUND'],
    ['a deeper path', 'POST', '/v1/transaction.get/x', JSON_TYPE, '{}', 404, 'NOT_FOUND'],
    ['a path written in another way', 'POST', '/v1/transaction%2Eget', JSON_TYPE, '{}', 404, 'NOT_FOUND'],
    ['a query', 'POST', '/v1/transaction.get?id=1', JSON_TYPE, '{}', 404, 'NOT_FOUND'],
    ['GET', 'GET', '/v1/transaction.get', {}, undefined, 405, 'METHOD_NOT_SUPPORTED'],
    ['PUT', 'PUT', '/v1/transaction.get', JSON_TYPE, '{}', 405, 'METHOD_NOT_SUPPORTED'],
    ['no content-type', 'POST', '/v1/transaction.get', {}, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a form',
      'POST',
      '/v1/transaction.get',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'id=1',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'another charset',
      'POST',
      '/v1/transaction.get',
      { 'content-type': 'application/json; charset=latin1' },
      '{}',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['no signature', 'POST', '/v1/transaction.get', JSON_TYPE, '{}', 401, 'UNAUTHORIZED'],
    [
      'a body above 1 MiB',
      'POST',
      '/v1/transaction.get',
      JSON_TYPE,
      `"${'a'.repeat(1_048_575)}"`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ] as const)('%s', async (_what, method, path, headers, body, status, code) => {
    const reply = await send(method, path, headers as Record<string, string>, body);
    const { error } = errorEnvelope.parse(JSON.parse(reply.text));
    expect([reply.status, error.code, reply.headers['content-type']]).toEqual([status, code, 'application/json']);
    expect(reply.headers.date).toBeTruthy();
    if (status === 405) expect(reply.headers.allow).toBe('POST');
  });

  it('counts a chunked body as it comes', async () => {
    const reply = await send('POST', '/v1/transaction.get', JSON_TYPE, Array(20).fill(Buffer.alloc(65_536, 32)));
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('takes a body of exactly 1 MiB', async () => {
    const body = `{"id":"x"${' '.repeat(1_048_576 - 10)}}`;
    expect(Buffer.byteLength(body)).toBe(1_048_576);
    expect((await service.call('transaction.get', body)).error?.code).toBe('NOT_FOUND');
  });

  it('takes a signed chunked body', async () => {
    const { path, headers, body } = service.sign('account.balance.getMany', {});
    const reply = await send('POST', path, headers, [Buffer.from(body.slice(0, 1)), Buffer.from(body.slice(1))]);
    expect(reply.status).toBe(200);
  });

  it.each([
    ['bytes that are no HTTP', 'hello\r\n\r\n', '400'],
    [
      'a Host of somebody else',
      'POST /v1/transaction.get HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n',
      '403',
    ],
    ['a Host that is none', 'POST /v1/transaction.get HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', '400'],
    [
      'two Hosts',
      'POST /v1/transaction.get HTTP/1.1\r\nhost: OWN\r\nhost: evil.test\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
      '400',
    ],
    [
      'two content-types',
      'POST /v1/transaction.get HTTP/1.1\r\nhost: OWN\r\ncontent-type: application/json\r\ncontent-type: text/plain\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
      '415',
    ],
    [
      'a URL of somebody else with our Host',
      'POST http://evil.test/v1/transaction.get HTTP/1.1\r\nhost: OWN\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n',
      '403',
    ],
    ['headers that are too large', `POST / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, '400'],
    ['no Host', 'POST /v1/transaction.get HTTP/1.1\r\nconnection: close\r\n\r\n', '400'],
    [
      'two lengths',
      'POST /v1/transaction.get HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
      '400',
    ],
  ])('%s', async (_what, bytes, status) => {
    const received = await raw(bytes.replace('OWN', new URL(service.service.baseUrl).host));
    expect(received.split(' ')[1]).toBe(status);
    const body = received.slice(received.indexOf('\r\n\r\n') + 4);
    if (body !== '') expect(errorEnvelope.safeParse(JSON.parse(body)).success, received).toBe(true);
  });
});

describe('bytes that are refused', () => {
  it('end the connection whole, so that nobody holds its place by keeping the other half open', async () => {
    const port = Number(new URL(service.service.baseUrl).port);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.resume().on('error', () => {});
    socket.write('hello\r\n\r\n');
    await once(socket, 'end');
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    // A write to a connection that is gone is answered with a reset; one that is half open takes it.
    const writing = setInterval(() => socket.write('x'), 5);
    await closed.finally(() => clearInterval(writing));
  });
});

describe('a request reaches the same operation by the short way and by the long one', () => {
  it('with the same answer and the same headers', async () => {
    const short = service.sign('account.customer.get', { id: 'cus_nobody' });
    const long = service.sign('account.customer.get', { id: 'cus_nobody' });
    const stated = await send('POST', short.path, short.headers, short.body);
    // A body without a stated length is read by the web's Request.
    const chunks = await send('POST', long.path, long.headers, [Buffer.from(long.body)]);
    expect(stated.status).toBe(404);
    expect([chunks.status, chunks.text]).toEqual([stated.status, stated.text]);
    expect(Object.keys(chunks.headers).toSorted()).toEqual(Object.keys(stated.headers).toSorted());
    expect(stated.headers['x-payrun-rehearsal']).toBe('true');
  });

  it('with the whole URL on the request line', async () => {
    const { path, headers, body } = service.sign('account.balance.getMany', {});
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const { host } = new URL(service.service.baseUrl);
    const rest = `host: ${host}\r\n${lines.join('')}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
    expect(await raw(`POST http://${host}${path} HTTP/1.1\r\n${rest}`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('many at once over one connection, answered in their order', async () => {
    const { host } = new URL(service.service.baseUrl);
    const bytes = Array.from({ length: 20 }, (_, place) => {
      // Recipients are changes and wait for a commit; the customer that is not there is not.
      const isChange = place % 2 === 0;
      const { path, headers, body } = isChange
        ? service.sign('account.recipient.create', { metadata: { name: `Payee ${place}` } })
        : service.sign('account.customer.get', { id: 'cus_nobody' });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const last = place === 19 ? 'connection: close\r\n' : '';
      return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}content-length: ${body.length}\r\n${last}\r\n${body}`;
    });
    const received = await raw(bytes.join(''), { isOpen: true });
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toEqual(Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? '200' : '404')));
  });

  it('and has no effect where its body ends early', async () => {
    const before = await service.data('account.recipient.getMany', {});
    const { path, headers, body } = service.sign('account.recipient.create', { metadata: { name: 'Half' } });
    const { host } = new URL(service.service.baseUrl);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n`;
    await raw(head + body.slice(0, -1));
    expect(await service.data('account.recipient.getMany', {})).toEqual(before);
    // Its nonce was not used up either: the whole request can still be sent.
    expect((await send('POST', path, headers, body)).status).toBe(200);
  });
});

describe('JSON without ambiguities', () => {
  const refused = async (body: string) => (await service.call('transaction.get', body)).error?.code;

  it.each([
    ['a name twice', '{"id":"a","id":"b"}'],
    ['a name twice, written differently', '{"id":"a","\\u0069d":"b"}'],
    ['a name twice, deep inside', '{"id":"a","x":[{"y":{"z":1,"z":1}}]}'],
    ['half of a surrogate pair', '{"id":"\\ud83d"}'],
    ['a trailing comma', '{"id":"a",}'],
    ['a byte order mark', '\ufeff{"id":"a"}'],
    ['nothing', ''],
    ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ])('%s is a PARSE_ERROR', async (_what, body) => {
    expect(await refused(body)).toBe('PARSE_ERROR');
  });

  it('bytes that are no UTF-8 are a PARSE_ERROR', async () => {
    const { signRequest } = await import('../../src/contract/signature.ts');
    const { readKeyFile } = await import('../../src/keys/key-file.ts');
    const body = Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
    const created = Math.floor(Date.now() / 1_000);
    const headers = signRequest({
      method: 'POST',
      authority: new URL(service.service.baseUrl).host,
      path: '/v1/transaction.get',
      contentType: 'application/json',
      body,
      keyId: service.service.apiKey,
      key: readKeyFile(service.service.signingKeyFile),
      created,
      expires: created + 60,
      nonce: 'n'.repeat(24),
    });
    const answer = await request(`${service.service.baseUrl}/v1/transaction.get`, {
      method: 'POST',
      headers: { ...headers },
      body,
    });
    expect(await answer.body.json()).toMatchObject({ error: { code: 'PARSE_ERROR' } });
  });

  it.each(['null', '[]', '"id"', '1', '{}', '{"id":null}', '{"id":{"toString":1}}', '{"__proto__":{"id":"a"}}'])(
    '%s is a BAD_REQUEST',
    async (body) => {
      expect(await refused(body)).toBe('BAD_REQUEST');
    },
  );
});

describe('the Date header', () => {
  it('is the machine’s clock, whatever the service’s own says, and the skewed one where it is skewed', async () => {
    const own = await startTestService();
    const aheadMs = async () => {
      const { headers, status } = await own.call('account.balance.getMany', {});
      expect(status).toBe(200);
      return Date.parse(String(headers.date)) - Date.now();
    };
    await own.admin('clock.advance', { ms: 86_400_000 });
    expect(Math.abs(await aheadMs())).toBeLessThan(60_000);
    await own.admin('clock.skew', { ms: 40_000 });
    expect(Math.abs((await aheadMs()) - 40_000)).toBeLessThan(10_000);
    await own.close();
  });
});

describe('stopping', () => {
  it('finishes what is in flight and closes idle connections', async () => {
    const own = await startTestService();
    await own.admin('fault.add', { operation: 'account.balance.getMany', kind: 'slow', ms: 300, nth: 1 });
    const slow: SignedBytes = own.sign('account.balance.getMany', {});
    const reply = own.send(slow);
    while (!(await own.admin('stats')).data.arrivals['account.balance.getMany'])
      await new Promise((resolve) => setTimeout(resolve, 2));
    const stopped = own.service.stop();
    expect((await reply).status).toBe(200);
    await stopped;
    await expect(own.send(own.sign('account.balance.getMany', {}))).rejects.toThrow(/ECONNREFUSED|closed|other side/i);
    await own.close();
  });
});
