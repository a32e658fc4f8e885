import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPayee, gbpPayout, machineClock, settled, startTestService, type TestService, until } from './harness.ts';

const SETTLE_MS = 30;

let service: TestService;
let accountId: string;
/** How often the service has gone to sleep: the settlement sleeps each time that it has looked and nothing was due. */
let sleeps = 0;

/** By how much the machine's clock was set forward. */
let forwardMs = 0;

const clock = {
  ...machineClock,
  wallMs: () => machineClock.wallMs() + forwardMs,
  sleep(ms: number, signal?: AbortSignal) {
    sleeps += 1;
    return machineClock.sleep(ms, signal);
  },
};

beforeEach(async () => {
  forwardMs = 0;
  service = await startTestService({ clock, settleMs: SETTLE_MS });
  ({ accountId } = await addPayee(service));
});
afterEach(() => service.close());

async function pay(): Promise<string> {
  return service.data('transaction.transfer', gbpPayout(accountId, 500));
}

async function statusOf(id: string): Promise<string> {
  return (await service.data('transaction.get', { id })).status;
}

async function state() {
  return (await service.admin('state')).data;
}

/** Until the settlement has looked several times, and long after what was due would have been due. */
async function longEnough(): Promise<void> {
  const [since, startMs] = [sleeps, performance.now()];
  await until(async () => sleeps > since + 3 && performance.now() > startMs + 3 * SETTLE_MS);
}

/** At the same port, so that what was signed before can be sent again. */
async function restart(): Promise<void> {
  const port = Number(new URL(service.service.baseUrl).port);
  await service.stop();
  service = await startTestService({ clock, dataDir: service.dataDir, settleMs: SETTLE_MS, port });
}

describe('a clock that stands still', () => {
  it('settles nothing by itself, also after a restart, and everything when it goes on', async () => {
    const frozen = (await service.admin('clock.freeze')).data;
    expect(frozen).toMatchObject({ frozen: true });
    const id = await pay();
    await longEnough();
    expect(await statusOf(id)).toBe('PENDING');
    await restart();
    await longEnough();
    expect(await statusOf(id)).toBe('PENDING');
    expect(await state()).toMatchObject({ frozen: true, unix_ms: frozen.unix_ms });
    const resumed = (await service.admin('clock.resume')).data;
    expect(resumed.frozen).toBe(false);
    expect(resumed.unix_ms).toBeLessThan(frozen.unix_ms + 5_000);
    expect((await settled(service, id)).status).toBe('COMPLETED');
  });

  it('is moved by hand: what is due by then settles, and it stands again', async () => {
    await service.admin('clock.freeze');
    const id = await pay();
    const { unix_ms } = await state();
    expect((await service.admin('clock.advance', { ms: SETTLE_MS - 1 })).data.unix_ms).toBe(unix_ms + SETTLE_MS - 1);
    await longEnough();
    expect(await statusOf(id)).toBe('PENDING');
    await service.admin('clock.set', { unix_ms: unix_ms + SETTLE_MS });
    expect((await settled(service, id)).status).toBe('COMPLETED');
    expect(await state()).toMatchObject({ frozen: true, unix_ms: unix_ms + SETTLE_MS });
    expect((await service.admin('clock.set', { unix_ms })).error?.code).toBe('BAD_REQUEST');
  });

  it('keeps listings in the order of creation, and accepts what is signed by the time of the day', async () => {
    await service.admin('clock.advance', { ms: 2_592_000_000 });
    const ids = [await pay()];
    await service.admin('clock.freeze');
    ids.unshift(await pay());
    ids.unshift(await pay());
    await service.admin('clock.resume');
    ids.unshift(await pay());
    const { transactions } = await service.data('transaction.getMany', {});
    expect(transactions.map(({ id }: { id: string }) => id)).toEqual(ids);
    const times = transactions.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(times[1]).toBe(times[2]);
    expect(Date.parse(times[0])).toBeGreaterThan(Date.now() + 2_500_000_000);
  });

  it('may be held twice and let go twice', async () => {
    const first = (await service.admin('clock.freeze')).data;
    expect((await service.admin('clock.freeze')).data).toMatchObject({ frozen: true, unix_ms: first.unix_ms });
    await service.admin('clock.resume');
    const later = (await service.admin('clock.resume')).data;
    expect(later).toMatchObject({ frozen: false });
    expect(later.unix_ms).toBeGreaterThanOrEqual(first.unix_ms);
  });
});

describe('a machine whose clock is set back', () => {
  it('lets no request live again that has died', async () => {
    const sent = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    forwardMs = 100_000;
    expect((await service.send(sent)).error?.reason).toBe('EXPIRED');
    forwardMs = 0;
    expect((await service.send(sent)).error?.reason).toBe('EXPIRED');
    const created = Math.floor(Date.now() / 1_000);
    const next = { created, expires: created + 300 };
    expect((await service.call('transaction.transfer', gbpPayout(accountId, 500), next)).status).toBe(200);
  });
});

describe('a machine whose clock runs ahead', () => {
  it('refuses what is signed by the right time, says its own, and settles as before', async () => {
    const id = await pay();
    expect((await service.admin('clock.skew', { ms: 400_000 })).data).toEqual({ skew_ms: 400_000 });
    const reply = await service.call('account.balance.getMany', {});
    expect(reply.error?.reason).toBe('EXPIRED');
    const told = Date.parse(String(reply.headers.date));
    expect(told).toBeGreaterThan(Date.now() + 390_000);
    const created = Math.floor(told / 1_000);
    const asked = await service.call('transaction.get', { id }, { created, expires: created + 60 });
    expect(Date.parse(asked.data.created_at)).toBeLessThan(Date.now() + 1_000);
    await until(async () => {
      const looked = await service.call('transaction.get', { id }, { created, expires: created + 60 });
      return looked.data.status === 'COMPLETED';
    });
  });

  it('lets nothing take effect twice, though it is right again after a restart', async () => {
    const created = Math.floor(Date.now() / 1_000);
    const sent = service.sign('transaction.transfer', gbpPayout(accountId, 500), { created, expires: created + 300 });
    expect((await service.send(sent)).status).toBe(200);
    await service.admin('clock.skew', { ms: 600_000 });
    const other = { created: created + 600, expires: created + 660 };
    expect((await service.call('transaction.transfer', gbpPayout(accountId, 500), other)).status).toBe(200);
    await restart();
    expect((await service.send(sent)).error?.reason).toBe('REPLAYED');
  });

  it('only gains, and is right again after a restart', async () => {
    await service.admin('clock.skew', { ms: 400_000 });
    expect((await service.admin('clock.skew', { ms: 399_999 })).error?.message).toMatch(/only grows/);
    await restart();
    expect((await service.call('account.balance.getMany', {})).status).toBe(200);
  });
});
