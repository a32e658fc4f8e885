import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { startService, temporaryFolder } from '../../support/payrun.ts';
import { startWeb } from '../../support/web-process.ts';
import { expectGoodPage } from './good-page.ts';
import { openOffice, PASSWORD, uploadFile } from './office.ts';
import { openHere } from './page-here.ts';
import { addPasskey, codeShown, comeIn, invite, signIn, signOut, withAuthenticator } from './people.ts';

const chromium = useChromium();

browserTest(
  'the first person comes in by the printed link and invites two, who come in, add a passkey and sign in again',
  async () => {
    const { url, firstUserUrl } = await openHere();
    const anna = await chromium.visitor(url);
    await anna.open('/');
    expect(anna.page.url()).toBe(`${url}/sign-in`);
    await expectGoodPage(anna.page);
    await anna.open('/welcome');
    await expectGoodPage(anna.page);
    await comeIn(anna, firstUserUrl ?? '', { name: 'Anna Novak', roles: ['Preparer'] });
    await expectGoodPage(anna.page);

    await expectGoodTokens(anna);

    const toBea = await invite(anna, 'Bea Ortiz', ['Approver']);
    await expectGoodPage(anna.page);
    const toCem = await invite(anna, 'Cem Aydin', ['Viewer']);
    await anna.open('/people');
    await expectGoodPage(anna.page);
    const team = anna.page.getByRole('region', { name: 'People and their roles' });
    const rows = await team.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/).join(' '))).toEqual([
      'Name Roles Second factor Last sign-in State',
      expect.stringMatching(/^Anna Novak Administrator Preparer none Today, \d\d:\d\d Active$/),
      'Bea Ortiz Approver none not yet Invited',
      'Cem Aydin Viewer none not yet Invited',
    ]);

    const bea = await chromium.visitor(url);
    await comeIn(bea, toBea);
    const cem = await chromium.visitor(url);
    await cem.open(toBea);
    await cem.page.getByText('This link was already used').waitFor();
    await withAuthenticator(bea);
    await addPasskey(bea, 'Phone');
    await expectGoodPage(bea.page);
    const passkeys = bea.page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByLabel('Name').fill('The same');
    await passkeys.getByLabel('Your password').last().fill(PASSWORD);
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await bea.page.getByText('This device already has a passkey of yours.').waitFor();
    await passkeys.locator('summary').click();
    await passkeys.getByLabel('Your password').first().fill(PASSWORD);
    await passkeys.getByRole('button', { name: 'Remove Phone' }).click();
    await bea.page.getByText('Passkey removed.').waitFor();
    await addPasskey(bea, 'Phone');
    await signOut(bea);
    await signIn(bea, 'Bea Ortiz');
    await bea.open('/me');
    expect(await bea.page.getByRole('region', { name: 'Passkeys' }).locator('summary').innerText()).toContain('Phone');

    await comeIn(cem, toCem);
    await cem.open('/people');
    await cem.page.getByText('Only a person with the role administrator may do this.').waitFor();
    await expectGoodPage(cem.page);

    await anna.open('/people');
    await anna.page.getByRole('button', { name: 'Require a second factor for everyone' }).click();
    await anna.page.getByText('Without a second factor: Anna Novak and Cem Aydin.').waitFor();
    await signOut(cem);
    await signIn(cem, 'Cem Aydin', '/sign-in/second-factor');
    await cem.page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await expectGoodPage(cem.page);
    await cem.page.getByLabel('Code shown in the app').fill(await codeShown(cem));
    await cem.page.getByRole('button', { name: 'Set up the app' }).click();
    await cem.page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await expectGoodPage(cem.page);
    await cem.page.getByRole('link', { name: 'I have kept them' }).click();
    await cem.open('/me/app');
    await expectGoodPage(cem.page);
    await signOut(bea);
    await signIn(bea, 'Bea Ortiz', '/sign-in/second-factor');
    await expectGoodPage(bea.page);
    await bea.page.getByRole('button', { name: 'Use a passkey' }).click();
    await bea.page.waitForURL('/');
  },
);

/** A token is made, shown once and revoked; the endpoints of webhooks are beside it. */
async function expectGoodTokens({ open, page }: Visitor): Promise<void> {
  await open('/me');
  await page.getByRole('link', { name: 'API tokens' }).click();
  const form = page.getByRole('region', { name: 'Create a token' });
  await form.getByLabel('Name').fill('ERP');
  await form.getByLabel('payments:read').check();
  await form.getByLabel('Your password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Create token' }).click();
  await page.getByText(/^payrun_[0-9a-z]{40}$/).waitFor();
  await expectGoodPage(page);
  await page.getByRole('button', { name: 'Revoke ERP' }).click();
  await page.getByText('Token revoked.').waitFor();
  await open('/me/webhooks');
  await expectGoodPage(page);
}

const FILE =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000\n';

browserTest(
  'an administrator adds, tests and rotates a connection, which a second one confirms, gives a role at one entity, and locks it out',
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
    await page.waitForURL('**/settings/sign-in');
    await expectGoodPage(page);

    await anna.open('/uploads/new');
    await expectGoodPage(page);
    await page.getByRole('radio', { name: 'Northwind sandbox', exact: false }).check();
    await uploadFile(anna, { name: 'July.csv', buffer: Buffer.from(FILE) });
    await page.getByRole('button', { name: 'Submit 1 payout', exact: false }).waitFor();
    await expectGoodPage(page);
    await page.getByRole('button', { name: 'Submit 1 payout', exact: false }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByText('New keys of the connection: Northwind sandbox').waitFor();
    await expectGoodPage(page);
    await bea.open(`${new URL(page.url()).pathname}/approve`);
    await bea.page.getByText('I know that Anna Novak rotated the connection').waitFor();
    await expectGoodPage(bea.page);
    expect(await bea.page.getByRole('checkbox', { name: 'I know that', exact: false }).isChecked()).toBe(false);

    const run = new URL(page.url()).pathname;
    await confirmAsSecond(anna, await chromium.visitor(web.url));
    await bea.open(`${run}/approve`);
    await bea.page.getByLabel('Type the total').waitFor();
    expect(await bea.page.getByText('I know that Anna Novak rotated').count()).toBe(0);
    await narrowAndLockOut(anna, await chromium.visitor(web.url), run);

    await anna.open('/settings/connections/northwind-sandbox');
    await page.locator('#disable summary').click();
    await page.getByRole('button', { name: 'Disable it' }).click();
    await page.getByText('Payments under way will finish.').waitFor();
    await expectGoodPage(page);
    await anna.open('/uploads/new');
    expect(await page.getByRole('radio', { name: 'Northwind sandbox', exact: false }).count()).toBe(0);
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  },
);

/** Another administrator comes in, and confirms the connection that this one rotated. */
async function confirmAsSecond(anna: Visitor, dora: Visitor): Promise<void> {
  await comeIn(dora, await invite(anna, 'Dora Blum', ['Administrator']));
  await anna.open('/settings/connections/northwind-sandbox');
  await anna.page.getByText('Until another administrator confirms it').waitFor();
  await dora.open('/settings/connections/northwind-sandbox');
  await expectGoodPage(dora.page);
  await dora.page.getByRole('button', { name: 'Confirm this connection' }).click();
  await dora.page.getByText('You have confirmed the connection.').waitFor();
}

/** A viewer of one entity sees no payment of another, and after a click of the administrator nothing at all. */
async function narrowAndLockOut(anna: Visitor, cem: Visitor, run: string): Promise<void> {
  await comeIn(cem, await invite(anna, 'Cem Aydin', ['Viewer']));
  await cem.open(run);
  await cem.page
    .getByText(/^Awaiting approval by/)
    .first()
    .waitFor();
  // It asks anew every two seconds, and may do so before the payment is opened again.
  cem.mayMeet(/404 .*\/standing/);
  const access = anna.page.getByRole('region', { name: 'Scope and visibility' });
  await access.getByLabel('Entity, row 1').selectOption({ label: 'Northwind GmbH' });
  await access.getByRole('button', { name: 'Save access' }).click();
  await anna.page.getByText('Access changed, effective immediately.').waitFor();
  await cem.open(run);
  await cem.page.getByText('Run not found.').waitFor();
  await anna.page.getByText('Deactivate…', { exact: true }).click();
  await anna.page.getByRole('button', { name: /^Deactivate / }).click();
  await anna.page.getByText('Deactivated and signed out everywhere.').waitFor();
  await expectGoodPage(anna.page);
  await cem.open('/');
  await cem.page.getByRole('heading', { name: 'Sign in' }).waitFor();
}
