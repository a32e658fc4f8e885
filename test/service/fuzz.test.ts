import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts';
import { addPayee, startTestService, type TestService, WALLET } from './harness.ts';

let service: TestService;
let ids: string[];
beforeAll(async () => {
  service = await startTestService({ settleMs: 60_000 });
  const { recipientId, accountId } = await addPayee(service);
  const wallet = await service.data('account.external.web3.add', WALLET);
  ids = [recipientId, accountId, wallet.id, service.service.customerId];
});
afterAll(() => service.close());

/** Values that almost fit: the names and forms of the contract, in places where they may or may not belong. */
const names = fc.constantFrom(
  ...['currency_out', 'currency_in', 'external_accounts', 'from', 'to', 'id', 'metadata', 'description', 'reference'],
  ...[
    'value',
    'code',
    'decimals',
    'chain',
    'name',
    'type',
    'account_name',
    'account_number',
    'address',
    'limit',
    'cursor',
  ],
  ...['search', 'recipient_id', 'national_clearing_code', 'bic', '__proto__', 'constructor', 'toString', ''],
);
const leaves = fc.oneof(
  fc.constantFrom('GBP', 'USDC', 'ETH', 'ethereum', 'GBP_FPS', 'WEB3', '100', '0', '-1', '1e3', '12345678', '200000'),
  fc.constantFrom(`${'9'.repeat(38)}`, '1'.repeat(39), 'after_zz', 'all', 'REHEARSE_KYB', '\u0000', '\u202e', '', null),
  fc.integer({ min: 0, max: 3 }).map((place) => ids[place] ?? ''),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
);
const { anything } = fc.letrec((tie) => ({
  anything: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(names, tie('anything'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

const money = fc.record(
  {
    value: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 38n - 1n }).map(String), leaves),
    code: fc.constantFrom('GBP', 'USD', 'USDC', 'ETH', 'JPY', 'toString'),
    decimals: fc.constantFrom(2, 6, 18, 0),
    chain: fc.constantFrom('ethereum', 'polygon', 'solana', '__proto__'),
  },
  { requiredKeys: ['value', 'code', 'decimals'] },
);
const account = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 4 }).map((place) => ({ id: ids[place] ?? 'acc_none' })),
);
const transfers = fc.record(
  {
    currency_out: money,
    currency_in: money,
    external_accounts: fc.record({ from: account, to: account }),
    metadata: fc.record({ description: fc.string({ unit: 'binary', maxLength: 2_000 }) }),
    reference: fc.string({ unit: 'grapheme', maxLength: 300 }),
  },
  { requiredKeys: ['currency_out', 'external_accounts'] },
);
const plausible = fc.record({ value: transfers, operation: fc.constant('transaction.transfer') });
const wild = fc.record({
  value: fc.oneof(anything, fc.dictionary(names, anything, { maxKeys: 6, noNullPrototype: true })),
  operation: fc.constantFrom(...Object.keys(OPERATIONS)),
});

/** What must be as before when the answer is an error. */
async function books(): Promise<string> {
  const { postings, recipients, external_accounts, transactions } = (await service.admin('state')).data;
  return JSON.stringify({ postings, recipients, external_accounts, transactions });
}

async function neverBroken(operation: string, body: unknown): Promise<void> {
  const before = await books();
  const reply = await service.call(operation, body === undefined ? '' : (JSON.stringify(body) ?? ''));
  expect(reply.status, `${operation} ${JSON.stringify(body)}: ${reply.text}`).toBeLessThan(500);
  if (reply.status !== 200) {
    expect(await books()).toBe(before);
    expect(reply.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    return;
  }
  const shape = OPERATIONS[operation as OperationName].response.safeParse(reply.data);
  expect(shape.success, `${operation}: ${reply.text}`).toBe(true);
}

describe('whatever is sent', () => {
  it('no operation breaks, no error changes anything, every success has its shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(wild, plausible), ({ operation, value }) => neverBroken(operation, value)),
      { numRuns: 1_500 },
    );
    expect((await service.admin('verify')).data.findings).toEqual([]);
  });

  it('what was sent as a description comes back as it was', async () => {
    const accountId = ids[1] ?? '';
    const texts = fc.string({ unit: 'binary', maxLength: 500 });
    await fc.assert(
      fc.asyncProperty(texts, async (description) => {
        fc.pre(description.isWellFormed());
        const id = await service.data('transaction.transfer', {
          currency_out: { value: '1', code: 'GBP', decimals: 2 },
          external_accounts: { from: null, to: { id: accountId } },
          metadata: { description },
        });
        expect((await service.data('transaction.get', { id })).metadata.description).toBe(description);
        const word = description.split(/\s+/u).find((part) => part !== '') ?? '';
        const { transactions } = await service.data('transaction.getMany', { search: `${id} ${word}`, limit: 1 });
        expect(transactions).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });
});

const naughtyFile = fileURLToPath(new URL('../../../shared/vectors/naughty-strings.json', import.meta.url));

describe('the big list of naughty strings', () => {
  it.skipIf(!existsSync(naughtyFile))('breaks nothing, and comes back as it was', async () => {
    const strings: string[] = JSON.parse(readFileSync(naughtyFile, 'utf8'));
    expect(strings.length).toBeGreaterThan(400);
    for (const naughty of strings) {
      for (const operation of ['transaction.get', 'account.recipient.get', 'account.customer.get'])
        await neverBroken(operation, { id: naughty });
      await neverBroken('transaction.getMany', { search: naughty, limit: 1 });
      await neverBroken('account.external.web3.add', { ...WALLET, address: naughty });
      const created = await service.call('account.recipient.create', { metadata: { name: naughty } });
      if (created.status !== 200) expect(naughty === '' || naughty.length > 200, naughty).toBe(true);
      else expect((await service.data('account.recipient.get', { id: created.data.id })).metadata.name).toBe(naughty);
    }
  });
});
