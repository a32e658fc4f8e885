import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { startService, temporaryFolder } from '../../support/payrun.ts';
import { startWeb } from '../../support/web-process.ts';
import { expectGoodPage } from './good-page.ts';
import { openOffice, PASSWORD, uploadFile } from './office.ts';

const chromium = useChromium();

const FILE =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000\n';

browserTest(
  'an administrator adds, tests, rotates and disables a connection and adds an entity; a preparer chooses what to pay over',
  async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, 'data');
    const sandbox = await startService({ dataDir: join(folder, 'sandbox') });
    mkdirSync(join(dataDir, 'keys'), { recursive: true });
    for (const name of ['northwind.pem', 'northwind-2027.pem']) {
      copyFileSync(sandbox.signing_key_file, join(dataDir, 'keys', name));
      chmodSync(join(dataDir, 'keys', name), 0o600);
    }
    const web = await startWeb({ dataDir, args: ['--allow-private-services'], cwd: folder });
    const { anna, bea } = await openOffice(chromium, web);
    const { page } = anna;

    await anna.open('/settings');
    await expectGoodPage(page);
    await page.getByRole('link', { name: 'Add connection' }).click();
    await page.getByRole('heading', { name: 'Add connection' }).waitFor();
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await expectGoodPage(page);
    await page.getByLabel('Name', { exact: false }).first().fill('Northwind sandbox');
    await page.getByLabel('Address of the service').fill(sandbox.base_url);
    await page.getByLabel('API key id').fill(sandbox.api_key);
    await page.getByLabel('Signing key', { exact: false }).first().fill('/etc/passwd');
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Add and test' }).click();
    await page.getByText('name a file in the keys folder').waitFor();
    await expectGoodPage(page);
    await page.getByLabel('Signing key', { exact: false }).first().fill('northwind.pem');
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Add and test' }).click();
    await page.getByText('The connection was added.').waitFor();
    await page.getByText('Reached and signature accepted').waitFor();
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await expectGoodPage(page);

    const rotate = page.locator('#rotate');
    await rotate.getByLabel('Signing key', { exact: false }).fill('northwind-2027.pem');
    await rotate.getByLabel('Your password').fill(PASSWORD);
    await rotate.getByRole('button', { name: 'Test and switch' }).click();
    await page.getByText('has taken the place of the old one').waitFor();

    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Entities' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Northwind GmbH');
    await page.getByRole('button', { name: 'Add entity' }).click();
    await page.getByText('The entity was added.').waitFor();
    await expectGoodPage(page);
    await page.locator('.entity summary').click();
    await page.getByRole('button', { name: 'Northwind GmbH' }).click();
    await page.locator('.entity summary', { hasText: 'Northwind GmbH' }).waitFor();
    await page.locator('.entity summary').click();
    await expectGoodPage(page);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Sign-in' }).click();
    await expectGoodPage(page);

    await anna.open('/uploads/new');
    await expectGoodPage(page);
    await page.getByRole('radio', { name: 'Northwind sandbox', exact: false }).check();
    await uploadFile(anna, { name: 'July.csv', buffer: Buffer.from(FILE) });
    await page.getByRole('button', { name: 'Plan 1 payout', exact: false }).waitFor();
    await expectGoodPage(page);
    await page.getByRole('button', { name: 'Plan 1 payout', exact: false }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByText('New keys of the connection: Northwind sandbox').waitFor();
    await expectGoodPage(page);
    await bea.open(`${new URL(page.url()).pathname}/approve`);
    await bea.page.getByText('I know that Anna Novak rotated the connection').waitFor();
    await expectGoodPage(bea.page);
    expect(await bea.page.getByRole('checkbox', { name: 'I know that', exact: false }).isChecked()).toBe(false);

    await anna.open('/settings/connections/northwind-sandbox');
    await page.locator('#disable summary').click();
    await page.getByRole('button', { name: 'Disable it' }).click();
    await page.getByText('What is under way goes on to its end.').waitFor();
    await expectGoodPage(page);
    await anna.open('/uploads/new');
    expect(await page.getByRole('radio', { name: 'Northwind sandbox', exact: false }).count()).toBe(0);
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  },
);
