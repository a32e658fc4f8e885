import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Calls } from '../../src/app/background/calls.ts';
import { knownJob } from '../../src/app/schedule/known-jobs.ts';
import type { Counts, Entry, RunCreated, RunRow } from '../../src/domain/entry.ts';
import type { Money } from '../../src/domain/money.ts';
import { listJobs } from '../../src/job/jobs-folder.ts';
import type { Verification } from '../../src/journal/errors.ts';
import { askForApproval, verifyApproval } from '../../src/web/sign-in/passkey-approval.ts';
import { sampleHeader, sampleIntent, samplePlan, sampleRow, sampleRows } from '../journal/samples.ts';
import { workbookParts } from '../report/workbook-text.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { shownNpp } from './shown-account.ts';
import { openPage, type TestPage } from './web-page.ts';
import { withPasskey } from './with-passkey.ts';

const ALL: Counts = { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

test('the history finds runs by id, file, job, period and state, newest first and a page at a time', async () => {
  const page = await openPage();
  for (let at = 10; at < 40; at++) await run(page, `R-${at}`, { input: `pay-${at}.csv` }, [started(), finished(ALL)]);
  await run(page, 'R-40', { input: '<b>x é.csv', job: 'salaries', period: '2026-11' }, [started(), stopped()]);
  await run(page, 'R-41', { input: 'bad.csv', retries: 'R-10' }, [started(), finished({ ...ALL, failed: 2 })]);
  await run(page, 'R-42', { input: 'plan.csv' }, []);
  await run(page, 'R-43', { input: 'old.csv' }, [{ kind: 'cancelled', by: 'anna' }]);
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const found = async (asked: string) => {
    const { text } = await vera.get(`/runs${asked}`);
    expect(text).not.toContain('<b>x');
    return Array.from(text.matchAll(/<span class="soft small id">(R-\d+)<\/span>/g), ([, id]) => id);
  };
  expect((await found('')).slice(0, 4)).toEqual(['R-43', 'R-42', 'R-41', 'R-40']);
  expect([await found(''), await found('?page=2'), await found('?page=99')].map(({ length }) => length)).toEqual([
    25, 9, 9,
  ]);
  expect(await found('?q=PAY-1')).toHaveLength(10);
  expect(await found('?q=r-17')).toEqual(['R-17']);
  expect([await found('?q=salaries'), await found('?q=2026-11')]).toEqual([['R-40'], ['R-40']]);
  expect([await found('?state=planned'), await found('?state=cancelled_plan')]).toEqual([['R-42'], ['R-43']]);
  expect([await found('?state=stopped'), await found('?state=running')]).toEqual([['R-40'], []]);
  expect(await found('?q=x%20e.csv')).toEqual(['R-40']);
  expect(await found('?q=nobody')).toEqual([]);
  const { text } = await vera.get('/runs');
  const statuses = Array.from(text.matchAll(/<span class="status (\w+)">([^<]+)</g), ([, mark, words]) => [
    mark,
    words,
  ]);
  expect(statuses.slice(0, 5)).toEqual([
    ['not_submitted', 'Discarded'],
    ['waiting', 'Awaiting approval'],
    ['failed', 'Completed, 2 failed'],
    ['unresolved', 'Stopped, 3 not sent'],
    ['completed', 'Completed'],
  ]);
  expect(text).toContain('<span class="tag">retry</span>');
});

test('jobs are shown with their next times, their waiting plan and their last run; broken files with the place', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'jobs'));
  const job =
    'name: salaries\ndescription: <i>Salaries\ninput: ../pay.csv\nschedule:\n  cron: "0 9 25 * *"\n  time_zone: Europe/Berlin\n';
  writeFileSync(join(folder, 'jobs', 'salaries.yaml'), job);
  writeFileSync(join(folder, 'jobs', 'broken.yaml'), 'name: broken\ninputt: x.csv\n');
  const page = await openPage({ deps: { jobs: () => listJobs(join(folder, 'jobs')).map(knownJob) } });
  await run(page, 'R-1', { job: 'salaries', period: '2026-10' }, [started(), finished(ALL)]);
  await run(page, 'R-2', { job: 'salaries', period: '2026-11' }, [{ kind: 'cancelled', by: 'anna' }]);
  await run(page, 'R-3', { job: 'salaries', period: '2026-11' }, []);
  await page.first('Anna');
  const { text } = await (await page.person('Vera', ['viewer'])).get('/jobs');
  expect(text).toContain('2026-12-25 09:00 Europe/Berlin');
  expect(text).toContain('<a href="/runs/R-3">2026-11</a>');
  expect(text).toContain('<a href="/runs/R-1">2026-10</a>');
  expect(text).toContain('<span class="status completed">Completed</span>');
  expect(text).not.toContain('R-2');
  expect(text).not.toContain('<i>Salaries');
  expect(text).toMatch(/broken\.yaml:2:1: /);
  expect(text.indexOf('broken')).toBeLessThan(text.indexOf('salaries'));
  expect(text).not.toContain('Upload a file for it');
  const ben = await page.person('Ben', ['preparer']);
  const links = [...(await ben.get('/jobs')).text.matchAll(/href="([^"]+)">Upload a file for it/g)].map(([, to]) => to);
  expect(links).toEqual(['/?job=salaries']);
  expect((await ben.get('/?job=salaries')).text).toContain('<option value="salaries" selected>');
});

test('who did what to a run is told, its proofs are verified again, and what was altered is seen', async () => {
  let verification: Verification = { ok: true, entries: 9, head: 'a'.repeat(64) };
  const verifyRun: Calls['verifyRun'] = async (runId) => ({
    outcome: 'verified',
    runId,
    verification,
    report: null,
    noted: [],
  });
  const { page, asked, key, bea: browser } = await withPasskey({ calls: { verifyRun } });
  const { header } = await run(page, 'R-1', {}, [started(), finished(ALL)]);
  const plan = { digest: header.digest, payouts: 3, totals: ['37.02 AUD'] };
  const options = await askForApproval(page.web, asked, 'R-1', plan);
  const answer = await verifyApproval(page.web, asked, 'R-1', plan, key.get(options as never));
  const proof = answer.ok ? answer.proof : null;
  const person = asked.person.id;
  const approve = async (digest: string, passkey: unknown) =>
    await page.web.audit.append({ person, act: 'approved', runId: 'R-1', details: { digest, passkey } });
  await approve(header.digest, proof);
  const good = (await browser.get('/runs/R-1/audit')).text;
  expect(good).toContain('verified again now');
  expect(good).toContain('9 entries, none altered');
  expect(good).toContain('Started from anna@desk-7.');
  // Bea was refused a start, and then it was started by command: she is not who did it.
  await page.web.audit.append({ person, act: 'started', runId: 'R-2' });
  await run(page, 'R-2', {}, [started(), finished(ALL)]);
  expect((await browser.get('/runs/R-2')).text).toContain('started from anna@desk-7');
  expect(good).toContain('Finished: 1 completed.');
  expect(good).not.toContain('class="notice wrong"');

  await approve(header.digest, { ...proof, origin: 'http://evil.test' });
  await approve('e'.repeat(64), proof);
  verification = { ok: false, entries: 3, n: 4, damage: { code: 'entry_missing', n: 4, next: 5 } };
  const bad = (await browser.get('/runs/R-1/audit')).text;
  expect(bad).toContain('It proves nothing.');
  expect(bad).toContain('signed a different plan');
  expect(bad).toContain('could not be proven: entry 4 is missing: after 3 comes 5');

  const whole = (await browser.get('/audit')).text;
  expect(whole).toContain('none altered');
  expect(whole).toContain('approved the plan <a href="/runs/R-1" title="R-1">');
  const database = new DatabaseSync(join(page.dataDir, 'web', 'web.db'));
  database.exec("UPDATE audit SET details = '{}' WHERE n = 3");
  database.close();
  expect((await browser.get('/audit')).text).toMatch(/was altered: .*3/);
  expect((await browser.get('/audit?before=3')).text).not.toContain('approved the plan');
});

test('payees are found by name and id, with their accounts, what changed when, and what they were paid', async () => {
  const page = await openPage();
  const accounts = ['10000001', '10000001', '20000002'];
  for (const [at, account] of accounts.entries()) {
    const entries = at === 2 ? [started()] : [started(), ...paid(2), finished(ALL)];
    await run(
      page,
      `R-${at}`,
      { rows: [payee(2, at === 1 ? 'Ada Byron' : 'Ada <b>Lovelace', account), payee(3, 'Ben Núñez', '30000003')] },
      entries,
    );
    await page.clock.pass(3_600_000);
  }
  await run(page, 'R-plan', { rows: [payee(2, 'Nobody yet', '40000004')] }, []);
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const list = (await vera.get('/payees')).text;
  expect(list).toContain('2 recipients. From all runs.');
  expect(list).not.toContain('Nobody yet');
  expect(list).toMatch(
    / ••0002 <small>NPP<\/small><\/span> <span class="soft">nothing was paid there yet<.*data-label="Payouts completed">2 of 3</,
  );
  expect((await vera.get('/payees?q=LOVELACE')).text).toContain('1 recipient.');
  expect((await vera.get('/payees?q=e3')).text).toContain('Núñez');
  expect((await vera.get('/payees?q=nunez')).text).toContain('1 recipient.');
  expect((await vera.get('/runs/R-0/rows?q=NUNEZ')).text).toContain('1 to 1 of 1');
  const place = /href="(\/payees\/[0-9a-f]{24})">Ada/.exec(list)?.[1] ?? '';
  const { text } = await vera.get(place);
  expect(text).toContain(
    `${shownNpp('0001')} became <strong>${shownNpp('0002')}</strong>, in <a class="id" href="/runs/R-2">`,
  );
  const beside = (await vera.get(`/payees?payee=${place.slice(-24)}&only=changed`)).text;
  expect(beside).toMatch(/<aside class="drawer".*by anna@desk-7/s);
  expect(beside).toContain(`<b>${shownNpp('0001')} → ${shownNpp('0002')}</b>`);
  expect(beside).toContain('href="/payees?only=changed" data-closes=');
  expect(beside).not.toMatch(/10000001|20000002|<b>Love|<input name="reason"/);
  expect((await vera.get('/payees?payee=0123456789abcdef01234567')).text).not.toContain('class="drawer"');
  expect(text).toContain('Ada Byron became <strong>Ada &lt;b&gt;Lovelace</strong>');
  expect(text.match(/data-label="First paid">([^<]*)</g)).toEqual([
    'data-label="First paid">never yet<',
    'data-label="First paid"><',
  ]);
  expect(Array.from(text.matchAll(/href="\/runs\/(R-\d)\/rows/g), ([, id]) => id)).toEqual(['R-2', 'R-1', 'R-0']);
  expect(text).toContain('(Payroll, by anna@desk-7)');
  expect(text).toContain('<dt>Total paid</dt><dd>24.68 AUD</dd>');
  const order = (page: string) => Array.from(page.matchAll(/">(Ada|Ben) /g), ([, name]) => name);
  expect([order(list), order((await vera.get('/payees?sort=last')).text)]).toEqual([
    ['Ada', 'Ben'],
    ['Ada', 'Ben'],
  ]);
  expect(list).toContain('<a class="chip" href="/payees?only=changed">Account changed <b>1</b></a>');
  expect(order((await vera.get('/payees?only=changed')).text)).toEqual(['Ada']);
  expect(order((await vera.get('/payees?only=never_paid')).text)).toEqual(['Ben']);
  expect(order((await vera.get('/payees?currency=EUR')).text)).toEqual([]);
  const csv = await vera.get(`${place}/statement.csv`);
  expect(csv.headers.get('content-disposition')).toContain('statement-E2.csv');
  const lines = csv.text.trim().split('\r\n');
  expect(lines[0]).toContain('started_at,finished_at,payment,run_id,row,name,payee_id,account,amount,currency');
  expect(lines.slice(1).map((line) => line.split(',')[3])).toEqual(['R-2', 'R-1', 'R-0']);
  expect(lines[3]).toMatch(/,Ada <b>Lovelace,E2,AUD_NPP ••••0001,12\.34,AUD,.*,completed,12\.34,AUD,0\.00,tx_2,/);
  expect((await vera.get('/payees.csv?only=changed')).text.trim().split('\r\n')).toHaveLength(2);
  const book = await vera.get(`${place}/statement.xlsx`);
  expect([book.status, book.text.slice(0, 2)]).toEqual([200, 'PK']);
  // The CSV is for programs, the same in every language; the workbook is for people.
  await vera.post('/me/view', { language: 'de', zone: '' });
  expect((await vera.get(`${place}/statement.csv`)).text).toBe(csv.text);
  const texts = await sheetTexts(page, `${place}/statement.xlsx`, vera.cookie);
  for (const german of ['Gestartet', 'Betrag', 'Status', 'abgeschlossen', 'ja']) expect(texts).toContain(german);
  expect(texts.filter((one) => /_at$|^amount$|^completed$|^no$/.test(one))).toEqual([]);
  await vera.post('/me/view', { language: '', zone: '' });
  expect(await sheetTexts(page, `${place}/statement.xlsx`, vera.cookie)).toContain('sent_amount');
  expect(list + text + csv.text).not.toMatch(/10000001|20000002/);
  expect(list + text).not.toContain('<b>Love');
  expect((await vera.get('/payees/nobody')).status).toBe(404);
});

/** The text cells of a workbook's first sheet. */
async function sheetTexts({ app, origin }: TestPage, path: string, cookie: string): Promise<string[]> {
  const answer = await app.fetch(new Request(`${origin}${path}`, { headers: { cookie } }));
  const parts = await workbookParts(Buffer.from(await answer.arrayBuffer()));
  return Array.from((parts.get('xl/worksheets/sheet1.xml') ?? '').matchAll(/<t>([^<]*)</g), ([, text]) => text ?? '');
}

test('reports find payouts by payee, amount, transaction, token and day, and sum what was sent by month and currency', async () => {
  const page = await openPage();
  const rows = [payee(2, 'Ada <b>Lovelace', '10000001'), payee(3, 'Ben Núñez', '30000003')];
  await run(page, 'R-0', { rows, job: 'salaries', period: '2026-11' }, [started(), ...paid(2), finished(ALL)]);
  await page.clock.pass(40 * 86_400_000);
  await run(page, 'R-1', { rows }, [started(), ...paid(3), finished(ALL)]);
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const found = async (asked: string) => {
    const { text } = await vera.get(`/reports${asked}`);
    expect(text).not.toMatch(/<b>Love|10000001|30000003/);
    return Array.from(text.matchAll(/href="\/runs\/(R-\d)\/rows\?q=(\d)"/g), ([, id, row]) => `${id} ${row}`);
  };
  expect(await found('')).toEqual(['R-1 2', 'R-1 3', 'R-0 2', 'R-0 3']);
  expect(await found('?q=nunez')).toEqual(['R-1 3', 'R-0 3']);
  expect([await found('?q=12.34'), await found('?q=99.99')].map(({ length }) => length)).toEqual([4, 0]);
  expect([await found('?q=tx_2'), await found('?q=r-0&state=completed')]).toEqual([['R-0 2'], ['R-0 2']]);
  expect([await found('?to=2026-11-30'), await found('?from=2026-12-01&q=0003')]).toEqual([
    ['R-0 2', 'R-0 3'],
    ['R-1 3'],
  ]);
  expect([await found('?currency=EUR'), await found('?state=failed')]).toEqual([[], []]);
  const chosen = (await vera.get('/reports?column=transaction&column=payment')).text;
  expect(Array.from(chosen.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)</g), ([, title]) => title)).toEqual([
    ...['Recipient', 'Amount', 'Payment', 'Transaction'],
  ]);
  const csv = (await vera.get('/reports/payouts.csv?state=completed')).text.trim().split('\r\n');
  expect(csv.slice(1).map((line) => /,(R-\d),/.exec(line)?.[1])).toEqual(['R-1', 'R-0']);
  const spend = (await vera.get('/reports/spend')).text;
  expect(spend).toContain('<title id="spend-AUD-chart-title">Spend by month in AUD</title>');
  expect(spend).toContain('November 2026: 12.34 AUD; December 2026: 0.00 AUD; January 2027: 12.34 AUD</desc>');
  expect(spend).toMatch(/<th scope="row">January 2027<\/th><td[^>]*>1<\/td><td[^>]*>12\.34 AUD<\/td>/);
  const sums = (await vera.get('/reports/spend.csv')).text.trim().split('\r\n');
  expect(sums.slice(1)).toEqual(['2026-11,AUD,1,12.34,0.00', '2027-01,AUD,1,12.34,0.00']);
});

test('the overview names what needs a person, what is under way, balances and spend', async () => {
  let answers: (() => Promise<readonly Money[]>) | null = null;
  const AUD = { code: 'AUD', chain: null, decimals: 2 };
  const balances = async () => {
    if (answers === null) throw new Error('the service is away');
    return answers();
  };
  const page = await openPage({ services: { balances }, isAlive: () => true });
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const empty = (await vera.get('/')).text;
  expect(empty).toContain('No payments yet');
  expect(empty).not.toMatch(/Balances|Under way|Recent payments|Spend by month|New payment/);
  const pia = await page.person('Pia', ['preparer']);
  // Before the first payment, the overview has the upload; later, a button leads to it.
  expect((await pia.get('/')).text).toMatch(/No payments yet[\s\S]+<input type="file" name="file"/);

  await run(page, 'R-0', { job: 'rent' }, [started(), ...paid(2), finished({ ...ALL, failed: 2 })]);
  await run(page, 'R-1', { job: 'leases' }, [started(), finished({ ...ALL, unresolved: 1 })]);
  await run(page, 'R-2', { job: 'expenses' }, [started(), stopped()]);
  await run(page, 'R-3', { job: 'fixed', retries: 'R-9' }, [started(), finished(ALL)]);
  await run(page, 'R-9', { job: 'old' }, [started(), finished({ ...ALL, failed: 1 })]);
  answers = async () => [
    { minor: 123_456n, currency: AUD },
    { minor: 0n, currency: { ...AUD, code: 'EUR' } },
  ];
  await page.clock.pass(61_000);
  const sample = sampleHeader('R-4');
  const entries: Entry[] = [sampleRows(3), { kind: 'planned', plan: samplePlan(sample) }, started(), ...paid(2)];
  await page.journal.createRun({ header: sample, rows: entries, refuseRepeat: false });
  const { text } = await vera.get('/');
  const needs = Array.from(
    text.matchAll(/<span class="what" id="todo-\d+"><b>([^<]+)<\/b><span class="soft small">([^<·]+)/g),
  );
  expect(needs.map(([, what, name]) => `${name?.trim()}: ${what}`)).toEqual([
    'Leases: 1 payout needs a decision',
    'Expenses: Stopped, 3 payouts not sent',
    'Rent: 2 payouts failed',
  ]);
  expect(text).toMatch(
    /aria-label="Final payouts of [^"]+"><rect class="ok"[^>]*width="333"[^>]*>.*data-label="Final">1 of 3</,
  );
  expect(text).toContain('<th scope="row">AUD</th><td class="number" data-label="Available">1,234.56</td>');
  expect(text).not.toContain('EUR');
  expect(text).toContain('Spend by month in AUD');
  expect(text.match(/<a href="\/runs\/R-\d">(Rent|Leases|Fixed|Old)</g)).toHaveLength(4);

  expect((await pia.get('/')).text).toMatch(/href="\/uploads\/new">[\s\S]{1,99}New payment<\/a>/);
  expect((await pia.get('/')).text).not.toContain('type="file"');

  // What it said is shown for ten minutes, with its time; then it is absent.
  answers = null;
  await page.clock.pass(5 * 60_000);
  expect((await vera.get('/')).text).toContain('>1,234.56<');
  await page.clock.pass(6 * 60_000);
  expect((await vera.get('/')).text).not.toContain('Balances');
});

test('the overview shows balances after planned payments, upcoming starts, and spend compared with last month', async () => {
  const AUD = { code: 'AUD', chain: null, decimals: 2 };
  let held = 4_000n;
  const cron = { name: 'rent', nextTimes: (nowMs: number) => [{ due: nowMs + 86_400_000, at: '', period: '' }] };
  const job = { ...knownJob({ name: 'rent', file: 'rent.yaml', read: { ok: false, problems: [] } }), ...cron };
  const balances = async () => [{ minor: held, currency: AUD }];
  const page = await openPage({ services: { balances }, deps: { jobs: () => [job] } });
  // Last month: one payout by the 26th, and two later that are not compared. This month: two by the 27th of December.
  await page.clock.pass(Date.parse('2026-11-26T00:00:00Z') - page.clock.wallMs());
  await run(page, 'R-0', {}, [started(), ...paid(2), finished(ALL)]);
  await page.clock.pass(Date.parse('2026-11-28T00:00:00Z') - page.clock.wallMs());
  await run(page, 'R-1', {}, [started(), ...paid(2), ...paid(3), finished(ALL)]);
  await page.clock.pass(Date.parse('2026-12-27T00:00:00Z') - page.clock.wallMs());
  await run(page, 'R-2', {}, [started(), ...paid(2), ...paid(3), finished(ALL)]);
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const cells = async () => {
    const { text } = await vera.get('/');
    return Array.from(text.matchAll(/data-label="(?:Available|To approve|After)">(.*?)<\/td>/g), ([, cell]) =>
      cell?.replace(/<[^>]*>/g, ''),
    );
  };
  expect(await cells()).toEqual(['40.00']);
  await run(page, 'R-3', { job: 'discarded' }, [{ kind: 'cancelled', by: 'anna' }]);
  const start = { at: page.clock.wallMs() + 3_600_000, time_zone: 'Europe/London' };
  await run(page, 'R-4', { job: 'leases' }, [{ kind: 'scheduled', start, public_key: 'k', by: 'anna' }]);
  expect(await cells()).toEqual(['40.00', '−37.02', '2.98']);
  await run(page, 'R-5', { job: 'expenses' }, []);
  await page.clock.pass(61_000);
  held = 5_000n;
  await vera.get('/');
  expect(await cells()).toEqual(['50.00', '−74.04', 'short: −24.04']);
  const { text } = await vera.get('/');
  const coming = text.slice(text.indexOf('<h2 id="coming">'));
  expect(coming.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toMatch(
    /Leases TEST rehearsal if approved 28 Dec, .* rent job/,
  );
  expect(text).toMatch(/<span class="number strong">24\.68<\/span><span class="number soft small">\+100%</);
});

function payee(row: number, name: string, account: string): RunRow {
  const sample = sampleRow(row);
  if (sample.order === null || sample.order.destination.kind !== 'account') throw new Error('the sample changed');
  const { destination } = sample.order;
  const fields = { ...destination.fields, account_number: account };
  return {
    ...sample,
    order: { ...sample.order, payee: { ...sample.order.payee, name }, destination: { ...destination, fields } },
  };
}

function paid(row: number): Entry[] {
  const money = { sent_minor: '1234', received_minor: '1234', fees_minor: '0' };
  const currency = { code: 'AUD', chain: null, decimals: 2 };
  const final = {
    kind: 'final',
    row,
    transaction_id: `tx_${row}`,
    status: 'COMPLETED',
    code: null,
    message: null,
  } as const;
  return [
    sampleIntent(row),
    { kind: 'accepted', row, attempt: 1, transaction_id: `tx_${row}`, by: 'answer' },
    { ...final, ...money, sent_currency: currency, received_currency: currency },
  ];
}

type Changed = { input?: string; job?: string; period?: string; retries?: string; rows?: RunRow[] };

/** A plan in the journal, and what became of it. */
async function run(
  { journal }: TestPage,
  id: string,
  { input, rows: given, ...changed }: Changed,
  entries: Entry[],
): Promise<{ header: RunCreated }> {
  const sample = sampleHeader(id);
  const header = { ...sample, ...changed, input: { ...sample.input, name: input ?? sample.input.name } };
  const first: Entry = given === undefined ? sampleRows(3) : { kind: 'rows', rows: given };
  const rows: Entry[] = [first, { kind: 'planned', plan: samplePlan(header) }, ...entries];
  const created = await journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
  return { header };
}

function started(): Entry {
  return { kind: 'started', by: 'anna@desk-7' };
}

function stopped(): Entry {
  return { kind: 'stopped', reason: 'outage' };
}

function finished(counts: Counts): Entry {
  return { kind: 'finished', counts };
}
