import { expect } from 'vitest';
import { RATE_LIMIT_DEFAULT } from '../../../src/service/options.ts';
import { BANK_RAILS } from './accounts.ts';
import { aside, gbp, HELD, nameOf, of, usd, usdc, type Wire } from './amounts.ts';
import { INVALID, NOT_FOUND, type Row, refusedAs, TEXT } from './row.ts';
import { freshSwap, payTo, swap } from './transfers.ts';

const transfer = (statement: string, body: Row['body'], is: Row['is'], more: Partial<Row> = {}): Row => ({
  section: '8',
  statement,
  operation: 'transaction.transfer',
  body,
  is,
  ...more,
});

/** So much of a currency as a number of dollar cents is worth. */
const worth =
  (currency: Wire, cents: number): Row['body'] =>
  async ({ service }) => {
    const into = currency.code === 'USD' ? gbp(0) : usd(0);
    const quoted = { currency_out: usd(cents), currency_in: currency };
    const out = currency.code === 'USD' ? usd(cents) : (await service.data('quote.get', quoted)).bid;
    return freshSwap(service, out, into);
  };

const MINIMUMS: readonly Row[] = HELD.flatMap((currency) => [
  transfer(
    `a swap of ${nameOf(currency)} worth half a dollar is dust`,
    worth(currency, 50),
    refusedAs('BELOW_MINIMUM'),
  ),
  transfer(`a swap of ${nameOf(currency)} worth two dollars is none`, worth(currency, 2_00), 200),
]);

const REFERENCES: readonly Row[] = [
  ...BANK_RAILS.flatMap(({ rail, code, referenceMax }) =>
    [
      [referenceMax, 200 as const],
      [referenceMax + 1, refusedAs('REFERENCE_TOO_LONG')],
    ].map(([length, is]) =>
      transfer(
        `a reference of ${length} characters by ${rail}`,
        async ({ own }) =>
          payTo(await own(rail), { value: '100', code, decimals: 2 }, undefined, {
            reference: 'r'.repeat(length as number),
          }),
        is as Row['is'],
        is === 200
          ? {
              async shows(reply, { service }) {
                const { metadata } = await service.data('transaction.get', { id: reply.data });
                // Nothing is ever cut.
                expect(metadata.required_fields.reference).toEqual({
                  value: 'r'.repeat(length as number),
                  label: TEXT,
                });
              },
            }
          : {},
      ),
    ),
  ),
  transfer(
    'a reference of 140 characters in a swap',
    ({ service }) => freshSwap(service, usd(100_00), usdc(0), { reference: 'r'.repeat(140) }),
    200,
  ),
  transfer(
    'a reference of 141 characters in a swap',
    ({ service }) => freshSwap(service, usd(100_00), usdc(0), { reference: 'r'.repeat(141) }),
    refusedAs('REFERENCE_TOO_LONG'),
  ),
  transfer(
    'a wallet has no limit',
    ({ walletId }) => payTo(walletId, usdc(2_000_000), undefined, { reference: 'r'.repeat(500) }),
    200,
  ),
  transfer(
    'characters are counted, not bytes',
    ({ own }) =>
      own('AUD_NPP').then((id) =>
        payTo(id, { value: '100', code: 'AUD', decimals: 2 }, undefined, { reference: 'é'.repeat(280) }),
      ),
    200,
  ),
  transfer(
    'SPEI carries letters, digits and blanks',
    ({ own }) =>
      own('MXN_SPEI').then((id) =>
        payTo(id, { value: '100', code: 'MXN', decimals: 2 }, undefined, { reference: 'A-1' }),
      ),
    INVALID,
  ),
  ...['EUR_SEPA', 'USD_SWIFT'].flatMap((rail) =>
    ['-1', ':1', 'é', 'a_b', 'a\nb'].map((reference) =>
      transfer(
        `${rail} carries no ${JSON.stringify(reference)}`,
        async ({ own }) =>
          payTo(await own(rail), { value: '100', code: rail.slice(0, 3), decimals: 2 }, undefined, { reference }),
        INVALID,
      ),
    ),
  ),
];

const OTHERS: readonly Row[] = [
  transfer(
    'the tolerance is small: one percent is too much',
    async ({ service }) => {
      const request = await freshSwap(service, gbp(1_000_00), usd(0));
      const { currency_in } = request as { currency_in: Wire };
      return swap(gbp(1_000_00), of(currency_in, aside(BigInt(currency_in.value), 10_000)));
    },
    refusedAs('RATE_DRIFT'),
  ),
  transfer('metadata accepts only description', swap(usd(100_00), usdc(1), { metadata: { purpose: 'x' } }), INVALID),
  {
    section: '8',
    statement: 'a quote may be refreshed as often as the rate limit lets',
    operation: 'quote.get',
    body: { currency_out: gbp(100_00), currency_in: usd(0) },
    is: 200,
    async shows(reply, { service }) {
      const again = await service.data('quote.get', { currency_out: gbp(100_00), currency_in: usd(0) });
      expect(again).toEqual(reply.data);
    },
  },
  {
    section: '8',
    statement: 'the rate limit is 100 requests in 10 s for a key, by default',
    operation: 'account.balance.getMany',
    body: {},
    alone: { rateLimit: RATE_LIMIT_DEFAULT },
    is: 200,
    shows: ({ headers }) => expect(headers['ratelimit-policy']).toMatch(/q=100\b.*w=10\b/),
  },
];

const VERSIONS: readonly Row[] = [
  ...[
    '/v2/account.balance.getMany',
    '/account.balance.getMany',
    '/v1/v1/account.balance.getMany',
    '/V1/account.balance.getMany',
  ].map(
    (path): Row => ({
      section: '9',
      statement: `the version is part of the path, and there is no ${path}`,
      operation: 'account.balance.getMany',
      body: {},
      signing: { path },
      is: NOT_FOUND,
    }),
  ),
  {
    section: '9',
    statement: 'the version is /v1/',
    operation: 'account.balance.getMany',
    body: {},
    signing: { path: '/v1/account.balance.getMany' },
    is: 200,
  },
];

/** 8. Limits, and 9. Versioning. */
export const SECTION_8_9: readonly Row[] = [...MINIMUMS, ...REFERENCES, ...OTHERS, ...VERSIONS];
