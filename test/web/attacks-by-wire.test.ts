import { chmodSync, writeFileSync } from 'node:fs';
import { request as tlsRequest } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { payrun, type Started, start, temporaryFolder } from '../support/payrun.ts';
import { readyObject } from '../support/payrun-process.ts';
import { caller, comeIn } from './page-process.ts';
import { PASSWORD } from './web-page.ts';

const CERTIFICATE = selfSigned();

type Ready = { url: string; first_user_url: string | null; rehearsal: boolean; started: Started };

/** A real `payrun web` on a free port. */
async function startWeb(args: readonly string[] = [], dataDir = temporaryFolder()): Promise<Ready> {
  const started = start(['web', '--json', '--port', '0', '--data-dir', dataDir, ...args]);
  return { ...((await readyObject(started)) as Omit<Ready, 'started'>), started };
}

/** Sends these very bytes, and gives what comes until the other side closes. */
function wire(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
  });
}

test('a password that takes as much work to try as for users lets its person in, and no other does', async () => {
  const { url, first_user_url } = await startWeb();
  await comeIn(url, first_user_url ?? '', { name: 'Anna', role: ['preparer'] });
  const signIn = (password: string) => caller(url).post('/sign-in', { name: 'Anna', password });
  expect((await signIn(`${PASSWORD}!`)).status).toBe(401);
  expect(await signIn(PASSWORD)).toMatchObject({ status: 303, location: '/' });
});

test('bytes that no browser sends are refused, and change nothing', async () => {
  const { url, started } = await startWeb();
  const port = Number(new URL(url).port);
  const own = `localhost:${port}`;
  const form = 'name=Anna&password=correct+horse+battery';
  const post = (headers: string, body = form) =>
    wire(
      port,
      `POST /sign-in HTTP/1.1\r\nhost: ${own}\r\norigin: http://${own}\r\nconnection: close\r\n${headers}\r\n${body}`,
    );
  const typed = 'content-type: application/x-www-form-urlencoded\r\n';
  const told = `${typed}content-length: ${form.length}\r\n`;
  expect(await post(told)).toMatch(/^HTTP\/1\.1 401 /);
  const get = (lines: string) => wire(port, `GET ${lines}\r\nconnection: close\r\n\r\n`);
  for (const [lines, status] of [
    [`/sign-in HTTP/1.1\r\nhost: ${own}`, 200],
    ['/sign-in HTTP/1.1\r\nhost: evil.test', 403],
    [`/sign-in HTTP/1.1\r\nhost: evil.test:${port}`, 403],
    [`/sign-in HTTP/1.1\r\nhost: ${own}\r\nhost: evil.test`, 400],
    [`/sign-in HTTP/1.1\r\nhost: evil.test\r\nhost: ${own}`, 400],
    [`http://evil.test/sign-in HTTP/1.1\r\nhost: ${own}`, 403],
    [`http://${own}/sign-in HTTP/1.1\r\nhost: evil.test`, 403],
    ['/sign-in HTTP/1.1\r\nhost: user@evil.test', 400],
    ['/sign-in HTTP/1.1\r\nhost:', 400],
    ['/sign-in HTTP/1.0', 400],
    [`/../../../../etc/passwd HTTP/1.1\r\nhost: ${own}`, 404],
    [`/static/..%2f..%2f..%2fetc/passwd HTTP/1.1\r\nhost: ${own}`, 404],
    [`/sign-in?next=%0d%0aset-cookie:%20a=b HTTP/1.1\r\nhost: ${own}`, 200],
    [`/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: ${own}`, 400],
  ] as const) {
    const answer = await get(lines);
    expect([lines.slice(0, 80), Number(answer.slice(9, 12))]).toEqual([lines.slice(0, 80), status]);
    expect(answer.toLowerCase()).not.toMatch(/set-cookie|daemon:/);
  }
  for (const [headers, body, status] of [
    [`${typed}content-length: 99999999\r\n`, 'name=', 413],
    [`${typed}transfer-encoding: chunked\r\n`, `${`4e20\r\n${'x'.repeat(20_000)}\r\n`.repeat(20)}0\r\n\r\n`, 413],
    [`${told}origin: http://evil.test\r\n`, form, 403],
    [`${told}sec-fetch-site: cross-site\r\n`, form, 403],
    [`${told}transfer-encoding: chunked\r\n`, form, 400],
  ] as const)
    expect([headers, Number((await post(headers, body)).slice(9, 12))]).toEqual([headers, status]);
  expect(started.stderr()).toBe('');
  started.child.kill('SIGINT');
  expect(await started.ended).toMatchObject({ exit: 0 });
});

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

test.runIf(HAS_IPV6)('nobody else of this machine stands at the other address that localhost may be', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '::1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const web = await payrun(['web', '--port', String(port), '--data-dir', temporaryFolder()]);
  expect([web.exit, web.stdout]).toEqual([2, '']);
  expect(web.stderr).toContain(`Port ${port} is taken`);
  const { url } = await startWeb();
  const stranger = createServer();
  const taken = new Promise((resolve) => stranger.once('error', resolve).listen(Number(new URL(url).port), '::1'));
  expect(await taken).toMatchObject({ code: 'EADDRINUSE' });
});

test('to others than this machine it speaks by TLS only', async () => {
  const dataDir = temporaryFolder();
  const [cert, key] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')];
  const web = (...args: string[]) => payrun(['web', '--port', '0', '--data-dir', dataDir, ...args]);
  for (const [args, told] of [
    [['--host', '0.0.0.0'], 'passwords would cross the network in the clear'],
    [['--host', 'pay.example.com'], '--tls-cert'],
    [['--behind-proxy', 'http://pay.example.com'], 'is no https origin'],
    [['--behind-proxy', 'https://pay.example.com/pay'], 'is no https origin'],
    [['--tls-cert', cert], 'belong together'],
  ] as const) {
    const { exit, stderr, stdout } = await web(...args);
    expect([args, exit, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain(told);
  }
  if (CERTIFICATE === null) return;
  writeFileSync(cert, CERTIFICATE.cert);
  writeFileSync(key, CERTIFICATE.key, { mode: 0o600 });
  chmodSync(key, 0o644);
  expect(await web('--tls-cert', cert, '--tls-key', key)).toMatchObject({ exit: 2, stdout: '' });
  chmodSync(key, 0o600);
  const other = join(dataDir, 'other.pem');
  writeFileSync(other, selfSigned()?.key ?? '', { mode: 0o600 });
  const mixed = await web('--tls-cert', cert, '--tls-key', other);
  expect([mixed.exit, mixed.stderr]).toEqual([2, expect.stringContaining('The certificate cannot be used')]);
  const { url, started } = await startWeb(['--host', '127.0.0.1', '--tls-cert', cert, '--tls-key', key], dataDir);
  expect(url).toMatch(/^https:\/\/localhost:\d+$/);
  const answer = await secureGet(`${url}/sign-in`, CERTIFICATE.cert);
  expect(answer).toEqual({ status: 200, security: 'max-age=31536000' });
  // Whoever speaks plainly to it is told nothing.
  expect(await wire(Number(new URL(url).port), 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')).not.toContain('payrun');
  started.child.kill('SIGTERM');
  expect(await started.ended).toMatchObject({ exit: 0 });
});

function secureGet(url: string, ca: string): Promise<{ status: number | undefined; security: string | undefined }> {
  return new Promise((resolve, reject) => {
    tlsRequest(url, { ca, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () =>
        resolve({ status: answer.statusCode, security: answer.headers['strict-transport-security'] }),
      );
    })
      .on('error', reject)
      .end();
  });
}
