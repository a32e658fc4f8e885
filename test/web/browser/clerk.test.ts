import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { expectGoodPage } from './good-page.ts';
import { enterOn, tabTo } from './keyboard.ts';
import { openOffice } from './office.ts';
import { openHere } from './page-here.ts';
import { signIn, signOut } from './people.ts';

const chromium = useChromium();

/** As a program of theirs calls it: what it pays has a name that payrun does not know. */
const HEADER = 'payee_id,name,Gross to bank,currency,rail,account_number,national_clearing_code';
const PAYROLL = [
  'E1,Ana Kovač,1200.00,AUD,AUD_NPP,12345678,062-000',
  'E2,Ben Ode,ca. 900,AUD,AUD_NPP,12345679,062-000',
  'E3,,850.50,AUD,AUD_NPP,12345680,062-000',
  'E4,Cleo Park,700.00,AUD,AUD_NPP,12345681,62000',
];

/** What a spreadsheet program puts on the clipboard, pasted by the keys. */
const PASTED = [
  ['E8', 'Dora Wu', '10.25', 'AUD', 'AUD_NPP', '12345688', '062-000'],
  ['E9', 'Emil Ström', '20.50', 'AUD', 'AUD_NPP', '12345689', '062-000'],
];

browserTest(
  'a clerk signs in, maps a file, mends it by keyboard and paste, submits, recalls and submits again',
  async () => {
    const { anna, bea } = await openOffice(chromium, await openHere());
    const { page } = anna;
    await anna.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await anna.open('/');
    await signOut(anna);
    await signIn(anna, 'Anna Novak');

    const file = {
      name: 'July.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${[HEADER, ...PAYROLL].join('\n')}\n`),
    };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload and review' }).click();
    await page.getByRole('heading', { name: 'Map the columns' }).waitFor();
    const column = page.getByRole('combobox', { name: 'Column C, Gross to bank' });
    await tabTo(page, column);
    await page.keyboard.type('amou');
    await page.getByRole('option', { name: 'Amount', exact: true }).waitFor();
    await expectGoodPage(page);
    await page.keyboard.press('Enter');
    await enterOn(page, page.getByRole('button', { name: 'Continue to review' }));
    await enterOn(page, page.getByRole('link', { name: 'Edit the rows' }));
    await mendRows(page);

    const first = await submit(page);
    await page.getByRole('link', { name: 'Recall…' }).click();
    await page.getByLabel('Reason').fill('Dora has left.');
    await page.getByRole('button', { name: 'Recall 6 payouts' }).click();
    await page.getByText('Anna Novak recalled this payment.').waitFor();
    await expectGoodPage(page);
    await bea.open(`${first}/approve`);
    await bea.page.getByText('You cannot approve this plan.').waitFor();
    await page.getByRole('link', { name: 'Correct and submit again' }).click();
    const second = await submit(page);
    expect(second).not.toBe(first);
    await expectApproverSees(bea, second);
  },
);

/** Submits what is reviewed. The address of the payment. */
async function submit(page: Page): Promise<string> {
  const before = page.url();
  await page.getByRole('button', { name: /^Submit 6 payouts/ }).click();
  await page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/runs/'));
  await page.getByRole('heading', { name: 'Awaiting approval by' }).waitFor();
  return page.url();
}

/** By keyboard alone: a cell is typed over, one opened, a suggestion taken, two rows pasted, and one change taken back. */
async function mendRows(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Rows' });
  const status = page.getByRole('status');
  const cell = (text: string) => grid.getByRole('gridcell', { name: text, exact: true });
  const checked = () => page.locator('[data-review][data-checked="true"]').waitFor();
  await cell('ca. 900').waitFor();
  expect(await grid.getByRole('row').count()).toBe(4);
  await expectGoodPage(page);

  await tabTo(page, grid);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // The amount is typed over, the name in the row below opened, and the BSB is what is suggested.
  await press('Home', 'ArrowRight', 'ArrowRight');
  await page.keyboard.type('900.00');
  await press('Enter', 'ArrowLeft', 'F2');
  await page.keyboard.type('Chi Nwosu');
  await press('Tab', 'ArrowDown', 'End', 'Enter');
  await page.keyboard.type('062-000');
  await press('Enter');
  await checked();
  expect(await page.locator('[data-figures]').innerText()).toMatch(/Errors left\s+0/);
  expect(await page.locator('[data-fix]').isVisible()).toBe(false);
  expect(await grid.getByRole('gridcell', { name: 'Edited by Anna Novak' }).count()).toBe(3);

  // Two rows from a spreadsheet below the last one; a third change is taken back.
  const copied = PASTED.map((row) => row.join('\t')).join('\n');
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(copied)})`);
  await press('Shift+Tab');
  await enterOn(page, page.getByRole('button', { name: /^All rows/ }));
  await cell('Ana Kovač').waitFor();
  await enterOn(page, page.getByRole('button', { name: 'Add row' }));
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('6');
  await checked();
  await press('Control+v');
  await cell('Emil Ström').waitFor();
  await checked();
  await press('Control+Home', 'Delete');
  await expect.poll(() => status.innerText()).toMatch(/^Saved/);
  await press('Control+z');
  await cell('E1').waitFor();
  await checked();
  await press('Control+Shift+z');
  await cell('E1').waitFor({ state: 'detached' });
  await checked();
  await press('Control+z');
  await cell('E1').waitFor();
  await checked();
  await expectGoodPage(page);

  await page.getByRole('button', { name: 'Pick recipient' }).click();
  await page
    .getByRole('dialog', { name: 'Pick a recipient' })
    .getByText('No such recipient was paid before.')
    .waitFor();
  await expectGoodPage(page);
  await press('Escape');
  await grid.focus();
  await press('Escape', 'Enter');
}

async function expectApproverSees({ page, open }: Visitor, run: string): Promise<void> {
  await open(`${run}/approve`);
  const changes = page.getByRole('region', { name: '3 cells changed and 2 rows added by Anna Novak' });
  const rows = await changes.getByRole('row').allInnerTexts();
  expect(rows.slice(1).map((row) => row.split('\t').slice(0, 3))).toEqual([
    ['C3 Gross to bank', 'ca. 900', '900.00'],
    ['B4 name', '', 'Chi Nwosu'],
    ['G5 national_clearing_code', '62000', '062-000'],
    ['Row 6', '', 'E8 · Dora Wu · 10.25 · AUD · AUD_NPP · ••••5688 · 062-000'],
    ['Row 7', '', 'E9 · Emil Ström · 20.50 · AUD · AUD_NPP · ••••5689 · 062-000'],
  ]);
}
