import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { clockOf } from '../../support/clock-of.ts';
import { startService, temporaryFolder } from '../../support/payrun.ts';
import { startWeb } from '../../support/web-process.ts';
import { expectGoodPage } from './good-page.ts';
import { openOffice, PASSWORD, planFile, uploadFile } from './office.ts';

const chromium = useChromium();

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code\n';
const ADA = 'E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000\n';
const MARY = 'E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000\n';
const MINUTE_MS = 60_000;

browserTest(
  'a clerk schedules a payment, an approver sees the time on a phone, and it starts while its page is open, without a reload',
  async () => {
    const folder = temporaryFolder();
    const clock = join(folder, 'clock');
    writeFileSync(clock, '0');
    // A service that keeps the time, as the process does that pays.
    const service = await startService({ dataDir: temporaryFolder() });
    const web = await startWeb({
      dataDir: join(folder, 'data'),
      service,
      env: clockOf(clock),
      args: ['--poll-every', '50ms'],
    });
    const { anna, bea } = await openOffice(chromium, web);
    const { page } = anna;
    const due = new Date(Math.ceil(Date.now() / MINUTE_MS + 20) * MINUTE_MS).toISOString();
    const time = due.slice(11, 16);

    await anna.open('/');
    await uploadFile(anna, { name: 'July pay.csv', buffer: Buffer.from(HEADER + ADA) });
    await page.getByText('Start automatically at a date and time').click();
    await page.getByLabel('Start it then in my name').check();
    expect(await page.getByLabel('Day').inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
    await page.getByLabel('Day').fill(due.slice(0, 10));
    await page.getByLabel('Time', { exact: true }).fill(time);
    await page.getByLabel('Time zone').selectOption('UTC');
    await expectGoodPage(page);
    await page.getByRole('button', { name: /^Submit 1 payout/ }).click();
    await page.waitForURL(/\/runs\/|\/plan$/);
    // On a weekend it asks.
    const same = page.getByRole('button', { name: /anyway$/ });
    const plan = page.getByRole('heading', { name: /It is scheduled for/ });
    await same.or(plan).first().waitFor();
    if (await same.isVisible()) {
      await expectGoodPage(page);
      await same.click();
    }
    await plan.waitFor();
    const run = page.url();
    await expectGoodPage(page);

    await bea.page.setViewportSize({ width: 390, height: 844 });
    await bea.open(`${run}/approve`);
    await bea.page
      .getByText(new RegExp(`, ${time}, UTC$`))
      .first()
      .waitFor();
    await expectGoodPage(bea.page);
    await bea.page.getByLabel('Type the total').fill('1012.50');
    await bea.page.getByLabel('Your password').fill(PASSWORD);
    await bea.page.getByRole('button', { name: /^Approve / }).click();
    await bea.page.waitForURL(run);
    await bea.page.getByRole('heading', { name: /^Approved\. Starts on / }).waitFor();
    await expectGoodPage(bea.page);

    await page.getByRole('heading', { name: /^Approved\. Starts on / }).waitFor();
    let loads = 0;
    page.on('load', () => {
      loads++;
    });
    writeFileSync(clock, String(21 * MINUTE_MS));
    await page.getByRole('heading', { name: 'Rehearsal: the payout completed' }).waitFor();
    expect(loads).toBeLessThanOrEqual(1);

    // Another one, which nobody approves in time.
    writeFileSync(clock, '0');
    const late = await planFile(anna, { name: 'August pay.csv', buffer: Buffer.from(HEADER + MARY) });
    await page.getByRole('link', { name: 'Schedule…' }).click();
    await page.getByRole('heading', { name: 'When should it start?' }).waitFor();
    await expectGoodPage(page);
    await page.getByLabel('Day').fill(due.slice(0, 10));
    await page.getByLabel('Time', { exact: true }).fill(time);
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByRole('button', { name: 'Schedule it' }).click();
    await same.or(plan).first().waitFor();
    if (await same.isVisible()) await same.click();
    await plan.waitFor();
    await anna.open('/jobs');
    await page
      .getByRole('row', { name: /August pay/ })
      .getByText('Scheduled', { exact: true })
      .waitFor();
    await expectGoodPage(page);
    await anna.open(late);
    writeFileSync(clock, String(24 * MINUTE_MS));
    await page.getByRole('heading', { name: /^Missed its time\. / }).waitFor();
    await expectGoodPage(page);
    await anna.open('/');
    await page.getByText('Missed its time').first().waitFor();
    await expectGoodPage(page);
    await anna.open('/jobs');
    await page.getByRole('heading', { name: 'Missed' }).waitFor();
    await expectGoodPage(page);
  },
);
