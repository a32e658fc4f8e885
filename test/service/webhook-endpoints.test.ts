import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { servicePaths } from '../../src/service/store/open.ts';
import { settled, startTestService, type TestService } from './harness.ts';
import { deliveriesOf } from './webhook-deliveries.ts';
import { accepts, answers, type Receiver, startReceiver, verified } from './webhook-receiver.ts';

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

describe('endpoints', () => {
  it('are several, each with deliveries of its own', async () => {
    const other = await startReceiver();
    await add();
    await admin('webhook.add', { url: other.url });
    await settled(service, await pay());
    await all('delivered', 4);
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(other.received.map(({ id }) => id).sort());
    await other.close();
  });

  it('are one for each URL, also from the options and at each start', async () => {
    const { id } = await add();
    expect((await add()).id).toBe(id);
    const withSecret = await add({ secret: true });
    expect(withSecret.id).toBe(id);
    await service.stop();
    const { dataDir } = service;
    service = await startTestService({ dataDir, webhooks: { allowPrivate: true, urls: [receiver.url, receiver.url] } });
    const list = await admin('webhook.list');
    expect(list.endpoints).toMatchObject([{ id, url: receiver.url, state: 'on', has_secret: true }]);
    expect(JSON.stringify(list)).not.toContain(withSecret.secret);
    await oneEvent();
    const [delivery] = await receiver.arrived(1);
    expect(delivery && verified(delivery, withSecret)).toBe('ok');
  });

  it('are told of nothing after they were removed, and everything again under a new id', async () => {
    const { id } = await add();
    receiver.answerWith(answers(500));
    await oneEvent();
    await tried(1);
    expect(await admin('webhook.remove', { id })).toEqual({ id });
    expect((await admin('webhook.list')).endpoints).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: 'cancelled' }]);
    expect((await service.admin('webhook.remove', { id })).status).toBe(404);
    receiver.answerWith(accepts);
    expect((await add()).id).not.toBe(id);
  });

  it('are sixteen at most', async () => {
    for (let made = 0; made < 16; made++) await admin('webhook.add', { url: `${receiver.url}&n=${made}` });
    expect((await service.admin('webhook.add', { url: receiver.url })).text).toContain('one too many');
  });

  it('keep a secret that was given, and refuse one that is none', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect((await add({ secret })).secret).toBe(secret);
    expect((await service.admin('webhook.add', { url: receiver.url, secret: 'whsec_short' })).status).toBe(400);
  });

  it('have a key of mode 0600 that outlives restarts', async () => {
    const { public_key } = await add();
    const { webhookKey } = servicePaths(service.dataDir);
    expect(statSync(webhookKey).mode & 0o777).toBe(0o600);
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir, ...PRIVATE });
    expect((await admin('webhook.list')).public_key).toBe(public_key);
  });
});

describe('a rehearsal of deliveries', () => {
  it('replays an event or a transaction, with the same id and bytes', async () => {
    await add();
    const transaction = await pay();
    await all('delivered', 2);
    const [first] = receiver.received;
    expect(await admin('webhook.replay', { event_id: first?.id })).toEqual({ deliveries: 1 });
    await receiver.arrived(3);
    expect(receiver.received[2]?.bytes).toEqual(first?.bytes);
    expect(receiver.received[2]?.id).toBe(first?.id);
    expect(await admin('webhook.replay', { transaction_id: transaction })).toEqual({ deliveries: 2 });
    await receiver.arrived(5);
    for (const unknown of [{ event_id: 'evt_1_0000000000' }, { event_id: 'x' }, { transaction_id: 'txn_x' }])
      expect((await service.admin('webhook.replay', unknown)).status).toBe(404);
    expect((await service.admin('webhook.replay', {})).status).toBe(400);
  });

  it('tells an endpoint of what happened before it was there, where that is replayed', async () => {
    const transaction = await pay('REHEARSE_CLOSED');
    await settled(service, transaction);
    await add();
    await admin('webhook.replay', { transaction_id: transaction });
    await all('delivered', 2);
    expect(receiver.of(transaction).sort()).toEqual(['transaction.created PENDING', 'transaction.updated FAILED']);
    const created = receiver.received.find(({ event }) => event.type === 'transaction.created');
    expect(created?.event.data.failure_reason).toBeNull();
  });

  it('tells several endpoints of it too, the same', async () => {
    const transaction = await pay('REHEARSE_STUCK');
    const other = await startReceiver();
    await add();
    await admin('webhook.add', { url: other.url });
    expect(await admin('webhook.replay', { transaction_id: transaction })).toEqual({ deliveries: 2 });
    await all('delivered', 2);
    expect(other.received.map(({ bytes }) => bytes)).toEqual(receiver.received.map(({ bytes }) => bytes));
    await other.close();
  });

  it('duplicates the nth try', async () => {
    await add();
    await admin('webhook.duplicate', { nth: 2 });
    for (let made = 0; made < 3; made++) await oneEvent();
    await all('delivered', 3);
    const counts = Map.groupBy(receiver.received, ({ id }) => id);
    expect([...counts.values()].map(({ length }) => length).sort()).toEqual([1, 1, 2]);
  });

  it('drops the nth try, which is kept as failed', async () => {
    await add();
    await admin('webhook.drop', { nth: 1 });
    const dropped = await oneEvent();
    await all('failed', 1);
    await oneEvent();
    await receiver.arrived(1);
    expect(receiver.of(dropped)).toEqual([]);
    await admin('webhook.replay', { all_failed: true });
    await all('delivered', 2);
    expect(receiver.of(dropped)).toHaveLength(1);
  });

  it('drops by probability until that is cleared', async () => {
    await add();
    await admin('webhook.drop', { probability: 1 });
    await oneEvent();
    await oneEvent();
    await all('failed', 2);
    await admin('webhook.clear');
    await oneEvent();
    await receiver.arrived(1);
  });

  it('sends the next few in reverse', async () => {
    await add();
    await admin('webhook.reorder', { count: 3 });
    const transactions: string[] = [];
    for (let made = 0; made < 3; made++) transactions.push(await oneEvent());
    await receiver.arrived(3);
    expect(receiver.received.map(({ event }) => event.data.id)).toEqual(transactions.reverse());
    await oneEvent();
    await all('delivered', 4);
  });

  it('lets go what it holds when it is cleared', async () => {
    await add();
    await admin('webhook.reorder', { count: 3 });
    await oneEvent();
    await oneEvent();
    await admin('webhook.clear');
    await all('delivered', 2);
  });
});
