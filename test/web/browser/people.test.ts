import { expect } from 'vitest';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { expectGoodPage } from './good-page.ts';
import { PASSWORD } from './office.ts';
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
    const rows = await anna.page.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/).join(' '))).toEqual([
      'Name Roles State',
      'Anna Novak Administrator Preparer active',
      'Bea Ortiz Approver invited',
      'Cem Aydin Viewer invited',
    ]);

    const bea = await chromium.visitor(url);
    await comeIn(bea, toBea);
    const cem = await chromium.visitor(url);
    await cem.open(toBea);
    await cem.page.getByText('This link was used already').waitFor();
    await withAuthenticator(bea);
    await addPasskey(bea, 'Phone');
    await expectGoodPage(bea.page);
    const passkeys = bea.page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByLabel('What to call it').fill('The same');
    await passkeys.getByLabel('Your password').last().fill(PASSWORD);
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await bea.page.getByText('This device has a passkey of yours already.').waitFor();
    await passkeys.locator('summary').click();
    await passkeys.getByLabel('Your password').first().fill(PASSWORD);
    await passkeys.getByRole('button', { name: 'Remove Phone' }).click();
    await bea.page.getByText('The passkey is removed.').waitFor();
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
    await anna.page.getByRole('button', { name: 'Require a second factor of everybody' }).click();
    await anna.page.getByText('Without a second factor: Anna Novak and Cem Aydin.').waitFor();
    await signOut(cem);
    await signIn(cem, 'Cem Aydin', '/sign-in/second-factor');
    await cem.page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await expectGoodPage(cem.page);
    await cem.page.getByLabel('The code that the app shows').fill(await codeShown(cem));
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
  await page.getByText('The token is revoked.').waitFor();
  await open('/me/webhooks');
  await expectGoodPage(page);
}
