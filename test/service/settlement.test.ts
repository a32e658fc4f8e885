import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPayee, gbpPayout, settled, startTestService, type TestService, until } from './harness.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ settleMs: 0 });
});
afterEach(() => service.close());

const pay = async (name: string, pence: number | string = 10_000): Promise<string> => {
  const { accountId } = await addPayee(service, name);
  return service.data('transaction.transfer', gbpPayout(accountId, pence));
};

describe('rehearsal names choose the end', () => {
  it.each([
    ['REHEARSE_FUNDS', 'INSUFFICIENT_BALANCE'],
    ['REHEARSE_KYB', 'RECIPIENT_VERIFICATION'],
    ['REHEARSE_SANCTIONS Ltd', 'SANCTIONS_SCREENING'],
    ['REHEARSE_MONITORING', 'TRANSACTION_MONITORING'],
    ['REHEARSE_CLOSED Bob', 'ACCOUNT_CLOSED'],
  ])('%s ends FAILED with %s, and nothing is taken', async (name, code) => {
    const before = await service.balances();
    const { status, failure_reason } = await settled(service, await pay(name));
    expect([status, failure_reason.code]).toEqual(['FAILED', code]);
    expect(await service.balances()).toBe(before);
  });

  it.each([
    'rehearse_closed',
    'Bob REHEARSE_CLOSED',
    'REHEARSE_CLOSEDOWN',
    'REHEARSE_CLOSEDown',
    'REHEARSE_KYB2',
    'REHEARSE_',
    'REHEARSE_NOTHING',
  ])('%s chooses nothing', async (name) => {
    expect((await settled(service, await pay(name))).status).toBe('COMPLETED');
  });

  it('is also chosen by the recipient’s name, and the account’s name counts before it', async () => {
    const recipient = await service.data('account.recipient.create', { metadata: { name: 'REHEARSE_KYB' } });
    const account = (account_name: string) => ({
      recipient_id: recipient.id,
      type: 'GBP_FPS',
      account_name,
      account_number: '12345678',
      national_clearing_code: '200000',
    });
    const plain = await service.data('account.external.bank.add', account('Bob'));
    const named = await service.data('account.external.bank.add', account('REHEARSE_CLOSED'));
    const ends = [];
    for (const { id } of [plain, named])
      ends.push(
        (await settled(service, await service.data('transaction.transfer', gbpPayout(id, 100)))).failure_reason.code,
      );
    expect(ends).toEqual(['RECIPIENT_VERIFICATION', 'ACCOUNT_CLOSED']);
  });

  it('REHEARSE_STUCK stays PENDING however late it gets, until somebody settles it', async () => {
    const id = await pay('REHEARSE_STUCK');
    await service.admin('clock.advance', { ms: 30 * 86_400_000 });
    await settled(service, await pay('Bob'));
    expect((await service.data('transaction.get', { id })).status).toBe('PENDING');
    expect((await service.admin('transaction.settle', { id })).data.status).toBe('COMPLETED');
    expect((await service.data('transaction.get', { id })).status).toBe('COMPLETED');
  });

  it('REHEARSE_RETURN completes, and then a deposit of the amount names it; the fee is kept', async () => {
    const before = await service.available('GBP');
    const id = await pay('REHEARSE_RETURN', 10_000);
    const deposit = await until(
      async () => (await service.data('transaction.getMany', { type: 'deposit' })).transactions[0],
    );
    expect(deposit).toMatchObject({
      status: 'COMPLETED',
      external_reference: id,
      external_reference_type: 'RETURN',
      currency_in: { value: '10000', code: 'GBP', decimals: 2 },
      fees: [],
    });
    expect((await service.data('transaction.get', { id })).status).toBe('COMPLETED');
    expect(before - (await service.available('GBP'))).toBe(20n);
    expect((await service.data('transaction.getMany', { type: 'deposit' })).totals.transfers).toBe(1);
  });
});

describe('cover', () => {
  it('takes amount and fee, not less', async () => {
    await service.admin('balance.set', { code: 'GBP', value: '10019' });
    const short = await settled(service, await pay('Bob', 10_000));
    expect([short.status, short.failure_reason.code]).toEqual(['FAILED', 'INSUFFICIENT_BALANCE']);
    await service.admin('balance.set', { code: 'GBP', value: '10020' });
    expect((await settled(service, await pay('Bob', 10_000))).status).toBe('COMPLETED');
    expect(await service.available('GBP')).toBe(0n);
  });

  it('is decided at execution: money that arrives before then is enough', async () => {
    await service.close();
    service = await startTestService({ settleMs: 10_000 });
    await service.admin('balance.set', { code: 'GBP', value: '0' });
    const late = await pay('Bob', 500);
    await service.admin('balance.set', { code: 'GBP', value: '520' });
    await service.admin('clock.advance', { ms: 10_000 });
    expect((await settled(service, late)).status).toBe('COMPLETED');
  });

  it('is never given to two payouts', async () => {
    await service.close();
    service = await startTestService({ settleMs: 10_000 });
    await service.admin('balance.set', { code: 'GBP', value: '1000' });
    const { accountId } = await addPayee(service);
    const ids: string[] = await Promise.all(
      Array.from({ length: 10 }, () => service.data('transaction.transfer', gbpPayout(accountId, 300))),
    );
    await service.admin('clock.advance', { ms: 10_000 });
    const ends = await Promise.all(ids.map((id) => settled(service, id)));
    expect(ends.filter(({ status }) => status === 'COMPLETED')).toHaveLength(3);
    expect(await service.available('GBP')).toBe(1_000n - 3n * 320n);
  });

  it('holds eighteen decimals exactly', async () => {
    const wallet = await service.data('account.external.web3.add', {
      account_name: 'Vitalik',
      address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      chain: 'arbitrum',
    });
    const value = '123456789012345678901';
    const before = await service.available('ETH', 'arbitrum');
    const id = await service.data('transaction.transfer', {
      currency_out: { value, code: 'ETH', decimals: 18, chain: 'arbitrum' },
      external_accounts: { from: null, to: { id: wallet.id } },
    });
    const { fees } = await settled(service, id);
    expect(before - (await service.available('ETH', 'arbitrum'))).toBe(BigInt(value) + BigInt(fees[0].value.value));
  });
});

describe('time', () => {
  it('settles by the service’s clock, each rail by its own delay, and goes on after a restart', async () => {
    await service.close();
    service = await startTestService({ settleMs: { GBP_FPS: 3_600_000 } });
    const id = await pay('Bob');
    await service.admin('clock.advance', { ms: 3_000_000 });
    expect((await service.data('transaction.get', { id })).status).toBe('PENDING');
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir, settleMs: { GBP_FPS: 3_600_000 } });
    expect((await service.data('transaction.get', { id })).status).toBe('PENDING');
    await service.admin('clock.advance', { ms: 600_000 });
    expect((await settled(service, id)).status).toBe('COMPLETED');
  });

  it('goes only forward', async () => {
    const { data } = await service.admin('state');
    expect((await service.admin('clock.set', { unix_ms: data.unix_ms - 60_000 })).error?.code).toBe('BAD_REQUEST');
    expect((await service.admin('clock.advance', { ms: -1 })).error?.code).toBe('BAD_REQUEST');
    const set = await service.admin('clock.set', { unix_ms: data.unix_ms + 60_000 });
    expect(set.data.unix_ms).toBeGreaterThanOrEqual(data.unix_ms + 60_000);
  });

  it('goes to the end of the year 9998, by a hundred years at once', async () => {
    const century = { ms: 3_155_760_000_000 };
    let now = '';
    for (let made = 0; made < 90; made++) {
      const moved = await service.admin('clock.advance', century);
      expect(moved.status).toBeLessThan(500);
      if (moved.status === 200) now = moved.data.now;
    }
    expect(now).toMatch(/^99\d\d-/);
    expect((await service.admin('clock.advance', century)).error?.reason).toBe('INVALID');
    expect((await settled(service, await pay('Ada'))).status).toBe('COMPLETED');
  });
});

describe('the admin port ends transactions', () => {
  it('fails with a reason, gives the money back, and ends nothing twice', async () => {
    const before = await service.balances();
    const id = await pay('REHEARSE_STUCK');
    expect((await service.admin('transaction.fail', { id, reason: 'SANCTIONS_SCREENING' })).data.status).toBe('FAILED');
    expect((await service.data('transaction.get', { id })).failure_reason.code).toBe('SANCTIONS_SCREENING');
    expect(await service.balances()).toBe(before);
    for (const operation of ['transaction.settle', 'transaction.fail', 'transaction.return'])
      expect((await service.admin(operation, { id })).error?.code).toBe('BAD_REQUEST');
  });

  it('returns a completed payout once', async () => {
    const id = await pay('Bob');
    await settled(service, id);
    const { data } = await service.admin('transaction.return', { id });
    expect(await service.data('transaction.get', { id: data.deposit_id })).toMatchObject({
      external_reference: id,
      external_reference_type: 'RETURN',
      external_account_metadata: { account_name: 'Bob' },
    });
    expect((await service.admin('transaction.return', { id })).error?.code).toBe('BAD_REQUEST');
    expect((await service.admin('transaction.return', { id: data.deposit_id })).error?.code).toBe('BAD_REQUEST');
  });

  it('knows no operation of Object.prototype, no other Host, no form', async () => {
    expect((await service.admin('constructor')).error?.code).toBe('NOT_FOUND');
    const { request } = await import('undici');
    const url = `${service.service.adminUrl}/state`;
    const as = async (headers: Record<string, string>) =>
      (await request(url, { method: 'POST', headers, body: '{}' })).statusCode;
    expect(await as({ 'content-type': 'application/json', host: 'evil.test' })).toBe(403);
    expect(await as({ 'content-type': 'text/plain' })).toBe(415);
    expect((await request(url)).statusCode).toBe(404);
  });
});
