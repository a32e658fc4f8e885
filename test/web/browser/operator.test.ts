import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { startService, temporaryFolder } from '../../support/payrun.ts';
import { admin, allTransactions } from '../../support/service-admin.ts';
import { startWeb } from '../../support/web-process.ts';
import { expectGoodPage } from './good-page.ts';
import { openOffice, PASSWORD, payFile, signInAgain, startPaying } from './office.ts';

const chromium = useChromium();

/** A quiet machine needs half a minute of it. */
const PATIENCE_MS = 600_000;
const ROWS = 12;
/** A page that is gone, or that knows nobody any more, as the browser tells of it. */
const GONE = /net::ERR_|htmx:sse:error|htmx:error|status of 401/;
/** So slow that most of it waits while somebody looks. */
const SLOW = { PAYRUN_RATE: '1', PAYRUN_CONCURRENCY: '1', PAYRUN_POLL_EVERY: '1s' };
/** A service that promises little: what it does not list may still be paid, so that a person decides. */
const CARELESS = `request_lifetime: 6s\nlisting_lag: 0s\nguarantees: {enforces_expiry: false, replay_protection: false}\n`;

/** Their amounts, 1.00 to 12.00, are all different. */
function payroll(): Buffer {
  const lines = Array.from(
    { length: ROWS },
    (_, at) => `P${at},Payee ${at},${at + 1}.00,AUD,AUD_NPP,${10_000_000 + at},062-000`,
  );
  return Buffer.from(
    ['payee_id,name,amount,currency,rail,account_number,national_clearing_code', ...lines, ''].join('\n'),
  );
}

browserTest(
  'an operator at night pauses, resumes and stops a payment whose page is killed, settles a lost answer, and pays the rest',
  async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, 'data');
    const service = await startService({ dataDir: join(folder, 'service') });
    const profile = join(folder, 'profile.yaml');
    writeFileSync(profile, CARELESS);
    await admin(service, 'fault.add', { operation: 'transaction.transfer', kind: 'drop-before', nth: 2 });
    const env = { ...SLOW, PAYRUN_PROFILE: profile, PAYRUN_REPORT_DIR: join(folder, 'reports') };
    const web = await startWeb({ dataDir, service, env });
    const office = await openOffice(chromium, web);
    const { anna, bea } = office;
    const { page } = anna;
    for (const visitor of [anna, bea]) visitor.mayMeet(GONE);
    const run = await payFile(office, { name: 'July pay.csv', buffer: payroll() }, ['78.00 AUD']);

    await sentAtLeast(page, 3);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    await expectGoodPage(page);
    const paused = await allTransactions(service);
    web.started.child.kill('SIGKILL');
    await web.started.ended;
    const port = new URL(web.url).port;
    await startWeb({ dataDir, service, env, port });
    await signInAgain(office, web.url);
    await anna.open(run);
    // A page that starts takes up what was cut off, and nothing that somebody paused.
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    expect(await allTransactions(service)).toHaveLength(paused.length);

    await page.getByRole('button', { name: 'Go on' }).click();
    await sentAtLeast(page, paused.length + 2);
    await page.getByRole('link', { name: 'Stop…' }).click();
    await page.getByRole('button', { name: 'Stop the run' }).click();
    await page.locator('#headline').waitFor();

    await settleByNotice(page, run);
    await page.getByRole('heading', { name: 'Stopped', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page
      .getByRole('link', { name: /^(Pay the remaining|Retry)/ })
      .first()
      .click();
    await expectGoodPage(page);
    await page.getByRole('button', { name: 'Prepare this payment' }).click();
    await page.waitForURL((url) => url.href !== run && /^\/runs\/[^/]+$/.test(url.pathname));
    const rest = page.url();
    const totals = await page.getByRole('region', { name: 'Totals', exact: true }).getByRole('row').last().innerText();
    await bea.open(`${rest}/approve`);
    await bea.page.getByLabel('Type the total').fill(/[\d,]+\.\d\d/.exec(totals)?.[0] ?? '');
    await bea.page.getByLabel('Your password').fill(PASSWORD);
    await bea.page.getByRole('button', { name: /^Approve / }).click();
    await bea.page.waitForURL(rest);
    await startPaying(anna, rest);
    await page.getByRole('heading', { name: /payouts completed$/ }).waitFor();

    const amounts = (await allTransactions(service)).map(({ currency_out }) => Number(currency_out.value) / 100);
    expect(amounts.toSorted((one, other) => one - other)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1));
    expect(await admin(service, 'verify')).toEqual({ findings: [] });
  },
  PATIENCE_MS,
);

/** Opens the unconfirmed payout from its notice, which arrives some seconds later, and records it as not sent. */
async function settleByNotice(page: Page, run: string): Promise<void> {
  const notice = page.getByRole('link', { name: /need/ }).first();
  const isThere = async (): Promise<boolean> => {
    await page.goto('/');
    await page
      .getByRole('link', { name: /^Notices/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Notices', level: 1 }).waitFor();
    return notice.isVisible();
  };
  await expect.poll(isThere).toBe(true);
  await notice.click();
  await page.getByRole('link', { name: /^Decide/ }).click();
  await page.getByRole('heading', { name: 'What you can do' }).waitFor();
  await expectGoodPage(page);
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'It was not sent' }) });
  await form.getByRole('textbox').fill((await form.locator('strong').last().innerText()).trim());
  await form.getByRole('button').click();
  await page.waitForURL(run);
}

async function sentAtLeast(page: Page, least: number): Promise<void> {
  const sent = async () => Number(await page.locator('#sent-count').getAttribute('value'));
  await expect.poll(sent, { interval: 100, timeout: 60_000 }).toBeGreaterThanOrEqual(least);
}
