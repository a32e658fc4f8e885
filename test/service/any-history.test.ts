import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMajor } from '../../src/domain/money.ts';
import { ASSETS, type Asset, assetOf } from '../../src/service/accounts/assets.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { openStore, servicePaths } from '../../src/service/store/open.ts';
import { FAILURES } from '../../src/service/transfers/transfer.ts';
import { verifyLedger } from '../../src/service/verify/verify.ts';
import { cases } from '../support/cases.ts';
import { framesOf, leaveAfter } from './crash-images.ts';
import { addPayee, startTestService, type TestService, temporaryDirectory, until, WALLET } from './harness.ts';

/*
 * Random histories through HTTP: transfers of every shape, whatever the admin port can do, time that passes, restarts.
 * After each step the books are proven, every balance is what the records of the transactions make it, a record that
 * is final stays as it is, and at prices that stand still nobody has gained. In the end the machine dies at random
 * writes of the history, and the books are proven again.
 */

const SETTLE_MS = 1_000;
const NAMES = ['Ada', 'REHEARSE_CLOSED', 'REHEARSE_RETURN', 'REHEARSE_STUCK'];

type Step =
  | { do: 'payout'; name: number; pence: number }
  | { do: 'swap'; from: number; to: number; cents: number; skewBps: number }
  | {
      do: 'convert';
      from: number;
      to: 'bank' | 'wallet';
      name: number;
      cents: number;
      skewBps: number;
      isWithdraw: boolean;
    }
  | { do: 'end'; which: number; how: 'settle' | 'fail' | 'return'; reason: number }
  | { do: 'balance'; of: number; cents: number }
  | { do: 'price'; of: number; bps: number }
  | { do: 'walk'; seed: number; bps: number }
  | { do: 'pass'; ms: number }
  | { do: 'restart' };

const cents = fc.oneof(fc.integer({ min: 100, max: 1_000 }), fc.integer({ min: 1, max: 100_000_000 }));
/** Beyond the tolerance now and then, and at its edges often. */
const skewBps = fc.oneof(fc.constantFrom(-50, -10, 0, 0, 0, 10, 50), fc.integer({ min: -70, max: 70 }));
const asset = fc.nat(ASSETS.length - 1);
const name = fc.nat(NAMES.length - 1);
const step = fc.oneof<{ arbitrary: fc.Arbitrary<Step>; weight: number }[]>(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('payout'), name, pence: cents }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('swap'), from: asset, to: asset, cents, skewBps }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('convert'),
      from: asset,
      to: fc.constantFrom('bank', 'wallet'),
      name,
      cents,
      skewBps,
      isWithdraw: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end'),
      which: fc.nat(50),
      how: fc.constantFrom('settle', 'fail', 'return'),
      reason: fc.nat(Object.keys(FAILURES).length - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('balance'), of: asset, cents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('price'), of: asset, bps: fc.integer({ min: -80, max: 80 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('walk'), seed: fc.nat(), bps: fc.constantFrom(0, 0, 5, 50) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.nat(2 * SETTLE_MS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
);
const histories = fc.tuple(fc.array(step, { minLength: 5, maxLength: 30 }), fc.array(fc.nat(), { maxLength: 8 }));

type World = {
  service: TestService;
  accounts: string[];
  walletId: string;
  /** Posted minor units of each currency, as the records make them. */
  adjusted: Map<string, bigint>;
  final: Map<string, string>;
};

const keyOf = (currency: { code: string; chain?: string | null }) => `${currency.code} ${currency.chain ?? ''}`;

it('any history keeps the books, the records and the worth of what is held', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ([steps, crashes]) => {
      const world = await begin();
      try {
        for (const one of steps) await takeAndCheck(world, one);
        dieAt(world, crashes);
      } finally {
        await world.service.close();
      }
    }),
    { numRuns: cases(8, 25), endOnFailure: true },
  );
});

async function begin(): Promise<World> {
  const service = await startTestService({ settleMs: SETTLE_MS });
  // Time passes where a step says so, and nowhere else.
  await service.admin('clock.freeze');
  const accounts: string[] = [];
  for (const payee of NAMES) accounts.push((await addPayee(service, payee)).accountId);
  const walletId = (await service.data('account.external.web3.add', { ...WALLET, chain: 'polygon' })).id;
  const adjusted = new Map(
    ASSETS.map(({ currency, openingMajor }) => [keyOf(currency), openingMajor * 10n ** BigInt(currency.decimals)]),
  );
  return { service, accounts, walletId, adjusted, final: new Map() };
}

async function takeAndCheck(world: World, one: Step): Promise<void> {
  const before = await look(world);
  await take(world, one);
  expect((await world.service.admin('verify')).data.findings, JSON.stringify(one)).toEqual([]);
  const after = await look(world);
  for (const [key, minor] of after.posted)
    expect(minor, `${key} after ${JSON.stringify(one)}`).toBe(after.recorded.get(key));
  for (const [id, record] of world.final) expect(after.records.get(id), id).toBe(record);
  for (const [id, record] of after.records) if (JSON.parse(record).status !== 'PENDING') world.final.set(id, record);
  const { data } = await world.service.admin('price.list');
  const isStill = one.do !== 'price' && one.do !== 'walk' && one.do !== 'balance' && data.walk === null;
  if (isStill) expect(worthOf(after.owned, data.prices) <= worthOf(before.owned, data.prices)).toBe(true);
}

type View = {
  /** By the balances: available and pending together. */
  posted: Map<string, bigint>;
  /** The same, by the records. */
  recorded: Map<string, bigint>;
  /** With what was sent away and has not come back: nobody may gain by sending it round. */
  owned: Map<string, bigint>;
  records: Map<string, string>;
};

/** Reads until two listings are the same: a settlement may be under way between them. */
async function look({ service, adjusted }: World): Promise<View> {
  for (;;) {
    const { transactions } = await service.data('transaction.getMany', { limit: 500 });
    const { balances } = await service.data('account.balance.getMany', {});
    const again = await service.data('transaction.getMany', { limit: 500 });
    if (JSON.stringify(transactions) !== JSON.stringify(again.transactions)) continue;
    const recorded = new Map(adjusted);
    const owned = new Map<string, bigint>();
    const add = (to: Map<string, bigint>, currency: { code: string; chain?: string }, minor: bigint): void => {
      to.set(keyOf(currency), (to.get(keyOf(currency)) ?? 0n) + minor);
    };
    for (const { status, currency_in, currency_out, fees, metadata, external_reference_type } of transactions) {
      if (status !== 'COMPLETED') continue;
      const isReturn = external_reference_type === 'RETURN';
      const received = BigInt(currency_in.value);
      if (isReturn || metadata.rail === 'balance') add(recorded, currency_in, received);
      if (isReturn) add(owned, currency_in, -received);
      else if (metadata.rail !== 'balance') add(owned, currency_in, received);
      if (isReturn) continue;
      add(recorded, currency_out, -BigInt(currency_out.value));
      for (const { value } of fees) add(recorded, value, -BigInt(value.value));
    }
    const posted = new Map<string, bigint>();
    for (const { available, pending } of balances) {
      expect(BigInt(available.value)).toBeGreaterThanOrEqual(0n);
      add(posted, available, BigInt(available.value) + BigInt(pending.value));
    }
    for (const [key, minor] of posted) owned.set(key, (owned.get(key) ?? 0n) + minor);
    const records = transactions.map((record: { id: string }): [string, string] => [record.id, JSON.stringify(record)]);
    return { posted, recorded, owned, records: new Map(records) };
  }
}

/** In units of 10^-36 dollars: exact. */
function worthOf(owned: Map<string, bigint>, prices: { code: string; chain?: string; usd: string }[]): bigint {
  let worth = 0n;
  for (const { code, chain, usd } of prices) {
    const { decimals } = assetOf(code, chain ?? null)?.currency ?? expect.fail(code);
    const [whole = '', fraction = ''] = usd.split('.');
    const attos = BigInt(whole + fraction.padEnd(18, '0'));
    worth += (owned.get(keyOf({ code, ...(chain ? { chain } : {}) })) ?? 0n) * attos * 10n ** BigInt(18 - decimals);
  }
  return worth;
}

async function take(world: World, one: Step): Promise<void> {
  const { service } = world;
  switch (one.do) {
    case 'payout': {
      const currency_out = { value: String(one.pence), code: 'GBP', decimals: 2 };
      await transfer(service, {
        currency_out,
        external_accounts: { from: null, to: { id: world.accounts[one.name] } },
      });
      return;
    }
    case 'swap':
      await convert(world, one, assetAt(one.to), null, false);
      return;
    case 'convert': {
      const isBank = one.to === 'bank';
      const to = assetOf(isBank ? 'GBP' : 'USDC', isBank ? null : 'polygon') ?? expect.fail();
      await convert(world, one, to, isBank ? (world.accounts[one.name] ?? '') : world.walletId, one.isWithdraw);
      return;
    }
    case 'end': {
      const { transactions } = await service.data('transaction.getMany', { limit: 500 });
      const { id } = transactions[one.which % Math.max(transactions.length, 1)] ?? { id: 'txn_none' };
      const reason = one.how === 'fail' ? { reason: Object.keys(FAILURES)[one.reason] } : {};
      await service.admin(`transaction.${one.how}`, { id, ...reason });
      return;
    }
    case 'balance': {
      const { currency } = assetAt(one.of);
      const key = keyOf(currency);
      const before = (await look(world)).posted.get(key) ?? 0n;
      const value = String(minorOf(assetAt(one.of), one.cents));
      const reply = await service.admin('balance.set', {
        code: currency.code,
        chain: currency.chain ?? undefined,
        value,
      });
      expect(reply.status).toBe(200);
      const after = (await look(world)).posted.get(key) ?? 0n;
      world.adjusted.set(key, (world.adjusted.get(key) ?? 0n) + after - before);
      return;
    }
    case 'price': {
      const { currency, usdNanos } = assetAt(one.of);
      const usd = formatMajor(usdNanos * BigInt(10_000 + one.bps), 13);
      await service.admin('price.set', { code: currency.code, chain: currency.chain ?? undefined, usd });
      return;
    }
    case 'walk':
      await service.admin('price.walk', { seed: one.seed, bps: one.bps });
      return;
    case 'pass':
      await service.admin('clock.advance', { ms: one.ms });
      await untilNothingIsDue(world);
      return;
    case 'restart':
      await service.stop();
      world.service = await startTestService({ dataDir: service.dataDir, settleMs: SETTLE_MS });
      await untilNothingIsDue(world);
      return;
  }
}

async function convert(
  { service }: World,
  one: { from: number; cents: number; skewBps: number },
  to: Asset,
  accountId: string | null,
  isWithdraw: boolean,
): Promise<void> {
  const from = assetAt(one.from);
  const currency_out = wire(from, minorOf(from, one.cents));
  const quoted = await service.call('quote.get', { currency_out, currency_in: wire(to, 0n) });
  if (quoted.status !== 200) return;
  const asked = (BigInt(quoted.data.bid.value) * BigInt(10_000 + one.skewBps)) / 10_000n;
  const currency_in = wire(to, asked);
  const reply =
    isWithdraw && accountId !== null
      ? await service.call('transaction.submitWithdraw', { external_account_id: accountId, currency_out, currency_in })
      : await service.call('transaction.transfer', {
          currency_out,
          currency_in,
          external_accounts: { from: null, to: accountId === null ? null : { id: accountId } },
        });
  // What was quoted a moment ago, at a clock that stands still, is taken; what is far off is not.
  if (one.skewBps === 0 && asked > 0n && BigInt(currency_out.value) >= from.minimumMinor)
    expect(reply.status).toBe(200);
  // Of a small amount, what is asked below the bid can be what a quote of the other side says, by its rounding.
  if (asked > 10_000n && (one.skewBps > 50 || (one.skewBps < -50 && one.cents > 10_000)))
    expect(reply.status).toBe(400);
  expect([200, 400]).toContain(reply.status);
}

/** The settlement works by itself: so that each step is over before the next, this waits for it. */
async function untilNothingIsDue({ service }: World): Promise<void> {
  const { unix_ms } = (await service.admin('state')).data;
  const beside = openDatabase(servicePaths(service.dataDir).database, { readOnly: true });
  await until(async () => beside.get('SELECT count(*) AS due FROM transfer WHERE due_at <= ?', unix_ms)?.due === 0);
  beside.close();
}

async function transfer(service: TestService, request: object): Promise<void> {
  expect((await service.call('transaction.transfer', request)).status).toBe(200);
}

function assetAt(index: number): Asset {
  return ASSETS[index] ?? expect.fail();
}

/** About so many US cents of it. */
function minorOf({ currency, usdNanos }: Asset, usdCents: number): bigint {
  return (BigInt(usdCents) * 10n ** BigInt(currency.decimals + 7)) / usdNanos;
}

function wire({ currency: { code, chain, decimals } }: Asset, minor: bigint) {
  return { value: String(minor), code, decimals, ...(chain === null ? {} : { chain }) };
}

/** What is left of the history since the last start, cut off at some of its writes. */
function dieAt({ service }: World, crashes: number[]): void {
  const log = readFileSync(`${servicePaths(service.dataDir).database}-wal`);
  const frames = framesOf(log);
  const copies = temporaryDirectory();
  for (const crash of crashes) {
    const frame = frames[crash % frames.length];
    if (!frame) continue;
    leaveAfter(service.dataDir, log, frame.end + 100, join(copies, 'data'));
    const opened = openStore(join(copies, 'data'));
    expect(verifyLedger(opened.store)).toEqual([]);
    opened.close();
  }
  rmSync(copies, { recursive: true, force: true });
}
