import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { smallService } from '../support/small-service.ts';

// Recipients and accounts that cannot be settled, or that several records could be: who is paid all the same.

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const CREATE = 'account.recipient.create';
const ADD = 'account.external.bank.add';

/** The service lists at once what it holds. */
const AT_ONCE = 'request_lifetime: 6s\nlisting_lag: 0s\n';

type Place = { service: ReadyService; command: string[]; resume: string[] };

/** Payees of one name and without e-mail: nothing but their accounts tells them apart. */
async function namesakes(rows: number, profile: string): Promise<Place> {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  const lines = Array.from(
    { length: rows },
    (_, at) => `E${at},Ada,${at + 1}.00,AUD,AUD_NPP,${10_000_000 + at},062-000`,
  );
  writeFileSync(file, `${HEADER}\n${lines.join('\n')}\n`);
  const profileFile = join(folder, 'profile.yaml');
  writeFileSync(profileFile, profile);
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--json'];
  const pace = ['--rate', '0', '--poll-every', '100ms'];
  const command = ['run', file, '--yes', '--profile', profileFile, ...service.options, ...pace, ...where];
  return { service, command, resume: where };
}

async function made({ service }: Place): Promise<{ recipients: number; external_accounts: number }> {
  return (await admin(service, 'state')) as { recipients: number; external_accounts: number };
}

testBeside('creations whose answers are lost, late or doubled make one record each, for namesakes too', async () => {
  const at = await namesakes(7, AT_ONCE);
  const faults = [
    { kind: 'drop-after-commit' },
    { kind: 'late-commit', ms: 1_500 },
    { kind: 'duplicate-delivery' },
    { kind: '500-after-commit' },
    { kind: '429' },
  ];
  for (const operation of [CREATE, ADD]) {
    for (const [nth, fault] of faults.entries())
      await admin(at.service, 'fault.add', { operation, nth: nth + 2, ...fault });
  }
  const { exit, stderr } = await payrun(at.command);
  expect(exit, stderr).toBe(0);
  expect(await made(at)).toMatchObject({ recipients: 7, external_accounts: 7 });
  expect(await allTransactions(at.service)).toHaveLength(7);
});

for (const operation of [CREATE, ADD])
  testBeside(`a run killed while ${operation} is under way makes it once`, async () => {
    const at = await namesakes(4, AT_ONCE);
    await admin(at.service, 'fault.add', { operation, nth: 3, kind: 'slow', ms: 2_000 });
    const started = start(at.command);
    while (((await arrivals(at.service))[operation] ?? 0) < 3) await machineClock.sleep(10);
    started.child.kill('SIGKILL');
    await started.ended;
    const { runs } = JSON.parse((await payrun(['runs', ...at.resume.filter((one) => !/report/.test(one))])).stdout);
    const { exit, stderr } = await payrun(['resume', runs[0].run_id, ...at.resume]);
    expect(exit, stderr).toBe(0);
    expect(await made(at)).toMatchObject({ recipients: 4, external_accounts: 4 });
    expect(await allTransactions(at.service)).toHaveLength(4);
  });

testBeside('a payee whose creation is in doubt waits for a person, and the others are paid', async () => {
  const guarantees = 'guarantees: {enforces_expiry: false, replay_protection: false}\n';
  const at = await namesakes(4, `${AT_ONCE}${guarantees}`);
  await admin(at.service, 'fault.add', { operation: CREATE, nth: 2, kind: 'drop-before' });
  await admin(at.service, 'fault.add', { operation: ADD, nth: 2, kind: 'drop-before' });
  const { exit, stdout, stderr } = await payrun(at.command);
  expect(exit).toBe(5);
  expect(stderr).toMatch(/2 rows of 2 payees wait: .*recipient record of Ada \(row \d\).*resume.*--resubmit-absent/);
  expect(stderr).not.toMatch(/1000000\d/);
  const { run_id, counts } = JSON.parse(stdout);
  expect(counts).toMatchObject({ completed: 2 });
  const before = await arrivals(at.service);
  expect((await payrun(['resume', run_id, ...at.resume])).exit).toBe(5);
  const after = await arrivals(at.service);
  expect([after[CREATE], after[ADD]]).toEqual([before[CREATE], before[ADD]]);
  expect(await made(at)).toMatchObject({ recipients: 3, external_accounts: 2 });
});

testBeside('an account that several records could be waits for its id, and the others are paid', async () => {
  const shown = { type: 'AUD_NPP', account_name: 'Ada', account_number: '••••5678', national_clearing_code: '062000' };
  const accounts = {
    rec1: [
      { ...shown, id: 'acc_a' },
      { ...shown, id: 'acc_b' },
    ],
    rec2: { ...shown, id: 'acc_c', account_name: 'Ben' },
  };
  const service = await smallService({ accounts });
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  const header = `recipient_id,external_account_id,${HEADER}`;
  const ben = 'rec2,,E2,Ben,2.00,AUD,AUD_NPP,12345678,062-000';
  writeFileSync(file, `${header}\nrec1,,E1,Ada,1.00,AUD,AUD_NPP,12345678,062-000\n${ben}\n`);
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--json', '--rate', '0'];
  const options = ['--yes', '--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, ...where];
  const stopped = await payrun(['run', file, ...options]);
  expect(stopped.exit).toBe(5);
  expect(stopped.stderr).toMatch(/2 records could be the account of Ada \(row 2\): acc_a, acc_b.*external_account_id/);
  expect(service.transfers.map(({ account }) => account)).toEqual(['acc_c']);
  // What it says to do helps.
  writeFileSync(file, `${header}\n,acc_b,E1,Ada,1.00,AUD,,,\n`);
  expect((await payrun(['run', file, ...options])).exit).toBe(0);
  expect(service.transfers.map(({ account }) => account)).toEqual(['acc_c', 'acc_b']);
});
