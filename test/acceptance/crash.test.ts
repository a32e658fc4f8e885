import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals, untilArrived } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';

const ROWS = 40;
/** Doubts are settled when a request's deadline has passed: a short life keeps the test short. */
const PROFILE = 'request_lifetime: 6s\nrate: 60/s\nlisting_lag: 0s\n';

const CHANGING = /create|add|transfer/;

type Job = { file: string; command: string[]; where: string[]; resume: string[] };

async function prepare(folder: string, service: ReadyService, rows = ROWS): Promise<Job> {
  const file = join(folder, 'payroll.csv');
  await generatePayroll({ rows, path: file, seed: 7, mode: 'full' });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, PROFILE);
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const pace = ['--poll-every', '50ms', '--json', ...where];
  const command = ['run', file, '--yes', '--profile', profile, ...service.options, ...pace];
  return { file, command, where, resume: pace };
}

async function runIdOf(folder: string): Promise<string | null> {
  const listed = await payrun(['runs', '--json', '--data-dir', join(folder, 'data')]);
  if (listed.exit !== 0) return null;
  return JSON.parse(listed.stdout).runs[0]?.run_id ?? null;
}

function reportRows(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true, bom: true });
}

/** What must be the same in an undisturbed run: everything but ids, times, and how often it was tried. */
function essence(rows: Record<string, string>[]): unknown {
  return rows.map(
    ({ transaction_id, recipient_id, external_account_id, submitted_at, finished_at, attempts, token, ...rest }) => {
      expect(
        transaction_id && recipient_id && external_account_id && submitted_at && finished_at && token,
      ).toBeTruthy();
      expect(Number(attempts)).toBeGreaterThan(0);
      return rest;
    },
  );
}

/** The heart: one transaction for each row, no more, and the report names exactly those. */
async function expectPaidOnce(service: ReadyService, report: Record<string, string>[], rows = ROWS): Promise<void> {
  const transactions = await allTransactions(service);
  expect(transactions).toHaveLength(rows);
  expect(new Set(report.map((row) => row.transaction_id))).toEqual(new Set(transactions.map(({ id }) => id)));
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
}

test('SIGKILL at any moment, then resume: the report of an undisturbed run, one transaction a row', async () => {
  const calm = temporaryFolder();
  const calmService = await startService({ dataDir: join(calm, 'service') });
  const undisturbed = await payrun((await prepare(calm, calmService)).command);
  expect(undisturbed.exit).toBe(0);
  const expected = essence(reportRows(JSON.parse(undisturbed.stdout).report[0]));

  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const job = await prepare(folder, service);
  // Counted in requests that reached the service, not in time: from the first recipient to the last payout.
  for (const requests of [1, 15, 50, 90, 105, 125]) {
    const runId = await runIdOf(folder);
    const started = start(runId === null ? job.command : ['resume', runId, ...job.resume]);
    await untilArrived(service, requests, CHANGING, started.ended);
    started.child.kill('SIGKILL');
    await started.ended;
  }
  const runId = await runIdOf(folder);
  const finished = await payrun(['resume', String(runId), ...job.resume]);
  expect(finished.stderr).not.toContain('bug');
  expect(finished.exit).toBe(0);
  const report = reportRows(JSON.parse(finished.stdout).report[0]);
  expect(essence(report)).toEqual(expected);
  await expectPaidOnce(service, report);
  expect((await payrun(['verify', String(runId), ...job.where.slice(0, 2)])).exit).toBe(0);
});

for (const [kind, what] of [
  ['drop-after-commit', 'the effect is there and the answer lost'],
  ['drop-before', 'no effect and no answer'],
  ['500-after-commit', 'the effect is there and the answer a 500'],
  ['truncate', 'half an answer'],
] as const)
  testBeside(`${kind} on payouts, accounts and recipients (${what}): paid once each`, async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    for (const operation of ['transaction.transfer', 'account.external.bank.add', 'account.recipient.create']) {
      for (const nth of [1, 3, 6]) await admin(service, 'fault.add', { operation, nth, kind });
    }
    const job = await prepare(folder, service, 12);
    const { exit, stdout, stderr } = await payrun(job.command);
    expect(stderr).not.toContain('bug');
    expect(exit).toBe(0);
    await expectPaidOnce(service, reportRows(JSON.parse(stdout).report[0]), 12);
    const listed = await arrivals(service);
    expect(listed['account.recipient.create']).toBeGreaterThanOrEqual(12);
  });

test('a second process on the same run exits 7; Ctrl-C exits 130 and resume finishes', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const job = await prepare(folder, service);
  // However long the second one takes to start, the first is still at work.
  const slow = { operation: 'transaction.transfer', probability: 1, kind: 'slow', ms: 5_000 };
  const { id } = (await admin(service, 'fault.add', slow)) as { id: string };
  const first = start([...job.command, '--rate', '20']);
  await untilArrived(service, 1, undefined, first.ended);
  const runId = String(await runIdOf(folder));
  const second = await payrun(['resume', runId, ...job.resume]);
  expect(second.exit).toBe(7);
  await admin(service, 'fault.remove', { id });
  first.child.kill('SIGINT');
  // Under npm the terminal's signal comes a second time at once: that is no second press.
  await first.wrote('Stopping');
  first.child.kill('SIGINT');
  const interrupted = await first.ended;
  expect(interrupted.exit).toBe(130);
  expect(JSON.parse(interrupted.stdout)).toMatchObject({ run_id: runId, state: 'stopped', exit: 130 });
  const resumed = await payrun(['resume', runId, ...job.resume]);
  expect(resumed.exit).toBe(0);
  await expectPaidOnce(service, reportRows(JSON.parse(resumed.stdout).report[0]));
});

test('a second Ctrl-C leaves a run at once whose service hangs, and still says how to go on, to programs too', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const job = await prepare(folder, service);
  const hang = { operation: 'transaction.transfer', probability: 1, kind: 'slow', ms: 10_000 };
  const { id } = (await admin(service, 'fault.add', hang)) as { id: string };
  const first = start([...job.command, '--rate', '20']);
  // With nothing under way the first one would end it.
  await untilArrived(service, 1, undefined, first.ended);
  first.child.kill('SIGINT');
  await first.wrote('Stopping');
  // Presses that come close after each other count as one.
  while (first.child.exitCode === null) {
    first.child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await admin(service, 'fault.remove', { id });
  const { exit, stdout, stderr } = await first.ended;
  const runId = String(await runIdOf(folder));
  expect(exit).toBe(130);
  const remedy = expect.stringContaining(`payrun resume ${runId} --data-dir `);
  expect(JSON.parse(stdout)).toMatchObject({ run_id: runId, state: 'stopped', remedy, exit: 130 });
  expect(stderr).toContain(`\nLook it up and continue: payrun resume ${runId} --data-dir `);
  // The first payout of the run never came back, so a person accepts the list as proof.
  const resumed = await payrun(['resume', runId, '--resubmit-absent', ...job.resume]);
  expect(resumed.exit).toBe(0);
  await expectPaidOnce(service, reportRows(JSON.parse(resumed.stdout).report[0]));
});

test('a payout that stays pending ends the wait with exit 5, and resume goes on when it has settled', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'stuck.csv');
  const header = 'name,amount,currency,rail,account_number,national_clearing_code';
  writeFileSync(
    file,
    `${header}\nAda Byron,12.50,AUD,AUD_NPP,12345678,062-000\nREHEARSE_STUCK Ltd,3.00,AUD,AUD_NPP,87654321,062-000\n`,
  );
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--json'];
  const command = [
    'run',
    file,
    '--yes',
    '--poll-every',
    '50ms',
    '--wait-timeout',
    '500ms',
    ...service.options,
    ...where,
  ];
  const waited = await payrun(command);
  expect(waited.exit).toBe(5);
  const { run_id } = JSON.parse(waited.stdout);
  const pending = (await allTransactions(service)).find(({ status }) => status === 'PENDING');
  await admin(service, 'transaction.settle', { id: pending?.id });
  const resumed = await payrun(['resume', run_id, ...where]);
  expect(resumed.exit).toBe(0);
  expect(JSON.parse(resumed.stdout).counts.completed).toBe(2);
});
