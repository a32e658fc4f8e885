import { expect } from 'vitest';
import { settled, until } from '../harness.ts';
import { accepts, answers, type Received, type Receiver, startReceiver, verified } from '../webhook-receiver.ts';
import { eur, gbp, usd } from './amounts.ts';
import { aMinuteLater, type Given, type Row, refusedAs, TIME } from './row.ts';
import { ended, freshPayout, freshSwap, payout, payTo, swap } from './transfers.ts';

/*
 * What a receiver at the other end of a real connection hears. The retry schedule, hanging receivers, crashes and
 * addresses that are refused are in `webhooks.test.ts`, signatures in `test/contract/`.
 */

type Body = Extract<Row['body'], (...given: never[]) => unknown>;
type Heard = { receiver: Receiver; id: string };

const listening =
  (body: Body, endpoint: object = {}): Body =>
  async (given) => {
    const receiver = await startReceiver();
    given.kept.receiver = receiver;
    const added = await given.service.admin('webhook.add', { url: receiver.url, ...endpoint });
    expect(added.status, added.text).toBe(200);
    given.kept.keys = added.data;
    return body(given);
  };

/** A transfer, and what is heard of it. */
const event = (
  statement: string,
  body: Body,
  look: (heard: Heard, given: Given) => Promise<void>,
  endpoint: object = {},
): Row => ({
  section: '6',
  statement,
  operation: 'transaction.transfer',
  body: listening(body, endpoint),
  alone: { webhooks: { allowPrivate: true } },
  is: 200,
  async shows(reply, given) {
    const receiver: Receiver = given.kept.receiver;
    try {
      await look({ receiver, id: reply.data }, given);
    } finally {
      await receiver.close();
    }
  },
});

const namesOf = (received: Received[]) => received.map(({ event: { type, data } }) => `${type} ${data.status}`);

const CONTENT: readonly Row[] = [
  event(
    'transaction.created when a transaction is created: the transaction with destination and description',
    payout({ metadata: { description: 'Löhne №3' }, reference: 'INV 7' }),
    async ({ receiver, id }, { service, accountId }) => {
      const [delivery] = await receiver.arrived(1);
      expect(delivery?.event).toEqual({
        type: 'transaction.created',
        timestamp: TIME,
        data: await service.data('transaction.get', { id }),
      });
      expect(delivery?.event.data).toMatchObject({
        id,
        status: 'PENDING',
        metadata: { description: 'Löhne №3' },
        external_account_metadata: { id: accountId, account_name: 'Ada Lovelace' },
      });
    },
  ),
  event(
    'transaction.updated when it is COMPLETED, in its current state',
    payout(),
    async ({ receiver, id }, { service }) => {
      const record = await ended(service, id);
      const received = await receiver.arrived(2);
      expect(namesOf(received).sort()).toEqual(['transaction.created PENDING', 'transaction.updated COMPLETED']);
      const updated = received.find(({ event }) => event.type === 'transaction.updated');
      expect(updated?.event.data).toEqual(record);
    },
  ),
  event(
    'transaction.updated when it has FAILED, with its reason',
    payout({}, '99999999999999999999'),
    async ({ receiver, id }, { service }) => {
      const record = await ended(service, id);
      const received = await receiver.arrived(2);
      expect(namesOf(received).sort()).toEqual(['transaction.created PENDING', 'transaction.updated FAILED']);
      const updated = received.find(({ event }) => event.type === 'transaction.updated');
      expect(updated?.event.data).toEqual(record);
      expect(updated?.event.data.failure_reason.code).toBe('INSUFFICIENT_BALANCE');
    },
  ),
  event(
    'a swap is told of when it settles',
    ({ service }) => freshSwap(service, gbp(100_00), usd(0)),
    async ({ receiver, id }, { service }) => {
      await receiver.arrived(1);
      const record = await ended(service, id);
      const received = await receiver.arrived(2);
      expect(namesOf(received)).toEqual(['transaction.created PENDING', 'transaction.updated COMPLETED']);
      expect(received[1]?.event.data).toEqual(record);
    },
  ),
  event(
    'a converting payout is told of with both amounts and both fees',
    async ({ service, own }) => freshPayout(service, await own('EUR_SEPA'), gbp(100_00), eur(0)),
    async ({ receiver, id }, { service }) => {
      const [created] = await receiver.arrived(1);
      expect(created?.event.data).toEqual(await service.data('transaction.get', { id }));
      expect(created?.event.data.fees).toHaveLength(2);
    },
  ),
  event(
    'the deposit of a return is created COMPLETED, and not updated',
    payout(),
    async ({ receiver, id }, { service }) => {
      await ended(service, id);
      const { deposit_id } = (await service.admin('transaction.return', { id })).data;
      await receiver.arrived(3);
      expect(receiver.of(deposit_id)).toEqual(['transaction.created COMPLETED']);
      expect(receiver.of(id).sort()).toEqual(['transaction.created PENDING', 'transaction.updated COMPLETED']);
    },
  ),
  event(
    'each change is told of once, whatever else is asked',
    payout(),
    async ({ receiver, id }, { service, accountId }) => {
      await ended(service, id);
      await service.data('transaction.get', { id });
      await service.call('transaction.transfer', swap(usd(100_00), usd(1)));
      const last = await service.data('transaction.transfer', payTo(accountId, gbp(200)));
      await until(async () => receiver.of(last).length === 1);
      expect(receiver.received).toHaveLength(3);
      expect(new Set(receiver.received.map((delivery) => delivery.id)).size).toBe(3);
    },
  ),
];

const DELIVERY: readonly Row[] = [
  event('a delivery is a POST of JSON with the three headers of Standard Webhooks', payout(), async ({ receiver }) => {
    const [delivery] = await receiver.arrived(1);
    expect(delivery?.headers).toMatchObject({
      ':method': 'POST',
      'content-type': expect.stringMatching(/^application\/json/),
      'webhook-id': expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1a,[A-Za-z0-9+/]{86}==$/),
    });
    expect(Object.keys(delivery?.event)).toEqual(['type', 'timestamp', 'data']);
    expect(Math.abs(Number(delivery?.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(300);
  }),
  event(
    'it is signed by Ed25519, which the receiver verifies over the raw bytes',
    payout(),
    async ({ receiver }, { kept }) => {
      const [delivery] = (await receiver.arrived(1)) as [Received];
      const key = { public_key: kept.keys.public_key };
      expect(verified(delivery, key)).toBe('ok');
      expect(verified({ ...delivery, bytes: Buffer.concat([delivery.bytes, Buffer.from(' ')]) }, key)).toBe(
        'bad_signature',
      );
    },
  ),
  event(
    'and by HMAC-SHA256 where the endpoint has a secret',
    payout(),
    async ({ receiver }, { kept }) => {
      const [delivery] = (await receiver.arrived(1)) as [Received];
      expect(kept.keys.secret).toMatch(/^whsec_/);
      expect(delivery.headers['webhook-signature']).toMatch(/(^| )v1,/);
      expect(verified(delivery, { secret: kept.keys.secret })).toBe('ok');
      const later = {
        ...delivery.headers,
        'webhook-timestamp': String(Number(delivery.headers['webhook-timestamp']) + 1),
      };
      expect(verified({ ...delivery, headers: later }, { secret: kept.keys.secret })).toBe('bad_signature');
    },
    { secret: true },
  ),
  event(
    'what was not accepted comes again, the same id and the same bytes',
    payout(),
    async ({ receiver }, { service, accountId }) => {
      const first = (await receiver.arrived(1))[0];
      receiver.answerWith(answers(500));
      const id = await service.data('transaction.transfer', payTo(accountId, gbp(100)));
      await receiver.arrived(2);
      receiver.answerWith(accepts);
      await until(async () =>
        (await service.admin('webhook.deliveries')).data.deliveries[0].attempts === 1 ? true : null,
      );
      await service.admin('clock.advance', { ms: 6_000 });
      const received = await receiver.arrived(3);
      expect(received.map((delivery) => delivery.event.data.id)).toEqual([first?.event.data.id, id, id]);
      expect([received[2]?.id, received[2]?.bytes]).toEqual([received[1]?.id, received[1]?.bytes]);
    },
  ),
  event('410 switches the endpoint off', payout(), async ({ receiver }, { service, accountId }) => {
    await receiver.arrived(1);
    receiver.answerWith(answers(410));
    await service.data('transaction.transfer', payTo(accountId, gbp(100)));
    await until(async () => {
      const { endpoints } = (await service.admin('webhook.list')).data;
      return endpoints[0].state === 'off';
    });
  }),
  {
    section: '6',
    statement: 'what was refused is told to nobody',
    operation: 'transaction.transfer',
    body: listening(() => swap(usd(100_00), usd(1))),
    alone: { webhooks: { allowPrivate: true } },
    is: refusedAs('SAME_CURRENCY'),
    async shows(_reply, given) {
      const { service, kept } = given;
      const id = await service.data('transaction.transfer', payout()(given));
      await kept.receiver.arrived(1);
      expect(kept.receiver.received.map((delivery: Received) => delivery.event.data.id)).toEqual([id]);
      await kept.receiver.close();
    },
  },
  {
    section: '6',
    statement: 'a service that nobody has told a URL settles all the same',
    operation: 'transaction.transfer',
    body: payout(),
    is: 200,
    async shows(reply, { service }) {
      await aMinuteLater(service);
      expect((await settled(service, reply.data)).status).toBe('COMPLETED');
      expect((await service.admin('webhook.deliveries')).data.deliveries).toEqual([]);
    },
  },
  ...[
    'http://127.0.0.1:9/',
    'https://127.0.0.1:9/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'ftp://example.com/',
  ].map(
    (url): Row => ({
      section: '6',
      statement: `a receiver at ${url} is refused unless the service may reach private addresses`,
      operation: 'account.balance.getMany',
      body: {},
      is: 200,
      shows: async (_reply, { service }) => expect((await service.admin('webhook.add', { url })).status).toBe(400),
    }),
  ),
  {
    section: '6',
    statement: 'a receiver at the address of a cloud’s metadata is refused always',
    operation: 'account.balance.getMany',
    body: {},
    alone: { webhooks: { allowPrivate: true } },
    is: 200,
    async shows(_reply, { service }) {
      for (const host of ['169.254.169.254', '[fe80::1]', '0.0.0.0', '224.0.0.1', '[fd00:ec2::254]'])
        expect((await service.admin('webhook.add', { url: `https://${host}/` })).status, host).toBe(400);
    },
  },
];

/** 6. Events. */
export const SECTION_6: readonly Row[] = [...CONTENT, ...DELIVERY];
