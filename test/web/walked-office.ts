import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { knownJob } from '../../src/app/schedule/known-jobs.ts';
import { listJobs } from '../../src/job/jobs-folder.ts';
import { startService, temporaryFolder } from '../support/payrun.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage, PASSWORD, type PageOptions, type TestPage } from './web-page.ts';

// An office in which everything has happened once, and every address of its page, for tests that look at all of them.

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code,reference';
/** Two are paid (one of them fails), and one row is wrong. */
export const PAID = `${HEADER}
ZQ-771,Zebulon Quixworth,7311.37,AUD,AUD_NPP,98765431,062-000,ZQXREF
ZQ-772,REHEARSE_KYB Ysolde,4422.19,AUD,AUD_NPP,98765432,062-000,YSOREF
ZQ-773,Wrongly Entered,=6655.44+1,AUD,AUD_NPP,98765433,062-000,WROREF
`;
const WAITING = `${HEADER}\nZQ-774,Waldemar Ingersoll,8233.91,AUD,AUD_NPP,98765434,062-000,WALREF\n`;
const DRAFT = `${HEADER}\nZQ-775,Draftmann Only,9144.73,AUD,AUD_NPP,98765435,062-000,DRAREF\n`;

type Caught = { log: string[]; mails: { to: string; text: string }[]; posted: { url: string; text: string }[] };

/** A page over a service of its own, where Ben has prepared a payment that is paid, one that waits, and a file; Anna approves. */
export async function office(open: (options: PageOptions) => Promise<TestPage> = openPage) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'jobs'));
  writeFileSync(join(folder, 'jobs', 'other.yaml'), 'input: none.csv\n');
  let dataDir = '';
  const caught: Caught = { log: [], mails: [], posted: [] };
  const note = (fields: unknown, message: string) => {
    const error = (_: string, value: unknown) => (value instanceof Error ? `${value.message} ${value.stack}` : value);
    caught.log.push(`${message} ${JSON.stringify(fields, error)}`);
  };
  const page = await open({
    isReal: true,
    tasks: realTasks(() => dataDir, folder),
    services: { balances: async () => [{ minor: 777_888_99n, currency: { code: 'AUD', chain: null, decimals: 2 } }] },
    deps: {
      jobs: () => listJobs(join(folder, 'jobs')).map(knownJob),
      log: { debug: note, info: note, warn: note, error: note },
      mail: async ({ to, letter }) => {
        caught.mails.push({ to, text: JSON.stringify(letter) });
        return null;
      },
      webhooks: {
        mayUse: () => true,
        send: async ({ url, body }) => {
          caught.posted.push({ url, text: body });
          return null;
        },
      },
    },
  });
  dataDir = page.dataDir;
  await startService({ dataDir });
  const ben = await page.first('Ben', ['preparer']);
  const anna = await page.person('Anna', ['approver']);
  return { page, caught, ben, anna, folder };
}

type UploadFields = { connection?: string };

export async function upload(
  browser: Browser,
  name: string,
  text: string,
  { connection = '' }: UploadFields,
): Promise<string> {
  const form = new FormData();
  form.set('connection', connection);
  form.set('file', new File([text], name));
  return (await browser.send('/uploads', form)).location?.split('/')[2] ?? '';
}

export async function plan({ web }: TestPage, browser: Browser, id: string): Promise<string> {
  await browser.post(`/uploads/${id}/plan`, { only_valid: 'yes' });
  const made = await web.uploads.get(id);
  if (made === null) throw new Error('no upload');
  await web.plannings.ended(made);
  return (await browser.get(`/uploads/${id}/plan`)).location?.split('/')[2] ?? '';
}

/** Ids of everything that an address may name. */
export type Ids = { runs: string[]; uploads: string[]; payees: string[]; people: string[] };

export async function payroll(
  { page, ben, anna }: Awaited<ReturnType<typeof office>>,
  fields: UploadFields = {},
): Promise<Ids> {
  const uploads = [
    await upload(ben, 'bonus-of-zebulon.csv', PAID, fields),
    await upload(ben, 'pay-of-waldemar.csv', WAITING, fields),
  ];
  const [paid, waiting] = [await plan(page, ben, uploads[0] ?? ''), await plan(page, ben, uploads[1] ?? '')];
  const approval = { total: '11733.56 AUD', password: PASSWORD, comment: 'a remark about pay' };
  expect((await anna.post(`/runs/${paid}/approve`, approval)).location).toBe(`/runs/${paid}`);
  await ben.post(`/runs/${paid}/start`);
  await expect.poll(async () => (await page.web.runs.read(paid))?.run.finished ?? null).not.toBeNull();
  await expect.poll(() => page.web.runTasks.going(paid)).toBeNull();
  await ben.post(`/runs/${paid}/comments`, { comment: 'a remark about pay' });
  uploads.push(await upload(ben, 'draft-for-draftmann.csv', DRAFT, fields));
  await expect.poll(async () => (await ben.get('/payees')).text).toContain('Zebulon');
  const payees = Array.from(
    (await ben.get('/payees')).text.matchAll(/href="\/payees\/([\w-]+)"/g),
    ([, id]) => id ?? '',
  );
  await ben.post(`/payees/${payees[0]}/hold`, { reason: 'a doubt about pay' });
  const people = (await page.web.people.list()).map(({ id }) => id);
  return { runs: [paid, waiting], uploads, payees: [...new Set(payees)], people };
}

/** Every address of a route, with each id that its parameters may have. */
function addresses(path: string, ids: Ids): string[] {
  const subject = path.replace('/api/v1', '').split('/')[1] ?? '';
  const ofSubject: Readonly<Record<string, readonly string[]>> = { ...ids, plans: ids.runs };
  const places = (ofSubject[subject] ?? ['nothing']).map((id) => path.replace(/:\w+/, id));
  return places.map((place) => place.replaceAll(':row', '2').replaceAll(/:\w+/g, 'other').replaceAll('*', 'nothing'));
}

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/runs': ['?q=zebulon', '?q=bonus'],
  '/payees': ['?q=zebulon', '?only=held'],
  '/reports': ['?q=zebulon', '?q=7311.37', '?q=ZQXREF'],
  '/uploads/:id/rows': ['?show=all&count=50'],
  '/runs/:run/rows': ['?q=zebulon'],
};

export function pathsOf({ app }: TestPage, method: string, ids: Ids, isOfApi = false): string[] {
  const routes = app.routes.filter((one) => one.method === method && one.path.startsWith('/api/v1') === isOfApi);
  return [...new Set(routes.map(({ path }) => path))].flatMap((path) =>
    addresses(path, ids).flatMap((place) => ['', ...(QUERIES[path] ?? [])].map((query) => `${place}${query}`)),
  );
}
