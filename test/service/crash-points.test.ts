import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import { openStore, servicePaths } from '../../src/service/store/open.ts';
import { verifyLedger } from '../../src/service/verify/verify.ts';
import { framesOf, leaveAfter } from './crash-images.ts';
import {
  addPayee,
  GBP_ACCOUNT,
  gbpPayout,
  ledgerFindings,
  settled,
  startTestService,
  type TestService,
  temporaryDirectory,
  until,
} from './harness.ts';

const HOUR_MS = 3_600_000;

const swap = (pence: number): object => ({
  currency_out: { value: String(pence), code: 'GBP', decimals: 2 },
  currency_in: { value: String(Math.floor(pence * 1.3167)), code: 'USD', decimals: 2 },
  external_accounts: { from: null, to: null },
});
const converting = (accountId: string, cents: number): object => ({
  currency_out: { value: String(cents), code: 'USD', decimals: 2 },
  currency_in: { value: String(Math.floor(cents * 0.7556)), code: 'GBP', decimals: 2 },
  external_accounts: { from: null, to: { id: accountId } },
});

/** What was acknowledged, and how long the log of writes was by then. */
type Acknowledged = { id: string; atBytes: number };

/** Every shape of transaction, each ending, a moved price, a return: some thirty transactions of the database. */
async function playScenario(service: TestService): Promise<Acknowledged[]> {
  const log = `${servicePaths(service.dataDir).database}-wal`;
  const acknowledged: Acknowledged[] = [];
  const send = async (request: object, operation = 'transaction.transfer'): Promise<void> => {
    const id = await service.data(operation, request);
    acknowledged.push({ id, atBytes: statSync(log).size });
  };
  const { accountId } = await addPayee(service);
  const closed = (await addPayee(service, 'REHEARSE_CLOSED')).accountId;
  const returned = (await addPayee(service, 'REHEARSE_RETURN')).accountId;
  const own = (await service.data('account.external.bank.add', GBP_ACCOUNT)).id;
  const pass = async (): Promise<void> => {
    await service.admin('clock.advance', { ms: HOUR_MS });
    for (const { id } of acknowledged) await settled(service, id);
  };
  await send(gbpPayout(accountId, 1_000));
  await send(swap(10_000));
  await send(converting(accountId, 10_000));
  await pass();
  await service.admin('balance.set', { code: 'GBP', value: '50000' });
  await Promise.all([gbpPayout(accountId, 30_000), gbpPayout(accountId, 30_000), swap(30_000)].map((one) => send(one)));
  await send(converting(closed, 20_000));
  await send(converting(returned, 30_000));
  await pass();
  await send(
    { external_account_id: own, ...converting('', 40_000), external_accounts: undefined },
    'transaction.submitWithdraw',
  );
  await send(swap(5_000));
  await service.admin('price.set', { code: 'GBP', usd: '1.5' });
  await pass();
  await service.admin('price.set', { code: 'GBP', usd: '1.32' });
  await send(gbpPayout(accountId, 100));
  await send(swap(200));
  return acknowledged;
}

describe('a crash at any write', () => {
  let service: TestService;
  let copies: string;
  beforeEach(async () => {
    copies = temporaryDirectory();
    service = await startTestService({ settleMs: HOUR_MS });
  });
  afterEach(async () => {
    await service.close();
    rmSync(copies, { recursive: true, force: true });
  });

  function leftAfter(log: Buffer, bytes: number): string {
    const copy = join(copies, 'data');
    leaveAfter(service.dataDir, log, bytes, copy);
    return copy;
  }

  it('leaves every acknowledged transaction, sound books, and a settlement that goes on', async () => {
    const acknowledged = await playScenario(service);
    const { database } = servicePaths(service.dataDir);
    const log = readFileSync(`${database}-wal`);
    const frames = framesOf(log);
    // Nothing but the first page is in the database itself yet, so each beginning of the log is what some crash leaves.
    expect(statSync(database).size).toBeLessThanOrEqual(4_096);
    expect(frames.length).toBeGreaterThan(200);
    const committed = frames.filter(({ isCommit }) => isCommit);
    expect(committed.length).toBeGreaterThan(20);
    for (const { end } of frames) {
      // The next frame torn: its first bytes are there.
      const opened = openStore(leftAfter(log, end + 100));
      try {
        expect(verifyLedger(opened.store), `after ${end} bytes`).toEqual([]);
        const there = new Set(opened.store.all('SELECT id FROM transfer').map(({ id }) => id));
        for (const { id, atBytes } of acknowledged)
          if (atBytes <= end) expect(there.has(id), `${id}, ${end}`).toBe(true);
      } finally {
        opened.close();
      }
    }
    for (const { end } of committed) {
      const due = acknowledged.filter(({ atBytes }) => atBytes <= end);
      const after = await startTestService({ dataDir: leftAfter(log, end), settleMs: HOUR_MS });
      await after.admin('clock.advance', { ms: 3 * HOUR_MS });
      for (const { id } of due) await settled(after, id);
      await until(async () => (await after.admin('state')).data.transactions.PENDING === undefined);
      await after.stop();
    }
  });
});

describe('a write that fails', () => {
  let service: TestService;
  let accountId: string;
  beforeEach(async () => {
    service = await startTestService({ settleMs: HOUR_MS });
    ({ accountId } = await addPayee(service));
  });
  afterEach(() => service.close());

  /** From now on the database refuses a write, as a full disk would: from another connection, by a trigger. */
  function refuseWrites(dataDir: string, on: string, when: string): { end(): void } {
    const other = openDatabase(servicePaths(dataDir).database);
    other.exec(`CREATE TRIGGER fault BEFORE ${on} WHEN ${when} BEGIN SELECT raise(ABORT, 'a fault'); END`);
    return {
      end() {
        other.exec('DROP TRIGGER fault');
        other.close();
      },
    };
  }

  /** Every write of an accepted transfer, in its order; a posting for each of three legs. */
  const WRITES: [on: string, when: string][] = [
    ['INSERT ON transfer', 'true'],
    ['INSERT ON transfer_search', 'true'],
    ['INSERT ON transfer_total', 'true'],
    ...[0, 1, 2].map((legs): [string, string] => [
      'INSERT ON posting',
      `(SELECT count(*) FROM posting WHERE transfer = NEW.transfer) = ${legs}`,
    ]),
    ['INSERT ON event', 'true'],
  ];

  it.each(WRITES)('%s (%s) undoes the whole transfer, and nothing of those beside it', async (on, when) => {
    const before = [await service.balances(), await service.data('transaction.getMany', {})];
    const fault = refuseWrites(service.dataDir, on, when);
    const broken = await service.call('transaction.transfer', converting(accountId, 10_000));
    expect([broken.status, broken.error?.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
    expect([await service.balances(), await service.data('transaction.getMany', {})]).toEqual(before);
    fault.end();
    const one = refuseWrites(
      service.dataDir,
      'INSERT ON event',
      `(SELECT out_value FROM transfer ORDER BY transfer DESC LIMIT 1) = '777'`,
    );
    const replies = await Promise.all(
      [500, 777, 501, 502, 777, 503].map((pence) => service.call('transaction.transfer', gbpPayout(accountId, pence))),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 500, 200, 200, 500, 200]);
    one.end();
    expect((await service.admin('verify')).data.findings).toEqual([]);
    expect((await service.data('transaction.getMany', {})).totals.transfers).toBe(4);
  });

  it.each([
    ['INSERT ON posting', "NEW.kind = 'post'"],
    ['INSERT ON posting', "NEW.kind = 'move'"],
    ['UPDATE OF status ON transfer', 'true'],
    ['INSERT ON event', "NEW.status = 'COMPLETED'"],
    ['UPDATE ON ledger_account', 'true'],
  ])('%s (%s) at settlement stops the service, and the next one settles', async (on, when) => {
    const ids = await Promise.all(
      [gbpPayout(accountId, 1_000), swap(10_000), converting(accountId, 10_000)].map((request) =>
        service.data('transaction.transfer', request),
      ),
    );
    await service.admin('balance.set', { code: 'EUR', value: '5' });
    const fault = refuseWrites(service.dataDir, on, when);
    // The answer to this may be lost with the service.
    await service.admin('clock.advance', { ms: 2 * HOUR_MS }).catch(() => null);
    await service.service.failed;
    expect(ledgerFindings(service.dataDir)).toEqual([]);
    fault.end();
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir, settleMs: HOUR_MS });
    await service.admin('clock.advance', { ms: 2 * HOUR_MS });
    for (const id of ids) expect((await settled(service, id)).status).toBe('COMPLETED');
  });
});
