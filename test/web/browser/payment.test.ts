import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import type { Calls } from '../../../src/app/background/calls.ts';
import { browserTest, useChromium } from '../../support/browser.ts';
import { expectGoodPage } from './good-page.ts';
import { enterOn } from './keyboard.ts';
import { openOffice, payFile, planFile } from './office.ts';
import { openHere } from './page-here.ts';

const chromium = useChromium();

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const PAYROLL = Buffer.from(`${HEADER}\nE1,Ana Kovač,1200.00,AUD,AUD_NPP,12345678,062-000\n`);

browserTest('a comment that is being typed stays while a long journal is being proven', async () => {
  const proof = Promise.withResolvers<Awaited<ReturnType<Calls['verifyRun']>>>();
  const web = await openHere({ calls: { verifyRun: () => proof.promise } });
  const { anna } = await openOffice(chromium, web);
  const { page } = anna;
  const run = await planFile(anna, { name: 'July.csv', buffer: PAYROLL });
  await anna.open(`${run}/audit`);
  await page.getByText('every entry is being checked').waitFor();
  await expectGoodPage(page);
  const comment = page.getByRole('textbox', { name: 'Comment' });
  await comment.pressSequentially('Checked by ');
  await page.waitForResponse(`${run}/audit`);
  proof.resolve({
    outcome: 'verified',
    verification: { ok: true, entries: 7, head: 'f'.repeat(64) },
    report: null,
  } as never);
  await page.getByText('7 entries, none altered').waitFor();
  await page.keyboard.type('phone.');
  expect(await comment.inputValue()).toBe('Checked by phone.');
  expect(await page.getByRole('region', { name: 'On this page' }).count()).toBe(1);
});

/** So that one of three fails, as the rehearsal's names choose. */
const MIXED = Buffer.from(
  `${[HEADER, 'E1,Ana Kovač,12.00,AUD,AUD_NPP,12345678,062-000', 'E2,REHEARSE_CLOSED Ltd,20.00,AUD,AUD_NPP,12345679,062-000', 'E3,REHEARSE_CLOSED AG,30.00,AUD,AUD_NPP,12345670,062-000'].join('\n')}\n`,
);

browserTest(
  'from a row of the payouts a failed one is looked into, copied, planned alone and put on hold',
  async () => {
    const web = await openHere();
    const office = await openOffice(chromium, web);
    const { page, context } = office.anna;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const run = await payFile(office, { name: 'July.csv', buffer: MIXED }, ['62.00 AUD']);
    await page.getByText('1 completed, 2 failed', { exact: true }).waitFor();
    await enterOn(
      page,
      page.getByRole('region', { name: 'Table of the rows' }).getByRole('link', { name: 'REHEARSE_CLOSED Ltd' }),
    );
    await page.getByRole('heading', { level: 2, name: 'REHEARSE_CLOSED Ltd' }).waitFor();
    await expectGoodPage(page);
    await expect.poll(() => page.getByText('Attempt 1 was recorded, then sent.').count()).toBe(1);
    await page.getByRole('button', { name: 'Copy the token' }).first().click();
    await page.getByRole('button', { name: 'Copy the token' }).filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^PR[0-9A-Z]{13}$/);

    // The others are paid without it, or it alone.
    await page.getByRole('link', { name: 'Pay the others…' }).click();
    const boxes = page.getByRole('checkbox', { name: /^Leave row/ });
    await boxes.first().waitFor();
    expect(await Promise.all((await boxes.all()).map((box) => box.isChecked()))).toEqual([true, false]);
    await page.goBack();
    await page.getByRole('button', { name: 'Prepare this payment' }).click();
    await page.waitForURL((url) => url.href !== run && url.pathname.startsWith('/runs/'));
    await page.getByRole('heading', { name: 'Awaiting approval by' }).waitFor();
    expect(await page.getByRole('region', { name: 'Totals', exact: true }).innerText()).toMatch(/AUD\s+1\s+20\.00/);

    await page.goto(`${run}/payouts/3`);
    await page.getByRole('link', { name: 'Hold payments…' }).click();
    expect(await page.getByLabel('Why should payments to this recipient be held?').inputValue()).toBe(
      'July, row 3: failed (ACCOUNT_CLOSED)',
    );
    await page.getByRole('button', { name: 'Do not pay' }).click();
    await page.goto(`${run}/payouts/3`);
    await page.getByText(/On hold since/).waitFor();
  },
);
