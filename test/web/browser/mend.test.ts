import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { payrun, temporaryFolder } from '../../support/payrun.ts';
import { expectGoodPage } from './good-page.ts';
import { comeInFirst, uploadFile } from './office.ts';
import { openHere } from './page-here.ts';

const chromium = useChromium();

type Rows = (string | number | boolean | Date | null)[][];

/** As somebody fills in the template who knows spreadsheets and no IBANs. */
const FILLED: Rows = [
  ['E1', 'Ana Kovač', 1200, 'EUR', 'EUR_SEPA', 'DE89370400440532013001', null, null, null, null, null],
  ['E2', 'Ben Ode', 'ca. 900', 'EUR', 'EUR_SEPA', 'FR7630006000011234567890189', null, null, null, null, null],
  ['E3', 'Cleo Park', 850.5, 'AUD', 'AUD_NPP', '12345678', 62000, null, null, null, null],
  ['E4', null, 700, 'AUD', 'AUD_NPP', '12345679', '062-000', null, null, null, null],
  ['E5', 'Dora Wu', 1000, 'USD', 'USD_ACH', '000123456789', '021000021', null, 'checking', null, null],
  ['E5', 'Dora Wu', 1000, 'USD', 'USD_ACH', '000123456789', '021000021', null, 'checking', null, null],
];

/** Where each is wrong, under the three example rows, and what is said of it. */
const WRONG: readonly (readonly [cell: string, what: string, title?: string])[] = [
  ['F5', 'The check digits of the IBAN are wrong'],
  ['C6', 'The amount is not a number.'],
  ['G7', 'The BSB has 5 digits instead of 6'],
  ['B8', 'The name of the payee is missing.'],
  ['F10', 'Row 9 pays the same amount to the same account.', 'Warnings'],
];

/** Lets a file fall on the page, not on the box for it. */
const DROP_BESIDE = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['x'], 'beside.csv'));
  const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  return [event.defaultPrevented, document.querySelector('input[type=file]').files[0]?.name];
})()`;

/** The values of all sheets, those with the payouts changed: what a program saves that keeps nothing else. */
async function edited(bytes: Uint8Array, edit: (rows: Rows) => void): Promise<Buffer> {
  const { sheets } = await readXlsx(bytes);
  edit((sheets.find(({ name }) => name === 'Payouts')?.rows ?? []) as Rows);
  return Buffer.from(await writeXlsx({ sheets: sheets.map(({ name, rows }) => ({ name, rows })) }));
}

browserTest('a template that is filled in wrongly in five ways is mended in the copy that is downloaded', async () => {
  const folder = temporaryFolder();
  const template = join(folder, 'template.xlsx');
  const [web] = await Promise.all([
    openHere(),
    payrun(['template', 'AUD_NPP', 'EUR_SEPA', 'USD_ACH', '--out', template]),
  ]);
  const anna = await chromium.visitor(web.url);
  await comeInFirst(anna, web);
  const { page } = anna;
  const filled = await edited(readFileSync(template), (rows) => void rows.push(...FILLED));
  await anna.open('/');
  await expectGoodPage(page);
  expect(await page.evaluate(DROP_BESIDE)).toEqual([true, 'beside.csv']);

  await uploadFile(anna, { name: 'July pay.xlsx', buffer: filled });
  expect(await page.locator('h1').innerText()).toBe('July pay');
  for (const [cell, what, title = 'Errors'] of WRONG) {
    const problem = page.getByRole('region', { name: title }).getByRole('article').filter({ hasText: what });
    expect(await problem.innerText(), what).toContain(cell);
  }
  await expectGoodPage(page);
  await page.getByRole('link', { name: 'See the sheet' }).click();
  await page.getByRole('cell', { name: 'ca. 900' }).waitFor();
  await expectGoodPage(page);
  await page.goBack();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download with the problems marked' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('July pay with problems.xlsx');
  const copy = readFileSync(await download.path());
  const mended = await edited(copy, (rows) => {
    const set = (row: number, column: number, value: string | number) => (rows[row - 1] ?? []).splice(column, 1, value);
    set(5, 5, 'DE89370400440532013000');
    set(6, 2, 900);
    set(7, 6, '062-000');
    set(8, 1, 'Chi Nwosu');
    rows.splice(9, 1);
  });
  await uploadFile(anna, { name: 'July pay with problems.xlsx', buffer: mended });
  expect(await page.locator('.notice .lead').innerText()).toContain('No problems found. 5 payouts in 3 currencies.');
  const totals = await page.getByRole('table', { name: 'Amounts to pay' }).getByRole('row').allInnerTexts();
  expect(totals.slice(1)).toEqual(['EUR\t2\t2,100.00', 'AUD\t2\t1,550.50', 'USD\t1\t1,000.00']);
  await expectGoodPage(page);
});
