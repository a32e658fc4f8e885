import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fiat } from '../../src/domain/currencies.ts';
import { Committer, StoreFailed } from '../../src/service/ledger/committer.ts';
import { availableMinor, Ledger } from '../../src/service/ledger/ledger.ts';
import type { Store } from '../../src/service/store/database.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import { verifyLedger } from '../../src/service/verify/verify.ts';
import { machineClock, memoryLog, temporaryDirectory } from './harness.ts';

const GBP = fiat('GBP') ?? expect.fail();
let dataDir: string;
let opened: OpenStore;
let nowMs: number;
beforeEach(() => {
  dataDir = temporaryDirectory();
  opened = openStore(dataDir);
  nowMs = 1_000;
});
afterEach(() => {
  opened.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A committer on `store`, with a customer's account in pounds that any change may be written to. */
function open(store: Store = opened.store) {
  const ledger = new Ledger(store);
  const clock = { ...machineClock, wallMs: () => nowMs };
  const committer = new Committer({ store, ledger, clock, log: memoryLog() });
  const account = () => ledger.account('customer:1', GBP);
  const deposit = (amountMinor: bigint): bigint => {
    ledger.move(null, nowMs, [{ debit: ledger.account('world', GBP), credit: account(), amountMinor }]);
    return availableMinor(account());
  };
  const submit = (run: () => unknown, notAfterMs = Infinity) =>
    committer.submit(run, { notAfterMs, late: () => 'late', crashed: () => 'crashed' });
  return { ledger, committer, account, deposit, submit };
}

function countOf(store: Store, sql: string): Store & { count(): number } {
  let count = 0;
  return {
    ...store,
    run(text, ...values) {
      if (text === sql) count += 1;
      return store.run(text, ...values);
    },
    count: () => count,
  };
}

describe('group commit', () => {
  it('puts what came together into one transaction', async () => {
    const store = countOf(opened.store, 'COMMIT');
    const { submit, deposit } = open(store);
    const results = await Promise.all(Array.from({ length: 100 }, () => submit(() => deposit(5n))));
    expect(results.at(-1)).toBe(500n);
    expect(store.count()).toBe(1);
  });

  it('answers only after COMMIT', async () => {
    const order: string[] = [];
    const store = {
      ...opened.store,
      run(sql: string, ...values: []) {
        const result = opened.store.run(sql, ...values);
        if (sql === 'COMMIT') order.push('commit');
        return result;
      },
    };
    const { submit, deposit } = open(store);
    await submit(() => deposit(5n)).then(() => order.push('answer'));
    expect(order).toEqual(['commit', 'answer']);
  });

  it('takes at most 256 changes at once, and all of them in order', async () => {
    const store = countOf(opened.store, 'COMMIT');
    const { submit, deposit } = open(store);
    const results = await Promise.all(Array.from({ length: 600 }, () => submit(() => deposit(1n))));
    expect(results).toEqual(Array.from({ length: 600 }, (_, place) => BigInt(place + 1)));
    expect(store.count()).toBe(3);
  });

  it('opens no savepoint while nothing fails', async () => {
    const store = countOf(opened.store, 'SAVEPOINT change');
    const { submit, deposit } = open(store);
    await Promise.all([submit(() => deposit(1n)), submit(() => deposit(2n))]);
    expect(store.count()).toBe(0);
  });

  it('undoes a change that fails half-way, and keeps its neighbours', async () => {
    const { submit, deposit, account, ledger } = open();
    const failing = (): never => {
      deposit(1_000n);
      ledger.account('customer:2', GBP);
      throw new Error('half-way');
    };
    const results = await Promise.all([submit(() => deposit(1n)), submit(failing), submit(() => deposit(2n))]);
    expect(results).toEqual([1n, 'crashed', 3n]);
    expect(availableMinor(account())).toBe(3n);
    expect(verifyLedger(opened.store)).toEqual([]);
    expect(new Ledger(opened.store).accountsOf('customer:2')).toEqual([]);
    // The account can be made again: neither memory nor the database kept a trace of it.
    await submit(() => ledger.account('customer:2', GBP).number);
    expect(verifyLedger(opened.store)).toEqual([]);
  });
});

describe('deadlines', () => {
  it('lets nothing take effect after its own', async () => {
    const { submit, deposit, account } = open();
    nowMs = 2_001;
    expect(await Promise.all([submit(() => deposit(1n), 2_000), submit(() => deposit(2n), 2_001)])).toEqual([
      'late',
      2n,
    ]);
    expect(availableMinor(account())).toBe(2n);
  });

  it('undoes what has become late beside a change that fails', async () => {
    const { submit, deposit, account } = open();
    const failing = (): never => {
      nowMs = 2_500;
      deposit(1_000n);
      throw new Error('half-way');
    };
    const results = await Promise.all([
      submit(() => deposit(1n), 2_000),
      submit(failing, 3_000),
      submit(() => deposit(100n)),
    ]);
    expect(results).toEqual(['late', 'crashed', 100n]);
    expect(availableMinor(account())).toBe(100n);
    expect(verifyLedger(opened.store)).toEqual([]);
  });

  it('looks again immediately before COMMIT, and undoes what has become late', async () => {
    const { submit, deposit, account } = open();
    let runs = 0;
    const slow = (): bigint => {
      // The second change of the batch takes until after the first one's deadline.
      runs += 1;
      nowMs = 2_500;
      return deposit(10n);
    };
    const results = await Promise.all([
      submit(() => deposit(1n), 2_000),
      submit(slow, 3_000),
      submit(() => deposit(100n)),
    ]);
    expect(results).toEqual(['late', 10n, 110n]);
    expect(runs).toBe(2);
    expect(availableMinor(account())).toBe(110n);
    expect(verifyLedger(opened.store)).toEqual([]);
  });
});

describe('a database that fails', () => {
  it.each(['COMMIT', 'BEGIN IMMEDIATE'])('stops everything at %s', async (statement) => {
    let broken = false;
    const store: Store = {
      ...opened.store,
      run(sql, ...values) {
        if (broken && sql === statement) throw new Error('disk I/O error');
        return opened.store.run(sql, ...values);
      },
    };
    const { submit, deposit, committer } = open(store);
    await submit(() => deposit(1n));
    broken = true;
    const both = await Promise.allSettled([submit(() => deposit(1n)), submit(() => deposit(1n))]);
    for (const result of both) expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StoreFailed) });
    broken = false;
    await expect(submit(() => deposit(1n))).rejects.toThrow(StoreFailed);
    expect(await committer.failed).toBeInstanceOf(StoreFailed);
    expect(availableMinor(new Ledger(opened.store).account('customer:1', GBP))).toBe(1n);
  });
});
