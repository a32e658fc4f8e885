import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSignatureInput } from '../../src/contract/signature-input.ts';
import { rfc9421Signer } from '../../src/contract/signer.ts';
import { readKeyFile } from '../../src/keys/key-file.ts';
import type { Certificate } from '../support/certificate.ts';
import { type ConnectProxy, connectProxy } from '../support/connect-proxy.ts';
import { newIssuer } from '../support/issuer.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, type ReadyService, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { arrivals } from '../support/service-admin.ts';
import { atEnd, testBeside } from '../support/side-by-side.ts';

// A service that is reached through the company's proxy alone: its name means nothing here, and its own issuer vouches for it.

const NAME = 'payouts.example';
const place = mkdtempSync(join(tmpdir(), 'payrun-issuers-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const issuer = newIssuer(join(place, 'own'));
const stranger = newIssuer(join(place, 'stranger'));
const withIssuer = issuer === null ? test.skip : testBeside;

/** Is given the number of each payout that came whole, from 1. True: it was carried out, and its answer is dropped. */
type Drops = (nthTransfer: number) => boolean;

/** TLS under the service's name. The service answers for its own address alone, so requests are signed for that again, as they stand. */
async function front(service: ReadyService, tls: Certificate, drops: Drops, drop: () => void): Promise<number> {
  const signer = rfc9421Signer({ keyId: service.api_key, key: readKeyFile(service.signing_key_file) });
  const to = new URL(service.base_url);
  let transfers = 0;
  const server = createServer(tls, async (incoming, outgoing) => {
    const body = await textOf(incoming);
    const input = readSignatureInput(incoming.headers);
    if (typeof input === 'string' || incoming.headers.host !== NAME) return outgoing.destroy();
    const path = String(incoming.url);
    const { created, expires, nonce } = input;
    const headers = signer.sign({ path, authority: to.host, body, created, expires, nonce });
    const onward = request({ host: to.hostname, port: to.port, method: 'POST', path, headers });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const text = await textOf(answer);
    if (path.endsWith('/transaction.transfer') && drops(++transfers)) return drop();
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function payThrough(drops: Drops) {
  if (issuer === null) throw new Error('skipped without openssl');
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  let proxy: ConnectProxy | null = null;
  const port = await front(service, issuer.issue(NAME), drops, () => proxy?.cut());
  proxy = await connectProxy(() => ({ port }));
  const rows = 12;
  const profile = `request_lifetime: 6s\nlisting_lag: 0s\nconcurrency: 3\nca_file: ${issuer.file}\n`;
  const { command } = plainPayroll({ folder, service, proxy: { baseUrl: `https://${NAME}` }, rows, profile });
  const env = { HTTPS_PROXY: proxy.url.replace('//', '//payrun:p%40ss@'), NO_PROXY: '127.0.0.1,other.example' };
  const { exit, stdout, stderr } = await payrun(command, { env });
  expect([exit, stderr]).toEqual([0, expect.not.stringContaining('p%40ss')]);
  await expectPaidOnceEach(service, [reportOf(stdout)]);
  expect((await arrivals(service))['transaction.transfer']).toBe(rows);
  return proxy;
}

withIssuer('everything goes through tunnels of the proxy, no more at once than connections', async () => {
  const { asked, credentials, most } = await payThrough(() => false);
  expect(new Set(asked)).toEqual(new Set([`${NAME}:443`]));
  expect(new Set(credentials)).toEqual(new Set([`Basic ${btoa('payrun:p@ss')}`]));
  expect(most).toBeLessThanOrEqual(3);
});

withIssuer('a proxy that delivers payouts and drops their answers: each is sent once and paid once', async () => {
  const dropped: number[] = [];
  await payThrough((nth) => nth % 4 === 2 && dropped.push(nth) > 0);
  expect(dropped).toEqual([2, 6, 10]);
});

/** A run at the name through this proxy: what it says, in lines. Nothing of it comes to the service. */
async function refusedThrough(proxyUrl: string, profile = '') {
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  writeFileSync(file, 'name,amount,currency,external_account_id\nAda,1.00,AUD,a1\n');
  const profileFile = join(folder, 'profile.yaml');
  writeFileSync(profileFile, `base_url: https://${NAME}/\napi_key: key\nsigning_key_file: ${key}\n${profile}`);
  const words = ['run', file, '--yes', '--profile', profileFile, '--data-dir', join(folder, 'data')];
  const { exit, stderr } = await payrun(words, { env: { HTTPS_PROXY: proxyUrl } });
  return { exit, said: stderr.split('\n') };
}

testBeside('a proxy that refuses, asks for credentials or is away is named with its remedy', async () => {
  const asking = await connectProxy(() => ({ status: 407 }));
  const refusing = await connectProxy(() => ({ status: 403 }));
  const cases: [proxy: string, exit: number, message: RegExp, remedy: RegExp][] = [
    [asking.url, 8, /^The proxy 127\.0\.0\.1:\d+ asks for credentials \(HTTP 407\)\.$/, /http:\/\/USER:PASSWORD@/],
    [refusing.url, 8, /^The proxy 127\.0\.0\.1:\d+ makes no connection .*\(HTTP 403\)\.$/, /NO_PROXY/],
    ['127.0.0.1:1', 8, /^The proxy 127\.0\.0\.1:1 cannot be reached \(.*ECONNREFUSED/, /Check HTTPS_PROXY/],
    ['socks5://u:secret@127.0.0.1:1', 2, /^HTTPS_PROXY names no proxy\.$/, /http:\/\/proxy\.example:3128/],
  ];
  const ended = cases.map(async ([proxy, exit, message, remedy]) => {
    const { said, ...was } = await refusedThrough(proxy);
    expect([was.exit, said[0], said[1]]).toEqual([exit, expect.stringMatching(message), expect.stringMatching(remedy)]);
  });
  await Promise.all(ended);
});

withIssuer('each certificate that cannot be trusted is named with its remedy, and nothing is sent', async () => {
  if (issuer === null || stranger === null) throw new Error('skipped without openssl');
  const cases: [certificate: Certificate, message: RegExp, remedy: RegExp][] = [
    [issuer.issue(NAME, [-9, -2]), /certificate has expired \(CERT_HAS_EXPIRED\)/, /this machine's clock/],
    [issuer.issue(NAME, [2, 9]), /not valid yet \(CERT_NOT_YET_VALID\)/, /this machine's clock/],
    [issuer.issue('other.example'), /for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)/, /as the certificate names it/],
    [stranger.issue(NAME), /is not trusted \(UNABLE_TO_/, /ca_file in the profile/],
  ];
  let came = 0;
  const ended = cases.map(async ([certificate, message, remedy]) => {
    const server = createServer(certificate, () => void came++);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => void server.close());
    const proxy = await connectProxy(() => ({ port: (server.address() as AddressInfo).port }));
    const { exit, said } = await refusedThrough(proxy.url, `ca_file: ${issuer.file}\n`);
    expect([exit, said[0], said[1]]).toEqual([8, expect.stringMatching(message), expect.stringMatching(remedy)]);
  });
  await Promise.all(ended);
  expect(came).toBe(0);
});

testBeside('a ca_file without certificates is refused before anything is sent', async () => {
  const { exit, said } = await refusedThrough('127.0.0.1:1', 'ca_file: profile.yaml\n');
  expect([exit, said[0]]).toEqual([2, expect.stringMatching(/^ca_file: .*profile\.yaml holds no certificates \(/)]);
});
