import { request } from 'undici';
import { expect } from 'vitest';
import { replyOf } from '../harness.ts';
import { eth, eur, gbp, HELD, jpy, nameOf, of, usd, usdc } from './amounts.ts';
import { INVALID, NOT_FOUND, type Outgoing, type Row, refusedAs, TEXT } from './row.ts';
import { freshPayout, freshSwap, payout, payTo, setPrice, swap, toWallet } from './transfers.ts';

const transfer = (statement: string, body: Row['body'], is: Row['is'], ...parts: (RegExp | string)[]): Row => ({
  section: '7',
  statement,
  operation: 'transaction.transfer',
  body,
  is,
  shows(reply) {
    for (const part of parts) expect(reply.error?.message).toMatch(part);
  },
});

const ENVELOPE: readonly Row[] = [
  {
    section: '7',
    statement: 'an error has code, message and perhaps a reason',
    operation: 'transaction.transfer',
    body: payout({}, '0'),
    is: INVALID,
    shows: ({ text }) =>
      expect(JSON.parse(text)).toEqual({ error: { code: 'BAD_REQUEST', message: TEXT, reason: 'INVALID' } }),
  },
  ...(
    [
      ['a body that ends too early', '{"currency_out":'],
      ['a body with a comma too many', '{"currency_out":{},}'],
      ['a body in single quotes', "{'id':'x'}"],
      ['a body with a comment', '{"id":"x"} // x'],
      ['two bodies', '{"id":"x"}{"id":"y"}'],
      ['a name twice', '{"id":"x","id":"y"}'],
      ['a name twice, once with an escape', '{"id":"x","\\u0069d":"y"}'],
      ['a name twice further down', '{"external_accounts":{"to":null,"from":null,"to":{"id":"x"}}}'],
    ] as const
  ).map(([statement, body]) => transfer(`${statement} is a PARSE_ERROR`, body, [400, 'PARSE_ERROR'])),
];

const SUBMISSION: readonly Row[] = [
  transfer(
    'a currency that cannot be paid',
    ({ accountId }) => payTo(accountId, jpy(100)),
    refusedAs('NOT_PAYABLE'),
    'JPY',
    /not a payable currency/,
  ),
  transfer(
    'an asset on a chain where it is not',
    toWallet(usdc('100', 'solana')),
    refusedAs('NOT_PAYABLE'),
    'USDC',
    'solana',
    /not a payable currency/,
  ),
  transfer(
    'a currency that cannot be received',
    swap(usd(100_00), jpy(100)),
    refusedAs('NOT_RECEIVABLE'),
    'JPY',
    /not a receivable currency/,
  ),
  transfer(
    'a payout to a currency that cannot be received',
    ({ accountId }) => payTo(accountId, usd(100_00), jpy(100)),
    refusedAs('NOT_RECEIVABLE'),
    'JPY',
  ),
  transfer(
    'a direct swap of native crypto to native crypto',
    swap(eth(10n ** 18n), eth(10n ** 18n, 'arbitrum')),
    refusedAs('CRYPTO_TO_CRYPTO'),
    /not supported/,
    'ETH on ethereum',
    'ETH on arbitrum',
    /bridg.*stablecoin/i,
    /USDC or USDT/,
  ),
  ...HELD.map((currency) =>
    transfer(
      `an amount under the minimum of ${nameOf(currency)}`,
      swap(of(currency, 1), currency.code === 'USD' ? gbp(1) : usd(1)),
      refusedAs('BELOW_MINIMUM'),
      new RegExp(`swaps from ${currency.code}`, 'i'),
      /at least \d/,
    ),
  ),
  transfer(
    'a converting payout has the minimum of a swap',
    ({ own }) => own('EUR_SEPA').then((id) => payTo(id, gbp(1), eur(1))),
    refusedAs('BELOW_MINIMUM'),
    /at least/,
  ),
  transfer('a rate too far from the market', swap(usd(100_00), gbp(100_00)), refusedAs('RATE_DRIFT'), /fresh quote/i),
  transfer(
    'a rate too far for a payout',
    ({ own }) => own('EUR_SEPA').then((id) => payTo(id, gbp(100_00), eur(300_00))),
    refusedAs('RATE_DRIFT'),
    /fresh quote/i,
  ),
  transfer('zero', payout({}, '0'), INVALID),
  transfer('zero in currency_in', ({ own }) => own('EUR_SEPA').then((id) => payTo(id, gbp(100_00), eur(0))), INVALID),
  transfer('a negative amount', payout({}, '-100'), INVALID),
  transfer('a negative currency_in', swap(usd(100_00), usdc(-100)), INVALID),
  transfer('identical currencies in a swap', swap(usd(100_00), usd(99_00)), refusedAs('SAME_CURRENCY'), 'USD'),
  transfer('identical assets on one chain', swap(usdc(2_000_000), usdc(2_000_000)), refusedAs('SAME_CURRENCY'), 'USDC'),
  transfer('identical currencies in a payout', payout({ currency_in: gbp(100) }), refusedAs('SAME_CURRENCY'), 'GBP'),
  transfer(
    'the same asset on two chains is not identical',
    ({ service }) => freshSwap(service, usdc(100_000_000), usdc(0, 'polygon')),
    200,
  ),
  transfer('crypto without chain in currency_out', toWallet({ value: '100', code: 'USDC', decimals: 6 }), INVALID),
  transfer(
    'crypto without chain in currency_in',
    swap(usd(100_00), { value: '100', code: 'ETH', decimals: 18 }),
    INVALID,
  ),
  ...(
    [
      ['beside the fields', { idempotency_key: 'x' }],
      ['named like one, in another case', { Reference: 'x' }],
      ['in currency_in', { currency_in: { ...eur(1), unit: 'c' } }],
      ['in external_accounts', { external_accounts: { from: null, to: null, via: null } }],
      ['in to', { external_accounts: { from: null, to: { id: 'x', type: 'bank' } } }],
      ['in metadata', { metadata: { description: 'x', note: 'y' } }],
    ] as const
  ).map(([where, more]) => transfer(`an unknown field ${where}`, payout(more), INVALID)),
  transfer('an unknown field in currency_out', ({ accountId }) => payTo(accountId, { ...gbp(1), unit: 'p' }), INVALID),
];

/** Of several mistakes the first is told, in this order (the service's own `README.md`). */
const far =
  (more: object = {}) =>
  ({ accountId }: { accountId: string }) =>
    payTo(accountId, usd(1), gbp(900), more);
const ORDER: readonly Row[] = [
  transfer('identical before not there', payTo('acc_nowhere', gbp(1), gbp(1)), refusedAs('SAME_CURRENCY')),
  transfer('not payable before not there', payTo('acc_nowhere', jpy(1)), refusedAs('NOT_PAYABLE')),
  transfer(
    'not there before the reference',
    payTo('acc_nowhere', gbp(1), undefined, { reference: 'r'.repeat(300) }),
    INVALID,
  ),
  transfer(
    'the rail before the reference',
    ({ accountId }) => payTo(accountId, usd(1), undefined, { reference: 'r'.repeat(300) }),
    refusedAs('RAIL_CURRENCY_MISMATCH'),
  ),
  transfer('the reference before the minimum', far({ reference: 'r'.repeat(19) }), refusedAs('REFERENCE_TOO_LONG')),
  transfer('the minimum before the rate', far(), refusedAs('BELOW_MINIMUM')),
  transfer('native crypto before the minimum', swap(eth(1), eth(1, 'arbitrum')), refusedAs('CRYPTO_TO_CRYPTO')),
];

const LATER: readonly Row[] = [
  {
    section: '7',
    statement: 'a failure after acceptance is no error of the call',
    operation: 'transaction.transfer',
    alone: {},
    async body({ service, own }) {
      await setPrice(service, gbp(0), '1.25');
      return freshPayout(service, await own('EUR_SEPA'), gbp(100_00), eur(0));
    },
    is: 200,
    async shows(reply, { service }) {
      expect((await service.admin('transaction.fail', { id: reply.data })).status).toBe(200);
      expect((await service.data('transaction.get', { id: reply.data })).status).toBe('FAILED');
    },
  },
];

const big = (bytes: number) => JSON.stringify({ search: 'x'.repeat(bytes - 13) });
const listing = (statement: string, is: Row['is'], more: Partial<Row>): Row => ({
  section: '7',
  statement,
  operation: 'transaction.getMany',
  body: {},
  is,
  ...more,
});
const fault = (kind: string): Partial<Row> => ({
  alone: {},
  async change(outgoing, { service }) {
    expect((await service.admin('fault.add', { operation: 'transaction.getMany', kind, nth: 1 })).status).toBe(200);
    return outgoing;
  },
});

const STATUSES: readonly Row[] = [
  listing('403: a Host that is not the service’s', [403, 'FORBIDDEN'], {
    change: (outgoing: Outgoing) => ({ ...outgoing, headers: { ...outgoing.headers, host: 'payouts.example' } }),
  }),
  listing('404: no such operation', NOT_FOUND, { operation: 'transaction.list' }),
  listing('405: another method', [405, 'METHOD_NOT_SUPPORTED'], {
    change: (outgoing: Outgoing) => ({ ...outgoing, method: 'DELETE' }),
    shows: ({ headers }) => expect(headers.allow).toBe('POST'),
  }),
  listing('413: a body over 1 MiB', [413, 'PAYLOAD_TOO_LARGE'], { body: big(1_048_577) }),
  listing('a body of 1 MiB is read', INVALID, { body: big(1_048_576) }),
  listing('415: another content-type', [415, 'UNSUPPORTED_MEDIA_TYPE'], { signing: { contentType: 'text/json' } }),
  listing('429: too many requests, with Retry-After and the RateLimit headers', [429, 'TOO_MANY_REQUESTS'], {
    alone: { rateLimit: { requests: 3, windowMs: 600_000 } },
    async body({ service }) {
      let left = 3;
      for (; left > 0; left--) if ((await service.call('transaction.getMany', {})).status === 429) break;
      return {};
    },
    shows({ headers }) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([TEXT, TEXT]);
    },
  }),
  listing('500: something is broken', [500, 'INTERNAL_SERVER_ERROR'], fault('500-before')),
  listing('an answer of the port without a signature has the same envelope', 200, {
    async shows(_reply, { service }) {
      const answer = await request(`${service.service.baseUrl}/`, { method: 'POST' });
      const { error } = replyOf(answer.statusCode, answer.headers, await answer.body.text());
      expect([answer.statusCode, error]).toEqual([404, { code: 'NOT_FOUND', message: TEXT }]);
    },
  }),
];

/** 7. Errors. */
export const SECTION_7: readonly Row[] = [...ENVELOPE, ...SUBMISSION, ...ORDER, ...LATER, ...STATUSES];
