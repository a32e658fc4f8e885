import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineClock } from '../../src/cli/compose.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { copyJournal, readImage } from '../support/journal-image.ts';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions, arrivals } from '../support/service-door.ts';

const ROWS = 30;

test('scenario 25: an old backup of the journal is put back after everybody was paid: it sends nothing and exits 5', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 25, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 2s\nconcurrency: 2\n');
  const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const rest = ['--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--json'];
  const where = ['--data-dir', data, ...rest];
  const running = start(['run', file, '--yes', '--rate', '40/s', '--profile', profile, ...service.options, ...where]);
  while (((await arrivals(service))['transaction.transfer'] ?? 0) < 10) await machineClock.sleep(5);
  running.child.kill('SIGSTOP');
  copyJournal(data, copy);
  running.child.kill('SIGCONT');
  expect((await running.ended).exit).toBe(0);

  const asked = await arrivals(service);
  const old = readImage(copy);
  expect(old.tokens.size).toBeLessThan(ROWS);
  const again = ['resume', String(old.runId), '--data-dir', copy, ...rest];
  // A second time too: what it found stays found.
  for (const _ of [1, 2]) {
    const resumed = await payrun(again);
    expect(resumed.exit).toBe(5);
    const { counts } = JSON.parse(resumed.stdout);
    expect(counts.unresolved).toBe(ROWS - old.tokens.size);
    expect(counts.completed).toBe(old.tokens.size);
  }
  const now = await arrivals(service);
  for (const name of Object.keys(now)) if (/transfer|create|add/.test(name)) expect(now[name]).toBe(asked[name]);
  expect(await allTransactions(service)).toHaveLength(ROWS);
});
