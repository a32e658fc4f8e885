import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PageMail } from '../../src/web/parts.ts';
import { writeLargeRun } from '../support/large-run.ts';
import { mailServer } from '../support/mail-server.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { startWeb } from '../support/web-process.ts';
import { comeIn, linkOn, plan, until } from './page-process.ts';
import { shownNpp } from './shown-account.ts';
import { openPage, PASSWORD } from './web-page.ts';

const SHEET = `payee_id,name,amount,currency,rail,account_number,national_clearing_code
E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000
E2,REHEARSE_KYB Bob,7.00,AUD,AUD_NPP,87654321,062-000
`;

/** A page that mails, with Anna, who prepares, and Bea, who approves. */
async function office() {
  const server = await mailServer();
  const folder = temporaryFolder();
  const { url, firstUserUrl, started } = await startWeb({
    dataDir: join(folder, 'data'),
    cwd: folder,
    args: ['--mail-server', 'env:PAYRUN_SMTP_URL', '--mail-from', 'Payroll <pay@example.org>'],
    env: { PAYRUN_SMTP_URL: server.url },
  });
  onTestFinished(async () => {
    started.child.kill('SIGINT');
    await started.ended;
  });
  const anna = await comeIn(url, firstUserUrl ?? '', { name: 'Anna', role: ['preparer'] });
  const { location } = await anna.post('/people', { name: 'Bea', role: 'approver' });
  return { server, url, anna, bea: await comeIn(url, await linkOn(anna, location)) };
}

test('people are mailed what they chose, each once, with a link and no account', async () => {
  const { server, url, anna, bea } = await office();
  await anna.post('/me/notices', { address: 'anna@example.org', events: ['waiting', 'failed', 'unresolved'] });
  await bea.post('/me/notices', { address: 'bea@example.org', events: ['waiting'] });

  const run = await plan(anna, await anna.upload('July.csv', SHEET));
  await server.heard(/^\.$/, 1);
  await bea.post(`${run}/approve`, { total: '19.50 AUD', password: PASSWORD });
  await server.heard(/^\.$/, 2);
  await anna.post(`${run}/start`);
  await server.heard(/^\.$/, 3);

  expect(server.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [['bea@example.org'], '[TEST] payrun: July is waiting for you'],
    [['anna@example.org'], '[TEST] payrun: July is waiting for you'],
    [['anna@example.org'], '[TEST] payrun: July completed, 1 failed'],
  ]);
  for (const { text, raw } of server.mails) {
    expect(text).toContain(`Open it: ${url}${run.replace('/plans/', '/runs/')}`);
    expect(raw).not.toMatch(/12345678|87654321|Ada|Bob/);
  }
});

test('an approver is mailed that a plan pays a changed account, and the recipient shows who changed it and who approved it', async () => {
  const { server, url, anna, bea } = await office();
  await bea.post('/me/notices', { address: 'bea@example.org', events: ['changed_details'] });
  const july = await plan(anna, await anna.upload('July.csv', SHEET));
  await bea.post(`${july}/approve`, { total: '19.50 AUD', password: PASSWORD });
  await anna.post(`${july}/start`);
  await until(anna, july.replace('/plans/', '/runs/'), ({ text }) => text.includes('Completed, 1 failed'));

  const changed = SHEET.replace('12345678', '22345679').replace('12.50', '13.50');
  const august = await plan(anna, await anna.upload('August.csv', changed));
  await server.heard(/^\.$/, 1);
  const [mail] = server.mails;
  expect(mail?.subject).toBe('[TEST] payrun: August pays changed accounts, and waits for your approval');
  expect(mail?.text).toContain('1 payout of it goes to another account than the recipient was last paid on.');
  expect(mail?.text).toContain(`Open it: ${url}${august.replace('/plans/', '/runs/')}`);
  expect(mail?.raw).not.toMatch(/12345678|22345679|5679|Ada|Bob/);
  expect((await bea.get('/')).text).toContain('1 payout to changed accounts');
  expect((await bea.get('/approvals')).text).toContain('>1 changed account</span>');

  await bea.post(`${august}/approve`, { total: '20.50 AUD', password: PASSWORD });
  await anna.post(`${august}/start`);
  const book = await until(bea, '/payees?only=changed', ({ text }) => text.includes('>Ada Byron<'));
  const { text } = await bea.get(/href="(\/payees\/[0-9a-f]{24})">Ada/.exec(book.text)?.[1] ?? '');
  expect(text).toContain(`<strong>Account changed.</strong> ${shownNpp('5678')} became <b>${shownNpp('5679')}</b>`);
  expect(text.match(/August<\/a>, by Anna, approved by Bea\.|\(August, by Anna, approved by Bea\)/g)).toHaveLength(2);
  expect((await bea.get('/')).text).not.toContain('to changed accounts');
  expect(server.mails).toHaveLength(1);
});

test('a mail that cannot be sent is tried again, five times, and what was there before is not mailed', async () => {
  const mails: PageMail[] = [];
  let isRefused = true;
  const mail = async (sent: PageMail) => {
    mails.push(sent);
    return isRefused ? ({ fault: 'no_time' } as const) : null;
  };
  const page = await openPage({ deps: { mail } });
  const { notices } = page.web;
  const anna = await page.first('Anna', ['viewer']);
  await (await writeLargeRun(page.journal, { runId: 'R20261125-00000001', rows: 60 })).release();
  const chosen = await anna.post('/me/notices', { address: 'anna@example.org', events: 'failed' });
  expect(chosen.location).toBe('/me/notices?done=yes');
  const look = () => notices.look(new AbortController().signal);
  await look();
  expect(mails).toEqual([]);

  for (const runId of ['R20261125-00000002', 'R20261125-00000003']) {
    await (await writeLargeRun(page.journal, { runId, rows: 60 })).release();
    for (let tries = 0; tries < 7; tries++) {
      // Two pages that share the store send it once.
      await Promise.all([look(), look()]);
      await page.clock.pass(300_000);
      // Her session goes on.
      await anna.get('/me');
    }
    isRefused = false;
  }
  expect(mails.map(({ id, to }) => [id.split('.')[0], to])).toEqual([
    ...Array.from({ length: 5 }, () => ['failed-R20261125-00000002', 'anna@example.org']),
    ['failed-R20261125-00000003', 'anna@example.org'],
  ]);
  expect((await anna.get('/me/notices')).text).toContain('1 mail to you could not be sent');
});

test('people read in the page what they chose, and what they opened is no news any more', async () => {
  const page = await openPage();
  const large = async (runId: string) => (await writeLargeRun(page.journal, { runId, rows: 60 })).release();
  const look = () => page.web.notices.look(new AbortController().signal);
  const [anna, vera] = [await page.first('Anna'), await page.person('Vera', ['viewer'])];
  const bubble = async () => /unread: <\/span>(\d+)</.exec((await vera.get('/')).text)?.[1] ?? null;
  const shown = async () => {
    const { text } = await vera.get('/notices');
    expect(text).not.toMatch(/••••|Payee \d/);
    return Array.from(text.matchAll(/class="(unread|read)" href="([^"]+)">([^<]+)</g), ([, ...one]) => one);
  };
  await large('R20261125-00000001');
  await look();
  expect([await bubble(), await shown()]).toEqual([null, []]);

  await large('R20261125-00000002');
  await look();
  await look();
  expect(await bubble()).toBe('1');
  const [notice] = await shown();
  expect(notice).toEqual(['unread', '/notices/open?run=R20261125-00000002', expect.stringMatching(/ failed/)]);
  // Who sees no payments has no notices.
  expect((await anna.get('/notices')).text).toContain('No notices yet');

  expect((await vera.get(notice?.[1] ?? '')).location).toBe('/runs/R20261125-00000002');
  expect([await bubble(), (await shown()).map(([look]) => look)]).toEqual([null, ['read']]);
  expect((await vera.get('/notices/open?run=//evil.test')).location).toBe('/notices');

  const none = { address: '', in_page: 'chosen', page: ['waiting', 'unresolved'] };
  expect((await vera.post('/me/notices', none)).location).toBe('/me/notices?done=yes');
  await large('R20261125-00000003');
  await look();
  expect(await bubble()).toBe(null);
  // What failed meanwhile is known by then.
  await vera.post('/me/notices', { ...none, page: ['failed'] });
  await look();
  expect(await bubble()).toBe(null);
  await large('R20261125-00000004');
  await look();
  expect(await bubble()).toBe('1');
  // A form of before, without the choice, leaves it.
  await vera.post('/me/notices', { address: '' });
  expect((await vera.get('/me/notices')).text).toMatch(/name="page" value="failed" checked/);
  await vera.post('/notices/read');
  expect([await bubble(), await shown()].flat()).toHaveLength(3);
});

test('an address that is none is refused with what was typed, and half of the mail options too', async () => {
  const page = await openPage();
  const anna = await page.first('Anna', ['viewer']);
  const refused = await anna.post('/me/notices', { address: 'anna@example.org, eve@example.org', events: 'failed' });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="anna@example.org, eve@example.org"');
  expect(await page.web.notices.choices.all()).toEqual(new Map());
  const { exit, stderr } = await payrun(['web', '--port', '0', '--mail-from', 'pay@example.org'], {
    cwd: temporaryFolder(),
  });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('Give both --mail-server and --mail-from.')]);
});
