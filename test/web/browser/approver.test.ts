import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { mailServer } from '../../support/mail-server.ts';
import { temporaryFolder } from '../../support/payrun.ts';
import { startWeb } from '../../support/web-process.ts';
import { expectGoodPage } from './good-page.ts';
import { comeInFirst, PASSWORD, payFile, planFile, startPaying } from './office.ts';
import { addPasskey, comeIn, withAuthenticator } from './people.ts';

const chromium = useChromium();

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const JULY = `${HEADER}\nE1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000\nE2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000\n`;
/** Mary is paid on another account, and more. */
const AUGUST = `${HEADER}\nE1,Ada Byron,1010.50,AUD,AUD_NPP,12345678,062-000\nE2,Mary Jackson,25.00,AUD,AUD_NPP,22345679,062-000\n`;

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 3 };
/** What a thumb hits, in CSS pixels, and the size of text from which on no phone zooms into a field. */
const THUMB = 44;
const NO_ZOOM = 16;

browserTest(
  'an approver opens a mail on the phone, sees what changed first, and approves by password and passkey',
  async () => {
    const folder = temporaryFolder();
    const server = await mailServer();
    const web = await startWeb({
      dataDir: join(folder, 'data'),
      args: ['--mail-server', 'env:PAYRUN_SMTP_URL', '--mail-from', 'Payroll <pay@example.org>'],
      env: { PAYRUN_SMTP_URL: server.url, PAYRUN_RATE: '0' },
      cwd: folder,
    });
    const anna = await chromium.visitor(web.url);
    const link = await comeInFirst(anna, web);
    const bea = await chromium.visitor(web.url, PHONE);
    const { page } = bea;
    await comeIn(bea, link);
    await withAuthenticator(bea);
    await addPasskey(bea, 'Phone');
    await payFile({ anna, bea }, { name: 'July pay.csv', buffer: Buffer.from(JULY) }, ['1032.50']);
    await anna.page.getByRole('heading', { name: 'Rehearsal: all 2 payouts completed' }).waitFor();

    await bea.open('/me/notices');
    await page.getByLabel('E-mail address').fill('bea@example.org');
    await page.getByRole('checkbox', { name: /^By mail: A payment awaiting my approval/ }).check();
    await page.getByRole('button', { name: 'Save' }).tap();
    const run = await planFile(anna, { name: 'August pay.csv', buffer: Buffer.from(AUGUST) });
    await server.heard(/^\.$/, 1);
    const [mail] = server.mails;
    // Hours later she is signed out.
    await bea.context.clearCookies();
    await page.goto(/Open it: (\S+)/.exec(mail?.text ?? '')?.[1] ?? '');
    await page.getByLabel('Name').fill('Bea Ortiz');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).tap();
    await page.waitForURL(run);
    await page.getByRole('link', { name: 'Review and approve' }).tap();
    await page.getByRole('heading', { name: 'Your decision' }).waitFor();

    const total = page.getByLabel('Type the total');
    const changed = page.getByRole('heading', { name: 'Account details changed 1' });
    expect(await topOf(changed)).toBeLessThan(PHONE.viewport.height);
    const mary = /Mary Jackson E2.*was ••5679 → now AU ••5679.*differs in the hidden digits/;
    await page.locator('tr').filter({ hasText: mary }).waitFor();
    expect(await topOf(changed)).toBeLessThan(await topOf(total));
    await expectForThumbs(page);
    await total.fill('1035.50');
    await page.getByRole('checkbox', { name: 'I confirmed the changed account with the recipient.' }).check();
    await page.getByLabel('Comment').fill('Mary told me her new account by phone.');
    await page.getByLabel('Your password').fill(PASSWORD);
    await expectGoodPage(page);
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('button', { name: /^Approve / }).tap();
    await page.waitForURL(run);
    await page.getByText('Approved, and ready to start.').waitFor();

    // She leaves the page open, and sees that it is paid.
    await startPaying(anna, run);
    await page.getByRole('heading', { name: 'Rehearsal: all 2 payouts completed' }).waitFor();
    await anna.open(`${run}/audit`);
    await anna.page.getByText('Mary told me her new account by phone.').first().waitFor();
  },
);

async function topOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.y ?? Number.NaN;
}

/** Everything to press is as large as a thumb, and no phone zooms into what is to be filled in. */
async function expectForThumbs(page: Page): Promise<void> {
  const main = page.locator('main');
  for (const one of await main.locator('button, a.button, input:not([type=checkbox], .hidden), textarea').all()) {
    if (!(await one.isVisible())) continue;
    const what = await one.evaluate((element) => element.outerHTML);
    expect(Math.ceil((await one.boundingBox())?.height ?? 0), what).toBeGreaterThanOrEqual(THUMB);
  }
  for (const one of await main.locator('input, textarea, select').all())
    expect(
      await one.evaluate((element) => Number.parseFloat(String(element.computedStyleMap().get('font-size')))),
    ).toBeGreaterThanOrEqual(NO_ZOOM);
}
