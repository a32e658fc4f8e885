import { expect } from 'vitest';
import { machineClock } from '../../../src/platform/machine.ts';
import { stepAt, totpCode } from '../../../src/web/sign-in/totp.ts';
import type { Visitor } from '../../support/browser.ts';
import { appKey } from '../app-key.ts';
import { PASSWORD } from './office.ts';

/** Opens the link, and comes in with the password. `name` and `roles` are said by the first person only. */
export async function comeIn(
  { page }: Visitor,
  link: string,
  first: { name: string; roles: readonly string[] } | null = null,
): Promise<void> {
  await page.goto(link);
  // The page's script sends the link's token by itself.
  await page.getByLabel('Confirm password').waitFor();
  expect(page.url()).not.toContain('#');
  if (first !== null) {
    await page.getByLabel('Your name').fill(first.name);
    for (const role of first.roles) await page.getByRole('checkbox', { name: role }).check();
  }
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.waitForURL('/');
}

/** Invites somebody, and returns the link that is shown once. */
export async function invite({ page }: Visitor, name: string, roles: readonly string[]): Promise<string> {
  await page.goto('/people');
  await page.getByText('Invite member').first().click();
  await page.getByLabel('Name').fill(name);
  for (const role of roles) await page.getByRole('checkbox', { name: role }).check();
  await page.getByRole('button', { name: 'Create invitation' }).click();
  return (
    (await page
      .getByRole('region', { name: `The link for ${name}` })
      .locator('pre')
      .textContent()) ?? ''
  );
}

/** `leadsTo` is where the sign-in leads first. */
export async function signIn({ page }: Visitor, name: string, leadsTo = '/'): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(leadsTo);
}

export async function signOut({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('/sign-in');
}

/** A phone of their own, which signs whatever it is asked for. */
export async function withAuthenticator({ context, page }: Visitor): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

export async function addPasskey({ page }: Visitor, label: string): Promise<void> {
  await page.goto('/me');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByLabel('Name').fill(label);
  await passkeys.getByLabel('Your password').last().fill(PASSWORD);
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('Passkey added.').waitFor();
}

/** The code that an app shows now which has the key of this page. */
export async function codeShown({ page }: Visitor): Promise<string> {
  return totpCode(appKey(await page.content()).secret, stepAt(machineClock.wallMs()));
}
