import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../src/service/gateway/rate-limit.ts';
import { addPayee, gbpPayout, startTestService } from './harness.ts';

describe('the rate limit', () => {
  it('refuses nobody who keeps to it, and lets no window hold more', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), gaps, (requests, gapsMs) => {
        let nowMs = 0;
        const limiter = createRateLimiter({ requests, windowMs: 1_000 }, () => nowMs);
        const allowed: number[] = [];
        for (const gap of gapsMs) {
          nowMs += gap;
          const inWindow = allowed.filter((at) => at > nowMs - 1_000).length;
          const inShorterWindow = allowed.filter((at) => at > nowMs - 990).length;
          const verdict = limiter(1);
          if (inWindow < requests) expect(verdict.allowed).toBe(true);
          if (inShorterWindow >= requests) expect(verdict.allowed).toBe(false);
          const left = /r=(\d+)/.exec(verdict.headers.ratelimit ?? '')?.[1];
          if (verdict.allowed) expect(Number(left)).toBe(requests - inShorterWindow - 1);
          if (verdict.allowed) allowed.push(nowMs);
        }
      }),
    );
  });

  it('says when to come again, and that is soon enough', () => {
    let nowMs = 5_000;
    const limiter = createRateLimiter({ requests: 2, windowMs: 10_000 }, () => nowMs);
    limiter(1);
    limiter(1);
    const refused = limiter(1);
    expect(refused).toEqual({
      allowed: false,
      headers: { 'ratelimit-policy': '"default";q=2;w=10', ratelimit: '"default";r=0;t=10', 'retry-after': '10' },
    });
    expect(limiter(2).allowed).toBe(true);
    nowMs += 10_000;
    expect(limiter(1).allowed).toBe(true);
  });

  it('answers 429 without an effect, and the bytes of a refused request stay refused', async () => {
    const service = await startTestService({ rateLimit: { requests: 3, windowMs: 3_600_000 }, settleMs: 60_000 });
    const { accountId } = await addPayee(service);
    const first = service.sign('transaction.transfer', gbpPayout(accountId, 100));
    expect((await service.send(first)).headers).toMatchObject({
      'ratelimit-policy': '"default";q=3;w=3600',
      ratelimit: expect.stringMatching(/^"default";r=0;t=\d+$/),
    });
    const second = service.sign('transaction.transfer', gbpPayout(accountId, 100));
    const refused = await service.send(second);
    expect([refused.status, refused.error?.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await service.send(second)).error?.reason).toBe('REPLAYED');
    // A 429 would say that nothing happened; what was sent first did happen.
    expect((await service.send(first)).error?.reason).toBe('REPLAYED');
    expect((await service.admin('state')).data.transactions).toEqual({ PENDING: 1 });
    const port = Number(new URL(service.service.baseUrl).port);
    await service.stop();
    const again = await startTestService({ dataDir: service.dataDir, port });
    for (const sent of [first, second]) expect((await again.send(sent)).error?.reason).toBe('REPLAYED');
    expect((await again.admin('state')).data.transactions).toEqual({ PENDING: 1 });
    await again.close();
  });
});
