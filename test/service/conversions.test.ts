import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPayee, GBP_ACCOUNT, settled, startTestService, type TestService, WALLET } from './harness.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ settleMs: 10_000 });
});
afterEach(() => service.close());

const gbp = (value: string) => ({ value, code: 'GBP', decimals: 2 });
const usd = (value: string) => ({ value, code: 'USD', decimals: 2 });
const usdc = (value: string, chain = 'polygon') => ({ value, code: 'USDC', decimals: 6, chain });

const payout = (to: string, currency_out: object, currency_in?: object, more: object = {}) => ({
  currency_out,
  ...(currency_in ? { currency_in } : {}),
  external_accounts: { from: null, to: { id: to } },
  ...more,
});
const pay = (to: string, currency_out: object, currency_in?: object): Promise<string> =>
  service.data('transaction.transfer', payout(to, currency_out, currency_in));
const settle = async (id: string) => {
  await service.admin('clock.advance', { ms: 10_000 });
  return settled(service, id);
};
const addWallet = async (chain: string): Promise<string> =>
  (await service.data('account.external.web3.add', { ...WALLET, chain })).id;

describe('a converting payout', () => {
  it('takes exactly currency_out and both fees, and the payee gets exactly currency_in', async () => {
    const { accountId, recipientId } = await addPayee(service);
    const before = await service.available('USD');
    // 1,000.00 USD bring 755.68 GBP.
    const id = await pay(accountId, usd('100000'), gbp('75600'));
    expect(await service.available('USD')).toBe(before - 100_000n - 300n - 27n);
    const pounds = await service.available('GBP');
    const done = await settle(id);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      currency_out: usd('100000'),
      currency_in: gbp('75600'),
      external_reference_type: 'BANK_GBP_FPS',
      external_account_metadata: { account_name: 'Ada Lovelace' },
      fees: [
        { type: 'percentage', value: usd('300'), rate: 0.003 },
        { type: 'direct', value: usd('27') },
      ],
      metadata: { rail: 'GBP_FPS', price_pair: { marketRate: 0.757575, direction: 'bid', tickSize: 0.000001 } },
    });
    expect(await service.available('USD')).toBe(before - 100_327n);
    expect(await service.available('GBP')).toBe(pounds);
    const listed = await service.data('transaction.getMany', { type: 'withdraw', recipient_id: recipientId });
    expect(listed.totals).toEqual({ transfers: 1, fiatAmount: 1000 });
  });

  it('pays a wallet on its chain', async () => {
    const wallet = await addWallet('polygon');
    const id = await pay(wallet, gbp('10000'), usdc('131670000'));
    expect(await settle(id)).toMatchObject({
      status: 'COMPLETED',
      external_reference_type: 'CRYPTO_POLYGON',
      fees: [{ value: gbp('30') }, { value: gbp('38') }],
    });
  });

  it('gives the payee what was asked, though the market moved within the tolerance', async () => {
    const { accountId } = await addPayee(service);
    const id = await pay(accountId, usd('100000'), gbp('75568'));
    await service.admin('price.set', { code: 'GBP', usd: '1.325' });
    expect(await settle(id)).toMatchObject({ status: 'COMPLETED', currency_in: gbp('75568') });
  });

  it.each(['1.34', '1.30'])('ends FAILED at a price of %s, and what was held is held again', async (price) => {
    const { accountId } = await addPayee(service);
    const before = await service.balances();
    const id = await pay(accountId, usd('100000'), gbp('75568'));
    await service.admin('price.set', { code: 'GBP', usd: price });
    expect(await settle(id)).toMatchObject({
      status: 'FAILED',
      failure_reason: { code: 'RATE_DRIFT' },
      currency_in: gbp('75568'),
    });
    expect(await service.balances()).toBe(before);
  });

  it.each([
    ['REHEARSE_SANCTIONS', 'SANCTIONS_SCREENING'],
    ['REHEARSE_CLOSED', 'ACCOUNT_CLOSED'],
    ['REHEARSE_FUNDS', 'INSUFFICIENT_BALANCE'],
  ])('of %s fails, and what was held is held again', async (name, code) => {
    const { accountId } = await addPayee(service, name);
    const before = await service.balances();
    const id = await pay(accountId, usd('100000'), gbp('75568'));
    expect(await settle(id)).toMatchObject({ status: 'FAILED', failure_reason: { code } });
    expect(await service.balances()).toBe(before);
  });

  it('that is returned brings back what had arrived, in its currency, and the fees are kept', async () => {
    const { accountId } = await addPayee(service, 'REHEARSE_RETURN');
    const [dollars, pounds] = [await service.available('USD'), await service.available('GBP')];
    const id = await pay(accountId, usd('100000'), gbp('75568'));
    await settle(id);
    await service.admin('clock.advance', { ms: 10_000 });
    const { transactions, totals } = await service.data('transaction.getMany', { type: 'deposit' });
    expect(transactions).toMatchObject([
      { status: 'COMPLETED', currency_in: gbp('75568'), currency_out: gbp('75568'), external_reference: id, fees: [] },
    ]);
    // 755.68 * 1.32 = 997.4976
    expect(totals).toEqual({ transfers: 1, fiatAmount: 997.5 });
    expect(await service.available('USD')).toBe(dollars - 100_327n);
    expect(await service.available('GBP')).toBe(pounds + 75_568n);
  });

  it('needs cover for the amount and both fees', async () => {
    const { accountId } = await addPayee(service);
    await service.admin('balance.set', { code: 'USD', value: '100326' });
    expect(await settle(await pay(accountId, usd('100000'), gbp('75568')))).toMatchObject({
      failure_reason: { code: 'INSUFFICIENT_BALANCE' },
    });
    await service.admin('balance.set', { code: 'USD', value: '100327' });
    expect((await settle(await pay(accountId, usd('100000'), gbp('75568')))).status).toBe('COMPLETED');
    expect(await service.available('USD')).toBe(0n);
  });

  it('is refused where the rail cannot receive currency_in, below the minimum, and off the market', async () => {
    const { accountId } = await addPayee(service);
    const wallet = await addWallet('polygon');
    const reason = async (to: string, out: object, into?: object) =>
      (await service.call('transaction.transfer', payout(to, out, into))).error?.reason;
    expect(await reason(accountId, gbp('10000'), usd('13167'))).toBe('RAIL_CURRENCY_MISMATCH');
    expect(await reason(accountId, usd('10000'))).toBe('RAIL_CURRENCY_MISMATCH');
    expect(await reason(wallet, usd('100000'), usdc('999500000', 'arbitrum'))).toBe('RAIL_CURRENCY_MISMATCH');
    expect(await reason(accountId, usd('99'), gbp('75'))).toBe('BELOW_MINIMUM');
    expect(await reason(accountId, usd('100000'), gbp('80000'))).toBe('RATE_DRIFT');
    // Without a conversion there is no minimum.
    expect(await reason(accountId, gbp('1'))).toBe(undefined);
  });
});

it('a converting payout is refused where its fee has more digits than an amount can have', async () => {
  await service.admin('price.set', { code: 'ETH', usd: '0.000000000001' });
  await service.admin('price.set', { code: 'GBP', usd: '1000000000' });
  const { accountId } = await addPayee(service);
  const reply = await service.call('transaction.transfer', {
    currency_out: { value: `2${'0'.repeat(37)}`, code: 'ETH', decimals: 18, chain: 'ethereum' },
    currency_in: { value: '1', code: 'GBP', decimals: 2 },
    external_accounts: { from: null, to: { id: accountId } },
  });
  expect([reply.status, reply.error?.reason]).toEqual([400, 'INVALID']);
  expect(reply.error?.message).toBe('currency_out.code: the fee of GBP_FPS is too large in it');
});

describe('transaction.submitWithdraw', () => {
  const submit = (body: object) => service.call('transaction.submitWithdraw', body);

  it('sends to an own account, without and with a conversion', async () => {
    const { id } = await service.data('account.external.bank.add', GBP_ACCOUNT);
    const plain = await submit({ external_account_id: id, currency_out: gbp('10000'), currency_in: null, fees: null });
    expect(await settle(plain.data)).toMatchObject({
      status: 'COMPLETED',
      currency_in: gbp('10000'),
      fees: [{ type: 'direct', value: gbp('20') }],
    });
    const converted = await submit({
      external_account_id: id,
      currency_out: usd('100000'),
      currency_in: gbp('75568'),
      reference: 'INV 7',
      metadata: { description: 'rent', proof_of_purpose: { url: 'https://example.com/lease.pdf', name: 'Lease' } },
    });
    expect(await settle(converted.data)).toMatchObject({
      status: 'COMPLETED',
      currency_in: gbp('75568'),
      metadata: {
        description: 'rent',
        proof_of_purpose: { url: 'https://example.com/lease.pdf', name: 'Lease' },
        required_fields: { reference: { value: 'INV 7' } },
      },
    });
    expect((await service.data('transaction.getMany', { type: 'withdraw' })).totals.transfers).toBe(2);
  });

  it('sends to a recipient’s account too, and to nobody else’s', async () => {
    const { accountId } = await addPayee(service);
    expect((await submit({ external_account_id: accountId, currency_out: gbp('100') })).status).toBe(200);
    const unknown = await submit({ external_account_id: 'acc_none', currency_out: gbp('100') });
    expect(unknown.error?.code).toBe('NOT_FOUND');
  });

  it('wants the fees that are charged, where it is given any', async () => {
    const { accountId } = await addPayee(service);
    const body = (fees: object[]) => ({
      external_account_id: accountId,
      currency_out: usd('100000'),
      currency_in: gbp('75568'),
      fees,
    });
    const { fees } = await service.data('quote.get', {
      currency_out: usd('100000'),
      currency_in: gbp('0'),
      external_account_id: accountId,
    });
    const [percentage, direct] = fees;
    const is = async (given: object[]) => (await submit(body(given))).error?.reason ?? 'accepted';
    expect(await is([percentage, direct])).toBe('accepted');
    expect(await is([{ type: 'direct', value: direct.value }, percentage])).toBe('accepted');
    for (const wrong of [
      [],
      [percentage],
      [percentage, percentage],
      [percentage, direct, direct],
      [percentage, { ...direct, value: usd('26') }],
      [percentage, { ...direct, value: { ...direct.value, code: 'GBP' } }],
      [{ ...percentage, rate: 0.002 }, direct],
    ])
      expect(await is(wrong)).toBe('INVALID');
  });
});
