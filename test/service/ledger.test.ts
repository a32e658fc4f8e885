import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crypto, fiat } from '../../src/domain/currencies.ts';
import { availableMinor, Ledger } from '../../src/service/ledger/ledger.ts';
import { openDatabase, type Store } from '../../src/service/store/database.ts';
import { type OpenStore, openStore, servicePaths } from '../../src/service/store/open.ts';
import { verifyLedger } from '../../src/service/verify/verify.ts';
import { temporaryDirectory } from './harness.ts';

const CURRENCIES = [fiat('GBP') ?? expect.fail(), crypto('ETH', 'ethereum') ?? expect.fail()] as const;
type Place = 0 | 1;

let dataDir: string;
let opened: OpenStore;
let ledger: Ledger;
beforeEach(() => {
  dataDir = temporaryDirectory();
  open();
});
afterEach(() => {
  expect(verifyLedger(opened.store)).toEqual([]);
  opened.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function reopen(): void {
  opened.close();
  open();
}

function open(): void {
  opened = openStore(dataDir);
  ledger = new Ledger(opened.store);
  opened.store.run("INSERT OR IGNORE INTO customer (customer, id, created_at, name) VALUES (1, 'cus_1', 0, 'x')");
  inTransaction(() => CURRENCIES.map((currency) => ledger.account('customer:1', currency)));
}

function inTransaction<T>(work: () => T): T {
  opened.store.run('BEGIN IMMEDIATE');
  const result = work();
  ledger.writeBalances();
  opened.store.run('COMMIT');
  ledger.committed();
  return result;
}

/** A row that postings can belong to. */
function addTransfer(store: Store, place: Place, amount: bigint, fee: bigint): number {
  const { code, chain } = CURRENCIES[place];
  const count = Number(store.get('SELECT count(*) AS n FROM transfer')?.n);
  const { lastId } = store.run(
    `INSERT INTO transfer (id, customer, kind, status, created_at, updated_at, in_code, in_chain, in_value, out_code,
     out_chain, out_value, fee_value, rail, payout_reference, external_reference, external_reference_type, outcome, step, due_at, usd_cents)
     VALUES (?, 1, 'withdraw', 'PENDING', 0, 0, ?, ?, ?, ?, ?, ?, ?, 'GBP_FPS', '', '', '', '', 'settle', 0, 7)`,
    `txn_${count}`,
    code,
    chain,
    String(amount),
    code,
    chain,
    String(amount),
    String(fee),
  );
  store.run(
    `INSERT INTO transfer_total (customer, kind, transfers, usd_cents) VALUES (1, 'withdraw', 1, 7) ON CONFLICT DO UPDATE SET transfers = transfers + 1,
     usd_cents = usd_cents + 7`,
  );
  store.run("INSERT INTO transfer_search VALUES (1, ?, '')", lastId);
  addEvent(store, lastId, 'transaction.created', 'PENDING');
  return lastId;
}

function addEvent(store: Store, transfer: number, type: string, status: string): void {
  store.run("INSERT INTO event (transfer, type, status, at, code) VALUES (?, ?, ?, 0, '')", transfer, type, status);
}

const END = 'UPDATE transfer SET status = ?, failure_code = ?, step = NULL, due_at = NULL WHERE transfer = ?';

function endTransfer(store: Store, transfer: number, status: string): void {
  const failure = status === 'FAILED' ? 'REJECTED_BY_BANK' : null;
  store.run(END, status, failure, transfer);
  addEvent(store, transfer, 'transaction.updated', status);
  if (status === 'FAILED') store.run('UPDATE transfer_total SET transfers = transfers - 1, usd_cents = usd_cents - 7');
}

const legsOf = (place: Place, amount: bigint, fee: bigint) => {
  const debit = ledger.account('customer:1', CURRENCIES[place]);
  const legs = [{ debit, credit: ledger.account('rail:GBP_FPS', CURRENCIES[place]), amountMinor: amount }];
  if (fee > 0n) legs.push({ debit, credit: ledger.account('fees', CURRENCIES[place]), amountMinor: fee });
  return legs;
};

const deposit = (place: Place, amountMinor: bigint) =>
  ledger.move(null, 0, [
    {
      debit: ledger.account('world', CURRENCIES[place]),
      credit: ledger.account('customer:1', CURRENCIES[place]),
      amountMinor,
    },
  ]);

const available = (place: Place) => availableMinor(ledger.account('customer:1', CURRENCIES[place]));

describe('the ledger', () => {
  it('reserves all legs or none', () => {
    inTransaction(() => deposit(0, 100n));
    const reserved = inTransaction(() => {
      const transfer = addTransfer(opened.store, 0, 99n, 2n);
      return ledger.reserve(transfer, 0, legsOf(0, 99n, 2n));
    });
    expect([reserved, available(0)]).toEqual([false, 100n]);
    expect(opened.store.get("SELECT count(*) AS n FROM posting WHERE kind = 'reserve'")?.n).toBe(0);
  });

  it('does not count one customer’s money twice over linked legs', () => {
    inTransaction(() => deposit(0, 100n));
    const both = inTransaction(() => {
      const transfer = addTransfer(opened.store, 0, 60n, 60n);
      return ledger.reserve(transfer, 0, legsOf(0, 60n, 60n));
    });
    expect(both).toBe(false);
  });

  it('resolves a reserve once: the database refuses a second time', () => {
    const transfer = inTransaction(() => {
      deposit(0, 100n);
      const made = addTransfer(opened.store, 0, 50n, 1n);
      ledger.reserve(made, 0, legsOf(0, 50n, 1n));
      return made;
    });
    inTransaction(() => {
      ledger.release(transfer, 0);
      endTransfer(opened.store, transfer, 'FAILED');
    });
    opened.store.run('BEGIN IMMEDIATE');
    expect(() => ledger.post(transfer, 0)).toThrow(/UNIQUE/);
    opened.store.run('ROLLBACK');
    ledger.undoTo(0);
    expect(available(0)).toBe(100n);
  });

  it('keeps a customer above zero, and refuses two currencies in a posting', () => {
    inTransaction(() => deposit(0, 1n));
    const customer = ledger.account('customer:1', CURRENCIES[0]);
    const world = ledger.account('world', CURRENCIES[0]);
    expect(() => ledger.move(null, 0, [{ debit: customer, credit: world, amountMinor: 2n }])).toThrow(/beyond/);
    expect(() => ledger.move(null, 0, [{ debit: customer, credit: world, amountMinor: 0n }])).toThrow(/nothing/);
    opened.store.run('BEGIN IMMEDIATE');
    const ether = ledger.account('world', CURRENCIES[1]);
    expect(() => ledger.move(null, 0, [{ debit: ether, credit: customer, amountMinor: 1n }])).toThrow(/one currency/);
    opened.store.run('ROLLBACK');
    ledger.undoTo(0);
    ledger.committed();
  });
});

type Step =
  | { do: 'deposit'; place: Place; amount: bigint }
  | { do: 'submit'; place: Place; amount: bigint; fee: bigint }
  | { do: 'complete' | 'fail'; which: number }
  | { do: 'crash' }
  | { do: 'rollback'; place: Place; amount: bigint };

const amounts = fc.oneof(fc.bigInt({ min: 1n, max: 2_000n }), fc.bigInt({ min: 1n, max: 10n ** 30n }));
const places = fc.constantFrom<Place>(0, 1);
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constant('deposit' as const), place: places, amount: amounts }),
    fc.record({
      do: fc.constant('submit' as const),
      place: places,
      amount: amounts,
      fee: fc.bigInt({ min: 0n, max: 50n }),
    }),
    fc.record({ do: fc.constantFrom('complete' as const, 'fail' as const), which: fc.nat(30) }),
    fc.constant({ do: 'crash' as const }),
    fc.record({ do: fc.constant('rollback' as const), place: places, amount: amounts }),
  ),
  { maxLength: 40 },
);

describe('any history', () => {
  it('agrees with a plain model, and with itself after a crash at any step', () => {
    fc.assert(
      fc.property(steps, (history) => {
        opened.close();
        rmSync(dataDir, { recursive: true, force: true });
        dataDir = temporaryDirectory();
        open();
        const model: [bigint, bigint] = [0n, 0n];
        const pending: Pending[] = [];
        for (const step of history) {
          take(step, model, pending);
          expect(verifyLedger(opened.store)).toEqual([]);
          expect([available(0), available(1)]).toEqual(model);
        }
      }),
      { numRuns: 60 },
    );
  });
});

type Pending = { transfer: number; place: Place; amount: bigint; fee: bigint; reserved: boolean };

function take(step: Step, model: [bigint, bigint], pending: Pending[]): void {
  switch (step.do) {
    case 'deposit':
      inTransaction(() => deposit(step.place, step.amount));
      model[step.place] += step.amount;
      return;
    case 'submit': {
      const { place, amount, fee } = step;
      const whole = amount + fee;
      const made = inTransaction(() => {
        const transfer = addTransfer(opened.store, place, amount, fee);
        return { transfer, reserved: ledger.reserve(transfer, 0, legsOf(place, amount, fee)) };
      });
      expect(made.reserved).toBe(whole <= model[place]);
      if (made.reserved) model[place] -= whole;
      pending.push({ ...made, place, amount, fee });
      return;
    }
    case 'complete':
    case 'fail': {
      const [ended] = pending.splice(step.which % Math.max(pending.length, 1), 1);
      if (!ended) return;
      const { transfer, place, amount, fee, reserved } = ended;
      const completes = step.do === 'complete' && reserved;
      inTransaction(() => {
        if (completes) {
          ledger.post(transfer, 0);
          const debit = ledger.account('rail:GBP_FPS', CURRENCIES[place]);
          const credit = ledger.account('world', CURRENCIES[place]);
          ledger.move(transfer, 0, [{ debit, credit, amountMinor: amount }]);
        } else ledger.release(transfer, 0);
        endTransfer(opened.store, transfer, completes ? 'COMPLETED' : 'FAILED');
      });
      if (!completes && reserved) model[place] += amount + fee;
      return;
    }
    case 'crash': {
      // What another connection sees of a transaction that is never committed is what a kill leaves.
      opened.store.run('BEGIN IMMEDIATE');
      deposit(0, 77n);
      ledger.writeBalances();
      const { database } = servicePaths(dataDir);
      const beside = openDatabase(database, { readOnly: true });
      expect(verifyLedger(beside)).toEqual([]);
      beside.close();
      reopen();
      return;
    }
    case 'rollback':
      opened.store.run('BEGIN IMMEDIATE');
      deposit(step.place, step.amount);
      opened.store.run('ROLLBACK');
      ledger.undoTo(0);
      ledger.committed();
      return;
  }
}

/* What else the proof finds is in verify.test.ts. */
describe('the proof of the books', () => {
  /** A sound set of books with one payout of each end, for spoiling. */
  function books(): { done: number; failed: number; pending: number } {
    const submit = () => {
      const transfer = addTransfer(opened.store, 0, 40n, 2n);
      ledger.reserve(transfer, 0, legsOf(0, 40n, 2n));
      return transfer;
    };
    inTransaction(() => deposit(0, 1_000n));
    const [done, failed, pending] = inTransaction(() => [submit(), submit(), submit()] as const);
    inTransaction(() => {
      ledger.post(done, 0);
      const debit = ledger.account('rail:GBP_FPS', CURRENCIES[0]);
      ledger.move(done, 0, [{ debit, credit: ledger.account('world', CURRENCIES[0]), amountMinor: 40n }]);
      endTransfer(opened.store, done, 'COMPLETED');
      ledger.release(failed, 0);
      endTransfer(opened.store, failed, 'FAILED');
    });
    return { done, failed, pending };
  }

  it('finds a reserve that was resolved twice, though the sums are right', () => {
    const { failed } = books();
    const [released] = opened.store.all("SELECT * FROM posting WHERE kind = 'release' AND amount = '40'");
    if (!released) return expect.fail();
    opened.store.run('SAVEPOINT spoiled');
    opened.store.exec('DROP INDEX posting_resolved_once; DROP TRIGGER posting_is_never_changed');
    // The other leg's release now names this leg's reserve.
    opened.store.run(
      "UPDATE posting SET resolves = ? WHERE kind = 'release' AND amount = '2'",
      released.resolves ?? null,
    );
    expect(verifyLedger(opened.store).join('\n')).toMatch(/resolves \d+, which is no open reserve/);
    expect(released.transfer).toBe(failed);
    opened.store.exec('ROLLBACK TO spoiled; RELEASE spoiled');
  });
});
