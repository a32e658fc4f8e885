import { describe, expect, it } from 'vitest';
import { currency } from '../../src/domain/currencies.ts';
import { LimitCount } from '../../src/domain/limits.ts';
import type { PayoutOrder } from '../../src/domain/payee.ts';
import type { Limits, PlannedConversions } from '../../src/domain/plan.ts';
import { sampleRow } from '../journal/samples.ts';

const NONE: Limits = {
  per_payout: null,
  per_run: null,
  per_day: null,
  time_zone: 'UTC',
  payees: null,
  only_payees: null,
  failures_percent: null,
  cooling_off_ms: null,
};

type Of = { id?: string | null; code?: string; chain?: string | null; source?: string };

function order(minor: string, { id = 'E1', code = 'AUD', chain = null, source }: Of = {}): PayoutOrder {
  const { order: sample } = sampleRow(2);
  const of = currency(code, chain);
  if (sample === null || of === null) throw new Error('no sample');
  const payee = { ...sample.payee, payee_id: id };
  return { ...sample, payee, amount_minor: minor, currency: of, source: source ? currency(source, null) : null };
}

/** The codes of what the orders exceed, by row and then of all. */
function excess(limits: Partial<Limits>, orders: PayoutOrder[], conversions: PlannedConversions | null = null) {
  const count = new LimitCount({ ...NONE, ...limits }, conversions);
  const ofRows = orders.map((one) => count.add(one).map(({ fault }) => fault.code));
  return [...ofRows, count.finish().map(({ code }) => code)];
}

const aud = (minor: string) => [{ code: 'AUD', minor }];

describe('a limit', () => {
  it('allows what it says to the last cent, and no more', () => {
    const orders = [order('1000'), order('1001')];
    expect(excess({ per_payout: aud('1001') }, orders)).toEqual([[], [], []]);
    expect(excess({ per_payout: aud('1000') }, orders)).toEqual([[], ['limit_per_payout'], []]);
    expect(excess({ per_run: aud('2001') }, orders)).toEqual([[], [], []]);
    expect(excess({ per_run: aud('2000') }, orders)).toEqual([[], [], ['limit_per_run']]);
    expect(excess({}, orders)).toEqual([[], [], []]);
  });

  it('counts payees once, however they are written, and takes those that are named', () => {
    const orders = [order('1'), order('1', { id: ' E1 ' }), order('1', { id: 'E2' }), order('1', { id: null })];
    expect(excess({ payees: 3 }, orders).at(-1)).toEqual([]);
    expect(excess({ payees: 2 }, orders).at(-1)).toEqual(['limit_payees']);
    const only = ['limit_only_payees'];
    expect(excess({ only_payees: ['E1'] }, orders)).toEqual([[], [], only, only, []]);
  });

  it.each(['per_payout', 'per_run', 'per_day'] as const)(
    'in sums (%s) allows no currency without one, and says so once',
    (name) => {
      const orders = [order('1'), order('1', { code: 'EUR' }), order('1', { code: 'EUR' })];
      expect(excess({ [name]: aud('9999') }, orders)).toEqual([[], ['limit_currency'], [], []]);
    },
  );

  it('is over all chains of a crypto asset', () => {
    const orders = ['polygon', 'ethereum'].map((chain) => order('1500000', { code: 'USDC', chain }));
    expect(excess({ per_run: [{ code: 'USDC', minor: '3000000' }] }, orders).at(-1)).toEqual([]);
    expect(excess({ per_run: [{ code: 'USDC', minor: '2999999' }] }, orders).at(-1)).toEqual(['limit_per_run']);
  });

  it('counts what is converted where it is received and where it is sent from', () => {
    const [AUD, EUR] = [currency('AUD', null), currency('EUR', null)];
    if (AUD === null || EUR === null) throw new Error('no currency');
    const pair = {
      source: AUD,
      currency: EUR,
      payouts: 2,
      planned_minor: '3000',
      quoted_minor: '5000',
      fees_minor: '0',
    };
    const conversions = { pairs: [{ ...pair, sent_minor: '5001' }], ceilings: { payout_bps: 50, run_bps: 50 } };
    const orders = [order('1000', { code: 'EUR', source: 'AUD' }), order('2000', { code: 'EUR', source: 'AUD' })];
    const both = (AUDs: string, EURs: string) => [...aud(AUDs), { code: 'EUR', minor: EURs }];
    expect(excess({ per_run: both('5001', '3000') }, orders, conversions)).toEqual([[], [], []]);
    expect(excess({ per_run: both('5000', '3000') }, orders, conversions)).toEqual([[], [], ['limit_per_run']]);
    // 2000 of 3000 EUR are 3333.3 of 5000 AUD.
    expect(excess({ per_payout: both('3334', '2000') }, orders, conversions)).toEqual([[], [], []]);
    expect(excess({ per_payout: both('3333', '2000') }, orders, conversions)).toEqual([[], ['limit_per_payout'], []]);
    expect(excess({ per_payout: both('3334', '1999') }, orders, conversions)).toEqual([[], ['limit_per_payout'], []]);
    expect(excess({ per_run: [{ code: 'EUR', minor: '9999' }] }, orders)).toEqual([['limit_currency'], [], []]);
  });
});
