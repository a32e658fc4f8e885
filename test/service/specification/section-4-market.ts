import { expect } from 'vitest';
import { aside, eth, eur, gbp, usd, usdc, usdt, type Wire } from './amounts.ts';
import { type Row, refusedAs, transferRow as row } from './row.ts';
import { ended, feesOf, freshPayout, freshSwap, moved, purse, received, setPrice, swap } from './transfers.ts';

const OPERATION = 'transaction.transfer';
/** A swap whose currency_in is a little beside what a quote says, in millionths. */
const beside =
  (out: Wire, into: Wire, ppm: number): Row['body'] =>
  async ({ service }) => {
    const fresh = await received(service, out, into);
    return swap(out, { ...into, value: String(aside(fresh, ppm)) });
  };
const BIG: readonly (readonly [string, Wire, Wire, number])[] = [
  ['fiat to fiat', gbp(1_000_000_00), eur(0), 5_000],
  ['fiat to crypto', gbp(1_000_000_00), eth(0), 5_000],
  ['crypto to dollars', eth(10n ** 20n), usd(0), 5_000],
  ['stable to fiat', usdc(10n ** 12n), eur(0), 5_000],
  ['stable to stable', usdc(10n ** 12n), usdt(0), 1_000],
  ['stable to dollars', usdc(10n ** 12n), usd(0), 1_000],
  ['dollars to stable', usd(1_000_000_00), usdt(0, 'polygon'), 1_000],
];

const DRIFT: readonly Row[] = BIG.flatMap(([what, out, into, ppm]) =>
  [-1, 1].flatMap((side) => [
    row(
      '4.3 rule 2',
      `${what}: ${side * ppm * 0.99} ppm beside the market is taken`,
      beside(out, into, side * ppm * 0.99),
      200,
    ),
    row(
      '4.3 rule 2',
      `${what}: ${side * ppm * 1.01} ppm beside the market is refused`,
      beside(out, into, side * ppm * 1.01),
      refusedAs('RATE_DRIFT'),
      (reply) => expect(reply.error?.message).toMatch(/fresh quote/i),
    ),
  ]),
);

/** A price moves between submission and execution. */
const afterMove = (statement: string, dollars: string, prepare: Row['body'], shows: Row['shows']): Row => ({
  section: '4.3 rule 2',
  statement,
  operation: OPERATION,
  alone: {},
  is: 200,
  async body(given) {
    await setPrice(given.service, gbp(0), '1.25');
    await setPrice(given.service, eur(0), '1');
    given.kept.purse = await purse(given.service);
    given.kept.request = await (prepare as (of: typeof given) => unknown)(given);
    return given.kept.request;
  },
  async shows(reply, given) {
    await setPrice(given.service, gbp(0), dollars);
    given.kept.record = await ended(given.service, reply.data);
    await shows?.(reply, given);
  },
});

const EXECUTION: readonly Row[] = [
  ...['1.252', '1.248'].map((dollars) =>
    afterMove(
      `a swap is re-quoted: at ${dollars} instead of 1.25 it settles at the new rate`,
      dollars,
      ({ service }) => freshSwap(service, gbp(800_00), eur(0)),
      async (_reply, { service, kept }) => {
        const now = await received(service, gbp(800_00), eur(0));
        expect([kept.record.status, kept.record.currency_in]).toEqual(['COMPLETED', eur(now)]);
        expect(eur(now)).not.toEqual(kept.request.currency_in);
        expect(await moved(service, kept.purse)).toEqual({
          GBP: { available: -800_00n - feesOf(kept.record), pending: 0n },
          EUR: { available: now, pending: 0n },
        });
      },
    ),
  ),
  afterMove(
    'a converting payout pays exactly currency_in though the market moved a little',
    '1.252',
    async ({ service, own }) => freshPayout(service, await own('EUR_SEPA'), gbp(800_00), eur(0)),
    async (_reply, { service, kept }) => {
      expect([kept.record.status, kept.record.currency_in]).toEqual(['COMPLETED', kept.request.currency_in]);
      expect(await moved(service, kept.purse)).toEqual({
        GBP: { available: -800_00n - feesOf(kept.record), pending: 0n },
      });
    },
  ),
  ...['1.20', '1.30'].map((dollars) =>
    afterMove(
      `a converting payout fails at ${dollars} instead of 1.25, the original currency given back exactly`,
      dollars,
      async ({ service, own }) => freshPayout(service, await own('EUR_SEPA'), gbp(800_00), eur(0)),
      async (_reply, { service, kept }) => {
        expect([kept.record.status, kept.record.failure_reason.code]).toEqual(['FAILED', 'RATE_DRIFT']);
        expect(await moved(service, kept.purse)).toEqual({});
      },
    ),
  ),
];

/** 4.3, rule 2: the market at submission and at execution. */
export const SECTION_4_MARKET: readonly Row[] = [...DRIFT, ...EXECUTION];
