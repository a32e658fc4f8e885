import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/payrun.ts';
import { startWeb } from '../../support/web-process.ts';
import { openOffice, PASSWORD, uploadFile } from './office.ts';

const chromium = useChromium();

const SHEET =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000\n';

browserTest(
  'whoever has the page of a plan open sees the approval, and the run that somebody else starts',
  async () => {
    const folder = temporaryFolder();
    const web = await startWeb({ dataDir: join(folder, 'data'), args: ['--report-dir', join(folder, 'reports')] });
    const { anna, bea } = await openOffice(chromium, web);
    await anna.open('/');
    await uploadFile(anna, { name: 'July.csv', buffer: Buffer.from(SHEET) });
    await anna.page.getByRole('button', { name: /^Plan \d/ }).click();
    await anna.page.waitForURL('/runs/*');
    const run = anna.page.url();
    await anna.page.getByRole('heading', { name: 'Waits for 1 approval' }).waitFor();
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
    expect(await anna.page.getAttribute('body', 'data-same')).toBe('yes');

    // Bea still has the plan open when Anna starts it: she is shown the run.
    await start.click();
    await bea.page
      .getByText(/Rehearsal: .*completed/)
      .first()
      .waitFor();
  },
);
