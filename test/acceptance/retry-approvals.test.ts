import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listed } from '../support/approval-office.ts';
import { asPerson, PASSPHRASE, type TestApprover, testApprover } from '../support/approvers.ts';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

const HEADER = 'payee_id,name,account_name,amount,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,Ada Byron,100.00,AUD,AUD_NPP,12345678,062-000';
const FAILS = 'E3,Payee 3,REHEARSE_CLOSED,7.00,AUD,AUD_NPP,32345670,062-000';
const MENDED = 'E3,Payee 3,Payee 3,7.00,AUD,AUD_NPP,42345671,062-000';

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** A run of 107.00 AUD, which two had to approve, whose row of 7.00 failed; one approver suffices for such a sum. */
async function desk(ofJob: boolean) {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const [anna, ben] = [await testApprover(folder, 'Anna', 1), await testApprover(folder, 'Ben', 2)];
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${PASSPHRASE}\n`, { mode: 0o600 });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const rows = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`;
  const file = write('pay.csv', rows(ADA, FAILS));
  const bands = '  required: 1\n  bands:\n    - {over: AUD 100, required: 2}\n';
  const approval = `approval:\n${bands}  approvers:\n${listed([anna, ben])}`;
  const job = write('pay.yaml', `input: pay.csv\n${approval}`);
  const policy = ['--approval', write('approval.yaml', approval)];
  const data = ['--data-dir', join(folder, 'data')];
  const at = [...data, '--json', '--report-dir', join(folder, 'reports'), '--poll-every', '20ms'];
  const env = asPerson('petra');
  const approve = ({ name, file: key }: TestApprover, runId: string, total: string) => {
    const words = [
      'approve',
      runId,
      '--key',
      key,
      '--passphrase-file',
      passphrase,
      '--total',
      total,
      ...data,
      '--json',
    ];
    return payrun(words, { env: asPerson(name.toLowerCase()) });
  };
  const plan = async () =>
    json(
      await payrun(['plan', ...(ofJob ? [job] : [file, ...policy]), ...at, ...service.options, '--rate', '0'], { env }),
    );
  const run = (runId: string) => payrun(['run', runId, '--yes', ...at], { env });
  const retry = (runId: string, ...more: string[]) => payrun(['retry', runId, ...at, ...more], { env });
  const { run_id } = await plan();
  for (const who of [anna, ben]) expect((await approve(who, run_id, '107.00 AUD')).exit).toBe(0);
  expect((await run(run_id)).exit).toBe(4);
  return { service, anna, ben, write, rows, approval, approve, run, retry, first: run_id as string };
}

describe.each([
  ['a job', true],
  ['a file', false],
])('what is left of a plan of %s that needed two approvals', (_, ofJob) => {
  it('needs two, as it is, corrected, and in a retry of the retry', async () => {
    const { service, anna, ben, write, rows, approve, run, retry, first } = await desk(ofJob);
    const retried = json(await retry(first));
    expect(retried.approvals_needed).toBe(2);
    expect(json(await approve(anna, retried.run_id, '7.00 AUD')).approvals_missing).toBe(1);
    const early = await run(retried.run_id);
    expect([early.exit, early.stderr]).toEqual([6, expect.stringContaining('needs 2 approvals')]);
    const corrected = json(await retry(first, '--from', write('corrected.csv', rows(MENDED))));
    expect(corrected.approvals_needed).toBe(2);
    expect((await approve(ben, retried.run_id, '7.00 AUD')).exit).toBe(0);
    expect((await run(retried.run_id)).exit).toBe(4);
    expect(await allTransactions(service)).toHaveLength(3);
    expect(json(await retry(retried.run_id)).approvals_needed).toBe(2);
  });
});

it('nor does a file that --approval names put other people in the place of those who had to approve', async () => {
  const { anna, write, approval, retry, first } = await desk(false);
  const alone = approval.replace(/ {2}bands:\n.*\n/, '').replace(/ {4}- \{name: Ben.*\n/, '');
  const ended = await retry(first, '--approval', write('anna.yaml', alone));
  expect([ended.exit, ended.stderr]).toEqual([2, expect.stringContaining('--approval cannot change that')]);
  expect(alone).toContain(anna.publicKey);
});
