import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPayee, gbpPayout, startTestService, type TestService } from './harness.ts';

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
  ])('%s: no whole answer, and %i effects', async (kind, effects, error) => {
    await add(kind);
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
});
