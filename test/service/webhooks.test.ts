import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import { addPayee, gbpPayout, settled, startTestService, type TestService, until } from './harness.ts';
import { deliveriesOf } from './webhook-deliveries.ts';
import { accepts, answers, type Receiver, startReceiver, verified } from './webhook-receiver.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let service: TestService;
let receiver: Receiver;
const PRIVATE = { webhooks: { allowPrivate: true } };
beforeEach(async () => {
  receiver = await startReceiver();
  service = await startTestService({ settleMs: 0, ...PRIVATE });
});
afterEach(async () => {
  await service.close();
  await receiver.close();
});

const { pay, oneEvent, admin, deliveries, all, tried } = deliveriesOf(() => service);
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const add = (more: object = {}): Promise<any> => admin('webhook.add', { url: receiver.url, ...more });

describe('what is told', () => {
  it('is each change of status of a payout, once', async () => {
    await add();
    const completed = await pay();
    const failed = await pay('REHEARSE_CLOSED');
    const returned = await pay('REHEARSE_RETURN');
    const stuck = await oneEvent();
    const deposit = await until(async () => {
      const { transactions } = await service.data('transaction.getMany', { type: 'deposit' });
      return transactions[0]?.id as string | undefined;
    });
    await all('delivered', 8);
    expect(receiver.of(completed).sort()).toEqual(['transaction.created PENDING', 'transaction.updated COMPLETED']);
    expect(receiver.of(failed).sort()).toEqual(['transaction.created PENDING', 'transaction.updated FAILED']);
    expect(receiver.of(returned).sort()).toEqual(['transaction.created PENDING', 'transaction.updated COMPLETED']);
    expect(receiver.of(deposit)).toEqual(['transaction.created COMPLETED']);
    expect(receiver.of(stuck)).toEqual(['transaction.created PENDING']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(8);
    expect(receiver.received).toHaveLength(8);
  });

  it('is the transaction as transaction.get shows it, then', async () => {
    await add();
    const transaction = await pay('REHEARSE_CLOSED Bob', { metadata: { description: 'Löhne №3' } });
    const detail = await settled(service, transaction);
    await all('delivered', 2);
    const [created, updated] = ['transaction.created', 'transaction.updated'].map((type) =>
      receiver.received.find(({ event }) => event.type === type),
    );
    expect(updated?.event).toEqual({ type: 'transaction.updated', timestamp: expect.any(String), data: detail });
    expect(created?.event.data).toEqual({ ...detail, status: 'PENDING', failure_reason: null });
    expect(created?.event.timestamp).toBe(detail.created_at);
    expect(created?.event.data.metadata.description).toBe('Löhne №3');
    expect(created?.event.data.external_account_metadata.account_name).toBe('REHEARSE_CLOSED Bob');
    expect(created?.headers).toMatchObject({
      ':method': 'POST',
      ':path': '/hooks?tenant=1',
      'content-type': 'application/json',
      host: `127.0.0.1:${receiver.port}`,
    });
    expect(created?.bytes.toString('utf8')).not.toContain('12345678');
  });

  it('is signed over the raw bytes, by key and by secret', async () => {
    const added = await add({ secret: true });
    expect(added).toMatchObject({ public_key: /^whpk_/, secret: /^whsec_/ });
    await oneEvent();
    const [delivery] = await receiver.arrived(1);
    if (!delivery) expect.fail();
    expect(verified(delivery, added)).toBe('ok');
    expect(verified(delivery, { public_key: added.public_key })).toBe('ok');
    expect(verified(delivery, { secret: added.secret })).toBe('ok');
    delivery.bytes[10] = (delivery.bytes[10] ?? 0) ^ 1;
    expect(verified(delivery, { public_key: added.public_key })).toBe('bad_signature');
    expect(verified(delivery, { secret: added.secret })).toBe('bad_signature');
  });

  it('has only the signature of the key where there is no secret', async () => {
    const added = await add();
    expect(added.secret).toBeUndefined();
    await oneEvent();
    const [delivery] = await receiver.arrived(1);
    expect(delivery?.headers['webhook-signature']).toMatch(/^v1a,\S+$/);
    expect(delivery && verified(delivery, added)).toBe('ok');
  });

  it('goes to nobody, and costs one statement, where there is no endpoint', async () => {
    const ended = await pay();
    await settled(service, ended);
    await service.stop();
    const store = openDatabase(servicePaths(service.dataDir).database, { readOnly: true });
    expect(store.all('SELECT type, body FROM event ORDER BY event')).toEqual([
      { type: 'transaction.created', body: null },
      { type: 'transaction.updated', body: null },
    ]);
    expect(store.all('SELECT * FROM delivery')).toEqual([]);
    store.close();
    service = await startTestService({ dataDir: service.dataDir, ...PRIVATE });
  });
});

describe('a swap', () => {
  it('is told as it was asked for, and as it was settled', async () => {
    await service.close();
    service = await startTestService({ settleMs: { balance: 10_000 }, ...PRIVATE });
    await add();
    const transaction = await service.data('transaction.transfer', {
      currency_out: { value: '10000', code: 'GBP', decimals: 2 },
      currency_in: { value: '13165', code: 'USD', decimals: 2 },
      external_accounts: { from: null, to: null },
    });
    await receiver.arrived(1);
    await admin('clock.advance', { ms: 10_000 });
    const detail = await settled(service, transaction);
    await receiver.arrived(2);
    const [created, updated] = receiver.received.map(({ event }) => event);
    expect(receiver.of(transaction)).toEqual(['transaction.created PENDING', 'transaction.updated COMPLETED']);
    expect(updated.data).toEqual(detail);
    expect(created.data.currency_in.value).toBe('13165');
    expect(detail.currency_in.value).not.toBe('13165');
  });
});

describe('an attempt that fails', () => {
  it('is repeated after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, each a tenth earlier or later, then kept', async () => {
    receiver.answerWith(answers(500));
    await add();
    await oneEvent();
    const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440];
    for (const [place, expected] of minutes.entries()) {
      const delivery = await tried(place + 1);
      const delayMs = Date.parse(delivery.due_at ?? '') - Date.parse(delivery.tried_at ?? '');
      expect(delayMs).toBeGreaterThanOrEqual(Math.floor(expected * MINUTE_MS * 0.9));
      expect(delayMs).toBeLessThanOrEqual(expected * MINUTE_MS * 1.1);
      expect(delivery).toMatchObject({ state: 'pending', http_status: 500, problem: 'answered 500' });
      await admin('clock.advance', { ms: delayMs });
    }
    expect(await tried(10)).toMatchObject({ state: 'failed', due_at: null, http_status: 500 });
    await admin('clock.advance', { ms: 30 * DAY_MS });
    const ids = new Set(receiver.received.map(({ id }) => id));
    expect([receiver.received.length, ids.size]).toEqual([10, 1]);
    expect(new Set(receiver.received.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1);

    receiver.answerWith(accepts);
    expect(await admin('webhook.replay', { all_failed: true })).toEqual({ deliveries: 1 });
    await all('delivered', 1);
    expect(receiver.received).toHaveLength(11);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  it('is not repeated before its time', async () => {
    receiver.answerWith((response, delivery, place) =>
      (place === 0 ? answers(500) : accepts)(response, delivery, place),
    );
    await add();
    await admin('clock.freeze');
    await oneEvent();
    await tried(1);
    await admin('clock.advance', { ms: 4_400 });
    // A second event shows that the sender has looked again.
    await oneEvent();
    await receiver.arrived(2);
    const [first, second] = receiver.received.map(({ id }) => id);
    expect(first).not.toBe(second);
    await admin('clock.advance', { ms: 1_200 });
    await all('delivered', 2);
    expect(receiver.received.map(({ id }) => id)).toEqual([first, second, first]);
  });

  it.each([301, 302, 307, 308])('%i is one, and never followed', async (status) => {
    const other = await startReceiver();
    receiver.answerWith(answers(status, { location: other.url }));
    await add();
    await oneEvent();
    expect(await tried(1)).toMatchObject({ state: 'pending', http_status: status });
    expect([receiver.received.length, other.received.length]).toEqual([1, 0]);
    await other.close();
  });

  it('is one that hangs, when its time is over', async () => {
    await service.close();
    service = await startTestService({ settleMs: 0, webhooks: { allowPrivate: true, timeoutMs: 200 } });
    receiver.answerWith(() => {});
    await add();
    await oneEvent();
    expect(await tried(1)).toMatchObject({ state: 'pending', http_status: null, problem: 'did not answer in time' });
  });

  it('is never one that nobody began, for all that waits behind others that hang', async () => {
    await service.close();
    service = await startTestService({ settleMs: 0, webhooks: { allowPrivate: true, timeoutMs: 2_000 } });
    receiver.answerWith(() => {});
    const { accountId } = await addPayee(service, 'REHEARSE_STUCK');
    await add();
    // Replayed, all become due at the same moment.
    await admin('webhook.drop', { probability: 1 });
    for (let made = 0; made < 20; made++) await service.data('transaction.transfer', gbpPayout(accountId, 100));
    await all('failed', 20);
    await admin('webhook.clear');
    await admin('webhook.replay', { all_failed: true });
    await until(async () => (await deliveries()).every(({ attempts }) => attempts === 1));
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(20);
  });

  it('holds up nobody else while it hangs, and keeps to its connections', async () => {
    const hanging = await startReceiver(() => {});
    await add();
    await admin('webhook.add', { url: hanging.url });
    for (let made = 0; made < 12; made++) await oneEvent();
    await receiver.arrived(12);
    await hanging.arrived(8);
    // One more would have gone out with the twelve that the other has.
    await until(async () => (await deliveries()).filter(({ state }) => state === 'delivered').length === 12);
    expect(hanging.received).toHaveLength(8);
    await hanging.close();
  });

  it('is one where nobody listens', async () => {
    await add();
    await receiver.close();
    await oneEvent();
    expect((await tried(1)).problem).toContain('ECONNREFUSED');
    receiver = await startReceiver();
  });

  it('is none where the head of a 200 came, whatever the body does', async () => {
    await service.close();
    service = await startTestService({ settleMs: 0, webhooks: { allowPrivate: true, timeoutMs: 5_000 } });
    receiver.answerWith((response, _delivery, place) => {
      response.writeHead(200);
      if (place === 0) response.write('and then nothing');
      else response.end('x'.repeat(1_000_000));
    });
    await add();
    await oneEvent();
    await oneEvent();
    await all('delivered', 2);
  });

  it('switches the endpoint off by 410, until somebody switches it on', async () => {
    receiver.answerWith(answers(410));
    const { id } = await add();
    await oneEvent();
    await all('failed', 1);
    expect((await admin('webhook.list')).endpoints).toMatchObject([{ id, state: 'off', state_reason: /410/ }]);
    receiver.answerWith(accepts);
    const unheard = await oneEvent();
    expect((await service.admin('webhook.replay', { all_failed: true })).status).toBe(400);
    await admin('webhook.enable', { id });
    await oneEvent();
    await receiver.arrived(2);
    expect(receiver.of(unheard)).toEqual([]);
    expect(await admin('webhook.replay', { all_failed: true })).toEqual({ deliveries: 1 });
    expect(await admin('webhook.replay', { transaction_id: unheard })).toEqual({ deliveries: 1 });
    await all('delivered', 3);
    expect(receiver.of(unheard)).toEqual(['transaction.created PENDING']);
  });

  it.each([
    ['600', 600_000],
    ['1', null],
    ['90000000', DAY_MS],
    ['soon', null],
  ])('waits for Retry-After: %s where that is later, a day at most', async (header, expectedMs) => {
    receiver.answerWith(answers(header === '600' ? 429 : 503, { 'retry-after': header }));
    await add();
    await oneEvent();
    const { due_at, tried_at } = await tried(1);
    const delayMs = Date.parse(due_at ?? '') - Date.parse(tried_at ?? '');
    if (expectedMs === null) expect(delayMs).toBeLessThanOrEqual(5_500);
    else expect(delayMs).toBe(expectedMs);
  });

  it('does not wait for the Retry-After of another status', async () => {
    receiver.answerWith(answers(500, { 'retry-after': '600' }));
    await add();
    await oneEvent();
    const { due_at, tried_at } = await tried(1);
    expect(Date.parse(due_at ?? '') - Date.parse(tried_at ?? '')).toBeLessThanOrEqual(5_500);
  });
});

describe('a restart', () => {
  it('goes on where it was', async () => {
    receiver.answerWith(answers(500));
    await add();
    await oneEvent();
    const { event_id } = await tried(1);
    await service.stop();
    receiver.answerWith(accepts);
    service = await startTestService({ dataDir: service.dataDir, ...PRIVATE });
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: 1 }]);
    await admin('clock.advance', { ms: 6_000 });
    await all('delivered', 1);
    expect(receiver.received.map(({ id }) => id)).toEqual([event_id, event_id]);
  });

  it('sends again what was on its way when the service stopped', async () => {
    receiver.answerWith(() => {});
    await add();
    await oneEvent();
    await receiver.arrived(1);
    await service.stop();
    receiver.answerWith(accepts);
    service = await startTestService({ dataDir: service.dataDir, ...PRIVATE });
    await all('delivered', 1);
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.bytes).toEqual(first?.bytes);
  });
});

describe('a restored snapshot', () => {
  it('has its endpoints, and what happens after it has ids that nobody has seen', async () => {
    await add();
    const before = await oneEvent();
    await all('delivered', 1);
    await admin('state.snapshot', { name: 'one' });
    const undone = await oneEvent();
    await all('delivered', 2);
    await admin('webhook.add', { url: `${receiver.url}&second` });
    await admin('state.restore', { name: 'one' });
    expect((await admin('webhook.list')).endpoints).toHaveLength(1);
    const after = await oneEvent();
    await receiver.arrived(3);
    expect([before, undone, after].map((id) => receiver.of(id))).toEqual(
      Array(3).fill(['transaction.created PENDING']),
    );
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
  });
});

describe('a service whose own clock is far away', () => {
  it('signs by the time of the day', async () => {
    const added = await add();
    await admin('clock.advance', { ms: 400 * DAY_MS });
    await oneEvent();
    const [delivery] = await receiver.arrived(1);
    expect(delivery && verified(delivery, added)).toBe('ok');
    expect(Date.parse(delivery?.event.timestamp) - Date.now()).toBeGreaterThan(399 * DAY_MS);
  });
});
