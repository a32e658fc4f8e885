import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listed } from '../support/approval-office.ts';
import { PASSPHRASE, type TestApprover, testApprover } from '../support/approvers.ts';
import { payrun, startServiceProcess, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';

const HEADER = 'Staff no,payee_id,Name,Gross to bank,currency,rail,account_number,national_clearing_code';
const SHEET = `${HEADER}\n7,E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000\n8,E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000\n`;
const COLUMNS = ['--column', 'Gross to bank=amount', '--column', 'Staff no='];

/** A folder in which Ben makes plans and Anna approves them, without a job, over the shipped service of the folder. */
async function office() {
  const folder = temporaryFolder();
  const [anna, ben] = [await testApprover(folder, 'Anna', 1), await testApprover(folder, 'Ben', 2)];
  const approval = join(folder, 'approval.yaml');
  writeFileSync(approval, `approval:\n  preparers:\n${listed([ben])}  approvers:\n${listed([anna, ben])}`);
  writeFileSync(join(folder, 'input.csv'), SHEET);
  const run = (args: string[], input?: string) =>
    payrun([...args, '--data-dir', join(folder, 'data')], { cwd: folder, ...(input !== undefined && { input }) });
  const json = async (args: string[], input?: string) => {
    const { exit, stdout, stderr } = await run([...args, '--json'], input);
    return { exit, stderr, said: JSON.parse(stdout) };
  };
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${PASSPHRASE}\n`, { mode: 0o600 });
  const planWords = (who: TestApprover, ...more: string[]) => {
    const preparer = ['--approval', approval, '--as', who.file, '--rate', '0'];
    return ['plan', ...more, ...preparer, '--passphrase-file'];
  };
  const plan = (who: TestApprover, ...more: string[]) => json([...planWords(who, ...more), passphrase]);
  /** The passphrase is typed on standard input. */
  const planTyped = (who: TestApprover, ...more: string[]) =>
    json([...planWords(who, ...more), '-'], `${PASSPHRASE}\n`);
  const approve = (who: TestApprover, runId: string) => {
    const words = ['approve', runId, '--key', who.file, '--passphrase-file', '-', '--total', '1032.50 AUD'];
    return json(words, PASSPHRASE);
  };
  return { folder, anna, ben, approval, run, json, plan, planTyped, approve };
}

describe('a file that another program was given', () => {
  it('is checked, planned, approved and paid under its own name, at the service that stands on the same data', async () => {
    const { folder, anna, ben, json, plan, planTyped, approve } = await office();
    const service = await startServiceProcess({ dataDir: join(folder, 'data') });
    const named = ['input.csv', '--file-name', 'July pay.csv'];
    const checked = await json(['check', ...named, ...COLUMNS]);
    expect(checked).toMatchObject({ exit: 0, said: { sheet: null, header_row: 1 } });
    expect(checked.said.columns).toEqual([
      { column: 'A', header: 'Staff no', means: null, ignored: true },
      { column: 'B', header: 'payee_id', means: 'payee_id', ignored: false },
      { column: 'C', header: 'Name', means: 'name', ignored: false },
      { column: 'D', header: 'Gross to bank', means: 'amount', ignored: false },
      { column: 'E', header: 'currency', means: 'currency', ignored: false },
      { column: 'F', header: 'rail', means: 'rail', ignored: false },
      { column: 'G', header: 'account_number', means: 'account_number', ignored: false },
      {
        column: 'H',
        header: 'national_clearing_code',
        means: 'national_clearing_code',
        ignored: false,
      },
    ]);
    // What was said of the headers is remembered.
    const planned = await planTyped(ben, ...named);
    expect(planned).toMatchObject({ exit: 0, said: { approvals_needed: 1, input: { name: 'July pay.csv' } } });
    const { run_id } = planned.said;
    expect(await json(['run', run_id, '--yes'])).toMatchObject({ exit: 6, said: { state: 'refused' } });
    expect(await approve(ben, run_id)).toMatchObject({
      exit: 6,
      said: { message: expect.stringContaining('made this plan') },
    });
    expect((await approve(anna, run_id)).exit).toBe(0);
    const paid = await json(['run', run_id, '--yes', '--poll-every', '20ms', '--report-dir', 'reports']);
    expect(paid).toMatchObject({ exit: 0, said: { counts: { completed: 2 }, input: { name: 'July pay.csv' } } });
    expect(await allTransactions(service)).toHaveLength(2);

    // What the service leaves behind when it is killed names a port of which nobody knows who listens there.
    service.started.child.kill('SIGKILL');
    await service.started.ended;
    expect(await json(['runs'])).toMatchObject({ exit: 0, said: { runs: [{ rehearsal: true }] } });
    const again = await plan(ben, ...named, '--allow-repeat', run_id);
    expect([again.exit, again.stderr]).toEqual([0, expect.anything()]);
  });

  it('takes the place of the file of a job, whose own approvers stay', async () => {
    const { folder, anna, ben, approval, run, plan } = await office();
    writeFileSync(
      join(folder, 'pay.yaml'),
      'input: last-month.csv\ncolumns: {Gross to bank: amount, Staff no: null}\n',
    );
    expect((await run(['check', 'pay.yaml'])).exit).toBe(2);
    const given = ['pay.yaml', '--file', 'input.csv', '--file-name', 'August pay.csv'];
    const planned = await plan(ben, ...given);
    expect(planned).toMatchObject({
      exit: 0,
      said: { job: 'pay', approvals_needed: 1, input: { name: 'August pay.csv' } },
    });
    expect((await run(['check', 'input.csv', '--file', 'input.csv'])).stderr).toContain('is no job whose file');
    expect((await run(['check', 'input.csv', '--file-name', '../input.csv'])).exit).toBe(2);

    writeFileSync(join(folder, 'pay.yaml'), `input: last-month.csv\napproval:\n  approvers:\n${listed([anna])}`);
    expect(await plan(ben, ...given)).toMatchObject({
      exit: 2,
      said: { message: expect.stringContaining('The job says') },
    });
    writeFileSync(approval, 'approval:\n  approvers: []\n');
    const wrong = await plan(ben, 'input.csv', ...COLUMNS);
    expect([wrong.exit, wrong.said.message]).toEqual([2, expect.stringMatching(/approval\.yaml:2:\d+: /)]);
  });

  it('asks for approval where --approval is given to `run` too', async () => {
    const { anna, approval, run } = await office();
    const words = ['run', 'input.csv', ...COLUMNS, '--yes', '--approval', approval, '--as', anna.file];
    const refused = await run([...words, '--passphrase-file', '-'], `${PASSPHRASE}\n`);
    expect([refused.exit, refused.stderr]).toEqual([
      6,
      expect.stringContaining('not that of anybody who makes plans by the approval file. No plan'),
    ]);
    expect(refused.stderr).toContain('Someone with permission to change the approval file adds it');
    const nobody = await run(['plan', 'input.csv', ...COLUMNS, '--approval', approval]);
    expect(nobody.exit).toBe(6);
    expect(nobody.stderr).toContain(
      'The approval file names who makes plans (Ben), and it is not known who makes this one.',
    );
  });
});
