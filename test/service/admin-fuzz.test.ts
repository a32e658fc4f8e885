import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKeyTexts, signingKey } from '../../src/keys/ed25519.ts';
import { ADMIN_OPERATIONS } from '../../src/service/admin/operations.ts';
import { cases } from '../support/cases.ts';
import { DAMAGE } from './fuzz/damage.ts';
import { expectEnvelope } from './fuzz/expectations.ts';
import { type Dictionary, mutated, valuesOf } from './fuzz/near-valid.ts';
import {
  addPayee,
  gbpPayout,
  ledgerFindings,
  memoryLog,
  type Reply,
  replyOf,
  settled,
  startTestService,
  type TestService,
} from './harness.ts';

let service: TestService;
let pool: Pool;
let dictionary: Dictionary;
const log = memoryLog();

beforeAll(async () => {
  service = await startTestService({ settleMs: 1_000, webhooks: { allowPrivate: true }, log });
  pool = new Pool(service.service.adminUrl ?? '', { connections: 8 });
  const { accountId } = await addPayee(service);
  const ids: string[] = [];
  for (let made = 0; made < 12; made++)
    ids.push(await service.data('transaction.transfer', gbpPayout(accountId, 100_00)));
  await service.admin('clock.advance', { ms: 2_000 });
  for (const id of ids) await settled(service, id);
  const stuck = await addPayee(service, 'REHEARSE_STUCK');
  for (let made = 0; made < 12; made++)
    ids.push(await service.data('transaction.transfer', gbpPayout(stuck.accountId, 100_00)));
  await service.admin('fault.add', { operation: 'quote.get', kind: 'slow', ms: 1, nth: 1_000_000 });
  await service.admin('state.snapshot', { name: 'before' });
  dictionary = {
    id: [...ids, 'fault_1', service.service.customerId],
    transaction_id: ids,
    ms: [0, 1, 1_000, 86_400_000, 3_155_760_000_000],
    unix_ms: [0, 1_798_761_600_000, 8_640_000_000_000_000, 9_007_199_254_740_991],
    code: ['GBP', 'USDC', 'ETH', 'USD', 'JPY'],
    chain: ['ethereum', 'solana'],
    value: ['0', '5000', '9'.repeat(38)],
    usd: ['1.25', '0', '-1', '1e3', '0.000000000001', '1000000000000', '1000000000001'],
    seed: [0, 7, 4_294_967_295],
    bps: [0, 5, 100],
    name: ['before', 'month-end', '../../etc', 'a/b', '.', 'COM1', ''],
    nth: [1, 2, 1_000_000],
    count: [2, 3],
    probability: [0, 0.5, 1],
    limit: [1, 500],
    public_key: ['00'.repeat(32), '11'.repeat(32), 'MCowBQYDK2VwAyEA'],
    url: [
      'http://127.0.0.1:9/hooks',
      'https://127.0.0.1:9/',
      'http://169.254.169.254/',
      'ftp://127.0.0.1/',
      'http://[::1]:9/',
    ],
    secret: [true, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_'],
  };
});
afterAll(async () => {
  await pool.destroy();
  await service.close();
});

async function post(operation: string, body: string | Uint8Array, headers: object = {}): Promise<Reply> {
  const answer = await pool.request({
    path: `/${operation}`,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return replyOf(answer.statusCode, answer.headers, await answer.body.text());
}

/** What an error must leave as it was, but for the passing of time and the nonces of these very reads. */
async function stateOf(): Promise<{ written: string; aheadMs: number }> {
  const { now: _now, unix_ms: _ms, nonces: _nonces, clock_offset_ms, ...rest } = (await service.admin('state')).data;
  const reads = ['price.list', 'fault.list', 'webhook.list', 'state.snapshots'];
  const lists = await Promise.all(reads.map(async (operation) => (await service.admin(operation)).data));
  const { prices, ...market } = lists[0];
  const bases = prices.map(({ base_usd }: { base_usd: string }) => base_usd);
  // A clock that is held falls back by itself.
  const aheadMs = rest.frozen ? 0 : clock_offset_ms;
  return { written: JSON.stringify([rest, market, bases, ...lists.slice(1)]), aheadMs };
}

async function holds(operation: string, body: string | Uint8Array): Promise<boolean> {
  const before = await stateOf();
  const text = `${operation} ${Buffer.from(body).toString('utf8').slice(0, 1_000)}`;
  const isSuccess = expectEnvelope(await post(operation, body), text);
  if (isSuccess) return true;
  const after = await stateOf();
  expect(after.written, text).toBe(before.written);
  expect(Math.abs(after.aheadMs - before.aheadMs), text).toBeLessThan(100);
  return false;
}

/** By what was done to it a service may be slow to answer in the usual way, so these come last. */
const LAST = ['clock.skew', 'state.forget'];
const NAMES = [...ADMIN_OPERATIONS.keys()].sort((a, b) => LAST.indexOf(a) - LAST.indexOf(b));
const RUNS = cases(20, 40);

/** Bodies that do something; what they need is made. */
async function fitting(operation: string): Promise<object[]> {
  const admin = async (name: string, body: object = {}) => (await service.admin(name, body)).data;
  switch (operation) {
    case 'clock.advance':
      return [{ ms: 1_000 }];
    case 'clock.set': {
      const { unix_ms } = await admin('state');
      return [{ unix_ms: unix_ms + 3_600_000 }, { unix_ms: unix_ms + 7_200_000 }];
    }
    case 'clock.skew':
      return [{ ms: 3_155_760_000_000 }];
    case 'balance.set':
      return [{ code: 'GBP', value: '5000' }];
    case 'price.set':
      return [{ code: 'GBP', usd: '1.31' }];
    case 'price.walk':
      return [{ seed: 7, bps: 5 }];
    case 'transaction.settle':
    case 'transaction.fail': {
      const { accountId } = await addPayee(service, 'REHEARSE_STUCK');
      return [{ id: await service.data('transaction.transfer', gbpPayout(accountId, 100)) }];
    }
    case 'transaction.return':
      return (dictionary.transaction_id ?? []).map((id) => ({ id }));
    case 'fault.add':
      return [
        { operation: 'quote.get', kind: 'slow', ms: 5, nth: 1_000 },
        { operation: 'quote.get', kind: '429', probability: 0.5 },
      ];
    case 'fault.remove': {
      const fault = { operation: 'quote.get', kind: 'drop-before', nth: 1_000 };
      return [{ id: (await admin('fault.add', fault)).id }];
    }
    case 'state.snapshot':
    case 'state.restore':
    case 'state.forget':
      return [{ name: 'before' }];
    case 'key.add':
      return [{ public_key: newKey() }, { public_key: newKey() }];
    case 'key.revoke': {
      const { active_keys } = await admin('state');
      return active_keys.filter((id: string) => id !== service.service.apiKey).map((id: string) => ({ id }));
    }
    default:
      return operation.startsWith('webhook.') ? fittingWebhook(operation, admin) : [{}];
  }
}

async function fittingWebhook(
  operation: string,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  admin: (name: string, body: object) => Promise<any>,
): Promise<object[]> {
  const url = 'http://127.0.0.1:9/fuzz';
  const { id } = await admin('webhook.add', { url });
  if (operation === 'webhook.remove' || operation === 'webhook.enable') return [{ id }];
  if (operation === 'webhook.add') return [{ url }, { url: 'http://127.0.0.1:9/other', secret: true }];
  if (operation === 'webhook.reorder') return [{ count: 2 }];
  if (operation === 'webhook.replay')
    return [{ all_failed: true }, ...(dictionary.transaction_id ?? []).map((transaction_id) => ({ transaction_id }))];
  return [{}];
}

const newKey = () => publicKeyTexts(signingKey(new Uint8Array(randomBytes(32))).publicKey).base64url;

describe('the admin port, whatever is sent', () => {
  it.each(NAMES)('%s never breaks, and an error changes nothing', async (operation) => {
    const schema = ADMIN_OPERATIONS.get(operation)?.schema;
    if (!schema) expect.fail();
    const fittingBodies = await fitting(operation);
    const values = fc.oneof(valuesOf(schema, dictionary), fc.constantFrom(...fittingBodies));
    let successes = 0;
    await fc.assert(
      fc.asyncProperty(mutated(values), async (body) => {
        if (await holds(operation, JSON.stringify(body) ?? '')) successes += 1;
      }),
      { numRuns: RUNS, examples: fittingBodies.slice(0, 2).map((body): [unknown] => [body]) },
    );
    expect(successes).toBeGreaterThan(0);
    expect((await service.admin('verify')).data.findings).toEqual([]);
  });

  it.each(DAMAGE)('a body that %s is refused', async (_what, damage) => {
    const texts = ['{"ms":1000}', '{"code":"GBP","value":"5000"}', '{"id":"fault_1"}', '{}'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), fc.nat(1_000), async (text, at) => {
        const body = damage(text, at);
        fc.pre(body !== null);
        for (const operation of ['clock.advance', 'balance.set', 'fault.remove', 'state'])
          expect(await holds(operation, body as string), String(body)).toBe(false);
      }),
      { numRuns: cases(3, 10) },
    );
  });

  it.each([
    ['another Host', { host: 'attacker.example' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { 'content-type': 'text/plain' }, 415],
  ])('a page in a browser cannot use it: %s', async (_what, headers, status) => {
    const before = await stateOf();
    expect((await post('balance.set', '{"code":"GBP","value":"1"}', headers)).status).toBe(status);
    expect((await stateOf()).written).toBe(before.written);
  });

  it('leaves data that verify, and on which a service starts again', async () => {
    await service.stop();
    expect(ledgerFindings(service.dataDir)).toEqual([]);
    expect(log.lines.filter((line) => line.startsWith('error'))).toEqual([]);
    service = await startTestService({ dataDir: service.dataDir, webhooks: { allowPrivate: true } });
    expect((await service.call('account.balance.getMany', {})).status).toBe(200);
    expect((await service.admin('verify')).data.findings).toEqual([]);
  });
});
