import { createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { generatePayroll } from '../support/generate-payroll.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { smallService } from '../support/small-service.ts';

const HEADER = 'payee_id,name,email,amount,currency,rail,account_number,national_clearing_code';

function whereIn(folder: string, name: string): string[] {
  return ['--data-dir', join(folder, name), '--report-dir', join(folder, 'reports'), '--json', '--rate', '0'];
}

testBeside('a recipient and an account are created once however many rows share them', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  const rows = [
    'E1,Ada Byron,ada@example.com,1.00,AUD,AUD_NPP,12345678,062-000',
    'E1,Ada Byron,ada@example.com,2.00,AUD,AUD_NPP,1234 5678,062000',
    'E1,Ada Byron,ada@example.com,3.00,AUD,AUD_NPP,99345678,062-000',
    'E2,Ada Byron,other@example.com,4.00,AUD,AUD_NPP,55345678,062-000',
  ];
  writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
  const { exit } = await payrun(['run', file, '--yes', ...service.options, ...whereIn(folder, 'data')]);
  expect(exit).toBe(0);
  expect(await arrivals(service)).toMatchObject({
    'account.recipient.create': 2,
    'account.external.bank.add': 3,
    'transaction.transfer': 4,
  });
});

testBeside(
  'records that exist at the service are found again by a new journal, and nothing is created twice',
  async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const file = join(folder, 'input.csv');
    await generatePayroll({ rows: 24, path: file, seed: 3, mode: 'full' });
    const first = await payrun(['run', file, '--yes', ...service.options, ...whereIn(folder, 'data')]);
    expect(first.exit).toBe(0);
    const before = await arrivals(service);
    const elsewhere = whereIn(folder, 'another-journal');
    // The same file is not paid again by a journal that does not know of the first run.
    expect((await payrun(['run', file, '--yes', ...service.options, ...elsewhere])).exit).toBe(5);
    expect(await allTransactions(service)).toHaveLength(24);
    const second = await payrun(['run', file, '--yes', '--allow-repeat', ...service.options, ...elsewhere]);
    expect(second.exit).toBe(0);
    const after = await arrivals(service);
    expect(after['account.recipient.create']).toBe(before['account.recipient.create']);
    expect(after['account.external.bank.add']).toBe(before['account.external.bank.add']);
    expect(after['account.external.web3.add']).toBe(before['account.external.web3.add']);
    expect(await allTransactions(service)).toHaveLength(48);
  },
);

testBeside('an account that the service refuses rejects its row, and the others are paid', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  const rows = [
    'E1,Ada Byron,,1.00,AUD,AUD_NPP,12345678,062-000,',
    'E2,Nobody,,2.00,AUD,AUD_NPP,,,acc_that_does_not_exist',
  ];
  writeFileSync(file, `${HEADER},external_account_id\n${rows.join('\n')}\n`);
  const { exit, stdout } = await payrun(['run', file, '--yes', ...service.options, ...whereIn(folder, 'data')]);
  expect(exit).toBe(4);
  expect(JSON.parse(stdout).counts).toMatchObject({ completed: 1, rejected: 1 });
});

testBeside('--only-valid pays the rows without problems and reports the others as not submitted', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  const rows = ['E1,Ada Byron,,1.00,AUD,AUD_NPP,12345678,062-000', 'E2,Grace Hopper,,2.00,AUD,AUD_NPP,12345678,62-000'];
  writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
  const options = [...service.options, ...whereIn(folder, 'data')];
  const refused = await payrun(['run', file, '--yes', ...options]);
  expect(refused.exit).toBe(3);
  expect(await arrivals(service)).toEqual({});
  const { exit, stdout } = await payrun(['run', file, '--yes', '--only-valid', ...options]);
  expect(JSON.parse(stdout).counts).toMatchObject({ completed: 1, not_submitted: 1 });
  expect(exit).toBe(4);
  expect(await allTransactions(service)).toHaveLength(1);
});

testBeside('where the service promises nothing, a lost payout is parked, never sent again', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  const row = (id: string, amount: string) => `${id},Payee ${id},,${amount},AUD,AUD_NPP,1234567${id.slice(1)},062-000`;
  writeFileSync(file, `${HEADER}\n${[row('E1', '1.00'), row('E2', '2.00'), row('E3', '3.00')].join('\n')}\n`);
  const profile = join(folder, 'profile.yaml');
  writeFileSync(
    profile,
    'request_lifetime: 6s\nlisting_lag: 0s\nguarantees: {enforces_expiry: false, replay_protection: false}\n',
  );
  await admin(service, 'fault.add', { operation: 'transaction.transfer', nth: 2, kind: 'drop-before' });
  const options = ['--profile', profile, ...service.options, ...whereIn(folder, 'data')];
  const { exit, stdout } = await payrun(['run', file, '--yes', ...options]);
  expect(exit).toBe(5);
  const result = JSON.parse(stdout);
  expect(result.counts).toMatchObject({ completed: 2, unresolved: 1 });
  expect((await arrivals(service))['transaction.transfer']).toBe(3);
  const again = await payrun(['resume', result.run_id, ...whereIn(folder, 'data')]);
  expect(again.exit).toBe(5);
  expect((await arrivals(service))['transaction.transfer']).toBe(3);
});

for (const [by, behaviour, message] of [
  ['get', { get: (description: string) => description.slice(0, 10) }, /the service shows t1 without the token/],
  ['search', { list: () => null }, /search does not find t1/],
  ['search', { list: (description: string) => `${description}X` }, /list shows t1 without the token/],
] as const)
  testBeside(
    `scenario 20: a service where the first payout does not come back by ${by} gets no second one: ${message.source}`,
    async () => {
      const folder = temporaryFolder();
      const service = await smallService(behaviour);
      const key = join(folder, 'key.pem');
      newKey(key);
      const file = join(folder, 'input.csv');
      const header = 'name,amount,currency,external_account_id,description';
      writeFileSync(file, `${header}\nAda,1.00,AUD,acc1,January\nGrace,2.00,AUD,acc2,January\n`);
      const profile = join(folder, 'profile.yaml');
      writeFileSync(profile, 'listing_lag: 0s\n');
      const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--profile', profile];
      const { exit, stderr } = await payrun(['run', file, '--yes', ...at, ...whereIn(folder, 'data')]);
      expect(exit).toBe(5);
      expect(stderr).toMatch(message);
      expect(service.transfers).toHaveLength(1);
    },
  );

testBeside(
  'a service without a cursor, fingerprints and rehearsal header is paid through, and is no rehearsal',
  async () => {
    const folder = temporaryFolder();
    const service = await smallService({});
    const key = join(folder, 'key.pem');
    newKey(key);
    const file = join(folder, 'input.csv');
    const rows = Array.from({ length: 30 }, (_, at) => `Payee ${at},${at + 1}.00,AUD,acc${at}`);
    writeFileSync(file, `name,amount,currency,external_account_id\n${rows.join('\n')}\n`);
    const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key];
    const { exit, stdout } = await payrun(['run', file, '--yes', ...at, ...whereIn(folder, 'data')]);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rehearsal: false, counts: { completed: 30 } });
    // Pages of the listing serve many payouts at once: far fewer reads than payouts.
    expect(service.asked.filter((name) => name === 'transaction.get').length).toBeLessThan(10);
  },
);

function threePayees(folder: string): string {
  const file = join(folder, 'input.csv');
  writeFileSync(file, 'name,amount,currency,external_account_id\nA,1.00,AUD,a1\nB,2.00,AUD,a2\nC,3.00,AUD,a3\n');
  return file;
}

testBeside('a lost answer whose token is found is adopted, not sent again', async () => {
  const folder = temporaryFolder();
  const service = await smallService({ loses: [2] });
  const key = join(folder, 'key.pem');
  newKey(key);
  const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key];
  const { exit, stdout } = await payrun(['run', threePayees(folder), '--yes', ...at, ...whereIn(folder, 'data')]);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).counts).toMatchObject({ completed: 3 });
  expect(service.transfers.map(({ account }) => account).sort()).toEqual(['a1', 'a2', 'a3']);
});

testBeside('a record with our token that is not what we sent stops the run, and nothing is sent again', async () => {
  const folder = temporaryFolder();
  const service = await smallService({ loses: [2], amount: '777' });
  const key = join(folder, 'key.pem');
  newKey(key);
  const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--concurrency', '1'];
  const { exit, stdout, stderr } = await payrun([
    'run',
    threePayees(folder),
    '--yes',
    ...at,
    ...whereIn(folder, 'data'),
  ]);
  expect(exit).toBe(5);
  expect(stderr).toMatch(/is not what we sent/);
  expect(JSON.parse(stdout).state).toBe('stopped');
  expect(service.transfers.filter(({ account }) => account === 'a2')).toHaveLength(1);
});

testBeside('a service with a signing scheme of its own is signed for by a template', async () => {
  const folder = temporaryFolder();
  const service = await smallService({});
  const key = join(folder, 'key.pem');
  const made = JSON.parse((await payrun(['keys', 'new', key, '--json'])).stdout);
  const profile = join(folder, 'profile.yaml');
  const signing = [
    'signing:',
    '  scheme: template',
    '  headers: {x-key: "{key_id}", x-time: "{timestamp}", x-signature: "{signature}", content-type: application/json}',
    '  message: "{timestamp}{method}{path}{body}"',
  ];
  const lines = [`base_url: ${service.baseUrl}/pay/`, 'api_key: key-7', 'signing_key_file: key.pem', 'cursor: false'];
  const pace = ['request_lifetime: 3s', 'listing_lag: 0s'];
  writeFileSync(profile, `${[...lines, ...pace, ...signing].join('\n')}\n`);
  const options = ['--yes', '--profile', profile, ...whereIn(folder, 'data')];
  const { exit } = await payrun(['run', threePayees(folder), ...options]);
  expect(exit).toBe(0);
  const x = made.public_key;
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  expect(service.requests.length).toBeGreaterThan(3);
  for (const { path, headers, body } of service.requests) {
    expect(headers['x-key']).toBe('key-7');
    const message = Buffer.from(`${headers['x-time']}POST${path}${body}`);
    expect(verify(null, message, publicKey, Buffer.from(String(headers['x-signature']), 'base64'))).toBe(true);
  }
});
