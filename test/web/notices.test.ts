import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PageMail } from '../../src/web/parts.ts';
import { writeLargeRun } from '../support/large-run.ts';
import { mailServer } from '../support/mail-server.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { startWeb } from '../support/web-process.ts';
import { comeIn, linkOn, plan } from './page-process.ts';
import { openPage, PASSWORD } from './web-page.ts';

const SHEET = `payee_id,name,amount,currency,rail,account_number,national_clearing_code
E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000
E2,REHEARSE_KYB Bob,7.00,AUD,AUD_NPP,87654321,062-000
`;

test('people are mailed what they chose, each once, with a link and no account', async () => {
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
  const bea = await comeIn(url, await linkOn(anna, location));
  await anna.post('/me/notices', { address: 'anna@example.org', events: ['waiting', 'failed', 'unresolved'] });
  await bea.post('/me/notices', { address: 'bea@example.org', events: ['waiting'] });

  const run = await plan(anna, await anna.upload('July.csv', SHEET));
  await server.heard(/^\.$/, 1);
  await bea.post(`${run}/approve`, { total: '19.50 AUD', password: PASSWORD });
  await server.heard(/^\.$/, 2);
  await anna.post(`${run}/start`);
  await server.heard(/^\.$/, 3);

  expect(server.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [['bea@example.org'], 'REHEARSAL: payrun: July is waiting for you'],
    [['anna@example.org'], 'REHEARSAL: payrun: July is waiting for you'],
    [['anna@example.org'], 'REHEARSAL: payrun: July completed, 1 failed'],
  ]);
  for (const { text, raw } of server.mails) {
    expect(text).toContain(`Open it: ${url}${run.replace('/plans/', '/runs/')}`);
    expect(raw).not.toMatch(/12345678|87654321|Ada|Bob/);
  }
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
