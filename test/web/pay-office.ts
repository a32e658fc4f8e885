import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { knownJob } from '../../src/app/schedule/known-jobs.ts';
import { listJobs } from '../../src/job/jobs-folder.ts';
import { startService, temporaryFolder } from '../support/payrun.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage, type TestPage } from './web-page.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
export const ADA = 'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000';
export const MARY = 'E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000';
export const EVE = 'E3,Eve Moreau,30.00,EUR,EUR_SEPA,DE89370400440532013000,';
export const TOTAL = '1032.50 AUD';

/** The page over a service of its own, with Ben, who prepares, and Anna, who approves. Commands are real. */
export async function office(
  job: ((people: { ben: string; anna: string }) => string) | null = null,
  tasks: typeof realTasks = realTasks,
) {
  const folder = temporaryFolder();
  let dataDir = '';
  const jobs = () => listJobs(join(folder, 'jobs')).map(knownJob);
  const page = await openPage({ isReal: true, tasks: tasks(() => dataDir, folder), deps: { jobs } });
  dataDir = page.dataDir;
  await startService({ dataDir });
  const ben = await page.first('Ben', ['preparer', 'approver']);
  const anna = await page.person('Anna', ['approver']);
  const key = async (name: string) => (await page.web.people.byName(name))?.publicKey ?? '';
  if (job !== null) {
    mkdirSync(join(folder, 'jobs'));
    writeFileSync(join(folder, 'jobs', 'pay.yaml'), job({ ben: await key('Ben'), anna: await key('Anna') }));
  }
  return { page, ben, anna, folder };
}

export async function upload(browser: Browser, rows: readonly string[], job = ''): Promise<string> {
  const form = new FormData();
  form.set('job', job);
  form.set('file', new File([`${HEADER}\n${rows.join('\n')}\n`], 'July pay.csv'));
  return (await browser.send('/uploads', form)).location ?? '';
}

/** The page that a plan leads to: of the run, or of why there is none. */
export async function plan({ web }: TestPage, browser: Browser, location: string, form: Record<string, string> = {}) {
  expect((await browser.post(`${location}/plan`, form)).location).toBe(`${location}/plan`);
  const made = await web.uploads.get(location.split('/')[2] ?? '');
  if (made === null) throw new Error(`no upload at ${location}`);
  await web.plannings.ended(made);
  return browser.get(`${location}/plan`);
}

export async function countsOf({ web }: TestPage, run: string) {
  return (await web.runs.read(run.split('/')[2] ?? ''))?.run.finished ?? null;
}

/** Its process has ended too, which writes the report last. */
export async function ended(page: TestPage, run: string): Promise<void> {
  await expect.poll(() => countsOf(page, run)).not.toBeNull();
  await expect.poll(() => page.web.runTasks.going(run.split('/')[2] ?? '')).toBeNull();
}
