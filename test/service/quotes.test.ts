import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RAIL_NAMES } from '../../src/domain/rails/rail.ts';
import { RAIL_TERMS } from '../../src/service/transfers/fees.ts';
import { addPayee, startTestService, type TestService, WALLET } from './harness.ts';

let service: TestService;
let accountId: string;
let walletId: string;
beforeAll(async () => {
  service = await startTestService();
  ({ accountId } = await addPayee(service));
  walletId = (await service.data('account.external.web3.add', { ...WALLET, chain: 'polygon' })).id;
});
afterAll(() => service.close());

const gbp = (value: string) => ({ value, code: 'GBP', decimals: 2 });
const usd = (value: string) => ({ value, code: 'USD', decimals: 2 });
const idr = (value: string) => ({ value, code: 'IDR', decimals: 2 });
const usdc = (value: string, chain = 'ethereum') => ({ value, code: 'USDC', decimals: 6, chain });
const usdt = (value: string, chain = 'polygon') => ({ value, code: 'USDT', decimals: 6, chain });
const eth = (value: string, chain = 'ethereum') => ({ value, code: 'ETH', decimals: 18, chain });

const quote = (currency_out: object, currency_in: object, more: object = {}) =>
  service.data('quote.get', { currency_out, currency_in, ...more });

const refusal = async (currency_out: object, currency_in: object, more: object = {}) => {
  const reply = await service.call('quote.get', { currency_out, currency_in, ...more });
  return [reply.status, reply.error?.code, reply.error?.reason];
};

describe('a quote', () => {
  it('says what is received for what is sent: both sides in the placeholder’s currency, and the bid applies', async () => {
    expect(await quote(gbp('10000'), usd('0'))).toEqual({
      bid: usd('13167'),
      ask: usd('13233'),
      direction: 'bid',
      fees: [{ type: 'percentage', value: gbp('30'), label: 'Conversion', rate: 0.003 }],
      stablecoin: null,
    });
  });

  it('says what has to be sent for what is received: the ask applies, and the fee is on it', async () => {
    expect(await quote(gbp('0'), usd('13200'))).toEqual({
      bid: gbp('9975'),
      ask: gbp('10026'),
      direction: 'ask',
      fees: [{ type: 'percentage', value: gbp('31'), label: 'Conversion', rate: 0.003 }],
      stablecoin: null,
    });
  });

  it('costs less between dollars of any kind', async () => {
    expect(await quote(usdc('1000000000'), usdt('0'))).toMatchObject({
      bid: usdt('999500000'),
      ask: usdt('1000500000'),
      fees: [{ value: usdc('1000000'), rate: 0.001 }],
      stablecoin: null,
    });
    expect((await quote(usdc('1000000'), usdc('0', 'polygon'))).bid).toEqual(usdc('999500', 'polygon'));
  });

  it('names the USDC that it passes through where neither side is a dollar, rounded down', async () => {
    expect((await quote(gbp('10001'), eth('0'))).stablecoin).toEqual(usdc('132013200'));
    expect((await quote(eth('0'), idr('1'))).stablecoin).toEqual(usdc('0'));
    expect((await quote(gbp('0'), idr('1000000000'))).stablecoin).toEqual(usdc('600000000'));
  });

  it('is exact with eighteen decimals', async () => {
    // 1 ETH is 3,000 USD; a quarter of a percent less is 2,992.50.
    expect((await quote(eth('1000000000000000001'), usd('0'))).bid).toEqual(usd('299250'));
    // 3,000 USD / 3,000 less a quarter of a percent, in wei.
    expect((await quote(usd('300000'), eth('0'))).bid).toEqual(eth('997500000000000000'));
    expect((await quote(usd('1'), eth('0'))).ask).toEqual(eth('3341666666667'));
  });

  it('has no minimum, and moves nothing', async () => {
    const before = [await service.balances(), (await service.admin('state')).data.postings];
    expect((await quote(idr('1'), usd('0'))).bid).toEqual(usd('0'));
    expect([await service.balances(), (await service.admin('state')).data.postings]).toEqual(before);
  });

  it('follows the market', async () => {
    await service.admin('price.set', { code: 'GBP', usd: '2' });
    expect((await quote(gbp('10000'), usd('0'))).bid).toEqual(usd('19950'));
    await service.admin('price.set', { code: 'GBP', usd: '1.32' });
  });

  it.each(RAIL_NAMES.filter((rail) => rail !== 'WEB3'))(
    'to %s has the fee of that rail, in currency_out',
    async (rail) => {
      const code = rail.slice(0, 3);
      const decimals = 2;
      const native = await quote(
        { value: '1000000', code, decimals },
        { value: '0', code, decimals },
        { destination: rail },
      );
      expect(native).toEqual({
        bid: { value: '1000000', code, decimals },
        ask: { value: '1000000', code, decimals },
        direction: 'bid',
        fees: [
          {
            type: 'direct',
            value: { value: String(RAIL_TERMS[rail].feeMinor), code, decimals },
            label: `${rail} payout`,
            rate: 0,
          },
        ],
        stablecoin: null,
      });
      const converted = await quote(usdt('100000000'), { value: '0', code, decimals }, { destination: rail });
      expect(converted.fees.map(({ type }: { type: string }) => type)).toEqual(['percentage', 'direct']);
      expect(converted.fees[1].value).toMatchObject({ code: 'USDT', chain: 'polygon' });
    },
  );

  it('to a wallet has half a dollar, rounded up', async () => {
    const { fees } = await quote(eth('1000000000000000000'), eth('0'), { destination: 'WEB3' });
    expect(fees).toMatchObject([{ type: 'direct', value: eth('166666666666667') }]);
    expect((await quote(gbp('10000'), usdc('0', 'polygon'), { external_account_id: walletId })).fees[1].value).toEqual(
      gbp('38'),
    );
  });

  it('takes the rail from the account', async () => {
    const { fees } = await quote(usd('10000'), gbp('0'), { external_account_id: accountId });
    // 0.20 GBP are 0.264 USD.
    expect(fees.map(({ value }: { value: object }) => value)).toEqual([usd('30'), usd('27')]);
    expect(
      await quote(usd('10000'), gbp('0'), { external_account_id: accountId, destination: 'GBP_FPS' }),
    ).toMatchObject({ fees });
  });
});

describe('a quote is refused', () => {
  const INVALID = [400, 'BAD_REQUEST', 'INVALID'];
  it.each<[what: string, out: object, into: object, more: () => object, is: unknown[]]>([
    ['without a placeholder', gbp('1'), usd('1'), () => ({}), INVALID],
    ['with two', gbp('0'), usd('0'), () => ({}), INVALID],
    ['with other decimals', { ...gbp('1'), decimals: 3 }, usd('0'), () => ({}), INVALID],
    ['of a crypto asset without chain', { value: '1', code: 'ETH', decimals: 18 }, usd('0'), () => ({}), INVALID],
    ['of fiat on a chain', { ...gbp('1'), chain: 'ethereum' }, usd('0'), () => ({}), INVALID],
    ['that would need more than 38 digits', idr(`${'9'.repeat(38)}`), eth('0'), () => ({}), INVALID],
    ['of identical currencies', gbp('1'), gbp('0'), () => ({}), [400, 'BAD_REQUEST', 'SAME_CURRENCY']],
    [
      'of identical currencies, the destination null',
      gbp('1'),
      gbp('0'),
      () => ({ destination: null }),
      [400, 'BAD_REQUEST', 'SAME_CURRENCY'],
    ],
    [
      'of a currency that cannot be paid',
      { value: '1', code: 'JPY', decimals: 0 },
      usd('0'),
      () => ({}),
      [400, 'BAD_REQUEST', 'NOT_PAYABLE'],
    ],
    [
      'of one that cannot be received',
      usd('1'),
      { value: '0', code: 'USDC', decimals: 6, chain: 'solana' },
      () => ({}),
      [400, 'BAD_REQUEST', 'NOT_RECEIVABLE'],
    ],
    ['between two chains’ coins', eth('1'), eth('0', 'arbitrum'), () => ({}), [400, 'BAD_REQUEST', 'CRYPTO_TO_CRYPTO']],
    [
      'to a rail that cannot receive it',
      usd('1'),
      gbp('0'),
      () => ({ destination: 'EUR_SEPA' }),
      [400, 'BAD_REQUEST', 'RAIL_CURRENCY_MISMATCH'],
    ],
    [
      'to a wallet, of fiat',
      usd('1'),
      gbp('0'),
      () => ({ destination: 'WEB3' }),
      [400, 'BAD_REQUEST', 'RAIL_CURRENCY_MISMATCH'],
    ],
    [
      'to a wallet on another chain',
      usd('1'),
      usdc('0', 'arbitrum'),
      () => ({ external_account_id: walletId }),
      [400, 'BAD_REQUEST', 'RAIL_CURRENCY_MISMATCH'],
    ],
    [
      'to an account that is not there',
      usd('1'),
      gbp('0'),
      () => ({ external_account_id: 'acc_none' }),
      [404, 'NOT_FOUND', undefined],
    ],
    [
      'where account and destination contradict each other',
      usd('1'),
      gbp('0'),
      () => ({ external_account_id: accountId, destination: 'EUR_SEPA' }),
      INVALID,
    ],
    ['to a destination that is no rail', usd('1'), gbp('0'), () => ({ destination: 'GBP_BACS' }), INVALID],
  ])('%s', async (_what, out, into, more, is) => {
    expect(await refusal(out, into, more())).toEqual(is);
  });
});
