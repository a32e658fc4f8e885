import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/payrun.ts';
import { startWeb } from '../../support/web-process.ts';
import { expectGoodPage } from './good-page.ts';
import { enterOn, tabTo, typeInto } from './keyboard.ts';
import { openOffice, PASSWORD, uploadFile } from './office.ts';
import { addPasskey, withAuthenticator } from './people.ts';

const chromium = useChromium();

const SHEET = `Staff no,payee_id,Name,Gross to bank,currency,rail,account_number,national_clearing_code
7,E1,Ada Byron,1012.50,AUD,AUD_NPP,12345678,062-000
8,E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000
`;

browserTest(
  'two people pay a file by keyboard alone: one mends how it is read and plans it, the other approves',
  async () => {
    const folder = temporaryFolder();
    const web = await startWeb({ dataDir: join(folder, 'data'), args: ['--report-dir', join(folder, 'reports')] });
    const { anna, bea } = await openOffice(chromium, web);
    await withAuthenticator(bea);
    await addPasskey(bea, 'Phone');

    await anna.open('/');
    await chooseFile(anna, SHEET);
    const { page } = anna;
    await page.getByRole('heading', { name: 'Map the columns' }).waitFor();
    await expectGoodPage(page);
    for (const [column, typed, means] of [
      ['Column A, Staff no', 'not u', 'Not used'],
      ['Column D, Gross to bank', 'amou', 'Amount'],
    ] as const) {
      const picker = page.getByRole('combobox', { name: column });
      await tabTo(page, picker);
      await page.keyboard.type(typed);
      await page.getByRole('option', { name: means, exact: true }).waitFor();
      await page.keyboard.press('Enter');
      expect(await picker.inputValue()).toBe(means);
    }
    await enterOn(page, page.getByRole('button', { name: 'Continue to review' }));
    await page.locator('.stepper [aria-current]', { hasText: 'Review' }).waitFor();
    await enterOn(page, page.getByRole('button', { name: 'Submit 2 payouts of 1,032.50 AUD for approval' }));
    await page.getByRole('heading', { name: 'Awaiting approval by Bea Ortiz.' }).waitFor();
    await page.getByText('You prepared this payment, so someone else must approve it.').waitFor();
    await expectGoodPage(page);
    const run = page.url();
    await anna.open(`${run}/approve`);
    await page.getByText('You cannot approve this plan.').waitFor();
    await anna.open(run);

    await approve(bea, run);
    await anna.open(run);
    await enterOn(page, page.getByRole('button', { name: 'Start paying' }));
    await bea.open(run);
    await expectPaid(anna);
    await expectPaid(bea);
    const sentence = page.getByRole('region', { name: 'Rehearsal: all 2 payouts completed' }).locator('p').first();
    expect(await sentence.innerText()).toMatch(/^1,032\.50 AUD was sent in the rehearsal, in \d+ s\.$/);
    await expectGoodPage(page);
    expect(parse(await downloadText(anna, 'CSV'), { columns: true, bom: true })).toMatchObject([
      { status: 'completed', Name: 'Ada Byron' },
      { status: 'completed', Name: 'Mary Jackson' },
    ]);
    expect(await downloadText(anna, 'View report')).toContain('July pay.csv');
    for (const path of ['/runs', '/jobs', '/payees', '/audit', `${run}/audit`, `${run}/rows`, `${run}/cancel`]) {
      await anna.open(path);
      await expectGoodPage(page);
    }
  },
);

async function expectPaid({ page }: Visitor): Promise<void> {
  await page.getByRole('heading', { name: 'Rehearsal: all 2 payouts completed' }).waitFor();
}

async function downloadText({ page }: Visitor, link: string): Promise<string> {
  const file = page.locator('.drop-menu').getByRole('link', { name: link });
  if (!(await file.isVisible())) await enterOn(page, page.locator('summary', { hasText: 'Download' }));
  const asked = page.waitForEvent('download');
  await enterOn(page, file);
  return readFileSync(await (await asked).path(), 'utf8');
}

async function chooseFile({ page }: Visitor, text: string): Promise<void> {
  const asked = page.waitForEvent('filechooser');
  await enterOn(page, page.locator('input[type=file]'));
  await (await asked).setFiles({ name: 'July pay.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
}

async function approve({ page, open }: Visitor, run: string): Promise<void> {
  await open('/');
  await enterOn(page, page.getByRole('link', { name: 'July pay' }));
  await enterOn(page, page.getByRole('link', { name: 'Review and approve' }));
  await page.getByRole('heading', { name: 'Your decision' }).waitFor();
  await expectGoodPage(page);
  await typeInto(page, page.getByLabel('Type the total'), '1032.50 AUD');
  await typeInto(page, page.getByLabel('Your password'), PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(run);
  await page.getByText('Approved, and ready to start.').waitFor();
}

browserTest('a page that redirects navigates once, however slow the next page is', async () => {
  const web = await startWeb({ dataDir: join(temporaryFolder(), 'data') });
  const { open, page } = (await openOffice(chromium, web)).anna;
  await open('/');
  let navigations = 0;
  await page.route('/redirects', (route) => route.fulfill({ headers: { 'hx-redirect': '/me' } }));
  await page.route('/me', async (route) => {
    navigations++;
    // The page asks again several times meanwhile.
    await setTimeout(1_000);
    await route.continue().catch(() => {});
  });
  const asks = '<p hx-get="/redirects" hx-trigger="every 100ms"></p>';
  await page.evaluate(`document.querySelector('main').innerHTML = '${asks}'; htmx.process(document.body)`);
  await page.getByRole('heading', { name: 'Anna Novak' }).waitFor();
  expect(navigations).toBe(1);
});

browserTest('a file is uploaded that was chosen before the script of the page had come', async () => {
  const web = await startWeb({ dataDir: join(temporaryFolder(), 'data') });
  const { open, page } = (await openOffice(chromium, web)).anna;
  await open('/me');
  const held = Promise.withResolvers<void>();
  await page.route('/static/page.js*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const asked = page.waitForEvent('filechooser');
  await page.locator('input[type=file]').click();
  await (await asked).setFiles({ name: 'July.csv', mimeType: 'text/csv', buffer: Buffer.from(ONE_PAYOUT) });
  held.resolve();
  await page.getByRole('button', { name: /^Submit \d/ }).waitFor();
});

const ONE_PAYOUT =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000\n';

browserTest(
  'whoever has the page of a plan open sees the approval, and the run that somebody else starts',
  async () => {
    const folder = temporaryFolder();
    const web = await startWeb({ dataDir: join(folder, 'data'), args: ['--report-dir', join(folder, 'reports')] });
    const { anna, bea } = await openOffice(chromium, web);
    await anna.open('/');
    await uploadFile(anna, { name: 'July.csv', buffer: Buffer.from(ONE_PAYOUT) });
    await anna.page.getByRole('button', { name: /^Submit \d/ }).click();
    await anna.page.waitForURL('/runs/*');
    const run = anna.page.url();
    await anna.page.getByRole('heading', { name: 'Awaiting approval by' }).waitFor();
    // A mark that another load of the page would take away.
    await anna.page.locator('body').evaluate((body) => body.setAttribute('data-same', 'yes'));

    await bea.open(`${run}/approve`);
    await bea.page.getByLabel('Type the total').fill('12.50 AUD');
    await bea.page.getByLabel('Your password').fill(PASSWORD);
    await bea.page.getByRole('button', { name: /^Approve / }).click();
    await bea.page.waitForURL(run);

    const start = anna.page.getByRole('button', { name: 'Start paying 1 payout of 12.50 AUD' });
    await start.waitFor();
    await anna.page.getByText('Bea Ortiz, ').first().waitFor();
    await anna.page.getByRole('region', { name: 'Timeline' }).getByText('Approved', { exact: true }).waitFor();
    await anna.page.getByRole('region', { name: 'Timeline' }).getByText('Ready to start').waitFor();
    expect(await anna.page.getAttribute('body', 'data-same')).toBe('yes');

    // Bea still has the plan open when Anna starts it: she is shown the run.
    await start.click();
    await bea.page
      .getByText(/Rehearsal: .*completed/)
      .first()
      .waitFor();
  },
);
