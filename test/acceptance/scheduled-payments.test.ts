import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { listed } from '../support/approval-office.ts';
import { asPerson, PASSPHRASE, testApprover } from '../support/approvers.ts';
import { clockOf } from '../support/clock-of.ts';
import { dropDatabase, newPageDatabase } from '../support/page-database.ts';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { statements } from '../support/postgres.ts';
import { allTransactions } from '../support/service-admin.ts';
import { atEnd } from '../support/side-by-side.ts';
import { startWeb } from '../support/web-process.ts';
import { type Caller, caller, comeIn as comeInHere, linkOn, plan, until as untilHere } from '../web/page-process.ts';
import { comeIn, PASSWORD, type Roaming, roaming, until } from '../web/roaming.ts';
import { startPages } from '../web/two-pages.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code\n';
const ADA = 'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000\n';
const MARY = 'E2,Mary Shelley,20.25,AUD,AUD_NPP,87654321,062-000\n';
const MINUTE_MS = 60_000;

/** The form of a time so many minutes from now. */
function inMinutes(minutes: number) {
  const text = new Date(Math.ceil(Date.now() / MINUTE_MS + minutes) * MINUTE_MS).toISOString();
  return { start_date: text.slice(0, 10), start_time: text.slice(11, 16), start_zone: 'UTC', any_day: 'yes' };
}

/** The processes that a process has started and that run still. */
function childrenOf(pid: number): number[] {
  const children: number[] = [];
  for (const task of readdirSync(`/proc/${pid}/task`))
    children.push(...readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
  return children;
}

/** Two pages and one database, whose clock can be put forward. */
async function twoPages(args: readonly string[] = []) {
  const database = await newPageDatabase({ hasQueue: true });
  const { username: admin, password } = new URL(database.admin);
  const name = `dated_${database.name}`;
  await statements(
    database.admin,
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE payrun_page, payrun_worker`,
  );
  atEnd(async () => {
    await dropDatabase(database);
    await statements(database.admin.replace(/\/[^/]+$/, '/postgres'), `DROP ROLE ${name}`);
  });
  const url = database.admin.replace(`//${admin}:`, `//${name}:`);
  const service = await startService({ dataDir: temporaryFolder() });
  const folders = [temporaryFolder(), temporaryFolder()];
  const pages = await startPages(folders, url, [...service.options, '--poll-every', '50ms', ...args]);
  const browser = () =>
    roaming(
      pages.map(({ port }) => port),
      new Map(),
    );
  const ben = await comeIn(browser(), pages[0]?.firstUserUrl ?? '', { name: 'Ben', role: ['preparer'] });
  const { location } = await ben.post('/people', { name: 'Anna', role: 'approver' });
  const link = /https:\/\/[^<"]+\/welcome#[\w-]+/.exec((await ben.get(location)).text)?.[0] ?? '';
  const anna = await comeIn(browser(), link);
  return {
    ...{ database, service, pages, folders, url, ben, anna },
    again: async (page: number) =>
      startPages([folders[page] ?? ''], url, [...service.options, '--poll-every', '50ms', ...args]),
    async putForward(minutes: number) {
      await statements(
        database.admin,
        `CREATE OR REPLACE FUNCTION payrun.clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
           SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${minutes * MINUTE_MS} $$`,
      );
    },
    async isStarted(run: string) {
      const sql = `SELECT 1 FROM payrun.entry JOIN payrun.run USING (run) WHERE kind = 'started' AND id = '${run.split('/')[2]}'`;
      return (await statements(database.admin, sql)).length > 0;
    },
    async acts(run: string) {
      const sql = `SELECT act, count(*)::int AS times FROM payrun_page.audit WHERE run_id = '${run.split('/')[2]}' GROUP BY act`;
      return Object.fromEntries((await statements(database.admin, sql)).map(({ act, times }) => [act, times]));
    },
  };
}

type Place = Awaited<ReturnType<typeof twoPages>>;

async function scheduled({ ben, anna }: Place, rows: string, total: string, minutes: number): Promise<string> {
  const upload = await ben.upload('July.csv', HEADER + rows);
  await until(ben, upload, ({ text }) => text.includes('No problems found'));
  await ben.post(`${upload}/plan`);
  const run = (await until(ben, `${upload}/plan`, ({ location, status }) => location !== '' || status === 409))
    .location;
  const set = await ben.post(`${run}/schedule`, inMinutes(minutes));
  expect(set.location, set.text).toBe(run);
  const approved = await anna.post(`${run}/approve`, { total, password: PASSWORD });
  expect(approved.location, approved.text).toBe(run);
  return run;
}

async function paid(ben: Roaming, run: string): Promise<void> {
  await until(ben, run, ({ text }) => text.includes('the payout completed'));
}

test('two pages find a payment due at the same moment: it is paid once; one is killed as it starts another: that is paid once too', async () => {
  const place = await twoPages();
  const { service, pages, ben, putForward, acts, again, isStarted } = place;
  const first = await scheduled(place, ADA, '1012.50 AUD', 60);
  await putForward(61);
  await paid(ben, first);
  expect(await acts(first)).toMatchObject({ started: 1 });
  expect(await allTransactions(service)).toHaveLength(1);

  const second = await scheduled(place, MARY, '20.25 AUD', 120);
  await putForward(121);
  await expect.poll(async () => (await acts(second)).started, { interval: 20 }).toBe(1);
  const pids = pages.map(({ started }) => started.child.pid ?? 0);
  await expect.poll(() => pids.flatMap(childrenOf).length, { interval: 10 }).toBeGreaterThan(0);
  const at = pids.findIndex((pid) => childrenOf(pid).length > 0);
  const children = childrenOf(pids[at] ?? 0);
  for (const pid of [pids[at] ?? 0, ...children]) process.kill(pid, 'SIGKILL');
  ben.to(1 - at, true);
  // What had begun already is gone on with when its supervisor starts it again; else the other page starts it.
  if (await isStarted(second)) await again(at);
  await paid(ben, second);
  expect(await allTransactions(service)).toHaveLength(2);
  expect((await ben.get(`${second}/audit`)).text).toContain('by Ben on the page');
});

test('with --detach a worker pays what a page starts at its time', { timeout: 120_000 }, async () => {
  const place = await twoPages(['--detach']);
  const { service, database, ben, putForward, acts } = place;
  const where = ['--data-dir', temporaryFolder(), '--database', database.as('payrun_worker')];
  start(['worker', '--json', '--poll-every', '50ms', ...where, ...service.options], { cwd: temporaryFolder() });
  const run = await scheduled(place, ADA, '1012.50 AUD', 60);
  await putForward(61);
  await paid(ben, run);
  expect(await acts(run)).toMatchObject({ started: 1 });
  expect(await allTransactions(service)).toHaveLength(1);
});

test('a page that was stopped at the time starts it within ten minutes, and says after them that it was missed', async () => {
  const dataDir = temporaryFolder();
  const clock = join(temporaryFolder(), 'clock');
  writeFileSync(clock, '0');
  const service = await startService({ dataDir: temporaryFolder() });
  const page = () => startWeb({ dataDir, service, env: clockOf(clock), args: ['--poll-every', '50ms'] });
  let web = await page();
  const ben = await comeInHere(web.url, web.firstUserUrl ?? '', { name: 'Ben', role: ['preparer'] });
  const anna = await comeInHere(
    web.url,
    await linkOn(ben, (await ben.post('/people', { name: 'Anna', role: 'approver' })).location),
  );
  const runs: string[] = [];
  for (const [rows, total] of [
    [ADA, '1012.50'],
    [MARY, '20.25'],
  ] as const) {
    const upload = await ben.upload('July.csv', HEADER + rows);
    await untilHere(ben, upload, ({ text }) => text.includes('No problems found'));
    const run = await plan(ben, upload);
    expect((await ben.post(`${run}/schedule`, inMinutes(rows === ADA ? 60 : 50))).location).toBe(run);
    expect((await anna.post(`${run}/approve`, { total, password: PASSWORD })).location).toBe(run);
    runs.push(run);
  }
  web.started.child.kill('SIGTERM');
  await web.started.ended;
  // Nine minutes after the one time, and nineteen after the other.
  writeFileSync(clock, String(69 * MINUTE_MS));
  web = await page();
  const later: Caller = caller(web.url);
  expect((await later.post('/sign-in', { name: 'Ben', password: PASSWORD })).status).toBe(303);
  const [due = '', missed = ''] = runs;
  await untilHere(later, due, ({ text }) => text.includes('the payout completed'));
  expect((await later.get(missed)).text).toContain('payrun was not running at that time');
  expect((await later.get('/jobs')).text).toMatch(/<h2 id="needed">Missed<\/h2>/);
  expect(await allTransactions(service)).toHaveLength(1);
});

test('a plan made by command with --start-at is started by a page, in the name of nobody there; a person who runs it at the same moment pays nothing twice', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const clock = join(folder, 'clock');
  writeFileSync(clock, '0');
  const anna = await testApprover(folder, 'Anna', 1);
  writeFileSync(join(folder, 'approval.yaml'), `approval:\n  valid_for: 10d\n  approvers:\n${listed([anna])}`);
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, `${PASSPHRASE}\n`, { mode: 0o600 });
  const service = await startService({ dataDir: temporaryFolder() });
  const by = (account: string, ...args: string[]) =>
    payrun([...args, '--data-dir', dataDir], { cwd: folder, env: asPerson(account) });
  const run = (...args: string[]) => by('ben', ...args);
  const planned = async (rows: string, ...more: string[]) => {
    writeFileSync(join(folder, 'july.csv'), HEADER + rows);
    return run('plan', 'july.csv', ...service.options, ...more);
  };
  const { start_date, start_time } = inMinutes(60);
  const at = ['--start-at', `${start_date} ${start_time}`, '--any-day'];
  const policy = ['--approval', 'approval.yaml'];
  const approved = async (rows: string, total: string) => {
    const { scheduled, run_id: id } = JSON.parse((await planned(rows, ...policy, ...at, '--json')).stdout);
    expect(scheduled).toEqual({ start_at: `${start_date}T${start_time}:00.000Z`, time_zone: 'UTC' });
    const key = ['--key', anna.file, '--passphrase-file', passphrase, '--total', total];
    expect((await by('anna', 'approve', id, ...key)).exit).toBe(0);
    return id as string;
  };
  // What cannot be started then is refused, and no plan is made.
  const wrong: [string[], number, string][] = [
    [at, 6, 'This payment needs no approval'],
    [[...policy, '--start-at', 'noon'], 2, 'write a day and a time of it'],
    [[...policy, ...at, '--start-zone', 'Mars/Olympus'], 2, 'Europe/Berlin'],
    [[...policy, '--start-at', '2026-01-01 09:00'], 6, 'is in the past'],
    [[...policy, '--start-at', `${Number(start_date.slice(0, 4)) + 1}-07-01 09:00`], 6, 'a longer valid_for:'],
  ];
  for (const [options, exit, words] of wrong)
    expect(await planned(ADA, ...options)).toMatchObject({ exit, stderr: expect.stringContaining(words) });
  expect(JSON.parse((await run('runs', '--json')).stdout).runs).toEqual([]);

  const first = await approved(ADA, '1012.50 AUD');
  const shown = (await run('show', first)).stdout;
  expect(shown).toMatch(
    /scheduled for \S+ \S+ UTC by \S+; if it is approved by then, a running page \(payrun web\) starts it/,
  );
  const web = await startWeb({ dataDir, service, env: clockOf(clock), args: ['--poll-every', '50ms'] });
  const ben = await comeInHere(web.url, web.firstUserUrl ?? '', { name: 'Ben', role: ['preparer'] });
  expect((await ben.get('/jobs')).text).toContain(start_time);
  writeFileSync(clock, String(61 * MINUTE_MS));
  await expect
    .poll(async () => JSON.parse((await run('show', first, '--json')).stdout).state, { timeout: 40_000 })
    .toBe('finished');
  expect(await allTransactions(service)).toHaveLength(1);

  writeFileSync(clock, '0');
  const second = await approved(MARY, '20.25 AUD');
  const byHand = run('run', second, '--yes');
  writeFileSync(clock, String(61 * MINUTE_MS));
  expect([0, 6, 7]).toContain((await byHand).exit);
  await expect
    .poll(async () => JSON.parse((await run('show', second, '--json')).stdout).state, { timeout: 40_000 })
    .toBe('finished');
  expect(await allTransactions(service)).toHaveLength(2);
});
