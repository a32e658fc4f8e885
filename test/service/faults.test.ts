import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import { addPayee, gbpPayout, machineClock, startTestService, type TestService, until } from './harness.ts';

let service: TestService;
let accountId: string;
beforeEach(async () => {
  service = await startTestService({ settleMs: 60_000 });
  ({ accountId } = await addPayee(service));
});
afterEach(() => service.close());

const pay = () => service.call('transaction.transfer', gbpPayout(accountId, 500));
const sent = async () => (await service.data('transaction.getMany', {})).totals.transfers;
const add = (kind: string, more: object = { nth: 1 }) =>
  service.admin('fault.add', { operation: 'transaction.transfer', kind, ...more });

describe('faults', () => {
  it.each([
    ['drop-before', 0, /other side closed|socket/i],
    ['reset', 0, /ECONNRESET|socket/i],
    ['drop-after-commit', 1, /other side closed|socket/i],
    ['truncate', 1, /other side closed|terminated|aborted|socket/i],
    // A minute late: the effect of the second payout is the only one that is seen here.
    ['late-commit', 0, /other side closed|socket/i, { nth: 1, ms: 60_000 }],
  ])('%s: no whole answer, and %i effects', async (kind, effects, error, when: object = { nth: 1 }) => {
    await add(kind, when);
    await expect(pay()).rejects.toThrow(error);
    expect(await sent()).toBe(effects);
    expect((await pay()).status).toBe(200);
    expect(await sent()).toBe(effects + 1);
  });

  it.each([
    ['500-before', 0, 500],
    ['500-after-commit', 1, 500],
    ['429', 0, 429],
    ['slow', 1, 200],
  ])('%s: %i effects, status %i', async (kind, effects, status) => {
    await add(kind, kind === 'slow' ? { nth: 1, ms: 20 } : { nth: 1 });
    const reply = await pay();
    expect(reply.status).toBe(status);
    if (status === 429) expect(reply.headers['retry-after']).toBe('1');
    if (status === 500) expect(reply.error?.code).toBe('INTERNAL_SERVER_ERROR');
    expect(await sent()).toBe(effects);
  });

  it('is met at the nth arrival, once, by its own operation only', async () => {
    await add('500-before', { nth: 3 });
    await service.data('account.balance.getMany', {});
    const statuses = [];
    for (let arrival = 1; arrival <= 5; arrival++) statuses.push((await pay()).status);
    expect(statuses).toEqual([200, 200, 500, 200, 200]);
    expect((await service.admin('stats')).data.arrivals).toMatchObject({ 'transaction.transfer': 5 });
  });

  it('by probability 1 is met each time, until it is removed', async () => {
    const { data } = await add('500-before', { probability: 1 });
    expect([(await pay()).status, (await pay()).status]).toEqual([500, 500]);
    expect((await service.admin('fault.list')).data).toMatchObject([{ id: data.id, arrivals: 2, fired: 2 }]);
    await service.admin('fault.remove', { id: data.id });
    expect((await pay()).status).toBe(200);
    expect((await service.admin('fault.list')).data).toEqual([]);
    expect((await service.admin('fault.remove', { id: data.id })).error?.code).toBe('NOT_FOUND');
  });

  it.each([
    [{ kind: '500-before' }],
    [{ kind: '500-before', nth: 1, probability: 0.5 }],
    [{ kind: '500-before', nth: 0 }],
    [{ kind: '500-before', probability: 2 }],
    [{ kind: 'slow', nth: 1 }],
    [{ kind: 'late-commit', nth: 1, ms: 0 }],
    [{ kind: 'duplicate-delivery', nth: 1, ms: 5 }],
    [{ kind: '429', nth: 1, ms: 5 }],
    [{ kind: 'explode', nth: 1 }],
  ])('refuses %o', async (fault) => {
    const reply = await service.admin('fault.add', { operation: 'transaction.transfer', ...fault });
    expect(reply.error?.code).toBe('BAD_REQUEST');
  });

  it('lets the same bytes after a lost answer be known as a replay, and after a lost request take effect', async () => {
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    await add('drop-after-commit');
    await expect(service.send(request)).rejects.toThrow();
    expect((await service.send(request)).error?.reason).toBe('REPLAYED');
    const other = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    await add('drop-before');
    await expect(service.send(other)).rejects.toThrow();
    expect((await service.send(other)).status).toBe(200);
    expect(await sent()).toBe(2);
  });

  it('duplicate-delivery: one effect, and the answer to the second copy', async () => {
    await add('duplicate-delivery');
    const reply = await pay();
    expect([reply.status, reply.error?.reason]).toEqual([401, 'REPLAYED']);
    expect(await sent()).toBe(1);
  });

  it('duplicate-delivery of what is refused has no effect twice', async () => {
    await add('duplicate-delivery');
    const reply = await service.call('transaction.transfer', gbpPayout(accountId, 0));
    expect(reply.error?.reason).toBe('REPLAYED');
    expect(await sent()).toBe(0);
  });

  it('late-commit: the connection closes first, and then the request takes effect by itself, once', async () => {
    const request = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    await add('late-commit', { nth: 1, ms: 40 });
    await expect(service.send(request)).rejects.toThrow(/other side closed|socket/i);
    await until(async () => (await sent()) === 1);
    expect((await service.send(request)).error?.reason).toBe('REPLAYED');
  });

  it('late-commit: is a second late where nobody says how late', async () => {
    expect((await add('late-commit')).data).toMatchObject({ ms: 1_000 });
  });
});

describe('a late-commit whose time the test chooses', () => {
  const LATE_MS = 123_456;

  /** A service whose sleep of `LATE_MS` ends when the test says so, or when it is aborted. */
  async function startWithLateSleep() {
    const late = Promise.withResolvers<void>();
    const asleep = Promise.withResolvers<AbortSignal | undefined>();
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
      if (ms !== LATE_MS) return machineClock.sleep(ms, signal);
      signal?.addEventListener('abort', () => late.resolve());
      asleep.resolve(signal);
      return late.promise;
    };
    const own = await startTestService({ settleMs: 60_000, clock: { ...machineClock, sleep } });
    const payee = await addPayee(own);
    await own.admin('fault.add', { operation: 'transaction.transfer', kind: 'late-commit', nth: 1, ms: LATE_MS });
    const request = own.sign('transaction.transfer', gbpPayout(payee.accountId, 500));
    await expect(own.send(request)).rejects.toThrow(/other side closed|socket/i);
    return { own, request, wake: late.resolve, asleep: await asleep.promise };
  }

  const transfersOnDisk = (dataDir: string) => {
    const store = openDatabase(servicePaths(dataDir).database, { readOnly: true });
    const row = store.get('SELECT count(*) AS transfers FROM transfer');
    store.close();
    return row?.transfers;
  };

  it('has no effect before, and one after', async () => {
    const { own, wake } = await startWithLateSleep();
    expect((await own.data('transaction.getMany', {})).totals.transfers).toBe(0);
    wake();
    await until(async () => (await own.data('transaction.getMany', {})).totals.transfers === 1);
    await own.close();
  });

  it('has none after the deadline of the request', async () => {
    const { own, wake } = await startWithLateSleep();
    await own.admin('clock.skew', { ms: 61_000 });
    wake();
    // Whatever it is doing is done when the service has stopped.
    await own.stop();
    expect(transfersOnDisk(own.dataDir)).toBe(0);
    await own.close();
  });

  it('has none where the same bytes came again before', async () => {
    const { own, request, wake } = await startWithLateSleep();
    expect((await own.send(request)).status).toBe(200);
    wake();
    await own.stop();
    expect(transfersOnDisk(own.dataDir)).toBe(1);
    await own.close();
  });

  it('never happens once the service has stopped', async () => {
    const { own, asleep } = await startWithLateSleep();
    expect(asleep?.aborted).toBe(false);
    await own.stop();
    expect(asleep?.aborted).toBe(true);
    expect(transfersOnDisk(own.dataDir)).toBe(0);
    await own.close();
  });
});
