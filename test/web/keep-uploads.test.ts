import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { removeDaily } from '../../src/web/uploads/retention.ts';
import { sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { startWeb } from '../support/web-process.ts';
import { type Browser, openPage, PASSWORD, type TestPage } from './web-page.ts';

const DAY_MS = 24 * 3_600_000;
const RUN = 'R20261125-7K3M9QZ2';
const NO_ANSWER = {
  outcome: 'refused' as const,
  refusal: new Refusal({ code: 'unknown_run', runId: 'R1', near: null }),
};

/** A page that looks for old files, at once and then every day, with Ben, who prepares. */
async function desk(keepUploadsMs?: number) {
  const options = keepUploadsMs === undefined ? {} : { keepUploadsMs };
  const page = await openPage({ options, tasks: { check: async () => NO_ANSWER } });
  const ben = await page.first('Ben', ['preparer']);
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  void removeDaily(page.web, ending.signal);
  return { page, ben };
}

async function upload(browser: Browser, name = 'July pay.csv'): Promise<string> {
  const form = new FormData();
  form.set('file', new File(['name,amount\n'], name));
  return (await browser.send('/uploads', form)).location ?? '';
}

async function seen(browser: Browser, path: string, name = 'Ben') {
  await browser.post('/sign-in', { name, password: PASSWORD });
  const { status, text } = await browser.get(path);
  return { status, text: text.replaceAll(/\s+/g, ' ') };
}

function folders({ dataDir }: TestPage): string[] {
  return readdirSync(join(dataDir, 'web', 'uploads'));
}

async function acts({ web }: TestPage): Promise<string[]> {
  return (await web.audit.list({})).map(({ act }) => act);
}

async function plan({ web, journal }: TestPage, location: string, entries: Entry[] = []) {
  const header = sampleHeader(RUN);
  const rows: Entry[] = [sampleRows(3), { kind: 'planned', plan: samplePlan(header) }, ...entries];
  const created = await journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await web.uploads.setRun(location.split('/')[2] ?? '', RUN);
  return created.writer;
}

test('a file of which no plan was made is removed after seven days, and its page says so', async () => {
  const { page, ben } = await desk();
  const location = await upload(ben);
  await page.clock.pass(6.5 * DAY_MS);
  expect(folders(page)).toEqual([location.split('/')[2]]);
  expect(await seen(ben, location)).toMatchObject({ status: 200, text: expect.stringContaining('7 days after') });
  await page.clock.pass(DAY_MS);
  expect(folders(page)).toEqual([]);
  for (const path of [location, `${location}/sheet`, `${location}/annotated.xlsx`, `${location}/plan`]) {
    const { status, text } = await seen(ben, path);
    expect([path, status]).toEqual([path, 410]);
    expect(text).toContain(
      '“July pay.csv” was removed on 2 Dec (UTC): files without a waiting plan are kept for 7 days.',
    );
    expect(text).toContain('Upload it again on Overview.');
  }
  expect((await ben.post(`${location}/plan`)).status).toBe(410);
  expect((await ben.get('/')).text).not.toContain('July pay.csv');
  expect((await page.web.audit.list({})).find(({ act }) => act === 'upload_expired')).toMatchObject({
    person: null,
    details: { upload: location.split('/')[2], name: 'July pay.csv', kept: '7d' },
  });
  expect(await page.web.audit.verify()).toMatchObject({ ok: true });
});

test('a file is there for as long as its plan waits or is being paid, and as long again after that', async () => {
  const { page, ben } = await desk(2 * DAY_MS);
  const location = await upload(ben);
  const writer = await plan(page, location);
  await page.clock.pass(20 * DAY_MS);
  expect(folders(page)).toHaveLength(1);
  await writer.append([{ kind: 'started', by: 'ben@desk-7' }]);
  await page.clock.pass(20 * DAY_MS);
  expect(folders(page)).toHaveLength(1);
  await writer.append([
    { kind: 'finished', counts: { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 3 } },
  ]);
  await page.clock.pass(1.5 * DAY_MS);
  expect(folders(page)).toHaveLength(1);
  await page.clock.pass(1.5 * DAY_MS);
  expect(folders(page)).toEqual([]);
  expect((await seen(ben, location)).text).toContain('See Payments for what was planned and paid.');
  expect((await seen(ben, `/runs/${RUN}`)).status).toBe(200);
});

test('a file whose plan was given up is removed when it was kept for so long since', async () => {
  const { page, ben } = await desk();
  const writer = await plan(page, await upload(ben));
  await page.clock.pass(10 * DAY_MS);
  await writer.append([{ kind: 'cancelled', by: 'ben' }]);
  await page.clock.pass(6.5 * DAY_MS);
  expect(folders(page)).toHaveLength(1);
  await page.clock.pass(DAY_MS);
  expect(folders(page)).toEqual([]);
});

test('whoever uploaded a file removes it by a button, nobody else does, and no plan loses its file', async () => {
  const { page, ben } = await desk();
  const [first, second] = [await upload(ben), await upload(ben, 'August pay.csv')];
  const bea = await page.person('Bea', ['preparer']);
  expect((await ben.get(first)).text).toContain(`action="${first}/remove"`);
  // What another preparer uploaded is not there.
  expect([(await bea.get(first)).status, (await bea.post(`${first}/remove`)).status]).toEqual([404, 404]);
  const writer = await plan(page, second);
  expect((await ben.get(second)).text).not.toContain(`${second}/remove`);
  expect((await ben.post(`${second}/remove`)).status).toBe(409);
  expect(folders(page)).toHaveLength(2);

  expect((await ben.post(`${first}/remove`)).location).toBe(first);
  expect(folders(page)).toEqual([second.split('/')[2]]);
  expect((await seen(ben, first)).text).toContain('“July pay.csv” was removed by Ben on 25 Nov (UTC).');
  expect(await acts(page)).toContain('upload_removed');
  await writer.append([{ kind: 'cancelled', by: 'ben' }]);
  expect((await ben.post(`${second}/remove`)).location).toBe(second);
  expect(folders(page)).toEqual([]);
});

test('what a killed page left in the middle of an upload is removed after a day, and what is arriving is not', async () => {
  const { page } = await desk();
  const parent = join(page.dataDir, 'web', 'uploads');
  for (const name of ['left', 'arriving']) mkdirSync(join(parent, name));
  const now = page.clock.wallMs() / 1_000;
  utimesSync(join(parent, 'left'), now - 10, now - 10);
  utimesSync(join(parent, 'arriving'), now + 86_400, now + 86_400);
  await page.clock.pass(1.1 * DAY_MS);
  expect(folders(page)).toEqual(['arriving']);
});

test('a report that nobody asked for is removed when it was kept for so long since, and one that was asked for is not', async () => {
  const asked: string[] = [];
  const page = await openPage({
    tasks: { check: async () => NO_ANSWER },
    calls: {
      async writeReport({ directory, format }) {
        const path = join(directory, RUN, `report.${format}`);
        asked.push(path);
        mkdirSync(join(directory, RUN), { recursive: true });
        writeFileSync(path, 'Ada');
        return { outcome: 'written', rehearsal: true, paths: [path] };
      },
    },
  });
  const ben = await page.first('Ben', ['preparer']);
  await plan(page, await upload(ben));
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  void removeDaily(page.web, ending.signal);
  const path = `/runs/${RUN}/report.csv`;
  expect((await seen(ben, path)).text).toBe('Ada');
  await page.clock.pass(5 * DAY_MS);
  expect((await seen(ben, path)).text).toBe('Ada');
  mkdirSync(join(page.dataDir, 'web', 'reports', RUN, '.draft-x'));
  const before = page.clock.wallMs() / 1_000 - 6 * 86_400;
  utimesSync(join(page.dataDir, 'web', 'reports', RUN, '.draft-x'), before, before);
  await page.clock.pass(5 * DAY_MS);
  expect(readdirSync(join(page.dataDir, 'web', 'reports', RUN))).toEqual(['report.csv']);
  await page.clock.pass(4 * DAY_MS);
  expect(readdirSync(join(page.dataDir, 'web', 'reports'))).toEqual([]);
  expect((await seen(ben, path)).text).toBe('Ada');
  expect(asked).toHaveLength(3);
});

test('a real page removes what is old when it starts, as --keep-uploads says', async () => {
  const dataDir = temporaryFolder();
  const refused = await payrun(['web', '--port', '0', '--data-dir', dataDir, '--keep-uploads', '5m']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--keep-uploads: write 1h or more')]);
  const { started } = await startWeb({ dataDir });
  started.child.kill('SIGTERM');
  expect(await started.ended).toMatchObject({ exit: 0, stderr: '' });
  const database = new DatabaseSync(join(dataDir, 'web', 'web.db'));
  const folder = (id: string) => join(dataDir, 'web', 'uploads', id);
  database.exec("INSERT INTO person (id, name, name_key, created_at) VALUES ('ben', 'Ben', 'ben', 1)");
  for (const [id, days] of [
    ['old', 4],
    ['new', 2],
  ] as const) {
    mkdirSync(folder(id));
    database
      .prepare(
        "INSERT INTO upload (id, person_id, at, name, kind, bytes, sha256, reading, revision) VALUES (?, 'ben', ?, 'pay.csv', '.csv', 1, 'x', '{}', 1)",
      )
      .run(id, Date.now() - days * DAY_MS);
  }
  database.close();
  await startWeb({ dataDir, args: ['--keep-uploads', '3d'] });
  await expect.poll(() => existsSync(folder('old'))).toBe(false);
  expect(existsSync(folder('new'))).toBe(true);
});
