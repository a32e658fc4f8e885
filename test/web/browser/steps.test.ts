import { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/payrun.ts';
import { PROJECT } from '../../support/payrun-process.ts';
import { startWeb } from '../../support/web-process.ts';
import { expectGoodPage } from './good-page.ts';
import { comeInFirst, PASSWORD, uploadFile } from './office.ts';
import { openHere } from './page-here.ts';
import { comeIn, invite, signOut } from './people.ts';

const chromium = useChromium();

/** No header but the account's is one that payrun knows. */
const FOREIGN = `Who we pay,Net to bank,Money,How,Acct,BSB/Sort/ABA,Memo line,Manager
Siân Llewellyn,3120.55,AUD,AUD_NPP,12345678,062-000,PAY NOV 26,R. Osei
Oliver Hughes,3845.00,AUD,AUD_NPP,12345679,062-000,PAY NOV 26,R. Osei
Aoife Byrne,2975.80,AUD,AUD_NPP,12345670,062-000,PAY NOV 26,L. Marsh
`;

/** The most clicks of preparer and approver together, from their sign-ins to the paid file. */
const CLICKS_MAX = 9;

/**
 * Counts what a hand does: each click of the mouse, each Enter, and the one choice of a file in the dialog of the system. To
 * type a name, a password or a total is no click.
 */
function countedHand() {
  let clicks = 0;
  return {
    get clicks() {
      return clicks;
    },
    async click(locator: Locator): Promise<void> {
      clicks++;
      await locator.click();
    },
    async enter(page: Page): Promise<void> {
      clicks++;
      await page.keyboard.press('Enter');
    },
    async chooseFile(page: Page, file: { name: string; buffer: Buffer }): Promise<void> {
      const asked = page.waitForEvent('filechooser');
      await this.click(page.locator('input[type=file]'));
      clicks++;
      await (await asked).setFiles({ mimeType: 'text/csv', ...file });
    },
  };
}

type Hand = ReturnType<typeof countedHand>;

browserTest('a second user pays a first file with a foreign header in at most nine clicks', async () => {
  const folder = temporaryFolder();
  const web = await startWeb({ dataDir: join(folder, 'data'), args: ['--report-dir', join(folder, 'reports')] });
  const [anna, clara, bea] = [
    await chromium.visitor(web.url),
    await chromium.visitor(web.url),
    await chromium.visitor(web.url),
  ];
  await comeIn(bea, await comeInFirst(anna, web));
  await comeIn(clara, await invite(anna, 'Clara Nash', ['Preparer']));
  for (const one of [bea, clara]) await signOut(one);

  const hand = countedHand();
  await signInBy(hand, clara, 'Clara Nash');
  const { page } = clara;
  await hand.chooseFile(page, { name: 'November.csv', buffer: Buffer.from(FOREIGN) });
  await page.getByRole('heading', { name: 'Map the columns' }).waitFor();
  for (const [column, means] of [
    ['A, Who we pay', 'Name of the payee'],
    ['B, Net to bank', 'Amount'],
    ['C, Money', 'Currency'],
    ['H, Manager', 'Not used'],
  ] as const)
    expect(await page.getByRole('combobox', { name: `Column ${column}` }).inputValue()).toBe(means);
  await hand.click(page.getByRole('button', { name: 'Continue to review' }));
  await hand.click(page.getByRole('button', { name: 'Submit 3 payouts of 9,941.35 AUD for approval' }));
  await page.getByRole('heading', { name: 'Awaiting approval by' }).waitFor();

  await signInBy(hand, bea, 'Bea Ortiz');
  await hand.click(bea.page.getByRole('link', { name: 'Review and approve' }));
  await bea.page.getByLabel('Type the total').fill('9941.35 AUD');
  await bea.page.getByLabel('Your password').fill(PASSWORD);
  await hand.click(bea.page.getByRole('button', { name: /^Approve / }));

  await hand.click(page.getByRole('button', { name: 'Start paying 3 payouts of 9,941.35 AUD' }));
  await page.getByRole('heading', { name: 'Rehearsal: all 3 payouts completed' }).waitFor();
  expect(hand.clicks).toBeLessThanOrEqual(CLICKS_MAX);
});

async function signInBy(hand: Hand, { page, open }: Visitor, name: string): Promise<void> {
  await open('/');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await hand.enter(page);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

const LAYOUTS = join(PROJECT, '..', 'shared', 'vectors', 'layouts');

/** Files of banks and products, what is chosen for each on the Map step, and what can be paid then. */
const FILES: readonly (readonly [file: string, chosen: Readonly<Record<string, string>>, found: string])[] = [
  ['au_bsb_preamble.csv', {}, '2 payouts of 350.00 AUD'],
  ['kotak_neft.csv', {}, '1 payout of 45,000.75 INR'],
  ['sbi_cmp.csv', {}, '1 payout of 45,000.75 INR'],
  ['uk_bacs.csv', {}, '1 payout of 2,354.44 GBP'],
  ['mx_bbva_nomina.csv', {}, '1 payout of 12,500.00 MXN'],
  ['revolut_sepa.csv', { 'rail.EUR': 'EUR_SEPA' }, '1 payout of 20.50 EUR'],
  ['revolut_uk_sortcode.csv', {}, '2 payouts of 1,349.10 GBP'],
  ['razorpayx.csv', {}, '1 payout of 4,200.00 INR'],
  ['vn_payroll_full.csv', { 'is.amount': 'M', currency: 'USD' }, 'Nothing in it can be paid as it is.'],
  ['ae_wps.csv', {}, 'Nothing in it can be paid as it is.'],
];

const layoutTest = existsSync(LAYOUTS) ? browserTest : skipped();

function skipped(): typeof browserTest {
  process.stderr.write('SKIPPED: no layouts of banks beside this folder\n');
  return browserTest.skip as typeof browserTest;
}

layoutTest('ten layouts of banks and products are mapped by clicks alone', async () => {
  const web = await openHere();
  const anna = await chromium.visitor(web.url);
  await comeInFirst(anna, web);
  const { page } = anna;
  await anna.open('/uploads/new');
  await expectGoodPage(page);
  for (const [name, chosen, found] of FILES) {
    await anna.open('/uploads/new');
    await uploadFile(anna, { name, buffer: readFileSync(join(LAYOUTS, name)) });
    for (const [field, value] of Object.entries(chosen)) await page.locator(`[name="${field}"]`).selectOption(value);
    if (await page.getByRole('heading', { name: 'Map the columns' }).isVisible())
      await page.getByRole('button', { name: 'Continue to review' }).click();
    await page.locator('.stepper [aria-current]', { hasText: 'Review' }).waitFor();
    expect([name, await page.locator('.notice .lead').first().innerText()]).toEqual([
      name,
      expect.stringContaining(found),
    ]);
    // The address of the file leads to its mapping as long as that leaves something open.
    await page.reload();
    await page.locator('.stepper [aria-current]', { hasText: 'Review' }).waitFor();
  }
});
