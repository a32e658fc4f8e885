import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BANK_RAILS } from '../../src/contract/shapes.ts';
import { fingerprint } from '../../src/domain/rails/fields/digits.ts';
import { NO_FIELDS, RAIL_NAMES, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { railOf } from '../../src/domain/rails/registry.ts';
import { DESTINATIONS } from '../support/destinations.ts';
import { settled, startTestService, type TestService } from './harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ settleMs: 0 });
});
afterAll(() => service.close());

function addition(rail: RailName, fields: Partial<RailFields>): [operation: string, body: object] {
  if (rail !== 'WEB3') return ['account.external.bank.add', { type: rail, account_name: 'Ana', ...fields }];
  return ['account.external.web3.add', { account_name: 'Ana', address: fields.wallet_address, chain: fields.chain }];
}

async function addAccount(rail: RailName): Promise<string> {
  return (await service.data(...addition(rail, DESTINATIONS[rail].fields))).id;
}

/** What a hundred of its major units are. */
function amountFor(rail: RailName): object {
  const { currency: code, fields } = DESTINATIONS[rail];
  if (fields.chain !== undefined) return { code, chain: fields.chain, decimals: 6, value: '100000000' };
  return { code, decimals: 2, value: '10000' };
}

function payout(rail: RailName, accountId: string, reference?: string): object {
  return {
    currency_out: amountFor(rail),
    external_accounts: { from: null, to: { id: accountId } },
    ...(reference === undefined ? {} : { reference }),
  };
}

it('there are 21 bank destinations', () => {
  expect(BANK_RAILS).toHaveLength(21);
});

describe.each(RAIL_NAMES)('%s', (rail) => {
  it('an account is added, paid in its own currency with the longest reference, and shown masked', async () => {
    const accountId = await addAccount(rail);
    const { referenceMax } = railOf(rail);
    const reference = 'x'.repeat(referenceMax ?? 1_000);
    const { currency, fields } = DESTINATIONS[rail];
    const before = await service.available(currency, fields.chain);
    const done = await settled(service, await service.data('transaction.transfer', payout(rail, accountId, reference)));
    expect(done).toMatchObject({
      status: 'COMPLETED',
      currency_in: amountFor(rail),
      metadata: { rail, required_fields: { reference: { value: reference } } },
      external_account_metadata: { id: accountId, type: rail },
    });
    const feeMinor = done.fees.reduce(
      (sum: bigint, fee: { value: { value: string } }) => sum + BigInt(fee.value.value),
      0n,
    );
    const amountMinor = BigInt(done.currency_out.value);
    expect(before - (await service.available(currency, fields.chain))).toBe(amountMinor + feeMinor);
    const listing = rail === 'WEB3' ? 'account.external.web3.getAll' : 'account.external.bank.getAll';
    const [shown] = (await service.data(listing, {})).filter(({ id }: { id: string }) => id === accountId);
    const normal = railOf(rail).normalise({ ...NO_FIELDS, ...fields });
    const number = normal.account_number || normal.wallet_address;
    expect(shown).toMatchObject({ type: rail, account_number: `••••${number.slice(-4)}` });
    expect(shown.fingerprint).toBe(fingerprint(rail, normal));
    // An address is public and shown as such.
    expect(JSON.stringify({ ...shown, address: null })).not.toContain(number);
  });

  it('a reference of one character more is refused, and nothing moves', async () => {
    const accountId = await addAccount(rail);
    const before = await service.balances();
    const { referenceMax } = railOf(rail);
    const reply = await service.call(
      'transaction.transfer',
      payout(rail, accountId, 'x'.repeat((referenceMax ?? 1_000) + 1)),
    );
    // A wallet's transfer carries no reference, so there only the schema's own bound is in the way.
    const reason = referenceMax === null ? 'INVALID' : 'REFERENCE_TOO_LONG';
    expect([reply.status, reply.error?.code, reply.error?.reason]).toEqual([400, 'BAD_REQUEST', reason]);
    expect(await service.balances()).toBe(before);
  });

  it('wrong values are refused by field, and the answer repeats no account number', async () => {
    const { fields, wrong } = DESTINATIONS[rail];
    const reply = await service.call(...addition(rail, { ...fields, ...wrong }));
    expect([reply.status, reply.error?.code, reply.error?.reason]).toEqual([400, 'BAD_REQUEST', 'INVALID']);
    const normal = railOf(rail).normalise({ ...NO_FIELDS, ...fields, ...wrong }).account_number;
    for (const number of [wrong.account_number ?? '', normal])
      if (number.length > 4) expect(reply.text).not.toContain(number);
  });

  it('another currency than the rail pays is refused', async () => {
    const body = {
      ...payout(rail, await addAccount(rail)),
      currency_out: amountFor(rail === 'WEB3' ? 'AUD_NPP' : 'WEB3'),
    };
    const { error } = await service.call('transaction.transfer', body);
    expect(error?.reason).toBe('RAIL_CURRENCY_MISMATCH');
  });
});

it('a field that a rail does not have is refused, for every rail and field', async () => {
  for (const rail of BANK_RAILS) {
    const used = railOf(rail).normalise({ ...NO_FIELDS, account_number: 'A', national_clearing_code: 'B', bic: 'C' });
    for (const field of ['national_clearing_code', 'bic'] as const) {
      if (used[field] !== '') continue;
      const value = field === 'bic' ? 'COBADEFF' : '123456';
      const { error } = await service.call(...addition(rail, { ...DESTINATIONS[rail].fields, [field]: value }));
      expect([rail, error?.message]).toEqual([rail, `${field}: ${rail} has no such field`]);
    }
  }
});
