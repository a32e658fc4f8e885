import { describe, expect, test } from 'vitest';
import { isConverted } from '../../src/domain/conversion.ts';
import type { RunRow } from '../../src/domain/entry.ts';
import type { Limits } from '../../src/domain/plan.ts';
import { Ceilings } from '../../src/runner/ceilings.ts';
import { answered } from '../client/fake-transport.ts';
import type { VirtualClock } from '../client/virtual-clock.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Behaviour, type Kept, LOST, quoteOf, taken } from './virtual-service.ts';

// Row n (from 2) pays n.00 AUD to the account `a<n>`, from as many EUR unless a quote says otherwise, and from half as
// many again at most.

const DRIFT = answered(400, { error: { code: 'BAD_REQUEST', message: 'ask for a fresh quote', reason: 'RATE_DRIFT' } });
const REPLAYED = answered(401, { error: { code: 'UNAUTHORIZED', message: 'seen', reason: 'REPLAYED' } });

const start = (behave: (clock: VirtualClock) => Behaviour, more: Partial<Parameters<typeof virtualRun>[0]> = {}) =>
  virtualRun({ rows: 4, isConverted: true, behave, ...more });

const NO_LIMITS: Limits = {
  per_payout: null,
  per_run: null,
  per_day: null,
  time_zone: 'UTC',
  payees: null,
  only_payees: null,
  failures_percent: null,
  cooling_off_ms: null,
};

const amounts = ({ service }: VirtualRun): string[] =>
  service.kept.map(({ amount, sent }) => `${sent} EUR > ${amount} AUD`).sort();

const PAID = ['200 EUR > 200 AUD', '300 EUR > 300 AUD', '400 EUR > 400 AUD', '500 EUR > 500 AUD'];

test('what is sent is the side of the quote that its direction names, and what is received is the order', async () => {
  const run = await start(() => ({}));
  expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  expect(amounts(run)).toEqual(PAID);
});

test.each([
  ['in another currency', answered(200, { data: quoteOf('200', 'USD') })],
  ['of nothing', answered(200, { data: quoteOf('0') })],
  ['of another shape', answered(200, { data: { rate: 1 } })],
])('a quote %s stops the run before anything is sent', async (_, quote) => {
  const { end, service } = await start(() => ({ quote: () => quote }));
  expect(end).toMatchObject({ end: 'halted', reason: 'outage' });
  expect(service.asked).toEqual([]);
});

test('a quote that is refused rejects its row, and the others are paid', async () => {
  const refused = answered(400, { error: { code: 'BAD_REQUEST', message: 'no', reason: 'NOT_PAYABLE' } });
  const quote = (value: string) => (value === '300' ? refused : answered(200, { data: quoteOf(value) }));
  const run = await start(() => ({ quote }));
  expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 3, rejected: 1 } });
  expect(run.context.payout(3)).toMatchObject({ state: 'rejected', code: 'NOT_PAYABLE', attempts: 0 });
});

describe('a limit of the job in the currency that is sent holds at the rate of the moment, whatever the ceilings allow:', () => {
  const eur = (minor: string) => [{ code: 'EUR', minor }];
  const dearer = (over: Partial<Limits>, row: string, sent: string) =>
    start(() => ({ quote: (value) => answered(200, { data: quoteOf(value === row ? sent : value) }) }), {
      limits: { ...NO_LIMITS, ...over },
    });

  test('per payout', async () => {
    const run = await dearer({ per_payout: eur('500') }, '400', '501');
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 3, rejected: 1 } });
    const above = { now: { amount: '5.01', currency: 'EUR' }, limit: { amount: '5.00', currency: 'EUR' } };
    expect(run.context.payout(4)).toMatchObject({ state: 'rejected', code: 'limit_per_payout', attempts: 0, above });
    expect((await dearer({ per_payout: eur('500') }, '400', '500')).end).toMatchObject({ counts: { completed: 4 } });
  });

  test('per run, with what payees receive in that currency', async () => {
    const run = await dearer({ per_run: eur('1400') }, '200', '201');
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 3, rejected: 1 } });
    const above = { all: { amount: '14.01', currency: 'EUR' }, limit: { amount: '14.00', currency: 'EUR' } };
    expect(run.context.payout(5)).toMatchObject({ state: 'rejected', code: 'limit_per_run', attempts: 0, above });
    const all = await dearer({ per_run: eur('1401') }, '200', '201');
    expect(all.end).toMatchObject({ counts: { completed: 4 } });

    const { run: state } = all.context;
    const rows = [...state.rows];
    const [first] = rows;
    const order = first?.order;
    if (!order || !isConverted(order)) throw new Error('no converted order');
    const received = { ...first, order: { ...order, currency: order.source, source: null, amount_minor: '1' } };
    const codeWith = (rows: RunRow[]) => new Ceilings({ ...state, rows }).take(order, 201n)?.code;
    expect([codeWith(rows), codeWith([...rows, received])]).toEqual([undefined, 'limit_per_run']);
  });
});

test('a record of another amount on either side is not ours, whatever its token', async () => {
  for (const changed of [{ sent: '301' }, { amount: '301' }]) {
    const run = await start(() => ({
      transfer({ row }, commit) {
        const id = commit();
        return row === 3 ? LOST : taken(id);
      },
      list: (found) => {
        const shown = found.map((one) => (one.account === 'a3' ? { ...one, ...changed } : one));
        return { shown, next_cursor: null, total: shown.length };
      },
    }));
    expect(run.context.payout(3)).toMatchObject({ state: 'unresolved', about: 'mismatch' });
    expect(amounts(run)).toEqual(PAID);
  }
});

describe('an old copy of the journal does not know what was sent, and knows a payment by what its payee receives:', () => {
  const held = (over: Partial<Kept>): Omit<Kept, 'atMs'> => {
    return { id: 'old3', amount: '300', account: 'a3', description: 'salary PR0123456789ABC', ...over };
  };

  test.each<[string, Partial<Kept>]>([
    ['at another rate', { sent: '287' }],
    ['without a conversion', {}],
  ])('%s', async (_, over) => {
    const { end, context, service } = await start(() => ({}), { kept: [held(over)] });
    expect(end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    expect(context.payout(3)).toMatchObject({ state: 'suspected', transactions: ['old3'] });
    expect(service.asked).toEqual([]);
  });

  test('as much of it sent, for another amount, is somebody else’s', async () => {
    const run = await start(() => ({}), { kept: [held({ sent: '300', amount: '299' })] });
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
  });
});

describe('the market has moved (RATE_DRIFT), and another copy of the request arrives later, when it has come back', () => {
  const both = { enforces_expiry: true, replay_protection: true };
  test.each([
    ['a service that promises both', both],
    ['one that promises expiry', { enforces_expiry: true, replay_protection: false }],
    ['one that promises to take no bytes twice', { enforces_expiry: false, replay_protection: true }],
    ['one that promises nothing', { enforces_expiry: false, replay_protection: false }],
  ])('at %s: paid once', async (_, guarantees) => {
    for (const lateMs of [500, 9_000, 29_000]) {
      const used = new Set<string>();
      let first: string | null = null;
      const run = await start(
        (clock) => ({
          transfer({ row, nonce }, commit) {
            if (row !== 5) return taken(commit());
            if (first === null) {
              first = nonce;
              // A service that takes no bytes twice has used these up by refusing them; another takes the second copy.
              if (guarantees.replay_protection) used.add(nonce);
              else void clock.sleep(lateMs).then(commit);
              return DRIFT;
            }
            if (used.has(nonce)) return REPLAYED;
            return nonce === first ? DRIFT : taken(commit());
          },
        }),
        { profile: { guarantees } },
      );
      await run.clock.pass(120_000);
      expect(amounts(run)).toEqual(PAID);
      expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 4 } });
    }
  });

  test('it is quoted again three times, and then rejected', async () => {
    const run = await start(() => ({ transfer: ({ row }, commit) => (row === 4 ? DRIFT : taken(commit())) }));
    expect(run.end).toMatchObject({ end: 'finished', counts: { completed: 3, rejected: 1 } });
    const message = { code: 'rate_drift_each_time', cause: 'ask for a fresh quote', sent: 4 };
    expect(run.context.payout(4)).toMatchObject({ state: 'rejected', code: 'RATE_DRIFT', message, attempts: 4 });
  });

  test('not three times more by each process that goes on', async () => {
    let drifts = 0;
    let isAway = false;
    const used = new Set<string>();
    const transfer: Behaviour['transfer'] = ({ row, nonce }, commit) => {
      if (row !== 4) return taken(commit());
      if (used.has(nonce)) return REPLAYED;
      used.add(nonce);
      isAway = ++drifts === 2;
      return DRIFT;
    };
    const quote = (value: string) => (isAway ? LOST : answered(200, { data: quoteOf(value) }));
    const first = await start(() => ({ transfer, quote }), { profile: { guarantees: both } });
    expect(first.end).toMatchObject({ end: 'halted', reason: 'outage' });
    isAway = false;
    const resumed = await first.resume();
    expect(resumed.end).toMatchObject({ end: 'finished', counts: { completed: 3, rejected: 1 } });
    expect(resumed.context.payout(4)).toMatchObject({ state: 'rejected', code: 'RATE_DRIFT' });
    expect(drifts).toBe(4);
  });
});
