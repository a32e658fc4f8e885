import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { expectGoodPage } from './good-page.ts';
import { tabTo } from './keyboard.ts';
import { comeInFirst, uploadFile } from './office.ts';
import { openHere } from './page-here.ts';

const chromium = useChromium();

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
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

browserTest(
  'what does not fit into a cell is shown in full by keyboard and mouse, and a phone shows whose row it is',
  async () => {
    const web = await openHere();
    const anna = await chromium.visitor(web.url);
    await comeInFirst(anna, web);
    const { page } = anna;
    await anna.open('/');
    const long = 'Wolfeschlegelsteinhausenbergerdorff Gesellschaft mit beschränkter Haftung';
    const rows = [HEADER, `E1,${long},10.00,AUD,AUD_NPP,12345678,062000`, `E2,Ben,20.00,AUD,AUD_NPP,12345678,062-00`];
    await uploadFile(anna, { name: 'July.csv', buffer: Buffer.from(`${rows.join('\n')}\n`) });
    await page.getByRole('link', { name: 'Edit the rows' }).click();
    await page.getByRole('button', { name: /^All rows/ }).click();
    const grid = page.getByRole('grid', { name: 'Rows' });
    const cell = (text: string) => grid.getByRole('gridcell', { name: text });
    const tip = page.getByRole('tooltip');
    await cell(long).waitFor();
    expect(await tip.count()).toBe(0);
    await tabTo(page, grid);
    for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key);
    expect(await tip.innerText()).toBe(long);
    await expectGoodPage(page);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    expect([await tip.count(), await grid.evaluate((element) => element.matches(':focus'))]).toEqual([0, true]);

    // The reason is the last cell of its row.
    for (const key of ['ArrowDown', 'End', 'ArrowRight']) await page.keyboard.press(key);
    const reason = await grid.locator('.review-row .reason.error').innerText();
    expect(reason).toMatch(/BSB: 5 digits, needs 6$/);
    expect(await tip.innerText()).toMatch(/^The BSB has 5 digits instead of 6: a spreadsheet/);
    await page.mouse.move(0, 0);
    await cell(long).hover();
    expect(await tip.innerText()).toBe(long);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press('Home');
    const shown = async (text: string) => {
      const box = await cell(text).first().boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 390;
    };
    for (const text of ['E2', 'Ben', '20.00']) expect([text, await shown(text)]).toEqual([text, true]);
    await page.keyboard.press('End');
    for (const text of ['Ben', '062-00']) expect([text, await shown(text)]).toEqual([text, true]);
    expect(await shown('E2')).toBe(false);
    await page.getByRole('button', { name: 'Edit cell' }).click();
    await page.keyboard.type('062-000');
    await page.keyboard.press('Enter');
    await cell('062-000').first().waitFor();
    await expectGoodPage(page);
  },
);

browserTest('a clean file opens with all its rows, and the amount stays whole beside the name', async () => {
  const web = await openHere();
  const anna = await chromium.visitor(web.url);
  await comeInFirst(anna, web);
  const { page } = anna;
  await page.setViewportSize({ width: 1280, height: 900 });
  const rows = (code: string) => `${HEADER}\nE1,Wolfeschlegelsteinhausen Ltd,12345.67,AUD,AUD_NPP,12345678,${code}\n`;
  for (const [name, code] of [
    ['Clean', '062-000'],
    ['Wrong', '062-00'],
  ] as const) {
    await anna.open('/uploads/new');
    await uploadFile(anna, { name: `${name}.csv`, buffer: Buffer.from(rows(code)) });
    await page.getByRole('link', { name: code === '062-000' ? 'Edit the rows' : /Fix 1 error/ }).click();
    const cell = page.getByRole('gridcell', { name: '12345.67' });
    await cell.waitFor();
    await page.getByRole('gridcell', { name: code }).scrollIntoViewIfNeeded();
    // What lies over the middle of its right half is the cell itself.
    const isOnTop = await cell.evaluate((element) => {
      const { right, top, height } = element.getBoundingClientRect();
      return element.ownerDocument.elementFromPoint(right - 12, top + height / 2) === element;
    });
    expect([name, isOnTop]).toEqual([name, true]);
  }
  expect(await page.locator('[data-figures]').innerText()).toMatch(/AUD\s+12,345\.67\s+Errors left\s+1/);
});
