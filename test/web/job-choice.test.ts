import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownJob } from '../../src/app/schedule/known-jobs.ts';
import { listJobs } from '../../src/job/jobs-folder.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage } from './web-page.ts';

const PAID = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const FOREIGN = PAID.replace('name', 'Who we pay').replace('amount', 'Net to bank');
const ROW = 'E1,Ana,10.00,AUD,AUD_NPP,12345678,062-000';

async function desk() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'jobs'));
  const write = (name: string, more: string) =>
    writeFileSync(join(folder, 'jobs', `${name}.yaml`), `name: ${name}\n${more}`);
  write('salaries', 'input: ../out/salaries-*.csv\n');
  // The page was started with its rehearsal alone, and this one names a service of its own.
  const service = ['base_url: https://payouts.example/', 'api_key: k', 'signing_key_file: key.pem'].join('\n  ');
  write('bonus', `input: ../bonus.csv\nservice:\n  ${service}\n`);
  write('suppliers', 'input: ../invoices.csv\ncolumns:\n  Who we pay: name\n  Net to bank: amount\n');
  const page = await openPage({
    isReal: true,
    tasks: realTasks(() => page.dataDir, folder),
    deps: { jobs: () => listJobs(join(folder, 'jobs')).map(knownJob) },
  });
  const ben = await page.first('Ben', ['preparer']);
  const upload = async (name: string, header = PAID, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('file', new File([`${header}\n${ROW}\n`], name));
    return (await ben.send('/uploads', form)).location ?? '';
  };
  return { page, ben, upload };
}

/** The page of the file when it is read. */
async function readPage(browser: Browser, location: string): Promise<string> {
  let text = '';
  await expect
    .poll(
      async () => {
        ({ text } = await browser.get(location));
        return text.includes('id="waits"');
      },
      { timeout: 30_000 },
    )
    .toBe(false);
  return text;
}

const suggestedIn = (text: string): string | undefined => /Is it for the job (\w+)\?/.exec(text)?.[1];

test('a job is suggested by the name of the file, its headers and the last time, and chosen with one click', async () => {
  const { page, ben, upload } = await desk();
  const byName = await upload('salaries-2026-11.csv');
  expect(suggestedIn(await readPage(ben, byName))).toBe('salaries');
  const byHeader = await upload('November.csv', FOREIGN);
  expect(suggestedIn(await readPage(ben, byHeader))).toBe('suppliers');
  const byNothing = await upload('Rent July.csv');
  expect(suggestedIn(await readPage(ben, byNothing))).toBeUndefined();

  expect((await ben.post(`${byHeader}/job`, { job: 'suppliers' })).location).toBe(byHeader);
  const chosen = await readPage(ben, byHeader);
  expect(chosen).toContain('Job: suppliers');
  expect([suggestedIn(chosen), chosen.includes('No problems found.')]).toEqual([undefined, true]);
  expect((await page.web.audit.list())[0]).toMatchObject({ act: 'job_chosen', details: { job: 'suppliers' } });

  await ben.post(`${byNothing}/job`, { job: 'salaries' });
  const next = await upload('rent_august (2).csv');
  expect(suggestedIn(await readPage(ben, next))).toBe('salaries');
  // The last time it was for no job.
  await ben.post(`${byName}/job`, { job: '' });
  expect(suggestedIn(await readPage(ben, await upload('salaries-2026-12.csv')))).toBeUndefined();
  const before = await upload('any.csv', PAID, { job: 'salaries' });
  expect(await readPage(ben, before)).toContain('Job: salaries');
});

test('what a file is for is chosen by who prepares for that job, and as long as no plan was made of it', async () => {
  const { page, ben, upload } = await desk();
  const location = await upload('November.csv');
  await readPage(ben, location);
  expect((await ben.post(`${location}/job`, { job: 'nothing' })).status).toBe(422);
  const otto = await page.person('Otto', ['approver']);
  expect((await otto.post(`${location}/job`, { job: 'salaries' })).status).toBe(403);
  const id = location.split('/').at(-1) ?? '';
  await page.web.uploads.setRun(id, 'R-1');
  expect((await ben.post(`${location}/job`, { job: 'salaries' })).status).toBe(409);
  expect((await page.web.uploads.get(id))?.job).toBeNull();
});

test('the file of a job that names a service of its own is not shown as a rehearsal', async () => {
  const { ben, upload } = await desk();
  const titleOf = async (job: string) =>
    /<title>.*<\/title>/.exec(await readPage(ben, await upload('x.csv', PAID, { job })))?.[0];
  expect(await titleOf('salaries')).toContain('· TEST ·');
  expect(await titleOf('bonus')).not.toContain('TEST');
});
