import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { arrivals } from '../support/service-admin.ts';

const LIMIT = 25;

test('scenario 16: a run without a pace of its own, at a service that refuses what is too much, pays each row once', async () => {
  const folder = temporaryFolder();
  // Fewer requests in ten seconds than the run needs: it is refused in the middle of everything.
  const service = await startService({ dataDir: join(folder, 'service'), args: ['--rate-limit', String(LIMIT)] });
  const proxy = { baseUrl: service.base_url };
  const { command } = plainPayroll({ folder, service, proxy, rows: 10, profile: 'request_lifetime: 20s\n' });
  const { exit, stdout } = await payrun(command);
  expect(exit).toBe(0);
  const asked = Object.values(await arrivals(service)).reduce((sum, count) => sum + count, 0);
  expect(asked).toBeGreaterThan(LIMIT);
  await expectPaidOnceEach(service, [reportOf(stdout)]);
});
