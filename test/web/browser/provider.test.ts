import type { ProviderSettings } from '../../../src/web/sign-in/provider.ts';
import { browserTest, useChromium } from '../../support/browser.ts';
import { openProvider } from '../provider.ts';
import { pageAtPort } from '../served.ts';
import { expectGoodPage } from './good-page.ts';
import { PASSWORD } from './office.ts';

const chromium = useChromium();

/** Only a browser keeps cookies from other sites, and forms from leading there. */
browserTest('somebody signs in at a provider on another site, chooses a password, and signs out of both', async () => {
  const roles = new Map([['approvers', ['approver', 'viewer'] as const]]);
  const client = { clientId: 'payrun', clientSecret: 'a secret: of+the client/%', groupsClaim: 'groups', roles };
  const settings: ProviderSettings = { ...client, issuer: '' };
  const { origin } = await pageAtPort({ isReal: true, options: { provider: settings } });
  const accounts = new Map([['u1', { name: 'Bea', groups: ['approvers'] }]]);
  settings.issuer = (await openProvider(accounts, origin)).issuer;
  const { page, open, mayMeet } = await chromium.visitor(origin);
  mayMeet(/./);
  await open('/sign-in');
  await expectGoodPage(page);
  await page.getByRole('link', { name: 'Sign in with' }).click();
  await page.locator('input[name=login]').fill('u1');
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('button[type=submit]', { hasText: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Welcome, Bea' }).waitFor();
  await expectGoodPage(page);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${origin}/`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out of payrun' }).waitFor();
  await expectGoodPage(page);
  await page.getByRole('link', { name: 'Sign out of' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.waitForURL(`${origin}/sign-in`);
});
