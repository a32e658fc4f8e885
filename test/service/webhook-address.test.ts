import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AddressClass,
  addressClass,
  addressProblem,
  readEndpointUrl,
} from '../../src/service/webhooks/endpoint-url.ts';
import { WebhookUrlRefused } from '../../src/service/webhooks/webhooks.ts';
import { startTestService, type TestService, temporaryDirectory } from './harness.ts';
import { deliveriesOf } from './webhook-deliveries.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

/** Texts as a resolver gives them. */
const ADDRESSES: [string, AddressClass][] = [
  ['8.8.8.8', 'public'],
  ['1.1.1.1', 'public'],
  ['126.255.255.255', 'public'],
  ['128.0.0.0', 'public'],
  ['9.255.255.255', 'public'],
  ['11.0.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.128.0.0', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.0', 'public'],
  ['192.167.255.255', 'public'],
  ['192.169.0.0', 'public'],
  ['198.17.255.255', 'public'],
  ['198.20.0.0', 'public'],
  ['223.255.255.255', 'public'],
  ['2606:4700:4700::1111', 'public'],
  ['2a00:1450:4001:82f::200e', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.0', 'private'],
  ['192.168.255.255', 'private'],
  ['100.64.0.0', 'private'],
  ['100.127.255.255', 'private'],
  ['fc00::', 'private'],
  ['fdff:ffff::1', 'private'],
  ['::ffff:192.168.1.1', 'private'],
  ['0.0.0.0', 'never'],
  ['0.1.2.3', 'never'],
  ['::', 'never'],
  ['::ffff:0.0.0.0', 'never'],
  ['169.254.0.0', 'never'],
  ['169.254.169.254', 'never'],
  ['::ffff:169.254.169.254', 'never'],
  ['fe80::1', 'never'],
  ['fe80::1%eth0', 'never'],
  ['febf::1', 'never'],
  ['fec0::1', 'never'],
  ['224.0.0.1', 'never'],
  ['239.255.255.255', 'never'],
  ['240.0.0.0', 'never'],
  ['255.255.255.255', 'never'],
  ['ff02::1', 'never'],
  ['100.100.100.200', 'never'],
  ['168.63.129.16', 'never'],
  ['192.0.0.192', 'never'],
  ['fd00:ec2::254', 'never'],
  ['fd20:ce::254', 'never'],
  ['192.0.2.1', 'never'],
  ['198.18.0.1', 'never'],
  ['198.51.100.1', 'never'],
  ['203.0.113.1', 'never'],
  ['192.88.99.1', 'never'],
  ['2001:db8::1', 'never'],
  ['3fff::1', 'never'],
  ['100::1', 'never'],
  ['5f00::1', 'never'],
  // IPv4 in IPv6, the old way and by SIIT.
  ['::127.0.0.1', 'never'],
  ['::8.8.8.8', 'never'],
  ['::ffff:0:127.0.0.1', 'never'],
  // NAT64
  ['64:ff9b::8.8.8.8', 'public'],
  ['64:ff9b::127.0.0.1', 'never'],
  ['64:ff9b::a9fe:a9fe', 'never'],
  ['64:ff9b::10.0.0.1', 'never'],
  ['64:ff9b:1::8.8.8.8', 'never'],
  // 6to4
  ['2002:808:808::1', 'public'],
  ['2002:7f00:1::', 'never'],
  ['2002:a9fe:a9fe::', 'never'],
  ['2002:c0a8:101::1', 'never'],
  // Teredo
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'never'],
  ['2001::1', 'never'],
];

describe('the class of an address', () => {
  it.each(ADDRESSES)('%s is %s', (address, expected) => {
    expect(addressClass(address)).toBe(expected);
  });

  it('is that of the IPv4 address which IPv6 maps, in every spelling', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const expected = addressClass(`${a}.${b}.${c}.${d}`);
        const group = (high: number, low: number) => (high * 256 + low).toString(16);
        expect(addressClass(`::ffff:${a}.${b}.${c}.${d}`)).toBe(expected);
        expect(addressClass(`::ffff:${group(a, b)}:${group(c, d)}`)).toBe(expected);
        expect(addressClass(`0:0:0:0:0:FFFF:${group(a, b)}:${group(c, d)}`)).toBe(expected);
      }),
    );
  });
});

/** What is wrong where only public addresses are allowed, and where private ones are too. Null: nothing. */
const NOT_PUBLIC = /not public/;
const NEVER = /link-local/;
const URLS: [string, RegExp | null, RegExp | null][] = [
  ['https://hooks.example.com/x?y=1', null, null],
  ['https://hooks.example.com:8443/', null, null],
  ['https://hooks.example.com./', null, null],
  ['https://8.8.8.8/', null, null],
  ['https://[2606:4700:4700::1111]/', null, null],
  ['HTTPS://BÜCHER.example/', null, null],
  ['http://hooks.example.com/', /not https/, null],
  ['ftp://hooks.example.com/', /not https/, /neither/],
  ['file:///etc/passwd', /not https/, /neither/],
  ['gopher://127.0.0.1:25/', /not https/, /neither/],
  ['//hooks.example.com/', /no URL/, /no URL/],
  ['hooks.example.com', /no URL/, /no URL/],
  ['', /no URL/, /no URL/],
  ['https://', /no URL/, /no URL/],
  ['https://user@hooks.example.com/', /user name/, /user name/],
  ['https://:secret@hooks.example.com/', /user name/, /user name/],
  ['https://8.8.8.8@127.0.0.1/', /user name/, /user name/],
  ['https://hooks.example.com#@127.0.0.1/', /fragment/, /fragment/],
  ['https://hooks.example.com/#a', /fragment/, /fragment/],
  ['https://hooks.example.com:0/', /port 0/, /port 0/],
  ['https://hooks.example.com:65536/', /no URL/, /no URL/],
  ['https://hooks.example.com\\@127.0.0.1/', /backslash/, /backslash/],
  ['https://hooks.example.com/a b', /blanks/, /blanks/],
  ['https://127.0.0.1\t/', /control/, /control/],
  [' https://hooks.example.com/', /blanks/, /blanks/],
  ['https://a..example/', /two dots/, /two dots/],
  [`https://hooks.example.com/${'x'.repeat(2_048)}`, /longer/, /longer/],
  // Loopback in every spelling.
  ['https://127.0.0.1/', NOT_PUBLIC, null],
  ['https://127.0.0.1./', NOT_PUBLIC, null],
  ['https://127.1/', NOT_PUBLIC, null],
  ['https://127.0.1/', NOT_PUBLIC, null],
  ['https://2130706433/', NOT_PUBLIC, null],
  ['https://0x7f000001/', NOT_PUBLIC, null],
  ['https://0x7f.0x0.0x0.0x1/', NOT_PUBLIC, null],
  ['https://017700000001/', NOT_PUBLIC, null],
  ['https://0177.0.0.1/', NOT_PUBLIC, null],
  ['https://0177.1/', NOT_PUBLIC, null],
  ['https://127.127.127.127/', NOT_PUBLIC, null],
  ['https://１２７.０.０.１/', NOT_PUBLIC, null],
  ['https://①②⑦.⓪.⓪.①/', NOT_PUBLIC, null],
  ['https://127。0。0。1/', NOT_PUBLIC, null],
  ['https://%31%32%37.0.0.1/', NOT_PUBLIC, null],
  ['https://[::1]/', NOT_PUBLIC, null],
  ['https://[0:0:0:0:0:0:0:1]/', NOT_PUBLIC, null],
  ['https://[::ffff:127.0.0.1]/', NOT_PUBLIC, null],
  ['https://[::ffff:7f00:1]/', NOT_PUBLIC, null],
  ['https://localhost/', NOT_PUBLIC, null],
  ['https://LOCALHOST./', NOT_PUBLIC, null],
  ['https://hooks.localhost/', NOT_PUBLIC, null],
  ['https://ｌｏｃａｌｈｏｓｔ/', NOT_PUBLIC, null],
  ['http://127.0.0.1:8080/hooks', /not https/, null],
  ['http://[::1]:8080/hooks', /not https/, null],
  ['http://10.0.0.1/', /not https/, /loopback only/],
  ['http://8.8.8.8/', /not https/, /loopback only/],
  // Private networks.
  ['https://10.0.0.1/', NOT_PUBLIC, null],
  ['https://167772161/', NOT_PUBLIC, null],
  ['https://192.168.1/', NOT_PUBLIC, null],
  ['https://[fd12:3456:789a::1]/', NOT_PUBLIC, null],
  // Never.
  ['https://0/', NOT_PUBLIC, NEVER],
  ['https://0.0.0.0/', NOT_PUBLIC, NEVER],
  ['https://[::]/', NOT_PUBLIC, NEVER],
  ['https://169.254.169.254/latest/meta-data/', NOT_PUBLIC, NEVER],
  ['https://2852039166/', NOT_PUBLIC, NEVER],
  ['https://0xa9fea9fe/', NOT_PUBLIC, NEVER],
  ['https://0251.0376.0251.0376/', NOT_PUBLIC, NEVER],
  ['https://[::ffff:a9fe:a9fe]/', NOT_PUBLIC, NEVER],
  ['https://[fe80::1]/', NOT_PUBLIC, NEVER],
  ['https://[64:ff9b::7f00:1]/', NOT_PUBLIC, NEVER],
  ['https://[2002:7f00:1::]/', NOT_PUBLIC, NEVER],
  ['https://[2001:0:53aa:64c::1]/', NOT_PUBLIC, NEVER],
  ['https://[fe80::1%25eth0]/', /no URL/, /no URL/],
  ['https://255.255.255.255/', NOT_PUBLIC, NEVER],
  ['https://224.0.0.1/', NOT_PUBLIC, NEVER],
];

describe('a URL for webhooks', () => {
  it.each(URLS)('%s', (text, whenPublic, whenPrivate) => {
    for (const [allowPrivate, expected] of [
      [false, whenPublic],
      [true, whenPrivate],
    ] as const) {
      const read = readEndpointUrl(text, allowPrivate);
      if (expected === null) expect(read, `private: ${allowPrivate}`).toMatchObject({ ok: true });
      else expect(read, `private: ${allowPrivate}`).toEqual({ ok: false, problem: expect.stringMatching(expected) });
    }
  });

  it('is refused where one of its addresses is bad, whatever the others are', () => {
    const url = new URL('https://hooks.example.com/');
    expect(addressProblem(url, ['8.8.8.8', '2606:4700:4700::1111'], false)).toBeNull();
    expect(addressProblem(url, ['8.8.8.8', '127.0.0.1'], false)).toMatch(NOT_PUBLIC);
    expect(addressProblem(url, ['8.8.8.8', '169.254.169.254'], true)).toMatch(NEVER);
    expect(addressProblem(url, [], true)).toMatch(/without addresses/);
    const plain = new URL('http://hooks.example.com/');
    expect(addressProblem(plain, ['127.0.0.1', '::1'], true)).toBeNull();
    expect(addressProblem(plain, ['127.0.0.1', '10.0.0.1'], true)).toMatch(/loopback only/);
  });
});

let service: TestService | null = null;
let receiver: Receiver | null = null;
afterEach(async () => {
  await service?.close();
  await receiver?.close();
  service = null;
  receiver = null;
});

/** Answers by a list, its last entry for ever, and counts. */
function resolver(answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return { asked, resolve };
}

const { oneEvent, tried } = deliveriesOf(() => service ?? expect.fail('no service was started'));

describe('a name', () => {
  it('is resolved at registration, and refused where it leads to what is not public', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['fe80::1%eth0'], []]) {
      const { resolve } = resolver([addresses]);
      service = await startTestService({ webhooks: { allowPrivate: false, resolve } });
      const reply = await service.admin('webhook.add', { url: 'https://hooks.test/' });
      expect([reply.status, reply.error?.code]).toEqual([400, 'BAD_REQUEST']);
      expect((await service.admin('webhook.list')).data.endpoints).toEqual([]);
      await service.close();
    }
    service = null;
  });

  it('is refused where nobody can resolve it, or nobody does in time', async () => {
    const failing = () => Promise.reject(new Error('ENOTFOUND'));
    const silent = () => new Promise<string[]>(() => {});
    for (const resolve of [failing, silent]) {
      service = await startTestService({ webhooks: { allowPrivate: false, resolve, timeoutMs: 50 } });
      expect((await service.admin('webhook.add', { url: 'https://hooks.test/' })).status).toBe(400);
      await service.close();
    }
    service = null;
  });

  it('stops the start, where an option has it', async () => {
    const { resolve } = resolver([['127.0.0.1']]);
    const dataDir = temporaryDirectory();
    const webhooks = { allowPrivate: false, resolve, urls: ['https://hooks.test/'] };
    await expect(startTestService({ dataDir, webhooks })).rejects.toThrow(WebhookUrlRefused);
    // The data is free again.
    service = await startTestService({ dataDir });
  });

  it('is resolved again for each connection, and nothing is sent where its address has become a bad one', async () => {
    receiver = await startReceiver();
    const names = resolver([['127.0.0.1'], ['127.0.0.1'], ['169.254.169.254']]);
    service = await startTestService({ webhooks: { allowPrivate: true, resolve: names.resolve } });
    await service.admin('webhook.add', { url: `http://hooks.test:${receiver.port}/` });
    await oneEvent();
    await receiver.arrived(1);
    // The Host is the name, and the address is the resolver's: no other one knows this name.
    expect(receiver.received[0]?.headers.host).toBe(`hooks.test:${receiver.port}`);
    await receiver.close();
    receiver = await startReceiver();
    await service.stop();
    service = await startTestService({
      dataDir: service.dataDir,
      webhooks: { allowPrivate: true, resolve: names.resolve },
    });
    await oneEvent();
    expect((await tried(1)).problem).toMatch(NEVER);
    expect(names.asked).toEqual(['hooks.test', 'hooks.test', 'hooks.test']);
  });

  it('cannot be bound anew between the check and the connecting', async () => {
    receiver = await startReceiver();
    // Whoever resolved a second time for one connection would be led astray.
    const names = resolver([['127.0.0.1'], ['127.0.0.1'], ['169.254.169.254']]);
    service = await startTestService({ webhooks: { allowPrivate: true, resolve: names.resolve } });
    await service.admin('webhook.add', { url: `http://hooks.test:${receiver.port}/` });
    await oneEvent();
    await receiver.arrived(1);
    expect(await tried(1)).toMatchObject({ state: 'delivered' });
    expect(names.asked).toHaveLength(2);
  });

  it('is not resolved where the URL has an address', async () => {
    receiver = await startReceiver();
    const names = resolver([['8.8.8.8']]);
    service = await startTestService({ webhooks: { allowPrivate: true, resolve: names.resolve } });
    await service.admin('webhook.add', { url: receiver.url });
    await oneEvent();
    await receiver.arrived(1);
    expect(names.asked).toEqual([]);
  });

  it('is tried at the next of its addresses where nobody listens at the first', async () => {
    receiver = await startReceiver();
    const names = resolver([['127.0.0.3', '127.0.0.1']]);
    service = await startTestService({ webhooks: { allowPrivate: true, resolve: names.resolve } });
    await service.admin('webhook.add', { url: `http://hooks.test:${receiver.port}/` });
    await oneEvent();
    await receiver.arrived(1);
  });
});

describe('TLS', () => {
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));

  async function startTlsReceiver() {
    const seen: (string | false | null)[] = [];
    const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
      seen.push((request.socket as TLSSocket).servername);
      request.resume();
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return { seen, port: (server.address() as AddressInfo).port, close };
  }

  it.each([
    ['hooks.test', true, null],
    ['other.test', true, /altnames/],
    ['hooks.test', false, /self-signed|unable to verify/],
  ])('goes by the name %s, of a certificate that is trusted: %s', async (name, isTrusted, problem) => {
    const tls = await startTlsReceiver();
    if (isTrusted) setDefaultCACertificates([...trusted, CERTIFICATE]);
    const { resolve } = resolver([['127.0.0.1']]);
    service = await startTestService({ webhooks: { allowPrivate: true, resolve } });
    await service.admin('webhook.add', { url: `https://${name}:${tls.port}/` });
    await oneEvent();
    const delivery = await tried(1);
    if (problem === null) expect([delivery.state, ...tls.seen]).toEqual(['delivered', name]);
    else expect([delivery.state, delivery.problem, tls.seen]).toEqual(['pending', expect.stringMatching(problem), []]);
    await tls.close();
  });
});

/** Of `hooks.test`, signed by itself, for these tests only. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT2KoAi8Z7UDEXPOt
gSPOXdtvnDVlzXJUXbRuZP1A0MShRANCAARY9iejFOzM20w51YLQRJKA6LFNvoLj
q1oyHtiDJeXt9SryT+zOfnujXiD7CYFErVjDArEv5rUpsYECHYL9Zv5e
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBYzCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDApob29rcy50
ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMDAwMTAxMDAwMDAwWjAVMRMwEQYDVQQD
DApob29rcy50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWPYnoxTszNtM
OdWC0ESSgOixTb6C46taMh7YgyXl7fUq8k/szn57o14g+wmBRK1YwwKxL+a1KbGB
Ah2C/Wb+XqNJMEcwFQYDVR0RBA4wDIIKaG9va3MudGVzdDAPBgNVHRMBAf8EBTAD
AQH/MB0GA1UdDgQWBBT2OohIVcD1BChb3HnZG8s+FukrfzAKBggqhkjOPQQDAgNH
ADBEAiBYN1Jn1HO+A3tCtLEzp5ltaL5yx7wKaZJJF5A6C6+cjwIgLaqgjBhqg8YP
RjsP9ahSJvFIVpSv+TL1qP4YayqHmK4=
-----END CERTIFICATE-----
`;
