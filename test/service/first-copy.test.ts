import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import {
  addPayee,
  gbpPayout,
  machineClock,
  type Reply,
  type SignedBytes,
  startTestService,
  type TestService,
  until,
} from './harness.ts';

/*
 * `REPLAYED` says what became of the first copy: the status that it was answered with, and the transaction that it made.
 * A client whose answer was lost has no other proof.
 */

let service: TestService;
afterEach(() => service.close());

const REPLAYED = { code: 'UNAUTHORIZED', reason: 'REPLAYED', message: expect.any(String) };

/** Stops the service and starts it again on the same port, whose name is in what was signed. */
async function restart(): Promise<void> {
  const port = Number(new URL(service.service.baseUrl).port);
  await service.stop();
  service = await startTestService({ dataDir: service.dataDir, port, settleMs: 60_000 });
}

/** What the service says of the first copy of these bytes. */
async function firstOf(request: SignedBytes): Promise<unknown> {
  const { status, error } = await service.send(request);
  expect([status, error]).toEqual([401, expect.objectContaining(REPLAYED)]);
  return error?.first;
}

describe('a copy is told what became of the first one', () => {
  it('which was accepted: its transaction, also after a restart', async () => {
    service = await startTestService({ settleMs: 60_000 });
    const { accountId } = await addPayee(service);
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    const transaction = (await service.send(request)).data;
    const first = { status: 200, transaction_id: transaction };
    expect((await service.send(request)).error).toEqual({ ...REPLAYED, first });
    await restart();
    expect(await firstOf(request)).toEqual(first);
    expect((await service.data('transaction.get', { id: transaction })).status).toBe('PENDING');
  });

  it('which withdrew, or changed something else: a transaction only where it made one', async () => {
    service = await startTestService({ settleMs: 60_000 });
    const { accountId, recipientId } = await addPayee(service);
    const gbp = { value: '700', code: 'GBP', decimals: 2 };
    const withdrawal = service.sign('transaction.submitWithdraw', {
      external_account_id: accountId,
      currency_out: gbp,
    });
    const recipient = service.sign('account.recipient.create', { metadata: { name: 'Grace' } });
    const read = service.sign('account.recipient.get', { id: recipientId });
    const transaction = (await service.send(withdrawal)).data;
    for (const request of [recipient, read]) expect((await service.send(request)).status).toBe(200);
    expect(await firstOf(read)).toEqual({ status: 200 });
    await restart();
    expect(await firstOf(withdrawal)).toEqual({ status: 200, transaction_id: transaction });
    expect(await firstOf(recipient)).toEqual({ status: 200 });
  });

  it('which was refused by a rule, by its schema or for its pace: no transaction', async () => {
    service = await startTestService({ rateLimit: { requests: 4, windowMs: 3_600_000 } });
    const { accountId } = await addPayee(service);
    const tooLong = service.sign('transaction.transfer', gbpPayout(accountId, 500, { reference: 'x'.repeat(19) }));
    const unknown = service.sign('transaction.transfer', gbpPayout(accountId, 500, { memo: 'unknown field' }));
    const tooMany = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    const statuses: number[] = [];
    for (const request of [tooLong, unknown, tooMany]) statuses.push((await service.send(request)).status);
    expect(statuses).toEqual([400, 400, 429]);
    for (const [place, request] of [tooLong, unknown, tooMany].entries())
      expect(await firstOf(request)).toEqual({ status: statuses[place] });
    await restart();
    expect(await firstOf(tooLong)).toEqual({ status: 400 });
    expect(await firstOf(tooMany)).toEqual({ status: 429 });
    // Refused for what it is, and so it is again.
    expect((await service.send(unknown)).error?.reason).toBe('INVALID');
  });

  it('which ended with 500: nothing took effect, and nothing does after a restart', async () => {
    service = await startTestService();
    const file = openDatabase(servicePaths(service.dataDir).database);
    const { accountId } = await addPayee(service);
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    file.exec("CREATE TRIGGER broken BEFORE INSERT ON transfer BEGIN SELECT raise(ABORT, 'on purpose'); END");
    expect((await service.send(request)).status).toBe(500);
    file.exec('DROP TRIGGER broken');
    file.close();
    expect(await firstOf(request)).toEqual({ status: 500 });
    await restart();
    expect(await firstOf(request)).toEqual({ status: 500 });
    expect((await service.admin('state')).data.transactions).toEqual({});
  });

  it('whose answer was lost or replaced on the way: its transaction', async () => {
    service = await startTestService({ settleMs: 60_000 });
    const { accountId } = await addPayee(service);
    for (const [place, kind] of ['drop-after-commit', 'truncate', '500-after-commit'].entries()) {
      const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
      await service.admin('fault.add', { operation: 'transaction.transfer', kind, nth: 1 });
      await service.send(request).catch(() => null);
      const [newest, ...others] = (await service.data('transaction.getMany', {})).transactions;
      expect(others).toHaveLength(place);
      expect(await firstOf(request)).toEqual({ status: 200, transaction_id: newest.id });
    }
  });

  it('of which many copies come at once: all are told the same', async () => {
    service = await startTestService({ settleMs: 60_000 });
    const { accountId } = await addPayee(service);
    for (const amount of [500, 0]) {
      const request = service.sign('transaction.transfer', gbpPayout(accountId, amount));
      const replies = await Promise.all(Array.from({ length: 20 }, () => service.send(request)));
      const isCopy = ({ error }: Reply) => error?.reason === 'REPLAYED';
      const [winner, ...more] = replies.filter((reply) => !isCopy(reply));
      expect(more).toEqual([]);
      const first = amount === 0 ? { status: 400 } : { status: 200, transaction_id: winner?.data };
      expect(replies.filter(isCopy).map(({ error }) => error?.first)).toEqual(Array(19).fill(first));
    }
  });

  it('that is still under way: when it is done', async () => {
    const held: (() => void)[] = [];
    let isHolding = false;
    const soon = (work: () => void) => (isHolding ? void held.push(work) : setImmediate(work));
    service = await startTestService({ settleMs: 60_000, clock: { ...machineClock, soon } });
    const { accountId } = await addPayee(service);
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    isHolding = true;
    const answer = service.send(request);
    await until(async () => held.length === 1);
    const copy = firstOf(request);
    await until(async () => (await service.admin('stats')).data.arrivals['transaction.transfer'] === 2);
    isHolding = false;
    for (const work of held) work();
    expect(await copy).toEqual({ status: 200, transaction_id: (await answer).data });
  });

  it('since which an older state was restored: what it was answered with, also after a restart', async () => {
    service = await startTestService({ settleMs: 60_000 });
    const { accountId } = await addPayee(service);
    await service.admin('state.snapshot', { name: 'before' });
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    const first = { status: 200, transaction_id: (await service.send(request)).data };
    await service.admin('state.restore', { name: 'before' });
    expect(await firstOf(request)).toEqual(first);
    await restart();
    expect(await firstOf(request)).toEqual(first);
  });
});
