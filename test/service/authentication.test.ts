import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicKeyTexts, signingKey } from '../../src/keys/ed25519.ts';
import { addPayee, gbpPayout, machineClock, settled, startTestService, type TestService, until } from './harness.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ settleMs: 0 });
});
afterEach(() => service.close());

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const sent = async () => (await service.data('transaction.getMany', { type: 'withdraw' })).totals.transfers;

describe('a signed request takes effect at most once', () => {
  it('refuses the same bytes a second time, and moves money once', async () => {
    const { accountId } = await addPayee(service);
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    const first = await service.send(request);
    const second = await service.send(request);
    expect([first.status, second.status, second.error?.code, second.error?.reason]).toEqual([
      200,
      401,
      'UNAUTHORIZED',
      'REPLAYED',
    ]);
    expect(await sent()).toBe(1);
  });

  it('lets one of many simultaneous copies through', async () => {
    const { accountId } = await addPayee(service);
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    const replies = await Promise.all(Array.from({ length: 20 }, () => service.send(request)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ error }) => error?.reason === 'REPLAYED')).toHaveLength(19);
    expect(await sent()).toBe(1);
  });

  it('says so only when what the first copy did can be read', async () => {
    const held: (() => void)[] = [];
    let isHolding = false;
    const soon = (work: () => void) => (isHolding ? void held.push(work) : setImmediate(work));
    const slow = await startTestService({ clock: { ...machineClock, soon } });
    const { accountId } = await addPayee(slow);
    const request = slow.sign('transaction.transfer', gbpPayout(accountId, 500));
    isHolding = true;
    const first = slow.send(request);
    await until(async () => held.length === 1);
    let isReleased = false;
    const second = slow.send(request).then((reply) => ({ reason: reply.error?.reason, isReleased }));
    await until(async () => (await slow.admin('stats')).data.arrivals['transaction.transfer'] === 2);
    for (let look = 0; look < 5; look++) await slow.balances();
    isHolding = false;
    isReleased = true;
    for (const work of held) work();
    expect(await second).toEqual({ reason: 'REPLAYED', isReleased: true });
    expect((await first).status).toBe(200);
    await slow.close();
  });

  it('remembers the nonce over a restart', async () => {
    const { accountId } = await addPayee(service);
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    expect((await service.send(request)).status).toBe(200);
    const port = Number(new URL(service.service.baseUrl).port);
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir, port });
    expect((await service.send(request)).error?.reason).toBe('REPLAYED');
    expect(await sent()).toBe(1);
  });

  it('uses a nonce up for every operation, reads too', async () => {
    const { accountId } = await addPayee(service);
    const nonce = randomBytes(16).toString('base64url');
    expect((await service.call('account.balance.getMany', {}, { nonce })).status).toBe(200);
    const reused = await service.call('transaction.transfer', gbpPayout(accountId, 500), { nonce });
    expect(reused.error?.reason).toBe('REPLAYED');
    expect(await sent()).toBe(0);
  });

  it('never lets a request come true that was refused before', async () => {
    const transfer = (to: string) => service.sign('transaction.transfer', gbpPayout(to, 500));
    const tooEarly = transfer('acc_not_there');
    expect((await service.send(tooEarly)).error?.code).toBe('BAD_REQUEST');
    expect((await service.send(tooEarly)).error?.reason).toBe('REPLAYED');
  });
});

describe('a request dies at its deadline', () => {
  it.each([
    ['expired', { created: -100, expires: -1 }],
    ['created too long ago', { created: -301, expires: -1 }],
    ['created too far ahead', { created: 40, expires: 60 }],
    ['living too long', { created: 0, expires: 301 }],
  ])('refuses one that is %s', async (_what, { created, expires }) => {
    const times = { created: nowSeconds() + created, expires: nowSeconds() + expires };
    const reply = await service.call('account.balance.getMany', {}, times);
    expect([reply.status, reply.error?.reason]).toEqual([401, 'EXPIRED']);
  });

  it('refuses one that expires between its verification and its commit', async () => {
    let aheadMs = 0;
    const clock = {
      ...machineClock,
      wallMs: () => Date.now() + aheadMs,
      // What waits for a commit finds the clock a minute later.
      soon(work: () => void) {
        setImmediate(() => {
          aheadMs += stepMs;
          work();
        });
      },
    };
    let stepMs = 0;
    const late = await startTestService({ clock });
    const { accountId } = await addPayee(late);
    const before = await late.balances();
    stepMs = 61_000;
    const reply = await late.call('transaction.transfer', gbpPayout(accountId, 500));
    stepMs = 0;
    expect([reply.status, reply.error?.code, reply.error?.reason]).toEqual([401, 'UNAUTHORIZED', 'EXPIRED']);
    expect((await late.admin('state')).data.transactions).toEqual({});
    expect(await late.balances()).toBe(before);
    await late.close();
  });

  it('refuses one that was held up until the clock had passed it', async () => {
    const { accountId } = await addPayee(service);
    await service.admin('fault.add', { operation: 'transaction.transfer', kind: 'slow', ms: 200, nth: 1 });
    const slow = service.call('transaction.transfer', gbpPayout(accountId, 500));
    await until(async () => (await service.admin('stats')).data.arrivals['transaction.transfer'] === 1);
    await service.admin('clock.skew', { ms: 61_000 });
    expect((await slow).error?.reason).toBe('EXPIRED');
    expect((await service.admin('state')).data.transactions).toEqual({});
  });
});

describe('keys', () => {
  const newKey = () => signingKey(new Uint8Array(randomBytes(32)));
  const textOf = (key: ReturnType<typeof newKey>) => publicKeyTexts(key.publicKey).base64url;

  it('rotates with two active keys and refuses a third', async () => {
    const second = newKey();
    const added = await service.admin('key.add', { public_key: textOf(second) });
    expect(added.status).toBe(200);
    expect((await service.admin('key.add', { public_key: textOf(newKey()) })).error?.code).toBe('FORBIDDEN');
    expect((await service.call('account.balance.getMany', {}, { keyId: added.data.id, key: second })).status).toBe(200);
    expect((await service.call('account.balance.getMany', {})).status).toBe(200);
  });

  it('refuses a revoked key, also after a restart', async () => {
    const second = newKey();
    const { data } = await service.admin('key.add', { public_key: textOf(second) });
    const use = () => service.call('account.balance.getMany', {}, { keyId: data.id, key: second });
    expect((await use()).status).toBe(200);
    await service.admin('key.revoke', { id: data.id });
    expect([(await use()).status, (await use()).error?.reason]).toEqual([401, 'REVOKED']);
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir });
    expect((await use()).error?.reason).toBe('REVOKED');
  });

  it('refuses an unknown key, and a signature by another key', async () => {
    expect((await service.call('account.balance.getMany', {}, { keyId: 'key_nobody' })).error?.reason).toBe(
      'UNKNOWN_KEY',
    );
    const other = await service.call('account.balance.getMany', {}, { key: newKey() });
    expect([other.status, other.error?.reason]).toEqual([401, 'BAD_SIGNATURE']);
  });

  it('keeps its key over a restart and makes a new one where the file was lost', async () => {
    const before = service.service.apiKey;
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir });
    expect(service.service.apiKey).toBe(before);
    rmSync(service.service.signingKeyFile);
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir });
    expect(service.service.apiKey).not.toBe(before);
    expect((await service.call('account.balance.getMany', {})).status).toBe(200);
    expect((await service.admin('state')).data.active_keys).toEqual([service.service.apiKey]);
  });
});

describe('what is signed is what is done', () => {
  it('refuses a body that was changed on the way', async () => {
    const { accountId } = await addPayee(service);
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    const reply = await service.send({ ...request, body: request.body.replace('500', '900') });
    expect([reply.status, reply.error?.code, reply.error?.reason]).toEqual([400, 'PARSE_ERROR', 'DIGEST_MISMATCH']);
    expect(await sent()).toBe(0);
  });

  it.each([
    ['another path', { path: '/v1/account.balance.getMany' }],
    ['another host', { authority: 'payouts.example' }],
  ])('refuses a signature for %s', async (_what, signing) => {
    const request = service.sign('account.customer.get', { id: 'x' }, signing);
    const reply = await service.send({ ...request, path: '/v1/account.customer.get' });
    expect([reply.status, reply.error?.reason]).toEqual([401, 'BAD_SIGNATURE']);
  });

  it.each(['signature', 'signature-input', 'content-digest', 'x-api-key'])('needs the header %s', async (name) => {
    const { headers, ...rest } = service.sign('account.balance.getMany', {});
    const { [name]: _left, ...others } = headers;
    const reply = await service.send({ ...rest, headers: others });
    expect([reply.status, reply.error?.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('answers a payout that was sent twice with two nonces with two payouts: the token is the client’s affair', async () => {
    const { accountId } = await addPayee(service);
    const first = await service.data('transaction.transfer', gbpPayout(accountId, 500));
    const second = await service.data('transaction.transfer', gbpPayout(accountId, 500));
    expect(second).not.toBe(first);
    expect((await settled(service, second)).status).toBe('COMPLETED');
  });
});
