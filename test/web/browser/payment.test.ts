import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import type { Calls } from '../../../src/app/background/calls.ts';
import { browserTest, useChromium } from '../../support/browser.ts';
import { expectGoodPage } from './good-page.ts';
import { openOffice, planFile } from './office.ts';
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
