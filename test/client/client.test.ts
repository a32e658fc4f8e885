import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { type Client, createClient, READ_ATTEMPTS_MAX } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import { type Verification, verifyRequest } from '../../src/contract/signature.ts';
import { rfc9421Signer } from '../../src/contract/signer.ts';
import type { SignedRequest } from '../../src/domain/entry.ts';
import { signingKey, verifyingKey } from '../../src/keys/ed25519.ts';
import { silentLog } from '../../src/platform/log.ts';
import { ACCEPTED, answered, type FakeTransport, fakeTransport, type Left } from './fake-transport.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

const LIFETIME_MS = 30_000;
const KEY = signingKey(new Uint8Array(32).fill(7));
const KEY_ID = 'key_1';
const TRANSFER = { currency_out: { value: '1050', code: 'AUD', decimals: 2 }, reference: 'Größe €' };
const ENVELOPE = { error: { code: 'BAD_REQUEST', message: 'no', reason: 'NOT_PAYABLE' } };
const LOST = { kind: 'lost', reason: 'ECONNRESET' } as const;
const TOO_LATE = {
  kind: 'no_effect',
  reason: { code: 'too_late' },
  unreached: false,
};

describe('change', () => {
  test('sends only when the request is durable, and sends just what was made durable', async () => {
    const { clock, client, transport } = start();
    const disk = Promise.withResolvers<void>();
    let durable: SignedRequest | null = null;
    const changing = client.change('transaction.transfer', TRANSFER, (request) => {
      durable = request;
      return disk.promise;
    });
    await clock.pass(1_000);
    expect(durable).not.toBeNull();
    expect(transport.given).toEqual([]);
    disk.resolve();
    expect(await clock.until(changing)).toEqual({ kind: 'accepted', data: 'tx_1' });
    const { operation, body, created, expires, nonce } = durable as unknown as SignedRequest;
    expect(operation).toBe('transaction.transfer');
    expect(transport.left.map((one) => [one.path, one.body])).toEqual([['/base/v1/transaction.transfer', body]]);
    expect(JSON.parse(body)).toEqual(TRANSFER);
    const startSeconds = Math.floor((clock.wallMs() - 1_000) / 1_000);
    expect([created, expires]).toEqual([startSeconds, startSeconds + 30]);
    expect(Buffer.from(nonce, 'base64url').length).toBe(16);
  });

  test('is signed as the service verifies it, over the path with the base URL’s', async () => {
    const { clock, client, transport } = start();
    await clock.until(client.change('transaction.transfer', TRANSFER, durably));
    const left = transport.left[0] as Left;
    expect(verify(left, clock)).toMatchObject({ ok: true, keyId: KEY_ID });
    expect(verify({ ...left, path: '/v1/transaction.transfer' }, clock)).toMatchObject({ ok: false });
    expect(verify({ ...left, body: left.body.replace('1050', '9050') }, clock)).toMatchObject({ ok: false });
  });

  test('sends nothing where the request cannot be made durable, and goes on with the next', async () => {
    const { clock, client, transport } = start();
    const full = new Error('the disk is full');
    const changing = client.change('transaction.transfer', TRANSFER, () => Promise.reject(full));
    await expect(clock.until(changing)).rejects.toBe(full);
    expect(transport.given).toEqual([]);
    expect(await clock.until(client.change('transaction.transfer', TRANSFER, durably))).toMatchObject({
      kind: 'accepted',
    });
  });

  test('sends nothing that is ours no more when its first byte is about to leave, nor the same bytes again', async () => {
    const { clock, client, transport } = start();
    let isOurs = true;
    const request = { kept: null as SignedRequest | null };
    const keep = async (made: SignedRequest): Promise<void> => {
      request.kept = made;
      isOurs = false;
    };
    const lost = await clock.until(client.change('transaction.transfer', TRANSFER, keep, { isOurs: () => isOurs }));
    expect(lost).toMatchObject(TOO_LATE);
    const again = client.resend(request.kept as SignedRequest, () => isOurs);
    expect(await clock.until(again)).toMatchObject({ kind: 'in_doubt' });
    expect(transport.left).toEqual([]);
  });

  test('sends nothing where makeDurable throws at once', async () => {
    const { clock, client, transport } = start();
    const changing = client.change('transaction.transfer', TRANSFER, () => {
      throw new Error('no lease');
    });
    await expect(clock.until(changing)).rejects.toThrow('no lease');
    expect(transport.given).toEqual([]);
  });

  test('gives every attempt a nonce of its own', async () => {
    const { clock, client } = start();
    const nonces = new Set<string>();
    const note = async ({ nonce }: SignedRequest) => nonces.add(nonce);
    await clock.until(Promise.all(Array.from({ length: 20 }, () => client.change('transaction.transfer', {}, note))));
    expect(nonces.size).toBe(20);
  });

  // The deadline is a whole second: 29.75 s after the start, whose wall time ends in 250 ms.
  test.each<[what: string, disturb: (clock: VirtualClock) => void, waitMs: number, isSent: boolean]>([
    ['just before the deadline', () => {}, 29_749, true],
    ['at the deadline', () => {}, 29_750, false],
    [
      'long after it, the wall clock set back by a day meanwhile',
      (clock) => clock.setWallBy(-86_400_000),
      30_000,
      false,
    ],
    ['before it, the wall clock set back by a day meanwhile', (clock) => clock.setWallBy(-86_400_000), 29_999, true],
    ['early, the wall clock set forward by a minute meanwhile', (clock) => clock.setWallBy(60_000), 1, false],
    ['early, the wall clock set forward by a second meanwhile', (clock) => clock.setWallBy(1_000), 1, true],
  ])('with a commit that ends %s', async (_, disturb, waitMs, isSent) => {
    const { clock, client, transport } = start();
    const changing = client.change('transaction.transfer', TRANSFER, async () => {
      disturb(clock);
      await clock.sleep(waitMs);
    });
    expect(await clock.until(changing)).toMatchObject(isSent ? { kind: 'accepted' } : TOO_LATE);
    expect(transport.given.length).toBe(isSent ? 1 : 0);
  });

  test.each<[what: string, disturb: (clock: VirtualClock) => void, connectMs: number, isSent: boolean]>([
    ['just before the deadline', () => {}, 29_749, true],
    ['after the deadline', () => {}, 29_750, false],
    ['after the deadline, the wall clock set back', (clock) => clock.setWallBy(-86_400_000), 30_000, false],
    ['early, the wall clock set forward', (clock) => clock.setWallBy(60_000), 1, false],
  ])('with a connection that is there %s', async (_, disturb, connectMs, isSent) => {
    const clock = virtualClock();
    const connect = async () => {
      disturb(clock);
      await clock.sleep(connectMs);
    };
    const { client, transport } = start({ clock, transport: fakeTransport(clock, () => ACCEPTED, connect) });
    const outcome = await clock.until(client.change('transaction.transfer', TRANSFER, durably));
    expect(outcome).toMatchObject(isSent ? { kind: 'accepted' } : TOO_LATE);
    expect([transport.given.length, transport.left.length]).toEqual([1, isSent ? 1 : 0]);
  });

  test('waits for the answer until the deadline and a little longer, and for one that trickles a minute longer', async () => {
    const { clock, client, transport } = start({ reply: () => never() });
    void client.change('transaction.transfer', TRANSFER, () => clock.sleep(750));
    await clock.pass(750);
    const { timeoutMs, isAwaited } = transport.left[0] as Left;
    expect(timeoutMs).toBe(29_000 + 2_000);
    await clock.pass(29_000 + 59_999);
    expect(isAwaited()).toBe(true);
    await clock.pass(1);
    expect(isAwaited()).toBe(false);
  });

  test.each([
    ['a lost answer', LOST, 'in_doubt'],
    ['a rejection', answered(400, ENVELOPE), 'rejected'],
    ['refused credentials', answered(401, ENVELOPE), 'refused_credentials'],
    ['no connection', { kind: 'not_connected', reason: 'ECONNREFUSED' } as const, 'no_effect'],
    ['503', answered(503, ''), 'in_doubt'],
    ['429', answered(429, ''), 'no_effect'],
  ])('is sent once, whatever comes back: %s', async (_, sent, kind) => {
    const { clock, client, transport } = start({ reply: () => sent });
    const outcome = await clock.until(client.change('transaction.transfer', TRANSFER, durably));
    expect(outcome).toMatchObject({ kind });
    await clock.pass(600_000);
    expect(transport.given.length).toBe(1);
  });
});

describe('resend', () => {
  test('sends the same headers and the same bytes', async () => {
    const { clock, client, transport } = start({ reply: (_, nth) => (nth === 1 ? LOST : ACCEPTED) });
    const request = await changeInDoubt(clock, client);
    await clock.pass(5_000);
    expect(await clock.until(client.resend(request))).toEqual({ kind: 'accepted', data: 'tx_1' });
    const [first, second] = transport.left as [Left, Left];
    expect([second.path, second.headers, second.body]).toEqual([first.path, first.headers, first.body]);
    expect(verify(second, clock)).toMatchObject({ ok: true });
  });

  test.each([
    ['a rejection', answered(400, ENVELOPE)],
    ['429', answered(429, '')],
    ['EXPIRED', answered(401, { error: { code: 'UNAUTHORIZED', message: 'no', reason: 'EXPIRED' } })],
    ['REPLAYED', answered(401, { error: { code: 'UNAUTHORIZED', message: 'no', reason: 'REPLAYED' } })],
    ['refused credentials', answered(401, ENVELOPE)],
    ['no connection', { kind: 'not_connected', reason: 'ECONNREFUSED' } as const],
    ['another lost answer', LOST],
  ])('leaves the doubt where it meets %s: the first sending may have had effect', async (_, sent) => {
    const { clock, client } = start({ reply: (_, nth) => (nth === 1 ? LOST : sent) });
    const request = await changeInDoubt(clock, client);
    expect(await clock.until(client.resend(request))).toMatchObject({ kind: 'in_doubt' });
  });

  test.each<[what: string, (clock: VirtualClock) => Promise<void>]>([
    ['after the deadline', (clock) => clock.pass(29_750)],
    [
      'after the deadline, the wall clock set back',
      async (clock) => {
        clock.setWallBy(-86_400_000);
        await clock.pass(30_000);
      },
    ],
    ['after the wall clock was set forward', async (clock) => clock.setWallBy(60_000)],
  ])('sends nothing %s', async (_, disturb) => {
    const { clock, client, transport } = start({ reply: () => LOST });
    const request = await changeInDoubt(clock, client);
    await disturb(clock);
    expect(await clock.until(client.resend(request))).toMatchObject({ kind: 'in_doubt' });
    expect(transport.given.length).toBe(1);
  });

  test('sends until just before the deadline', async () => {
    const { clock, client, transport } = start({ reply: (_, nth) => (nth === 1 ? LOST : ACCEPTED) });
    const request = await changeInDoubt(clock, client);
    await clock.pass(29_749);
    expect(await clock.until(client.resend(request))).toMatchObject({ kind: 'accepted' });
    expect(transport.left.length).toBe(2);
  });

  test('of a request that was read from a journal is a bug', async () => {
    const { clock, client, transport } = start({ reply: () => LOST });
    const request = await changeInDoubt(clock, client);
    await expect(client.resend(JSON.parse(JSON.stringify(request)))).rejects.toThrow('bug in payrun');
    expect(transport.given.length).toBe(1);
  });
});

describe('read', () => {
  const REHEARSAL = { date: 'Wed, 25 Nov 2026 09:30:12 GMT', 'x-payrun-rehearsal': 'true' };

  test('gives the data, the service’s time and whether it is a rehearsal', async () => {
    const { clock, client } = start({ reply: () => answered(200, { data: { balances: [], more: 1 } }, REHEARSAL) });
    expect(await clock.until(client.read('account.balance.getMany', {}))).toEqual({
      ok: true,
      data: { balances: [] },
      serverMs: Date.UTC(2026, 10, 25, 9, 30, 12),
      isRehearsal: true,
    });
  });

  test('of a service that says neither gives no time and is no rehearsal', async () => {
    const { clock, client } = start({ reply: () => answered(200, { data: { balances: [] } }) });
    expect(await clock.until(client.read('account.balance.getMany', {}))).toMatchObject({
      serverMs: null,
      isRehearsal: false,
    });
  });

  test.each([
    ['lost answers', LOST],
    ['no connection', { kind: 'not_connected', reason: 'ECONNREFUSED' } as const],
    ['503', answered(503, '')],
    ['408', answered(408, '')],
    ['a 200 of HTML', answered(200, '<html>')],
    ['a redirect', answered(307, '', { location: '/' })],
  ])('asks again after %s, at most so many times, each signed anew', async (_, sent) => {
    const { clock, client, transport } = start({ reply: () => sent });
    const startMs = clock.monotonicMs();
    const result = await clock.until(client.read('account.balance.getMany', {}));
    expect(result).toMatchObject({ ok: false, kind: 'unreachable', trouble: { code: expect.stringMatching(/./) } });
    expect(transport.left.length).toBe(READ_ATTEMPTS_MAX);
    expect(new Set(transport.left.map(({ headers }) => headers['signature-input'])).size).toBe(READ_ATTEMPTS_MAX);
    expect(clock.monotonicMs() - startMs).toBe(200 + 400 + 800 + 1_600 + 3_200);
  });

  test.each([
    ['a rejection', answered(404, ENVELOPE), { kind: 'rejected', code: 'BAD_REQUEST' }],
    ['refused credentials', answered(401, ENVELOPE), { kind: 'refused_credentials' }],
    ['another shape', answered(200, { data: { balances: 'none' } }), { kind: 'unreadable' }],
  ])('does not ask again after %s', async (_, sent, expected) => {
    const { clock, client, transport } = start({ reply: () => sent });
    const result = await clock.until(client.read('account.balance.getMany', {}));
    expect(result).toMatchObject({ ok: false, ...expected });
    expect(transport.left.length).toBe(1);
  });

  test('is answered after a failure or two', async () => {
    const reply = (_: Left, nth: number) => (nth < 3 ? LOST : answered(200, { data: { balances: [] } }));
    const { clock, client } = start({ reply });
    expect(await clock.until(client.read('account.balance.getMany', {}))).toMatchObject({ ok: true });
  });
});

describe('429', () => {
  test('stops every kind of request for as long as it says, then all go on and none is lost', async () => {
    const reply = (_: Left, nth: number) =>
      nth === 3 ? answered(429, '', { 'retry-after': '7' }) : answered(404, ENVELOPE);
    const { clock, client, transport } = start({ reply, concurrency: 1 });
    const requests = Array.from({ length: 9 }, (_, n) =>
      n % 3 === 0
        ? client.change('transaction.transfer', { n }, durably)
        : client.read('transaction.get', { id: `tx_${n}` }, n % 3 === 1 ? 'settle' : 'poll'),
    );
    const results = await clock.until(Promise.all(requests));
    const pauses = transport.left.map(({ atMs }, at) => atMs - (transport.left[at - 1]?.atMs ?? atMs));
    expect(pauses.filter((pause) => pause > 0)).toEqual([7_000]);
    expect(pauses[3]).toBe(7_000);
    expect(results.filter((result) => 'kind' in result && result.kind === 'no_effect').length).toBe(1);
    expect(results.filter((result) => 'kind' in result && result.kind === 'rejected').length).toBe(8);
  });

  test.each([
    [undefined, 1_000],
    ['soon', 1_000],
    ['Wed, 25 Nov 2026 09:30:12 GMT', 11_750],
    ['86400', 600_000],
  ])('with Retry-After %s', async (header, pauseMs) => {
    const { clock, client, transport } = start({
      reply: (_, nth) => (nth === 1 ? answered(429, '', { 'retry-after': header }) : ACCEPTED),
    });
    await clock.until(client.change('transaction.transfer', {}, durably));
    await clock.until(client.change('transaction.transfer', {}, durably));
    const [first, second] = transport.left as [Left, Left];
    expect(second.atMs - first.atMs).toBe(pauseMs);
  });

  test('a payout that was made durable meanwhile is not sent in the pause; it fails at once where the pause outlasts it', async () => {
    const { clock, client, transport } = start({ reply: () => answered(429, '', { 'retry-after': '60' }) });
    const disk = clock.sleep(1_000);
    const second = client.change('transaction.transfer', { nth: 2 }, () => disk);
    const first = client.change('transaction.transfer', { nth: 1 }, durably);
    expect(await clock.until(first)).toMatchObject({ kind: 'no_effect', retryAfterMs: 60_000 });
    const startMs = clock.monotonicMs();
    expect(await clock.until(second)).toMatchObject(TOO_LATE);
    expect(clock.monotonicMs() - startMs).toBe(1_000);
    expect(transport.given.length).toBe(1);
  });
});

test('the rate counts a request when it leaves: not while its connection is made, nor until its answer comes', async () => {
  const clock = virtualClock();
  let connections = 0;
  const connect = async () => {
    if (connections++ < 5) await clock.sleep(600);
  };
  const answerLate = () => clock.sleep(2_500).then(() => ACCEPTED);
  const transport = fakeTransport(clock, answerLate, connect);
  const { client } = start({ clock, transport, concurrency: 64, rate: { requests: 5, window_ms: 1_000 } });
  const changes = Array.from({ length: 15 }, (_, n) => client.change('transaction.transfer', { n }, durably));
  await clock.until(Promise.all(changes));
  const times = transport.left.map(({ atMs }) => atMs - 5_000);
  expect(times).toEqual([600, 1_610, 2_620].flatMap((time) => Array(5).fill(time)));
});

test('what is logged is the operation and the status, never the body or a header', async () => {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    debug: (fields: object, message: string) => lines.push(JSON.stringify([fields, message])),
  };
  const { clock, client } = start({ log });
  await clock.until(client.change('transaction.transfer', { account_number: '12345678' }, durably));
  expect(lines).toEqual(['[{"operation":"transaction.transfer","result":200,"duration_ms":0},"request"]']);
});

function start(
  options: {
    clock?: VirtualClock;
    transport?: FakeTransport;
    reply?: Parameters<typeof fakeTransport>[1];
    concurrency?: number;
    rate?: { requests: number; window_ms: number };
    log?: typeof silentLog;
  } = {},
) {
  const clock = options.clock ?? virtualClock();
  const transport = options.transport ?? fakeTransport(clock, options.reply);
  let drawn = 0;
  const client = createClient({
    transport,
    queue: requestQueue({ rate: options.rate ?? null, concurrency: options.concurrency ?? 8, clock }),
    signer: rfc9421Signer({ keyId: KEY_ID, key: KEY }),
    clock,
    randomness: { bytes: (count) => new Uint8Array(count).fill(++drawn) },
    log: options.log ?? silentLog,
    requestLifetimeMs: LIFETIME_MS,
  });
  return { clock, client, transport };
}

async function changeInDoubt(clock: VirtualClock, client: Client): Promise<SignedRequest> {
  const kept: SignedRequest[] = [];
  const keep = async (request: SignedRequest) => kept.push(request);
  expect(await clock.until(client.change('transaction.transfer', TRANSFER, keep))).toMatchObject({ kind: 'in_doubt' });
  return kept[0] as SignedRequest;
}

function verify({ path, headers, body }: Left, clock: VirtualClock): Verification {
  const key = verifyingKey(KEY.publicKey);
  if (!key.ok) throw new Error(key.problem);
  return verifyRequest({
    method: 'POST',
    authority: 'pay.example',
    path,
    headers,
    body: Buffer.from(body),
    nowSeconds: clock.wallMs() / 1_000,
    keyOf: () => key.key,
  });
}

async function durably(): Promise<void> {}

function never(): Promise<never> {
  return new Promise(() => {});
}
