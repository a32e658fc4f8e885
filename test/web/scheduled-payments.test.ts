import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownJob } from '../../src/app/schedule/known-jobs.ts';
import { isoUtc } from '../../src/domain/time.ts';
import { listJobs } from '../../src/job/jobs-folder.ts';
import { startDue } from '../../src/web/plans/scheduled-starts.ts';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';
import { apiOf, makeToken } from './api-caller.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage, PASSWORD } from './web-page.ts';

const SHEET = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code\n';
const ADA = 'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000\n';
const TOTAL = '1012.50 AUD';
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** The page with Ben and Bob, who prepare, and Anna, who approves. Its clock for what is due can be put forward. */
async function office(job: string | null = null) {
  const folder = temporaryFolder();
  let dataDir = '';
  const jobs = () => listJobs(join(folder, 'jobs')).map(knownJob);
  const page = await openPage({ isReal: true, tasks: realTasks(() => dataDir, folder), deps: { jobs } });
  dataDir = page.dataDir;
  const service = await startService({ dataDir });
  const ben = await page.first('Ben', ['preparer', 'administrator']);
  const anna = await page.person('Anna', ['approver']);
  const bob = await page.person('Bob', ['preparer']);
  if (job !== null) {
    mkdirSync(join(folder, 'jobs'));
    writeFileSync(join(folder, 'jobs', 'pay.yaml'), job);
  }
  const { reads } = page.web.deps;
  let aheadMs = 0;
  reads.now = async () => Date.now() + aheadMs;
  const tried = new Map<string, number>();
  return {
    page,
    folder,
    ben,
    anna,
    bob,
    service,
    putForward(ms: number) {
      aheadMs = ms;
    },
    /** What every page does every two seconds. */
    look: () => startDue(page.web, tried),
  };
}

type Office = Awaited<ReturnType<typeof office>>;

async function uploaded({ ben }: Office, rows = ADA, job = ''): Promise<string> {
  const form = new FormData();
  form.set('job', job);
  form.set('file', new File([SHEET + rows], 'July pay.csv'));
  return (await ben.send('/uploads', form)).location ?? '';
}

/** The answer of the page that a plan leads to. */
async function submitted({ page, ben }: Office, upload: string, form: Record<string, string> = {}) {
  const begun = await ben.post(`${upload}/plan`, form);
  if (begun.location === null) return begun;
  const made = await page.web.uploads.get(upload.split('/')[2] ?? '');
  if (made === null) throw new Error('no upload');
  await page.web.plannings.ended(made);
  return ben.get(`${upload}/plan`);
}

async function planned(all: Office, rows = ADA): Promise<string> {
  const shown = await submitted(all, await uploaded(all, rows));
  expect(shown.location, shown.text).toMatch(/^\/runs\/R/);
  return shown.location ?? '';
}

/** The form of a time so far from now, to the minute, on whatever day. */
function inMs(ms: number, more: Record<string, string> = { any_day: 'yes' }) {
  const text = isoUtc(Math.ceil((Date.now() + ms) / MINUTE_MS) * MINUTE_MS);
  return { start_date: text.slice(0, 10), start_time: text.slice(11, 16), start_zone: 'UTC', ...more };
}

async function approve({ anna }: Office, run: string): Promise<void> {
  expect((await anna.post(`${run}/approve`, { total: TOTAL, password: PASSWORD })).location).toBe(run);
}

/** Gives the day and the time. */
async function scheduled(one: Browser, run: string, ms: number) {
  const form = inMs(ms);
  const answer = await one.post(`${run}/schedule`, form);
  expect(answer.location, answer.text).toBe(run);
  return { day: form.start_date, time: form.start_time };
}

const idOf = (run: string) => run.split('/')[2] ?? '';

async function actsOf({ page }: Office, run: string): Promise<string[]> {
  return (await page.web.audit.list({ runId: idOf(run) })).map(({ act }) => act).reverse();
}

async function finished({ page }: Office, run: string): Promise<void> {
  await expect.poll(async () => (await page.web.runs.read(idOf(run)))?.run.finished ?? null).not.toBeNull();
  await expect.poll(() => page.web.runTasks.going(idOf(run))).toBeNull();
}

test('a payment is started at its time, once, in the name of who set that, and not before', async () => {
  const all = await office();
  const { page, ben, anna, bob, service, look, putForward } = all;
  const run = await planned(all);
  const { day, time } = await scheduled(bob, run, 60 * MINUTE_MS);
  for (const path of [run, `${run}/approve`]) expect((await anna.get(path)).text).toContain(`, ${time}, UTC`);
  expect((await anna.get('/approvals')).text).toContain('It is scheduled for');
  await approve(all, run);
  expect((await ben.get(run)).text).toMatch(/Approved\. Starts on \w+day \d+ \w+ \d{4}, \d\d:\d\d, UTC\./);
  // Approved and not due, it waits for nobody.
  expect((await ben.get('/approvals')).text).not.toContain('for you:');
  await look();
  putForward(59 * MINUTE_MS);
  await look();
  expect(await allTransactions(service)).toEqual([]);
  putForward(61 * MINUTE_MS);
  await Promise.all([look(), look()]);
  await finished(all, run);
  await look();
  expect(await allTransactions(service)).toHaveLength(1);
  expect(await actsOf(all, run)).toEqual(['planned', 'scheduled', 'approved', 'started']);
  const { text } = await ben.get(`${run}/audit`);
  expect(text).toContain('Started by Bob on the page');
  expect(text).toMatch(/Scheduled for \w+day \d+ \w+ \d{4}, \d\d:\d\d, UTC, by Bob on the page/);
  expect((await page.web.runs.read(idOf(run)))?.run.startedOnPage).toBe('Bob');
  // Commands and reports have it too.
  const start = { start_at: `${day}T${time}:00.000Z`, time_zone: 'UTC' };
  const where = ['--data-dir', page.dataDir];
  expect(JSON.parse((await payrun(['show', idOf(run), '--json', ...where])).stdout).scheduled).toEqual(start);
  const shown = (await payrun(['show', idOf(run), ...where])).stdout;
  expect(shown).toContain(`scheduled for ${day} ${time} UTC by payrun@desk-7`);
  expect(JSON.parse((await payrun(['runs', '--json', ...where])).stdout).runs).toMatchObject([{ scheduled: start }]);
  expect(JSON.parse((await ben.get(`${run}/report.json`)).text).scheduled).toEqual(start);
  expect((await ben.get(`${run}/report.html`)).text).toContain(`${day} ${time} UTC`);
});

test('a payment is scheduled when it is submitted, and approvals of it last until its time', async () => {
  const all = await office();
  const { page, ben, anna } = all;
  const upload = await uploaded(all);
  await expect.poll(async () => (await ben.get(upload)).text).toContain('No problems found');
  expect((await ben.get(upload)).text).toMatch(
    /name="at_time" value="yes"[\s\S]+name="start_date" type="date" value="\d{4}-/,
  );
  const saturday = [1, 2, 3, 4, 5, 6, 7].find((days) => new Date(Date.now() + days * DAY_MS).getUTCDay() === 6) ?? 0;
  const at_time = { at_time: 'yes' };
  const unreadable = await submitted(all, upload, { ...at_time, ...inMs(DAY_MS), start_time: 'noon' });
  expect([unreadable.status, unreadable.text]).toEqual([422, expect.stringContaining('This is not a valid time.')]);
  const late = await submitted(all, upload, { ...at_time, ...inMs(40 * DAY_MS) });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('ends before that time.')]);
  const rest = await submitted(all, upload, { ...at_time, ...inMs(saturday * DAY_MS, {}) });
  expect(rest.text).toMatch(/Saturday \d+ \w+ \d{4} is no business day\./);
  expect(rest.text).toMatch(/<button class="primary">Start on Monday \d+ \w+ \d{4}, \d\d:\d\d, UTC<\/button>/);
  expect(rest.text).toContain('Submit it, and start it by hand');
  expect(await page.web.deps.reads.history()).toEqual([]);
  const run = (await submitted(all, upload, { ...at_time, ...inMs(saturday * DAY_MS) })).location ?? '';
  expect((await anna.get(`${run}/approve`)).text).toMatch(/Pays on <time[^>]+>Saturday/);
  await approve(all, run);
  const state = (await page.web.runs.read(idOf(run)))?.run;
  expect(state?.approvals[0]?.expires_at).toBeGreaterThan(Date.now() + saturday * DAY_MS);
  expect((await ben.get(run)).text).toContain('Approved. Starts on Saturday');
  expect((await ben.get(`${run}/audit`)).text).toMatch(/Scheduled for Saturday[^<]+by Ben on the page/);
  const [act] = (await page.web.audit.list({ runId: idOf(run) })).filter(({ act }) => act === 'planned');
  expect(act?.details).toMatchObject({ time: expect.stringMatching(/:00\.000Z$/), time_zone: 'UTC' });
});

test('a time is changed, recalled, and does not keep anybody from starting at once', async () => {
  const all = await office();
  const { ben, bob, look, putForward, service } = all;
  const run = await planned(all);
  await scheduled(ben, run, 60 * MINUTE_MS);
  await approve(all, run);
  // Approvals are of what is paid, and stay.
  await scheduled(bob, run, 120 * MINUTE_MS);
  putForward(61 * MINUTE_MS);
  await look();
  const shown = (await ben.get(run)).text;
  expect(shown).toMatch(/Time changed to[\s\S]+Bob/);
  expect(shown).toContain('Approved. Starts on');
  expect(shown).toContain('Start now 1 payout');
  expect((await ben.post(`${run}/schedule/recall`)).location).toBe(run);
  putForward(121 * MINUTE_MS);
  await look();
  expect((await ben.get(run)).text).toMatch(/Approved, and ready to start\.[\s\S]+Time removed/);
  expect(await allTransactions(service)).toEqual([]);
  putForward(0);
  await scheduled(ben, run, 60 * MINUTE_MS);
  await ben.post(`${run}/start`);
  await finished(all, run);
  putForward(61 * MINUTE_MS);
  await look();
  expect(await allTransactions(service)).toHaveLength(1);
  expect((await ben.post(`${run}/schedule`, inMs(60 * MINUTE_MS))).location).toBe(run);
  expect(await actsOf(all, run)).toEqual([
    ...['planned', 'scheduled', 'approved', 'scheduled', 'schedule_recalled', 'scheduled', 'started'],
  ]);
});

test('what is approved after its time has missed it, and needs a decision or another time', async () => {
  const all = await office();
  const { ben, anna, look, putForward, service } = all;
  const run = await planned(all);
  // The approval is signed by the real clock, and so after this time.
  const due = Date.now() + 1_500;
  await all.page.web.deps.calls.schedulePlan({
    ...{ runId: idOf(run), start: { at: due, time_zone: 'UTC', anyDay: true } },
    ...{ publicKey: (await all.page.web.people.byName('Ben'))?.publicKey ?? '', actor: { by: 'test' } },
  });
  await expect.poll(() => Date.now()).toBeGreaterThan(due);
  await look();
  const missed = (await ben.get(run)).text;
  expect(missed).toContain('Missed its time. Awaiting approval by Anna.');
  expect(missed).toContain('It was not approved in time.');
  expect((await ben.get('/approvals')).text).toContain('for you:');
  expect((await anna.get('/approvals')).text).toContain('Missed its time. Awaiting your approval.');
  await approve(all, run);
  for (const later of [0, 5 * MINUTE_MS, 11 * MINUTE_MS]) {
    putForward(later);
    await look();
  }
  expect((await ben.get(run)).text).toContain('Missed its time. Approved, and ready to start.');
  expect(await allTransactions(service)).toEqual([]);
  putForward(0);
  await scheduled(ben, run, 5 * MINUTE_MS);
  putForward(6 * MINUTE_MS);
  await look();
  await finished(all, run);
  expect(await allTransactions(service)).toHaveLength(1);
});

test('a time at which no page ran is started within ten minutes, and missed after them', async () => {
  const all = await office();
  const { ben, look, putForward, service } = all;
  const run = await planned(all);
  await scheduled(ben, run, MINUTE_MS);
  await approve(all, run);
  putForward(13 * MINUTE_MS);
  await look();
  expect((await ben.get(run)).text).toContain('payrun was not running at that time');
  expect((await ben.get('/')).text).toContain('Missed its time');
  putForward(10 * MINUTE_MS);
  await look();
  await finished(all, run);
  expect(await allTransactions(service)).toHaveLength(1);
});

test('a time of somebody who is deactivated, or no preparer any more, starts nothing', async () => {
  const all = await office();
  const { page, ben, bob, look, putForward, service } = all;
  const run = await planned(all);
  await scheduled(bob, run, 60 * MINUTE_MS);
  await approve(all, run);
  const { id } = (await page.web.people.byName('Bob')) ?? { id: '' };
  await ben.post(`/people/${id}/roles`, { role: 'viewer' });
  expect((await ben.get(run)).text).toContain('It will not start at that time unless another preparer sets it.');
  putForward(61 * MINUTE_MS);
  await look();
  expect((await ben.get(run)).text).toContain('Bob, who set the time, can no longer start payments.');
  expect(await actsOf(all, run)).not.toContain('started');
  await ben.post(`/people/${id}/roles`, { role: 'preparer' });
  await ben.post(`/people/${id}/lock`);
  await look();
  expect(await allTransactions(service)).toEqual([]);
});

test('a start that is refused at its time is noted with why, and not tried again', async () => {
  const all = await office();
  const { page, ben, look, putForward, service } = all;
  const run = await planned(all);
  await scheduled(ben, run, 60 * MINUTE_MS);
  await approve(all, run);
  const { input } = (await page.web.runs.read(idOf(run)))?.run.header ?? {};
  appendFileSync(input?.path ?? '', 'E9,Mallory,1.00,AUD,AUD_NPP,12345999,062-000\n');
  putForward(61 * MINUTE_MS);
  await look();
  await expect.poll(() => actsOf(all, run)).toContain('start_refused');
  await expect.poll(() => page.web.runTasks.going(idOf(run))).toBeNull();
  const shown = (await ben.get(run)).text;
  expect(shown).toContain('Missed its time.');
  expect(shown).toMatch(/It was not started on[\s\S]+July pay\.csv/);
  // Another page, which has tried nothing.
  await startDue(page.web, new Map());
  expect((await actsOf(all, run)).filter((act) => act === 'started')).toHaveLength(1);
  expect(await allTransactions(service)).toEqual([]);
});

test('Schedules has jobs and scheduled payments by their next time, and a job is run now by its file, which is approved as any other', async () => {
  const all = await office(
    'name: pay\ndescription: Salaries\ninput: ../in/pay.csv\nschedule: {cron: "0 9 25 * *", time_zone: Europe/Berlin}\n',
  );
  const { page, ben, anna, bob, putForward } = all;
  const run = await planned(all);
  const { day, time } = await scheduled(ben, run, 60 * MINUTE_MS);
  const table = async (one = ben) => (await one.get('/jobs')).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(await table()).toMatch(
    new RegExp(`(Today|This week|Later) .*July pay .*${day} ${time} UTC .*Scheduled Change the time`),
  );
  expect(await table()).toMatch(
    /pay Salaries \w{3} \d{4}-\d\d-25 09:00 Europe\/Berlin for \d{4}-\d\d .*none yet Scheduled/,
  );
  expect(await table(anna)).not.toContain('Change the time');
  putForward(75 * MINUTE_MS);
  expect(await table()).toMatch(/Missed .*July pay .*Missed/);
  expect((await anna.get('/')).text).toContain('Missed its time');
  putForward(0);

  // There is no file for the job yet.
  const missing = await ben.post('/jobs/pay/run');
  expect([missing.status, missing.text]).toEqual([409, expect.stringContaining('No file is due for this job now.')]);
  expect(await table()).not.toContain('Run now');
  mkdirSync(join(all.folder, 'in'));
  writeFileSync(join(all.folder, 'in', 'pay.csv'), SHEET + ADA.replace('1012.50', '7.25'));
  expect(await table()).toContain('Run now');
  const { location } = await bob.post('/jobs/pay/run');
  expect(location).toMatch(/^\/uploads\/\w+$/);
  const upload = await page.web.uploads.get(location?.split('/')[2] ?? '');
  expect(upload).toMatchObject({ name: 'pay.csv', job: 'pay' });
  for (const [one, path] of [
    [bob, '/jobs/other/run'],
    [bob, `/jobs/${encodeURIComponent('../in/pay')}/run`],
  ] as const)
    expect((await one.post(path)).status).toBe(409);
  expect((await anna.post('/jobs/pay/run')).status).toBe(403);
});

test('times that cannot be are refused with why, and the next business day is offered', async () => {
  const all = await office();
  const { ben, anna } = all;
  const run = await planned(all);
  const post = async (form: Record<string, string>) => {
    const { status, text } = await ben.post(`${run}/schedule`, form);
    return { status, text };
  };
  const fine = inMs(60 * MINUTE_MS);
  const wrong: [Record<string, string>, string][] = [
    [inMs(-120 * MINUTE_MS), 'is in the past.'],
    [inMs(4 * DAY_MS), 'An approval given now ends before that time.'],
    [{ ...fine, start_date: '2026-02-30' }, 'That date does not exist.'],
    [{ ...fine, start_date: 'x'.repeat(9_999) }, 'That date does not exist.'],
    [{ ...fine, start_time: '25:00' }, 'This is not a valid time.'],
    [{ ...fine, start_zone: 'Mars/Olympus' }, 'Unknown time zone.'],
    [{}, 'That date does not exist.'],
  ];
  for (const [form, words] of wrong)
    expect(await post(form)).toMatchObject({ status: 422, text: expect.stringContaining(words) });
  const shown = (await ben.get(`${run}/schedule`)).text;
  expect(shown).toMatch(/<input name="start_date" type="date" value="\d{4}-\d\d-\d\d" required>/);
  expect(shown).toContain('value="09:00"');
  // The next Saturday, where approvals last until then.
  const saturday = [0, 1, 2, 3, 4, 5, 6].find((days) => new Date(Date.now() + days * DAY_MS).getUTCDay() === 6) ?? 0;
  const rest = await post(inMs(saturday * DAY_MS + 2 * MINUTE_MS, {}));
  if (saturday <= 2) {
    expect(rest.text).toMatch(/Saturday \d+ \w+ \d{4} is no business day\./);
    expect(rest.text).toMatch(/Start on Saturday \d+ \w+ \d{4} anyway/);
  }
  expect((await ben.get(run)).text).not.toContain('Scheduled for');
  // Only who prepares sets a time.
  expect([(await anna.get(`${run}/schedule`)).status, (await anna.post(`${run}/schedule`, fine)).status]).toEqual([
    403, 403,
  ]);
  expect((await anna.post(`${run}/schedule/recall`)).status).toBe(403);
});

test('what remains of a payment, and its corrected rows, are scheduled as they are submitted, and paid once', async () => {
  const all = await office();
  const { page, ben, anna, look, putForward, service } = all;
  const closed = SHEET.replace(/\n$/, ',account_name\n');
  const form = new FormData();
  const row = (account: string, name: string) => `E2,Mary Jackson,20.00,AUD,AUD_NPP,${account},062-000,${name}\n`;
  form.set('file', new File([closed + row('02345679', 'REHEARSE_CLOSED')], 'July pay.csv'));
  const first = (await submitted(all, (await ben.send('/uploads', form)).location ?? '')).location ?? '';
  const approved = async (run: string) =>
    expect((await anna.post(`${run}/approve`, { total: '20.00 AUD', password: PASSWORD })).location).toBe(run);
  await approved(first);
  await ben.post(`${first}/start`);
  await finished(all, first);
  const time = { at_time: 'yes', ...inMs(2 * DAY_MS) };

  // The rows as they were.
  expect((await ben.get(`${first}/remaining`)).text).toMatch(/name="at_time" value="yes"[\s\S]+name="any_day"/);
  const unreadable = await ben.post(`${first}/retry`, { ...time, start_time: 'noon' });
  expect([unreadable.status, unreadable.text]).toEqual([422, expect.stringContaining('This is not a valid time.')]);
  const again = (await ben.post(`${first}/retry`, time)).location ?? '';
  expect(again).not.toBe(first);
  await approved(again);
  expect((await ben.get(again)).text).toContain('Approved. Starts on ');
  putForward(2 * DAY_MS + MINUTE_MS);
  await look();
  await finished(all, again);
  putForward(0);
  expect(await actsOf(all, again)).toEqual(['approved', 'started']);

  // Corrected rows in their place.
  const sheet = await ben.get(`${again}/correct.xlsx`);
  expect(sheet.status).toBe(200);
  const corrected = new FormData();
  corrected.set('corrects', idOf(again));
  corrected.set('file', new File([closed + row('02345680', 'Mary Jackson')], 'corrected.csv'));
  const upload = (await ben.send('/uploads', corrected)).location ?? '';
  await expect.poll(async () => (await ben.get(upload)).text).toContain('name="at_time" value="yes"');
  const third = (await submitted(all, upload, time)).location ?? '';
  expect(third).toMatch(/^\/runs\/R/);
  await approved(third);
  putForward(2 * DAY_MS + MINUTE_MS);
  await Promise.all([look(), look()]);
  await finished(all, third);
  expect((await page.web.runs.read(idOf(third)))?.run.finished).toMatchObject({ completed: 1 });
  expect((await allTransactions(service)).filter(({ status }) => status === 'COMPLETED')).toHaveLength(1);
});

test('a program schedules what it plans where it may start it; a token that was revoked since starts nothing', async () => {
  const all = await office();
  const { page, ben, look, putForward, service } = all;
  const scheduled = { start_at: isoUtc(Date.now() + 5 * DAY_MS), time_zone: 'Europe/Berlin', any_day: true };
  const scopes = ['uploads:write', 'plans:write', 'runs:start'];
  const api = apiOf(page, await makeToken(ben, scopes));
  const planOf = async (rows: string, more: object, by = api) => {
    const upload_id = (await by.upload('july.csv', SHEET + rows)).json.id;
    return by.post('/plans', { upload_id, ...more });
  };
  const weak = apiOf(page, await makeToken(ben, scopes.slice(0, 2)));
  expect((await planOf(ADA, { scheduled }, weak)).json).toMatchObject({ code: 'scope_missing' });
  const late = { ...scheduled, start_at: '2020-01-01T09:00:00+01:00' };
  expect((await planOf(ADA, { scheduled: late })).json).toMatchObject({
    code: 'plan_refused',
    reason: 'not_scheduled',
  });
  for (const wrong of [{ start_at: 'noon' }, { time_zone: 'Mars/Olympus' }, { start_time: '09:00' }])
    expect((await planOf(ADA, { scheduled: { ...scheduled, ...wrong } })).status).toBe(422);
  expect(await page.web.deps.reads.history()).toEqual([]);
  const made = await planOf(ADA, { scheduled });
  expect([made.status, made.json]).toMatchObject([
    201,
    { scheduled: { start_at: scheduled.start_at, time_zone: 'Europe/Berlin', state: 'ahead' } },
  ]);
  const run = `/runs/${made.json.id}`;
  await approve(all, run);
  // Another token, which is revoked before the time.
  const other = apiOf(page, await makeToken(ben, scopes));
  const revoked = `/runs/${(await planOf(ADA.replace('1012.50', '7.25'), { scheduled }, other)).json.id}`;
  const approval = { total: '7.25 AUD', password: PASSWORD };
  expect((await all.anna.post(`${revoked}/approve`, approval)).location).toBe(revoked);
  const [token] = await page.web.tokens.list(null);
  await page.web.tokens.revoke(token?.id ?? '');
  putForward(5 * DAY_MS + MINUTE_MS);
  await look();
  await finished(all, run);
  await look();
  expect(await actsOf(all, run)).toEqual(['planned', 'approved', 'started']);
  expect((await page.web.runs.read(idOf(run)))?.run.startedOnPage).toBe('Ben');
  expect(await allTransactions(service)).toHaveLength(1);
  expect((await ben.get(revoked)).text).toContain('Missed its time.');
});
