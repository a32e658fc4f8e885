import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { troubleOf } from '../../src/client/trouble.ts';
import { wordingFor } from '../../src/messages/refusals/refusal-words.ts';
import { troubleWords } from '../../src/messages/trouble-words.ts';
import { selfSigned } from '../support/certificate.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';

// What stands at --base-url answers otherwise than the service, or not at all: exit 8, its name, and what to do.

const certificate = selfSigned();

type Answer = (response: ServerResponse) => void;

async function served(answer: Answer, tls: { key: string; cert: string } | null = null, host = '127.0.0.1') {
  const server = tls === null ? createServer() : createTlsServer(tls);
  let asked = 0;
  server.on('request', (request, response: ServerResponse) => {
    asked++;
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `${tls === null ? 'http' : 'https'}://${host}:${port}`, asked: () => asked };
}

async function runAt(url: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  writeFileSync(file, 'name,amount,currency,external_account_id\nAda,1.00,AUD,a1\n');
  const at = ['--base-url', url, '--api-key', 'key', '--signing-key', key, '--data-dir', join(folder, 'data')];
  return payrun(['run', file, '--yes', ...at], { env });
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();

const ANSWERS: readonly [answer: Answer, message: string, remedy: RegExp][] = [
  [status(503), 'The service is unavailable (HTTP 503).', /^Wait until it is back, then run /],
  [status(429, { 'retry-after': '0' }), 'The service asks for fewer requests (HTTP 429).', /lower --rate, then /],
  [status(500), 'The service, or a proxy before it, failed (HTTP 500).', /ask the operator of the service/],
  [
    status(302, { location: 'https://login.example/\u0085' }),
    'The service redirects to https://login.example/ (HTTP 302), and a signed request is not redirected.',
    /--base-url; a proxy or a sign-in page/,
  ],
  [status(407), 'A proxy before the service asks for credentials (HTTP 407).', /have it let this machine through/],
  [
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    'Whatever answers at --base-url is not the service (HTTP 200).',
    /no proxy or sign-in page/,
  ],
];

// All at once: each asks for some seconds before it gives up.
test('503, 429, 500, 302, 407 and the page of something else name themselves and their remedy', async () => {
  const ended = ANSWERS.map(async ([answer, message, remedy]) => {
    const { exit, stderr } = await runAt((await served(answer)).url);
    return { exit, said: stderr.split('\n'), message, remedy };
  });
  for (const { exit, said, message, remedy } of await Promise.all(ended)) {
    expect([exit, said[0]]).toEqual([8, message]);
    expect(said[1]).toMatch(remedy);
    expect(said[1]).toMatch(/, then run the same command again\.$/);
  }
});

describe('TLS', () => {
  test.skipIf(certificate === null)('a certificate that nobody vouches for, and one of another host', async () => {
    if (certificate === null) return;
    const own = await served(status(200), certificate);
    const self = await runAt(own.url);
    expect([self.exit, self.stderr]).toEqual([
      8,
      expect.stringMatching(
        /^The service's certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.\nCheck --base-url\. .*NODE_EXTRA_CA_CERTS=FILE, then run/,
      ),
    ]);
    const other = await served(status(200), certificate, '127.0.0.2');
    const authority = join(temporaryFolder(), 'ca.pem');
    writeFileSync(authority, certificate.cert);
    const elsewhere = await runAt(other.url, { NODE_EXTRA_CA_CERTS: authority });
    expect([elsewhere.exit, elsewhere.stderr]).toEqual([
      8,
      expect.stringMatching(/^The service's certificate is for another host .*\nWrite the host in --base-url as/),
    ]);
    expect([own.asked(), other.asked()]).toEqual([0, 0]);
  });

  test('plain HTTP where TLS was expected', async () => {
    const { url } = await served(status(200));
    const { exit, stderr } = await runAt(url.replace('http:', 'https:'));
    expect([exit, stderr]).toEqual([8, expect.stringMatching(/^No TLS connection can be made .*\nCheck the scheme/)]);
  });
});

test.each([
  ['CERT_HAS_EXPIRED', /certificate has expired/, /this machine's clock/],
  ['CERT_NOT_YET_VALID', /certificate is not valid yet/, /this machine's clock/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /is not trusted/, /NODE_EXTRA_CA_CERTS/],
])('%s is named too', (code, what, remedy) => {
  const trouble = troubleWords(troubleOf({ kind: 'not_connected', reason: `${code}: certificate`, code }));
  expect(wordingFor('command_line', trouble.what ?? '')).toMatch(what);
  expect(wordingFor('command_line', trouble.remedy)).toMatch(remedy);
});
