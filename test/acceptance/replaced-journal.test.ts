import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { copyJournal, readImage, tokenOf } from '../support/journal-image.ts';
import { payrun, type ReadyService, type Started, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, untilArrived } from '../support/service-admin.ts';

const ROWS = 60;

const FILES = ['journal.db', 'journal.db-wal'];

type Job = { folder: string; data: string; service: ReadyService; running: Started; where: string[] };

/** A run at a pace at which it can be caught in the middle. */
async function begin(): Promise<Job> {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 11, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 6s\nlisting_lag: 0s\n');
  const data = join(folder, 'data');
  const where = ['--data-dir', data, '--report-dir', join(folder, 'reports'), '--poll-every', '50ms', '--json'];
  const pace = ['--rate', '40/s', '--profile', profile];
  const running = start(['run', file, '--yes', ...pace, ...service.options, ...where]);
  return { folder, data, service, running, where };
}

test('a journal that is replaced beneath a running process stops it with exit 5, and nothing more is sent', async () => {
  const { folder, data, service, running, where } = await begin();
  await untilArrived(service, 10);

  // While it stands still, a copy of what is there takes the place of its files.
  running.child.kill('SIGSTOP');
  const copy = join(folder, 'copy');
  copyJournal(data, copy);
  const durable = await readImage(copy);
  for (const name of FILES) renameSync(join(copy, name), join(data, name));
  running.child.kill('SIGCONT');

  const stopped = await running.ended;
  expect(stopped.exit).toBe(5);
  expect(stopped.stderr).toMatch(/journal.s file was replaced or removed .* sends nothing more/s);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ state: 'stopped', exit: 5 });
  const sent = await allTransactions(service);
  expect(sent.length).toBeLessThan(ROWS);
  for (const transaction of sent) expect(durable.tokens).toContain(tokenOf(transaction));

  const resumed = await payrun(['resume', String(durable.runId), ...where]);
  expect(resumed.exit).toBe(0);
  expect(await allTransactions(service)).toHaveLength(ROWS);
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
});

/** Waits until the process has ended, and gives how many payouts the service has by then. */
async function stoppedByAlteration({ running, service }: Job): Promise<number> {
  const stopped = await running.ended;
  expect(stopped.exit).toBe(5);
  expect(stopped.stderr).toMatch(/Another program changed the journal.s files .* sends nothing more/s);
  expect(stopped.stderr).not.toMatch(/bug/);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ state: 'stopped', exit: 5 });
  const sent = (await allTransactions(service)).length;
  expect(sent).toBeLessThan(ROWS);
  return sent;
}

test('a backup that is copied into the open files of a run stops it, and the next one sees payments and sends nothing', async () => {
  const job = await begin();
  const { folder, data, service, running, where } = job;
  const copy = join(folder, 'copy');
  await untilArrived(service, 10);
  running.child.kill('SIGSTOP');
  copyJournal(data, copy);
  running.child.kill('SIGCONT');
  await untilArrived(service, 25);
  // The files stay the same ones.
  running.child.kill('SIGSTOP');
  for (const name of FILES) copyFileSync(join(copy, name), join(data, name));
  running.child.kill('SIGCONT');

  const sent = await stoppedByAlteration(job);
  const resumed = await payrun(['resume', String((await readImage(copy)).runId), ...where]);
  expect(resumed.exit).toBe(5);
  expect(await allTransactions(service)).toHaveLength(sent);
});

test.each(FILES)(
  '%s is cut to nothing beneath a run: it stops, and the copy that is put back pays each row once',
  async (name) => {
    const job = await begin();
    const { folder, data, service, running, where } = job;
    const copy = join(folder, 'copy');
    await untilArrived(service, 10);
    running.child.kill('SIGSTOP');
    copyJournal(data, copy);
    truncateSync(join(data, name), 0);
    running.child.kill('SIGCONT');

    await stoppedByAlteration(job);
    const { runId } = await readImage(copy);
    for (const file of ['journal.db', 'journal.db-wal', 'journal.db-shm']) rmSync(join(data, file), { force: true });
    copyJournal(copy, data);
    const resumed = await payrun(['resume', String(runId), ...where]);
    expect(resumed.exit).toBe(0);
    expect(await allTransactions(service)).toHaveLength(ROWS);
    expect(await admin(service, 'verify')).toEqual({ findings: [] });
  },
);
