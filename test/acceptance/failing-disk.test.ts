import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Disk, readDiskLog, tokensIn } from '../support/disk-log.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { copyJournal, readImage, tokenOf } from '../support/journal-image.ts';
import { type Ended, payrun, type ReadyService, startService, temporaryFolder } from '../support/payrun.ts';
import { compilePreload } from '../support/preload.ts';
import { admin, allTransactions } from '../support/service-admin.ts';

const ROWS = 12;
const preload = compilePreload('failing-disk');

type Job = {
  folder: string;
  data: string;
  service: ReadyService;
  run: string[];
  where: string[];
  /** The environment of a process that works on the failing disk. */
  disk: { LD_PRELOAD: string; DISK_FILES: string; DISK_LOG: string; DISK_NOTE: string };
};

async function prepare(): Promise<Job> {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows: ROWS, path: file, seed: 6, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'request_lifetime: 6s\nlisting_lag: 0s\nconcurrency: 1\n');
  const data = join(folder, 'mine', 'data');
  const where = ['--data-dir', data, '--report-dir', join(folder, 'mine', 'reports'), '--poll-every', '50ms', '--json'];
  const run = ['run', file, '--yes', '--rate', '0', '--profile', profile, ...service.options, ...where];
  const disk = {
    LD_PRELOAD: preload ?? '',
    DISK_FILES: join(data, 'journal.db'),
    DISK_LOG: join(folder, 'disk.log'),
    DISK_NOTE: join(folder, 'failed'),
  };
  return { folder, data, service, run, where, disk };
}

/**
 * Goes through what the process did to its disk. Whenever a token left it, a power cut at that moment would have left its
 * intent. Gives the tokens that a power cut now would leave, and those whose sync failed.
 */
async function replay({ folder, disk }: Job): Promise<{ durable: Set<string>; failed: string[] }> {
  const replayed = new Disk(join(folder, 'nothing'));
  const image = join(folder, 'image');
  const failed: string[] = [];
  let written: string[] = [];
  for (const record of readDiskLog(disk.DISK_LOG)) {
    replayed.apply(record);
    const tokens = tokensIn(record);
    if (record.kind === 'written') written.push(...tokens);
    if (record.kind === 'sync failed') failed.push(...written);
    if (record.kind === 'synced' || record.kind === 'sync failed') written = [];
    if (record.kind !== 'sent' || tokens.length === 0) continue;
    replayed.write(image);
    const durable = (await readImage(image)).tokens;
    for (const token of tokens) expect(durable).toContain(token);
  }
  replayed.write(image);
  const durable = (await readImage(image)).tokens;
  return { durable, failed: failed.filter((token) => !durable.has(token)) };
}

function expectStopped(job: Job, { exit, stdout, stderr }: Ended): void {
  expect(existsSync(job.disk.DISK_NOTE)).toBe(true);
  expect(stderr).toMatch(/did not confirm/);
  expect(stderr).toMatch(/room on the disk/);
  expect(stderr).toMatch(/payrun resume/);
  expect(exit).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped', exit: 5 });
}

/** Whatever went wrong, the next process on the mended disk pays each row once. */
async function expectResumePaysOnce({ data, service, run, where }: Job): Promise<void> {
  const { runId } = await readImage(data);
  const resumed = await payrun(runId === null ? run : ['resume', runId, ...where]);
  expect(resumed.stderr).not.toMatch(/bug/);
  expect(resumed.exit).toBe(0);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ counts: { completed: ROWS } });
  expect(await allTransactions(service)).toHaveLength(ROWS);
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
}

describe.skipIf(preload === null)('on a failing disk', () => {
  test('scenario 6: a sync fails with EIO: what it was to keep is not sent, and the next start pays each row once', async () => {
    const failed: string[] = [];
    for (const nth of [1, 2, 3]) {
      const job = await prepare();
      const fault = { AFTER_TRANSFERS: '3', FAIL_SYNC: String(nth) };
      expectStopped(job, await payrun(job.run, { env: { ...job.disk, ...fault } }));
      const replayed = await replay(job);
      failed.push(...replayed.failed);
      const sent = (await allTransactions(job.service)).map(tokenOf);
      expect(sent.length).toBeGreaterThanOrEqual(3);
      expect(sent.filter((token) => !replayed.durable.has(token))).toEqual([]);
      await expectResumePaysOnce(job);
    }
    // Of three syncs in a row, some was of an intent.
    expect(failed).not.toEqual([]);
  });

  test('scenario 6: the machine goes down after the failed sync: what was to be kept is gone, and was not sent', async () => {
    const job = await prepare();
    const fault = { AFTER_TRANSFERS: '3', FAIL_SYNC: '2' };
    expectStopped(job, await payrun(job.run, { env: { ...job.disk, ...fault } }));
    await replay(job);
    copyJournal(join(job.folder, 'image'), job.data);
    await expectResumePaysOnce(job);
  });

  test('scenario 6: a sync fails although the data went through', async () => {
    const job = await prepare();
    const fault = { AFTER_TRANSFERS: '3', FAIL_SYNC: '2', FAIL_SYNC_LATE: '1' };
    expectStopped(job, await payrun(job.run, { env: { ...job.disk, ...fault } }));
    await replay(job);
    await expectResumePaysOnce(job);
  });

  test.each([
    ['while the run is created', { FAIL_SYNC: '6' }],
    ['while payees are made', { FAIL_SYNC: '14' }],
  ])('scenario 6: a sync fails %s: nobody is paid', async (_, fault) => {
    const job = await prepare();
    expectStopped(job, await payrun(job.run, { env: { ...job.disk, ...fault } }));
    expect(await allTransactions(job.service)).toEqual([]);
    await expectResumePaysOnce(job);
  });

  test.each([
    ['the journal alone', 'journal.db', 1],
    ['everything that is ours', '', 2],
  ])('scenario 7: the disk is full for %s (%s, %i): nothing is sent that is not kept', async (_, files, nth) => {
    const job = await prepare();
    const disk = { ...job.disk, DISK_FILES: files ? job.disk.DISK_FILES : join(job.folder, 'mine') };
    expectStopped(job, await payrun(job.run, { env: { ...disk, AFTER_TRANSFERS: '3', FAIL_FULL: String(nth) } }));
    const { durable } = await replay(job);
    const before = await readImage(job.data);
    const paid = (await allTransactions(job.service)).map(tokenOf);
    expect(paid.filter((token) => !durable.has(token))).toEqual([]);

    // Still full: it says so again, and changes nothing.
    const again = await payrun(['resume', String(before.runId), ...job.where], { env: { ...disk, FAIL_FULL: '1' } });
    expect(again.stderr).toMatch(/room on the disk/);
    expect(again.exit).toBe(5);
    expect((await allTransactions(job.service)).map(tokenOf)).toEqual(paid);
    const after = await readImage(job.data);
    expect([...before.tokens].filter((token) => !after.tokens.has(token))).toEqual([]);
    await expectResumePaysOnce(job);
  });
});
