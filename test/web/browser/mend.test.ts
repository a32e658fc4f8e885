import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { payrun, temporaryFolder } from '../../support/payrun.ts';
import { expectGoodPage } from './good-page.ts';
import { enterOn, tabTo } from './keyboard.ts';
import { comeInFirst, openOffice, uploadFile } from './office.ts';
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
  expect(await page.locator('h1').innerText()).toBe('July pay.xlsx');
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
  const totals = await page.getByRole('table', { name: 'What would be paid' }).getByRole('row').allInnerTexts();
  expect(totals.slice(1)).toEqual(['EUR\t2\t2,100.00', 'AUD\t2\t1,550.50', 'USD\t1\t1,000.00']);
  await expectGoodPage(page);
});

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
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

browserTest('rows are fixed in the grid by keyboard alone, and the approver sees each change', async () => {
  const web = await openHere();
  const { anna, bea } = await openOffice(chromium, web);
  const { page } = anna;
  await anna.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await anna.open('/');
  await uploadFile(anna, { name: 'July.csv', buffer: Buffer.from(`${[HEADER, ...PAYROLL].join('\n')}\n`) });
  await enterOn(page, page.getByRole('link', { name: 'Edit the rows' }));
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
  await page.getByRole('dialog', { name: 'Pick a recipient' }).getByText('Nobody such was paid before.').waitFor();
  await expectGoodPage(page);
  await press('Escape');
  await grid.focus();

  await press('Escape', 'Enter');
  await page.getByRole('button', { name: /^Plan 6 payouts/ }).click();
  await page.waitForURL('/runs/*');
  await bea.open(`${new URL(page.url()).pathname}/approve`);
  const changes = bea.page.getByRole('region', { name: '3 cells changed and 2 rows added by Anna Novak' });
  const rows = await changes.getByRole('row').allInnerTexts();
  expect(rows.slice(1).map((row) => row.split('\t').slice(0, 3))).toEqual([
    ['C3 amount', 'ca. 900', '900.00'],
    ['B4 name', '', 'Chi Nwosu'],
    ['G5 national_clearing_code', '62000', '062-000'],
    ['Row 6', '', 'E8 · Dora Wu · 10.25 · AUD · AUD_NPP · ••••5688 · 062-000'],
    ['Row 7', '', 'E9 · Emil Ström · 20.50 · AUD · AUD_NPP · ••••5689 · 062-000'],
  ]);
});

browserTest('a hundred thousand rows are scrolled to their end, and filtered', async () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => {
    const amount = at % 25_000 === 7 ? '12x' : `${100 + (at % 500)}.00`;
    return `E${at},Payee ${at},${amount},AUD,AUD_NPP,${10_000_000 + at},062-000`;
  });
  const web = await openHere();
  const anna = await chromium.visitor(web.url);
  await comeInFirst(anna, web);
  const { page } = anna;
  await anna.open('/');
  await uploadFile(anna, { name: 'Large.csv', buffer: Buffer.from(`${HEADER}\n${rows.join('\n')}\n`) });
  await page.getByRole('link', { name: 'Edit the rows' }).click();
  const grid = page.getByRole('grid', { name: 'Rows' });
  const cell = (text: string) => grid.getByRole('gridcell', { name: text, exact: true });
  await cell('Payee 75007').waitFor();
  expect(await grid.getAttribute('aria-rowcount')).toBe('5');
  await page.getByRole('button', { name: /^All rows/ }).click();
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('100001');
  await grid.focus();
  await page.keyboard.press('Control+End');
  await cell('Payee 99999').waitFor();
  expect(await grid.getByRole('row').count()).toBeLessThan(100);
  await page.getByRole('searchbox', { name: 'Search the rows' }).fill('Payee 4242');
  await cell('Payee 42421').waitFor();
  expect(await grid.getAttribute('aria-rowcount')).toBe('12');
});
