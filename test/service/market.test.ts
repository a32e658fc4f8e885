import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASSETS, type Asset } from '../../src/service/accounts/assets.ts';
import { WALK_BPS_MAX, WHOLE, walkParts } from '../../src/service/market/market.ts';
import {
  BPS,
  buyQuote,
  conversionFee,
  DOLLARS,
  isWithinTolerance,
  marketRate,
  midDown,
  midUp,
  OTHERS,
  type Pair,
  pairOf,
  sellQuote,
} from '../../src/service/market/pairs.ts';
import { startTestService, type TestService } from './harness.ts';

const assets = fc.constantFrom(...ASSETS);
/** From a trillionth of a dollar to a trillion dollars: whatever the admin port may set. */
const prices = fc.bigInt({ min: 10n ** 6n, max: 10n ** 30n });
/** Up to the 38 digits that the wire carries; small ones often, because rounding is felt there. */
const amounts = fc.oneof(fc.bigInt({ min: 1n, max: 10_000n }), fc.bigInt({ min: 1n, max: 10n ** 38n - 1n }));

const pairs: fc.Arbitrary<Pair> = fc
  .tuple(assets, assets, prices, prices)
  .filter(([from, to]) => from !== to)
  .map(([from, to, fromAttos, toAttos]) => pairOf(from, to, { from: fromAttos, to: toAttos }));

function reversed({ from, to }: Pair, attos: { from: bigint; to: bigint }): Pair {
  return pairOf(to, from, { from: attos.to, to: attos.from });
}

function tablePair(from: Asset, to: Asset): Pair {
  return pairOf(from, to, { from: from.usdNanos * 10n ** 9n, to: to.usdNanos * 10n ** 9n });
}

function asset(code: string, chain: string | null = null): Asset {
  return ASSETS.find(({ currency }) => currency.code === code && currency.chain === chain) ?? expect.fail(code);
}

describe('the terms of every pair', () => {
  it.each([DOLLARS, OTHERS])('leave nothing to gain within the tolerance', (terms) => {
    expect(terms.toleranceBps).toBeLessThanOrEqual(terms.feeBps + terms.halfSpreadBps);
  });

  it('are 10 bps of tolerance between dollars of any kind, and 50 otherwise', () => {
    const tolerance = (from: Asset, to: Asset) => tablePair(from, to).terms.toleranceBps;
    expect(tolerance(asset('USD'), asset('USDC', 'polygon'))).toBe(10n);
    expect(tolerance(asset('USDT', 'ethereum'), asset('USDC', 'ethereum'))).toBe(10n);
    expect(tolerance(asset('USDC', 'ethereum'), asset('USDC', 'polygon'))).toBe(10n);
    expect(tolerance(asset('USD'), asset('GBP'))).toBe(50n);
    expect(tolerance(asset('USDC', 'ethereum'), asset('ETH', 'ethereum'))).toBe(50n);
    expect(tolerance(asset('GBP'), asset('EUR'))).toBe(50n);
  });

  it('has a minimum of about one US dollar for each currency', () => {
    for (const { currency, usdNanos, minimumMinor } of ASSETS) {
      const cents = (minimumMinor * usdNanos) / 10n ** BigInt(currency.decimals + 7);
      expect(cents, currency.code).toBeGreaterThanOrEqual(60n);
      expect(cents, currency.code).toBeLessThanOrEqual(150n);
    }
  });
});

describe('a quote', () => {
  it('is the exact fraction, rounded as it says: known values', () => {
    const pounds = tablePair(asset('GBP'), asset('USD'));
    // 100.00 GBP are 132.00 USD at mid; a quarter of a percent is 0.33.
    expect(sellQuote(100_00n, pounds)).toEqual({ bid: 131_67n, ask: 132_33n });
    // 132.00 / (1.32 * 0.9975) = 100.2506…; 132.00 / (1.32 * 1.0025) = 99.7506…
    expect(buyQuote(132_00n, pounds)).toEqual({ bid: 99_75n, ask: 100_26n });
    expect(conversionFee(100_01n, pounds)).toBe(31n);
    const ether = tablePair(asset('ETH', 'arbitrum'), asset('IDR'));
    // One wei is 5 * 10^-9 of an Indonesian cent: nothing, or the least there is.
    expect(sellQuote(1n, ether)).toEqual({ bid: 0n, ask: 1n });
    // 1 IDR-cent of 10^-2 * 0.00006 / 3000 ETH = 2 * 10^8 wei at mid.
    expect(midDown(1n, tablePair(asset('IDR'), asset('ETH', 'ethereum')))).toBe(200_000_000n);
  });

  it('has bid <= mid <= ask, from either side, with 18 decimals or 2, up to 38 digits', () => {
    fc.assert(
      fc.property(pairs, amounts, (pair, amount) => {
        const sold = sellQuote(amount, pair);
        expect(sold.bid <= midDown(amount, pair) && midUp(amount, pair) <= sold.ask).toBe(true);
        const bought = buyQuote(amount, pair);
        // Of the mid price itself, as cross products: no division that could round.
        expect(bought.bid * pair.numerator <= amount * pair.denominator).toBe(true);
        expect(bought.ask * pair.numerator >= amount * pair.denominator).toBe(true);
      }),
    );
  });

  it('is nowhere more than one minor unit from the exact fraction', () => {
    fc.assert(
      fc.property(pairs, amounts, (pair, amount) => {
        const { numerator, denominator, terms } = pair;
        const { bid, ask } = sellQuote(amount, pair);
        const low = amount * numerator * (BPS - terms.halfSpreadBps);
        const high = amount * numerator * (BPS + terms.halfSpreadBps);
        const unit = denominator * BPS;
        expect(bid * unit <= low && low < (bid + 1n) * unit).toBe(true);
        expect((ask - 1n) * unit < high && high <= ask * unit).toBe(true);
      }),
    );
  });

  it('rises with the amount', () => {
    fc.assert(
      fc.property(pairs, amounts, amounts, (pair, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        for (const quote of [sellQuote, buyQuote]) {
          expect(quote(less, pair).bid <= quote(more, pair).bid).toBe(true);
          expect(quote(less, pair).ask <= quote(more, pair).ask).toBe(true);
        }
        expect(conversionFee(less, pair) <= conversionFee(more, pair)).toBe(true);
      }),
    );
  });

  it('of either side is always within the tolerance: what was quoted can be sent', () => {
    fc.assert(
      fc.property(pairs, amounts, (pair, amount) => {
        expect(isWithinTolerance(amount, sellQuote(amount, pair).bid, pair)).toBe(true);
        const { ask } = buyQuote(amount, pair);
        expect(sellQuote(ask, pair).bid >= amount).toBe(true);
        expect(isWithinTolerance(ask, amount, pair)).toBe(true);
      }),
    );
  });
});

describe('the tolerance', () => {
  it('is two-sided and exact at its edges', () => {
    const pounds = tablePair(asset('GBP'), asset('USD'));
    // 1,000,000.00 GBP bring 1,316,700.00 USD; half a percent is 6,583.50.
    const within = (inMinor: bigint) => isWithinTolerance(1_000_000_00n, inMinor, pounds);
    expect([within(1_316_700_00n + 6_583_50n), within(1_316_700_00n + 6_583_51n)]).toEqual([true, false]);
    expect([within(1_316_700_00n - 6_583_50n), within(1_316_700_00n - 6_583_51n)]).toEqual([true, false]);
    const dollars = tablePair(asset('USDC', 'ethereum'), asset('USD'));
    // 1,000,000 USDC bring 999,500.00 USD; a thousandth is 999.50.
    const near = (inMinor: bigint) => isWithinTolerance(1_000_000_000_000n, inMinor, dollars);
    expect([near(999_500_00n + 999_50n), near(999_500_00n + 999_51n)]).toEqual([true, false]);
  });
});

describe('there and back', () => {
  /** The most that anybody can get for `outMinor`: the far edge of the tolerance. */
  function most(outMinor: bigint, pair: Pair): bigint {
    const { bid } = sellQuote(outMinor, pair);
    return bid + (bid * pair.terms.toleranceBps) / BPS;
  }

  it('never gains, for any pair, prices and amount, even at the far edge of the tolerance', () => {
    fc.assert(
      fc.property(assets, assets, prices, prices, amounts, (from, to, fromAttos, toAttos, amount) => {
        fc.pre(from !== to);
        const there = pairOf(from, to, { from: fromAttos, to: toAttos });
        const back = reversed(there, { from: fromAttos, to: toAttos });
        const received = most(amount, there);
        expect(isWithinTolerance(amount, received, there)).toBe(true);
        const paid = amount + conversionFee(amount, there);
        // Of what came, as much as can go back with its fee on top.
        const returned = (received * BPS) / (BPS + back.terms.feeBps);
        const rest = received - returned - conversionFee(returned, back);
        fc.pre(rest >= 0n);
        expect(most(returned, back) + midDown(rest, back)).toBeLessThanOrEqual(paid);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never gains round three currencies', () => {
    fc.assert(
      fc.property(fc.tuple(assets, assets, assets), fc.tuple(prices, prices, prices), amounts, (ways, usd, amount) => {
        const [a, b, c] = ways;
        fc.pre(a !== b && b !== c && c !== a);
        const legs = [
          pairOf(a, b, { from: usd[0], to: usd[1] }),
          pairOf(b, c, { from: usd[1], to: usd[2] }),
          pairOf(c, a, { from: usd[2], to: usd[0] }),
        ];
        const end = legs.reduce((held, pair) => most((held * BPS) / (BPS + pair.terms.feeBps), pair), amount);
        expect(end).toBeLessThanOrEqual(amount);
      }),
    );
  });
});

describe('the market rate of a record', () => {
  it('is the mid price in whole ticks, with six digits or more', () => {
    expect(marketRate(tablePair(asset('GBP'), asset('USD')))).toEqual({ rate: '1.32000', tickSize: '0.00001' });
    expect(marketRate(tablePair(asset('ETH', 'ethereum'), asset('IDR')))).toEqual({ rate: '50000000', tickSize: '1' });
    expect(marketRate(tablePair(asset('IDR'), asset('ETH', 'ethereum')))).toEqual({
      rate: '0.0000000200000',
      tickSize: '0.0000000000001',
    });
  });
});

describe('the walk', () => {
  const walks = fc.record({ seed: fc.nat(2 ** 32 - 1), bps: fc.integer({ min: 1, max: WALK_BPS_MAX }) });
  const steps = fc.nat(2 ** 31);
  const codes = fc.constantFrom('GBP', 'EUR', 'ETH', 'IDR');

  it('moves less than its bps in a step, and stays within two thirds of the base', () => {
    fc.assert(
      fc.property(walks, codes, steps, (walk, code, step) => {
        const [before, after] = [walkParts(walk, code, step), walkParts(walk, code, step + 1)];
        const moved = after > before ? after - before : before - after;
        expect(moved).toBeLessThan(BigInt(walk.bps) * 100_000n);
        expect(3n * (before > 0n ? before : -before)).toBeLessThan(2n * WHOLE);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is another for another seed and another currency, and the same for the same', () => {
    const at = (seed: number, code: string) =>
      Array.from({ length: 50 }, (_, step) => walkParts({ seed, bps: 5 }, code, 357_000_000 + step)).join();
    expect(at(1, 'GBP')).toBe(at(1, 'GBP'));
    expect(new Set([at(1, 'GBP'), at(2, 'GBP'), at(1, 'EUR')]).size).toBe(3);
  });

  it('wanders: twice as far in four times the time, and moves at nearly every step', () => {
    const path = Array.from({ length: 40_000 }, (_, step) => Number(walkParts({ seed: 7, bps: 10 }, 'GBP', step)));
    const spread = (lag: number) => {
      const moves = path.slice(lag).map((value, at) => value - (path[at] ?? 0));
      return Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length);
    };
    expect(new Set(path).size).toBeGreaterThan(39_000);
    for (const lag of [4, 16, 64, 256]) {
      const ratio = spread(4 * lag) / spread(lag);
      expect(ratio, `over ${lag} steps`).toBeGreaterThan(1.4);
      expect(ratio, `over ${lag} steps`).toBeLessThan(2.8);
    }
  });
});

describe('the admin port', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  const list = async () => (await service.admin('price.list')).data;
  const priceOf = async (code: string, chain?: string) =>
    (await list()).prices.find(
      (price: { code: string; chain?: string }) => price.code === code && price.chain === chain,
    ).usd;

  it('sets the price of a currency, on one chain or on all, for good', async () => {
    expect(await priceOf('GBP')).toBe('1.32');
    expect((await service.admin('price.set', { code: 'GBP', usd: '1.4' })).data.usd).toBe('1.4');
    await service.admin('price.set', { code: 'USDC', chain: 'polygon', usd: '0.97' });
    await service.admin('price.set', { code: 'ETH', usd: '2999.999999999999999999' });
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir });
    expect(await priceOf('GBP')).toBe('1.4');
    expect([await priceOf('USDC', 'polygon'), await priceOf('USDC', 'ethereum')]).toEqual(['0.97', '1']);
    expect(await priceOf('ETH', 'arbitrum')).toBe('2999.999999999999999999');
  });

  it.each([
    { code: 'GBP', usd: '0' },
    { code: 'GBP', usd: '-1' },
    { code: 'GBP', usd: '1e3' },
    { code: 'GBP', usd: '1000000000001' },
    { code: 'GBP', usd: '0.0000000000001' },
    { code: 'USD', usd: '2' },
    { code: 'JPY', usd: '1' },
    { code: 'USDC', chain: 'solana', usd: '1' },
  ])('refuses $code $chain at $usd', async (request) => {
    const before = await list();
    expect((await service.admin('price.set', request)).error?.code).toBe('BAD_REQUEST');
    expect(await list()).toEqual(before);
  });

  it('lets prices walk by the service’s clock, the same after a restart, and stops them', async () => {
    await service.admin('clock.freeze');
    await service.admin('price.walk', { seed: 42, bps: 10 });
    const first = await list();
    expect(first.walk).toEqual({ seed: 42, bps: 10 });
    await service.admin('clock.advance', { ms: 5_000 });
    const second = await list();
    const moved = (code: string) =>
      [first, second].map(({ prices }) => prices.find((price: { code: string }) => price.code === code).usd);
    expect(moved('GBP')[0]).not.toBe(moved('GBP')[1]);
    // A dollar stays a dollar.
    expect(moved('USDT')).toEqual(['1', '1']);
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir });
    expect(await list()).toEqual(second);
    await service.admin('price.walk', { seed: 0, bps: 0 });
    expect([await priceOf('GBP'), (await list()).walk]).toEqual(['1.32', null]);
    expect((await service.admin('price.walk', { seed: 1, bps: WALK_BPS_MAX + 1 })).error?.code).toBe('BAD_REQUEST');
  });
});
