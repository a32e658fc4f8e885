import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineClock } from '../../src/cli/compose.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { copyJournal, readImage, tokenOf } from '../support/journal-image.ts';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-door.ts';

const ROWS = 60;

test('a journal that is replaced beneath a running process stops it with exit 7, and nothing more is sent', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 11, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 2s\n');
  const data = join(folder, 'data');
  const where = ['--data-dir', data, '--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--json'];
  const pace = ['--rate', '40/s', '--profile', profile];
  const running = start(['run', file, '--yes', ...pace, ...service.options, ...where]);
  while (((await arrivals(service))['transaction.transfer'] ?? 0) < 10) await machineClock.sleep(5);

  // While it stands still, a copy of what is there takes the place of its files.
  running.child.kill('SIGSTOP');
  const copy = join(folder, 'copy');
  copyJournal(data, copy);
  const durable = readImage(copy);
  for (const name of ['journal.db', 'journal.db-wal']) renameSync(join(copy, name), join(data, name));
  running.child.kill('SIGCONT');

  const stopped = await running.ended;
  expect(stopped.exit).toBe(7);
  expect(stopped.stderr).toMatch(/journal.s file was replaced or removed .* sends nothing more/s);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ state: 'stopped', exit: 7 });
  const sent = await allTransactions(service);
  expect(sent.length).toBeLessThan(ROWS);
  for (const transaction of sent) expect(durable.tokens).toContain(tokenOf(transaction));

  const resumed = await payrun(['resume', String(durable.runId), ...where]);
  expect(resumed.exit).toBe(0);
  expect(await allTransactions(service)).toHaveLength(ROWS);
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
});
