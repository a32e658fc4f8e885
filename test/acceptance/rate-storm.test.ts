import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { expectPaidOnceEach, plainPayroll, reportOf } from '../support/plain-payroll.ts';
import { arrivals } from '../support/service-door.ts';

test('scenario 16: a run without a pace of its own, at a service that refuses what is too much, pays each row once', async () => {
  const folder = temporaryFolder();
  // The last one counts: as many requests in ten seconds as the run needs in its first.
  const service = await startService({ dataDir: join(folder, 'service'), args: ['--rate-limit', '25'] });
  const proxy = { baseUrl: service.base_url };
  const { command } = plainPayroll({ folder, service, proxy, rows: 10, profile: 'request_lifetime: 20s\n' });
  const { exit, stdout } = await payrun(command);
  expect(exit).toBe(0);
  const asked = await arrivals(service);
  expect(asked['transaction.transfer']).toBeGreaterThanOrEqual(10);
  await expectPaidOnceEach(service, [reportOf(stdout)]);
});
