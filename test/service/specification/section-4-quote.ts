import { expect } from 'vitest';
import { BANK_RAILS } from './accounts.ts';
import { eth, eur, gbp, HELD, idr, jpy, nameOf, of, shareOf, some, usd, usdc, usdt, type Wire } from './amounts.ts';
import { type Given, INVALID, NOT_FOUND, type Row, refusedAs } from './row.ts';
import { feesOf, payTo, setPrice } from './transfers.ts';

const OPERATION = 'quote.get';

type Fee = { type: string; rate: number; value: Wire };
const kinds = (fees: Fee[]) => fees.map(({ type }) => type).sort();
const feeOf = (fees: Fee[], kind: string) => fees.find(({ type }) => type === kind) as Fee;

const refuses = (statement: string, body: Row['body'], is = INVALID): Row => ({
  section: '4.2',
  statement,
  operation: OPERATION,
  body,
  is,
});

/** The market of these rows: a pound is 1.25 dollars, a euro 1.10, an ether 2,000, a USDC one. */
const inThatMarket =
  (body: object): Row['body'] =>
  async ({ service }: Given) => {
    await setPrice(service, gbp(0), '1.25');
    await setPrice(service, eur(0), '1.1');
    await setPrice(service, usdc(0), '1');
    await setPrice(service, eth(0), '2000');
    return body;
  };

const shows = (statement: string, body: object, look: NonNullable<Row['shows']>): Row => ({
  section: '4.2 rule 1',
  statement,
  operation: OPERATION,
  body: inThatMarket(body),
  alone: {},
  is: 200,
  shows: look,
});

/** Bid and ask are about the middle, on their sides of it, and not more than two percent apart. */
function expectAround(data: { bid: Wire; ask: Wire }, mid: bigint): void {
  const [bid, ask] = [BigInt(data.bid.value), BigInt(data.ask.value)];
  expect(bid < mid && mid < ask, `${bid} ${mid} ${ask}`).toBe(true);
  expect((ask - bid) * 50n <= mid + 50n, `${bid} ${ask}`).toBe(true);
}

const REQUEST: readonly Row[] = [
  refuses('currency_in is required', { currency_out: gbp(100) }),
  refuses('currency_out is required', { currency_in: gbp(100) }),
  refuses('unknown fields are refused', { currency_out: gbp(100), currency_in: usd(0), side: 'buy' }),
  refuses('a currency has no unknown fields', { currency_out: { ...gbp(100), unit: 'p' }, currency_in: usd(0) }),
  refuses('no other destination', { currency_out: gbp(100), currency_in: eur(0), destination: 'SEPA' }),
  refuses('destinations are written in capitals', {
    currency_out: gbp(1),
    currency_in: eur(0),
    destination: 'eur_sepa',
  }),
  refuses('external_account_id is a string', { currency_out: gbp(1), currency_in: eur(0), external_account_id: null }),
  refuses('crypto has a chain', { currency_out: gbp(1), currency_in: { value: '0', code: 'ETH', decimals: 18 } }),
  refuses('decimals are those of the currency', { currency_out: { ...gbp(1), decimals: 3 }, currency_in: usd(0) }),
  refuses('a negative amount is refused', { currency_out: gbp(-1), currency_in: usd(0) }),
  refuses('a currency that cannot be paid', { currency_out: jpy(1), currency_in: usd(0) }, refusedAs('NOT_PAYABLE')),
  refuses('one that cannot be received', { currency_out: usd(1), currency_in: jpy(0) }, refusedAs('NOT_RECEIVABLE')),
  refuses('identical currencies', { currency_out: usd(1), currency_in: usd(0) }, refusedAs('SAME_CURRENCY')),
  refuses(
    'native crypto to native crypto',
    { currency_out: eth(1), currency_in: eth(0, 'arbitrum') },
    refusedAs('CRYPTO_TO_CRYPTO'),
  ),
];

const PLACEHOLDER: readonly Row[] = [
  refuses('rule 1: both sides are placeholders', { currency_out: gbp(0), currency_in: usd(0) }),
  refuses('rule 1: neither side is a placeholder', { currency_out: gbp(100), currency_in: usd(125) }),
  refuses('rule 1: the placeholder is 0, not empty', { currency_out: gbp(100), currency_in: usd('') }),
  refuses('rule 1: the placeholder is 0, not 00', { currency_out: gbp(100), currency_in: usd('00') }),
  shows(
    'currency_in is the placeholder: what is received, at the bid',
    { currency_out: gbp(800_00), currency_in: usd(0) },
    ({ data }) => {
      expect(data).toMatchObject({ direction: 'bid', bid: some(usd(0)), ask: some(usd(0)), stablecoin: null });
      expectAround(data, 1_000_00n);
    },
  ),
  shows(
    'currency_out is the placeholder: what is sent, at the ask',
    { currency_out: gbp(0), currency_in: usd(1_000_00) },
    ({ data }) => {
      expect(data).toMatchObject({ direction: 'ask', bid: some(gbp(0)), ask: some(gbp(0)), stablecoin: null });
      expectAround(data, 800_00n);
    },
  ),
  shows('18 decimals to 2', { currency_out: eth(2n * 10n ** 18n), currency_in: gbp(0) }, ({ data }) =>
    expectAround(data, 3_200_00n),
  ),
  shows('2 decimals to 18', { currency_out: gbp(3_200_00), currency_in: eth(0) }, ({ data }) =>
    expectAround(data, 2n * 10n ** 18n),
  ),
  shows('the bid is rounded down and the ask up', { currency_out: idr(1), currency_in: usd(0) }, ({ data }) =>
    expect([data.bid, data.ask]).toEqual([usd(0), usd(1)]),
  ),
  shows('a quote has no minimum', { currency_out: gbp(1), currency_in: eur(0) }, ({ data }) =>
    expect([data.bid, data.ask]).toEqual([eur(1), eur(2)]),
  ),
  shows('the fee is on top, of what is sent', { currency_out: gbp(800_00), currency_in: usd(0) }, ({ data }) => {
    expect(kinds(data.fees)).toEqual(['percentage']);
    const { rate, value } = data.fees[0];
    expect(rate > 0 && rate < 0.05).toBe(true);
    expect(value).toEqual(gbp(shareOf(800_00n, rate)));
  }),
  shows('the fee of what would be sent', { currency_out: gbp(0), currency_in: usd(1_000_00) }, ({ data }) =>
    expect(data.fees[0].value).toEqual(gbp(shareOf(BigInt(data.ask.value), data.fees[0].rate))),
  ),
  shows(
    'stablecoin is the USDC that the conversion passes',
    { currency_out: gbp(800_00), currency_in: eur(0) },
    ({ data }) => {
      expect(data.stablecoin).toEqual(usdc(1_000_000_000));
      expectAround(data, 909_09n);
    },
  ),
  shows(
    'stablecoin is that of the known side where currency_out is asked',
    { currency_out: gbp(0), currency_in: eur(1_000_00) },
    ({ data }) => expect(data.stablecoin).toEqual(usdc(1_100_000_000)),
  ),
  shows(
    'stablecoin stands where the other side is crypto',
    { currency_out: gbp(800_00), currency_in: eth(0) },
    ({ data }) => expect(data.stablecoin).toEqual(usdc(1_000_000_000)),
  ),
  ...[usd(0), usdc(0), usdc(0, 'polygon'), usdt(0)].map((stable) =>
    shows(
      `stablecoin is null from and to ${nameOf(stable)}`,
      { currency_out: eur(100_00), currency_in: stable },
      async ({ data }, { service }) => {
        expect(data.stablecoin).toBeNull();
        const back = { currency_out: stable, currency_in: eur(100_00) };
        expect((await service.data(OPERATION, back)).stablecoin).toBeNull();
      },
    ),
  ),
  shows(
    'a quote follows the market',
    { currency_out: gbp(800_00), currency_in: usd(0) },
    async ({ data }, { service }) => {
      await setPrice(service, gbp(0), '1.5');
      const now = await service.data(OPERATION, { currency_out: gbp(800_00), currency_in: usd(0) });
      expect(BigInt(data.ask.value)).toBeLessThan(BigInt(now.bid.value));
      expectAround(now, 1_200_00n);
    },
  ),
  shows(
    'nobody gains by going and coming back',
    { currency_out: gbp(800_00), currency_in: usd(0) },
    async ({ data }, { service }) => {
      const back = await service.data(OPERATION, { currency_out: data.bid, currency_in: gbp(0) });
      expect(BigInt(back.bid.value)).toBeLessThanOrEqual(800_00n);
    },
  ),
  ...HELD.filter(({ code }) => code !== 'USD').map(
    (currency): Row => ({
      section: '4.2 rule 2',
      statement: `there is a market for ${nameOf(currency)}, on both sides`,
      operation: OPERATION,
      body: { currency_out: usd(1_000_00), currency_in: currency },
      is: 200,
      async shows({ data }, { service }) {
        for (const side of [data.bid, data.ask]) expect(side).toEqual(some(currency));
        expect(BigInt(data.bid.value)).toBeLessThanOrEqual(BigInt(data.ask.value));
        const sold = await service.data(OPERATION, { currency_out: data.bid, currency_in: usd(0) });
        expectAround(sold, (BigInt(sold.bid.value) + BigInt(sold.ask.value)) / 2n);
        expect(Number(sold.bid.value)).toBeGreaterThan(980_00);
        expect(BigInt(sold.bid.value)).toBeLessThanOrEqual(1_000_00n);
      },
    }),
  ),
];

/** What a payout by the rail costs beside its amount, as the quote says it and as the transaction is charged. */
const destination = (rail: string, currency: Wire, account: (given: Given) => string | Promise<string>): Row => ({
  section: '4.2',
  statement: `destination ${rail}: its direct fee, which is the one that is charged`,
  operation: OPERATION,
  body: {
    currency_out: of(currency, 0),
    currency_in: of(currency, 10n ** BigInt(currency.decimals + 4)),
    destination: rail,
  },
  is: 200,
  async shows({ data }, given) {
    expect(kinds(data.fees)).toEqual(['direct']);
    expect(data.fees[0].value).toEqual(some(currency));
    const id = await account(given);
    const sent = await given.service.data('transaction.transfer', payTo(id, data.ask));
    const record = await given.service.data('transaction.get', { id: sent });
    expect(record.fees).toEqual(data.fees);
    const kind = currency.chain ? `CRYPTO_${currency.chain.toUpperCase()}` : `BANK_${rail}`;
    expect([record.metadata.rail, record.external_reference_type]).toEqual([rail, kind]);
    const other = currency.code === 'USD' ? gbp(500_00) : usd(500_00);
    const converting = { currency_out: other, currency_in: of(currency, 0), destination: rail };
    const { fees } = await given.service.data(OPERATION, converting);
    expect(kinds(fees)).toEqual(['direct', 'percentage']);
    expect(feeOf(fees, 'direct').value).toEqual(some(of(other, 0)));
    expect(feeOf(fees, 'percentage').value).toEqual(of(other, shareOf(500_00n, feeOf(fees, 'percentage').rate)));
    expect(feesOf({ fees, currency_out: other })).toBeGreaterThan(0n);
  },
});

const DESTINATIONS: readonly Row[] = [
  ...BANK_RAILS.map(({ rail, code }) => destination(rail, { value: '0', code, decimals: 2 }, ({ own }) => own(rail))),
  destination('WEB3', usdc(0), ({ walletId }) => walletId),
  ...[null, undefined].map(
    (nowhere): Row => ({
      section: '4.2',
      statement: `destination ${nowhere === null ? 'null' : 'left out'}: a swap, without a direct fee`,
      operation: OPERATION,
      body: { currency_out: gbp(100_00), currency_in: eur(0), destination: nowhere },
      is: 200,
      shows: ({ data }) => expect(kinds(data.fees)).toEqual(['percentage']),
    }),
  ),
  {
    section: '4.2',
    statement: 'a payout without conversion: bid and ask are the amount, stablecoin is null',
    operation: OPERATION,
    body: { currency_out: gbp(100_00), currency_in: gbp(0), destination: 'GBP_FPS' },
    is: 200,
    shows: ({ data }) =>
      expect(data).toMatchObject({ bid: gbp(100_00), ask: gbp(100_00), stablecoin: null, direction: 'bid' }),
  },
  {
    section: '4.2',
    statement: 'external_account_id names the rail by itself',
    operation: OPERATION,
    body: ({ accountId }) => ({ currency_out: eur(100_00), currency_in: gbp(0), external_account_id: accountId }),
    is: 200,
    async shows({ data }, { service }) {
      const named = { currency_out: eur(100_00), currency_in: gbp(0), destination: 'GBP_FPS' };
      expect((await service.data(OPERATION, named)).fees).toEqual(data.fees);
    },
  },
  {
    section: '4.2',
    statement: 'external_account_id and the destination of its rail agree',
    operation: OPERATION,
    body: ({ accountId }) => ({
      currency_out: eur(100_00),
      currency_in: gbp(0),
      destination: 'GBP_FPS',
      external_account_id: accountId,
    }),
    is: 200,
  },
  refuses('external_account_id contradicts destination', ({ accountId }) => ({
    currency_out: gbp(100_00),
    currency_in: eur(0),
    destination: 'EUR_SEPA',
    external_account_id: accountId,
  })),
  refuses(
    'external_account_id is not there',
    { currency_out: eur(100_00), currency_in: gbp(0), external_account_id: 'acc_nowhere' },
    NOT_FOUND,
  ),
  refuses(
    'the destination must receive currency_in',
    { currency_out: gbp(100_00), currency_in: usd(0), destination: 'EUR_SEPA' },
    refusedAs('RAIL_CURRENCY_MISMATCH'),
  ),
  refuses(
    'a wallet receives no fiat',
    { currency_out: gbp(100_00), currency_in: usd(0), destination: 'WEB3' },
    refusedAs('RAIL_CURRENCY_MISMATCH'),
  ),
  refuses(
    'a bank account receives no crypto',
    { currency_out: gbp(100_00), currency_in: usdc(0), destination: 'USD_WIRE' },
    refusedAs('RAIL_CURRENCY_MISMATCH'),
  ),
  refuses(
    'a wallet is on one chain',
    ({ walletId }) => ({ currency_out: gbp(100_00), currency_in: usdc(0, 'polygon'), external_account_id: walletId }),
    refusedAs('RAIL_CURRENCY_MISMATCH'),
  ),
];

/** 4.2 `quote.get`. */
export const SECTION_4_QUOTE: readonly Row[] = [...REQUEST, ...PLACEHOLDER, ...DESTINATIONS];
