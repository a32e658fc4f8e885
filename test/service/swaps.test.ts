import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPayee, settled, startTestService, type TestService } from './harness.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ settleMs: { balance: 10_000 } });
});
afterEach(() => service.close());

const gbp = (value: bigint | string) => ({ value: String(value), code: 'GBP', decimals: 2 });
const usd = (value: bigint | string) => ({ value: String(value), code: 'USD', decimals: 2 });
const usdc = (value: bigint | string, chain = 'ethereum') => ({
  value: String(value),
  code: 'USDC',
  decimals: 6,
  chain,
});
const eth = (value: bigint | string, chain = 'ethereum') => ({
  value: String(value),
  code: 'ETH',
  decimals: 18,
  chain,
});

const request = (currency_out: object, currency_in: object, more: object = {}) => ({
  currency_out,
  currency_in,
  external_accounts: { from: null, to: null },
  ...more,
});
const swap = (currency_out: object, currency_in: object, more: object = {}): Promise<string> =>
  service.data('transaction.transfer', request(currency_out, currency_in, more));
const refusal = async (currency_out: object, currency_in: object, more: object = {}) => {
  const { error, status } = await service.call('transaction.transfer', request(currency_out, currency_in, more));
  return { is: [status, error?.code, error?.reason], message: error?.message ?? '' };
};
const settle = async (id: string) => {
  await service.admin('clock.advance', { ms: 10_000 });
  return settled(service, id);
};

describe('a swap', () => {
  it('takes amount and fee at once, and gives what it is worth when it settles', async () => {
    const [pounds, dollars] = [await service.available('GBP'), await service.available('USD')];
    const id = await swap(gbp('10000'), usd('13167'), { metadata: { description: 'buy dollars' }, reference: 'ref 1' });
    expect(await service.data('transaction.get', { id })).toMatchObject({
      status: 'PENDING',
      currency_out: gbp('10000'),
      currency_in: usd('13167'),
      external_reference_type: 'INTERNAL',
      external_account_metadata: null,
      fees: [{ type: 'percentage', value: gbp('30'), rate: 0.003 }],
      metadata: {
        description: 'buy dollars',
        rail: 'balance',
        price_pair: { marketRate: 1.32, direction: 'bid', tickSize: 0.00001 },
        required_fields: { reference: { value: 'ref 1' } },
      },
    });
    expect([await service.available('GBP'), await service.available('USD')]).toEqual([pounds - 10_030n, dollars]);
    expect((await settle(id)).status).toBe('COMPLETED');
    expect([await service.available('GBP'), await service.available('USD')]).toEqual([
      pounds - 10_030n,
      dollars + 13_167n,
    ]);
  });

  it('settles at the rate of its execution, and says what was really received', async () => {
    const dollars = await service.available('USD');
    const id = await swap(gbp('100000'), usd('131670'));
    await service.admin('price.set', { code: 'GBP', usd: '1.325' });
    const done = await settle(id);
    // 1,000.00 * 1.325 * 0.9975 = 1,321.6875
    expect(done).toMatchObject({
      status: 'COMPLETED',
      currency_in: usd('132168'),
      metadata: { price_pair: { marketRate: 1.325 } },
    });
    expect(await service.available('USD')).toBe(dollars + 132_168n);
  });

  it.each(['1.33', '1.31'])('ends FAILED at a price of %s, everything given back', async (price) => {
    const before = await service.balances();
    const id = await swap(gbp('100000'), usd('131670'));
    await service.admin('price.set', { code: 'GBP', usd: price });
    expect(await settle(id)).toMatchObject({ status: 'FAILED', failure_reason: { code: 'RATE_DRIFT' } });
    expect(await service.balances()).toBe(before);
  });

  it('ends FAILED without cover for amount and fee, and takes what has come by then', async () => {
    await service.admin('balance.set', { code: 'GBP', value: '10029' });
    const short = await swap(gbp('10000'), usd('13167'));
    expect(await settle(short)).toMatchObject({ status: 'FAILED', failure_reason: { code: 'INSUFFICIENT_BALANCE' } });
    expect(await service.available('GBP')).toBe(10_029n);
    const late = await swap(gbp('10000'), usd('13167'));
    await service.admin('balance.set', { code: 'GBP', value: '10030' });
    expect((await settle(late)).status).toBe('COMPLETED');
    expect(await service.available('GBP')).toBe(0n);
  });

  it('is bought where crypto is received, and sold otherwise', async () => {
    const bought = await swap(usd('300000'), eth('997500000000000000'));
    const bridged = await swap(usdc('1000000'), usdc('999500', 'polygon'));
    const sold = await swap(eth('1000000000000000000'), usd('299250'));
    const ids = async (type: string) =>
      (await service.data('transaction.getMany', { type })).transactions.map(({ id }: { id: string }) => id);
    expect(await ids('buy')).toEqual([bridged, bought]);
    expect(await ids('sell')).toEqual([sold]);
    expect(await ids('withdraw')).toEqual([]);
    const { totals } = await service.data('transaction.getMany', { type: 'buy' });
    expect(totals).toEqual({ transfers: 2, fiatAmount: 3001 });
  });

  it('waits through a restart, and settles by its own delay', async () => {
    const id = await swap(gbp('10000'), usd('13167'));
    await service.admin('clock.advance', { ms: 9_000 });
    expect((await service.data('transaction.get', { id })).status).toBe('PENDING');
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir, settleMs: { balance: 10_000 } });
    expect((await settle(id)).status).toBe('COMPLETED');
  });

  it('can be failed by the admin port, and is never returned', async () => {
    const before = await service.balances();
    const failed = await swap(gbp('10000'), usd('13167'));
    expect((await service.admin('transaction.fail', { id: failed })).data.status).toBe('FAILED');
    expect(await service.balances()).toBe(before);
    const done = await swap(gbp('10000'), usd('13167'));
    expect((await service.admin('transaction.settle', { id: done })).data.status).toBe('COMPLETED');
    expect((await service.admin('transaction.return', { id: done })).error?.code).toBe('BAD_REQUEST');
  });

  it('takes what any quote says, of either side, however small', async () => {
    for (const out of [1_00n, 1_01n, 1_37n, 99_99n]) {
      const { bid } = await service.data('quote.get', { currency_out: usd(out), currency_in: eth('0') });
      expect((await refusal(usd(out), bid)).is[0]).toBe(200);
    }
    for (const wanted of ['400000000000000', '1000000000000000', '3333333333333333']) {
      const { ask } = await service.data('quote.get', { currency_out: usd('0'), currency_in: eth(wanted) });
      expect((await refusal(ask, eth(wanted))).is[0]).toBe(200);
    }
  });
});

describe('there and back again', () => {
  it('never gains, though every swap asks for the far edge of the tolerance', async () => {
    const before = await service.available('GBP');
    const there = await swap(gbp('10000000'), usd('13232835'));
    const received = BigInt((await settle(there)).currency_in.value);
    expect(received).toBe(13_167_000n);
    const sent = (received * 10_000n) / 10_030n;
    const { bid } = await service.data('quote.get', { currency_out: usd(sent), currency_in: gbp('0') });
    await settle(await swap(usd(sent), gbp((BigInt(bid.value) * 1_005n) / 1_000n)));
    expect(await service.available('GBP')).toBeLessThan(before);
  });
});

describe('a swap is refused', () => {
  it.each<[what: string, out: object, into: object, more: object, reason: string, message: RegExp]>([
    ['of nothing', gbp('0'), usd('1'), {}, 'INVALID', /currency_out.value/],
    ['for nothing', gbp('100'), usd('0'), {}, 'INVALID', /currency_in.value/],
    ['of identical currencies', gbp('100'), gbp('100'), {}, 'SAME_CURRENCY', /both GBP/],
    ['below the minimum', gbp('99'), usd('130'), {}, 'BELOW_MINIMUM', /swaps from GBP must be at least 1.00 GBP/],
    [
      'below the minimum, in wei',
      eth('499999999999999'),
      usd('149'),
      {},
      'BELOW_MINIMUM',
      /swaps from ETH on ethereum must be at least 0.0005/,
    ],
    ['between coins', eth('1000000000000000000'), eth('1', 'arbitrum'), {}, 'CRYPTO_TO_CRYPTO', /USDC or USDT/],
    ['above the market', gbp('1000000'), usd('1323284'), {}, 'RATE_DRIFT', /13167.00 USD now: ask for a fresh quote/],
    ['below the market', gbp('1000000'), usd('1310116'), {}, 'RATE_DRIFT', /0.50%/],
    ['of dollars above their narrower band', usd('1000000'), usdc('10005005001'), {}, 'RATE_DRIFT', /0.10%/],
    ['with a long reference', gbp('100'), usd('132'), { reference: 'r'.repeat(141) }, 'REFERENCE_TOO_LONG', /140/],
  ])('%s', async (_what, out, into, more, reason, message) => {
    const before = await service.balances();
    const refused = await refusal(out, into, more);
    expect(refused.is).toEqual([400, 'BAD_REQUEST', reason]);
    expect(refused.message).toMatch(message);
    expect(await service.balances()).toBe(before);
  });

  it('only beyond the edges of the tolerance', async () => {
    // 10,000.00 GBP bring 13,167.00 USD; half a percent is 65.835.
    expect((await refusal(gbp('1000000'), usd('1323283'))).is[0]).toBe(200);
    expect((await refusal(gbp('1000000'), usd('1310117'))).is[0]).toBe(200);
    // 10,000.00 USD bring 9,995 USDC; a thousandth is 9.995.
    expect((await refusal(usd('1000000'), usdc('10004995000'))).is[0]).toBe(200);
    expect((await refusal(usd('1000000'), usdc('9985005000'))).is[0]).toBe(200);
  });

  it('for the first reason in the order of the decisions', async () => {
    const { accountId } = await addPayee(service);
    const all = { reference: 'r'.repeat(141) };
    expect((await refusal(gbp('99'), usd('1'), all)).is[2]).toBe('REFERENCE_TOO_LONG');
    expect((await refusal(eth('1'), eth('1', 'arbitrum'))).is[2]).toBe('CRYPTO_TO_CRYPTO');
    expect((await refusal(gbp('99'), usd('1'))).is[2]).toBe('BELOW_MINIMUM');
    const to = (id: string) => ({ external_accounts: { from: null, to: { id } }, ...all });
    expect((await refusal(gbp('99'), usd('1'), to(accountId))).is[2]).toBe('RAIL_CURRENCY_MISMATCH');
    expect((await refusal(gbp('99'), usd('1'), to('acc_none'))).is[1]).toBe('BAD_REQUEST');
    const yen = { value: '1', code: 'JPY', decimals: 0 };
    expect((await refusal(yen, usd('1'), to('acc_none'))).is[2]).toBe('NOT_PAYABLE');
    expect((await refusal(yen, yen, to('acc_none'))).is[2]).toBe('SAME_CURRENCY');
    expect((await refusal(yen, { ...usd('1'), decimals: 3 }, to('acc_none'))).is[2]).toBe('INVALID');
  });
});
