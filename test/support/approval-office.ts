import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asPerson, PASSPHRASE, type TestApprover, testApprover } from './approvers.ts';
import { payrun, startService, temporaryFolder } from './payrun.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ROWS = [
  'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000',
  'E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000',
];
export const TOTAL = '1032.50 AUD';

/** A line for each, as a job lists people. */
export function listed(people: readonly TestApprover[]): string {
  return people.map(({ name, publicKey }) => `    - {name: ${name}, public_key: ${publicKey}}\n`).join('');
}

/** A service of its own, a job, and people who all work under one account. The job says what `jobText` gives. */
export async function sharedOffice(jobText: (people: Record<'anna' | 'ben' | 'carla', TestApprover>) => string) {
  const folder = temporaryFolder();
  const file = join(folder, 'payroll.csv');
  writeFileSync(file, `${[HEADER, ...ROWS].join('\n')}\n`);
  const service = await startService({ dataDir: join(folder, 'service') });
  const [anna, ben, carla] = [
    await testApprover(folder, 'Anna', 1),
    await testApprover(folder, 'Ben', 2),
    await testApprover(folder, 'Carla', 3),
  ];
  const { base_url, api_key, signing_key_file } = service;
  const at = `service: {base_url: "${base_url}", api_key: "${api_key}", signing_key_file: "${signing_key_file}"}\n`;
  const pace = 'rate: 0\npoll_every: 20ms\n';
  const job = join(folder, 'pay.yaml');
  const text = `input: payroll.csv\n${at}${pace}report_dir: reports\n${jobText({ anna, ben, carla })}`;
  writeFileSync(job, text);
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${PASSPHRASE}\n`, { mode: 0o600 });
  const data = join(folder, 'data');
  const env = asPerson('payroll');
  const words = (...args: string[]) => [...args, '--data-dir', data];
  const run = (...args: string[]) => payrun(words(...args), { env, cwd: folder });
  const approval = ({ file: key }: TestApprover, runId: string) =>
    words('approve', runId, '--key', key, '--passphrase-file', passphrase, '--total', TOTAL, '--json');
  return {
    folder,
    file,
    job,
    text,
    service,
    data,
    env,
    anna,
    ben,
    carla,
    passphrase,
    words,
    run,
    approval,
    json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout),
    plan: (who: TestApprover, ...more: string[]) =>
      run('plan', job, '--as', who.file, '--passphrase-file', passphrase, ...more),
    approve: (who: TestApprover, runId: string) => payrun(approval(who, runId), { env }),
  };
}
