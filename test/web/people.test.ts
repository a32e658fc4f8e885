import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Person } from '../../src/app/people/people.ts';
import { publicKeyTexts } from '../../src/keys/ed25519.ts';
import { readEncryptedKeyFile } from '../../src/keys/encrypted-key-file.ts';
import { type Browser, openPage, PASSWORD, type TestPage } from './web-page.ts';

async function called(page: TestPage, name: string): Promise<Person> {
  return (await page.web.people.byName(name)) as Person;
}

/** The link that is shown to the administrator who made it. */
async function linkShown(anna: Browser, person: Person): Promise<string | undefined> {
  return /\/welcome#([\w-]+)/.exec((await anna.get(`/people/${person.id}`)).text)?.[1];
}

/** Whether the passphrase that a sign-in derives opens the person's key file, and it is the key that is known of them. */
async function opensKey(page: TestPage, name: string, browser: Browser): Promise<boolean> {
  const { keyFile, publicKey } = await called(page, name);
  const session = await page.web.sessions.find(browser.cookie.split('=')[1] ?? '', false);
  const key = await readEncryptedKeyFile(page.web.store.files.path('keys', keyFile ?? ''))?.unlock(
    session?.passphrase ?? '',
  );
  return key !== undefined && publicKeyTexts(key.publicKey).base64url === publicKey;
}

test('an administrator invites somebody, whose link is shown once and good once', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const invited = await anna.post('/people', { name: 'Bea Lopez', role: ['approver', 'viewer'] });
  const bea = await called(page, 'Bea Lopez');
  expect([invited.status, invited.location]).toEqual([303, `/people/${bea.id}`]);
  const token = (await linkShown(anna, bea)) ?? '';
  expect(await linkShown(anna, bea)).toBeUndefined();

  const browser = page.browser();
  expect((await browser.post('/welcome', { token })).text).toContain('Welcome, Bea Lopez');
  const short = await browser.post('/welcome/enter', { token, password: 'short', again: 'short' });
  expect([short.status, browser.cookie]).toEqual([422, '']);
  const two = await browser.post('/welcome/enter', { token, password: PASSWORD, again: `${PASSWORD}s` });
  expect([two.status, two.text]).toEqual([422, expect.stringContaining('do not match')]);
  expect((await browser.post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD })).location).toBe('/');
  expect((await called(page, 'bea lopez')).roles).toEqual(['approver', 'viewer']);

  const thief = page.browser();
  expect((await thief.post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD })).status).toBe(403);
  expect(thief.cookie).toBe('');
});

test('the team has the state of each member, where their roles hold, and when they signed in last', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const row = async (name: string) => {
    const cells = new RegExp(`>${name}</a></th>(.*?)</tr>`, 's').exec((await anna.get('/people')).text)?.[1] ?? '';
    return cells
      .replace(/<[^>]*>/g, ' ')
      .split(/\s+/)
      .filter(Boolean)
      .join(' ');
  };
  await anna.post('/people', { name: 'Bea', role: 'viewer' });
  const { id } = await called(page, 'Bea');
  expect(await row('Bea')).toBe('Viewer none not yet Invited');
  await anna.post(`/people/${id}/access`, { role: 'viewer', entity: 'main', job: 'salaries', details: 'hidden' });
  expect(await row('Bea')).toBe('Viewer Main, salaries, names and amounts hidden none not yet Invited');
  await page.clock.pass(24 * 3_600_000 + 1);
  await anna.post('/sign-in', { name: 'Anna', password: PASSWORD });
  expect(await row('Bea')).toMatch(/Link expired$/);
  expect(await row('Anna')).toMatch(/none Today, \d\d:\d\d Active$/);
  await anna.post(`/people/${id}/lock`);
  expect(await row('Bea')).toMatch(/Deactivated$/);
});

test('of two who open one link at once, one comes in', async () => {
  const page = await openPage();
  await page.first('Anna');
  const { people } = page.web;
  const token = await people.invite((await people.add('Bea', ['viewer'])).id);
  const form = { token, password: PASSWORD, again: PASSWORD };
  const answers = await Promise.all([page.browser(), page.browser()].map((one) => one.post('/welcome/enter', form)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
  // The key of whoever came too late is not left behind.
  expect(readdirSync(join(page.dataDir, 'web/keys'))).toHaveLength(2);
});

test('a link is void after 24 hours, after a newer one, and for whom is locked out', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  await anna.post('/people', { name: 'Bea', role: 'viewer' });
  const bea = await called(page, 'Bea');
  const isGood = async (token: string | undefined) =>
    (await page.browser().post('/welcome', { token: token ?? '' })).status;
  const first = await linkShown(anna, bea);
  await anna.post(`/people/${bea.id}/link`);
  const second = await linkShown(anna, bea);
  expect([await isGood(first), await isGood(second)]).toEqual([403, 200]);
  await anna.post(`/people/${bea.id}/lock`);
  expect(await isGood(second)).toBe(403);
  await anna.post(`/people/${bea.id}/unlock`);
  expect(await isGood(second)).toBe(200);
  await page.clock.pass(24 * 3_600_000 + 1);
  expect(await isGood(second)).toBe(403);
});

test.each<[string, (anna: Browser, dora: Person, page: TestPage) => Promise<unknown>]>([
  ['is locked out', (anna, { id }) => anna.post(`/people/${id}/lock`)],
  ['administers no more', (anna, { id }) => anna.post(`/people/${id}/roles`, { role: 'viewer' })],
  [
    'comes in anew',
    async (anna, dora, page) => {
      await anna.post(`/people/${dora.id}/link`);
      const token = (await linkShown(anna, dora)) ?? '';
      await page.browser().post('/welcome/enter', { token, password: `${PASSWORD} 2`, again: `${PASSWORD} 2` });
    },
  ],
])('a link is void when the administrator who made it %s', async (_, act) => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const dora = await page.person('Dora', ['administrator']);
  const made: string[] = [];
  for (const [by, name] of [
    [dora, 'Bea'],
    [anna, 'Cid'],
  ] as const) {
    await by.post('/people', { name, role: 'approver' });
    made.push((await linkShown(by, await called(page, name))) ?? '');
  }
  const good = () => Promise.all(made.map(async (token) => (await page.browser().post('/welcome', { token })).status));
  expect(await good()).toEqual([200, 200]);
  await act(anna, await called(page, 'Dora'), page);
  expect(await good()).toEqual([403, 200]);
});

test('wrong sign-ins under the name of somebody who is in keep them from nothing, and their own wrong ones do', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const again = `again ${(await called(page, 'Anna')).id}`;
  const other = page.browser({ address: '192.0.2.9' });
  for (const name of ['Anna', 'Anna', 'Anna', 'Anna', again, again, again, again])
    await other.post('/sign-in', { name, password: 'not the password' });
  expect((await other.post('/sign-in', { name: 'Anna', password: PASSWORD })).status).toBe(429);
  const change = (current: string) => anna.post('/me/password', { current, password: PASSWORD, again: PASSWORD });
  const statuses: number[] = [];
  for (const current of [PASSWORD, 'not it', 'not it', 'not it', PASSWORD])
    statuses.push((await change(current)).status);
  expect(statuses).toEqual([303, 422, 422, 422, 429]);
});

test('a name is one name to the pauses, however its blanks and letters are written', async () => {
  const page = await openPage();
  await page.first('Anna Novak');
  const other = page.browser();
  const statuses: number[] = [];
  for (const name of ['Anna Novak', 'Anna  Novak', ' ANNA   NOVAK ', 'Anna\tNovak'])
    statuses.push((await other.post('/sign-in', { name, password: 'not the password' })).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
});

test('where somebody has signed in before, what others guess for the name or behind the address keeps them from nothing', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  await page.person('Bea', ['viewer']);
  const signIn = (browser: Browser, password = PASSWORD) => browser.post('/sign-in', { name: 'Anna', password });
  await anna.post('/sign-out');
  // By name from everywhere, and by every name from where she is.
  for (let n = 0; n < 6; n += 1) await signIn(page.browser({ address: `192.0.2.${n}` }), 'a guess');
  const beside = page.browser();
  for (let n = 0; n < 30; n += 1) await beside.post('/sign-in', { name: `name ${n}`, password: 'a guess' });
  const statuses = [
    await signIn(page.browser({ address: '192.0.2.99' })),
    await beside.post('/sign-in', { name: 'Bea', password: PASSWORD }),
    await signIn(anna),
    await anna.post('/me/password', { current: PASSWORD, password: PASSWORD, again: PASSWORD }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([429, 429, 303, 303]);
  // A restart forgets nobody: the browser is known by what is kept on disk.
  await anna.post('/sign-out');
  expect(await page.web.store.all('SELECT person_id FROM known_device')).toHaveLength(2);
  expect((await signIn(anna)).status).toBe(303);
});

test('a known browser has its own few guesses, for its own person only, and a wrong one opens nothing', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const bea = await page.person('Bea', ['viewer']);
  const stolen = page.browser({ address: '192.0.2.1' });
  stolen.device = anna.device;
  const as = (name: string, password: string) => stolen.post('/sign-in', { name, password });
  const guesses: number[] = [];
  for (let n = 0; n < 5; n += 1) guesses.push((await as('Anna', `guess ${n}`)).status);
  expect(guesses).toEqual([401, 401, 401, 429, 429]);
  // For another name it is any browser.
  for (let n = 0; n < 4; n += 1) await as('Bea', `guess ${n}`);
  expect((await as('Bea', PASSWORD)).status).toBe(429);
  bea.cookie = '';
  expect((await bea.post('/sign-in', { name: 'Bea', password: PASSWORD })).status).toBe(303);
  stolen.device = 'payrun-device=made-up';
  await page.clock.pass(2 * 3_600_000);
  expect((await as('Anna', PASSWORD)).status).toBe(303);
});

test('roles count from the next request, and who is locked out is out at once', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const bea = await page.person('Bea', ['viewer']);
  const { id } = await called(page, 'Bea');
  expect((await bea.get('/people')).status).toBe(403);
  await anna.post(`/people/${id}/roles`, { role: ['viewer', 'administrator', 'no such role'] });
  expect((await called(page, 'Bea')).roles).toEqual(['administrator', 'viewer']);
  expect((await bea.get('/people')).status).toBe(200);

  await anna.post(`/people/${id}/lock`);
  expect((await bea.get('/people')).location).toBe('/sign-in?next=%2Fpeople');
  expect((await bea.post('/sign-in', { name: 'Bea', password: PASSWORD })).status).toBe(401);
  await anna.post(`/people/${id}/unlock`);
  expect((await bea.get('/people')).status).toBe(303);
  expect((await bea.post('/sign-in', { name: 'Bea', password: PASSWORD })).status).toBe(303);
});

test('access is given row by row, to a job and without names and amounts, and each change is in the activity', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  await page.person('Bea', ['approver']);
  const { id } = await called(page, 'Bea');
  const shown = await anna.get(`/people/${id}`);
  expect(shown.text).toContain('Change the roles');
  const rows = {
    role: ['approver', 'viewer', ''],
    entity: ['', '', ''],
    job: ['salaries', '', ''],
    details: ['shown', 'hidden', 'shown'],
  };
  expect((await anna.post(`/people/${id}/access`, rows)).location).toBe(`/people/${id}?done=access`);
  expect((await called(page, 'Bea')).grants).toEqual([
    { role: 'approver', entity: null, job: 'salaries', details: true },
    { role: 'viewer', entity: null, job: null, details: false },
  ]);
  const narrowed = await anna.get(`/people/${id}`);
  expect(narrowed.text).not.toContain('Change the roles');
  expect(narrowed.text).toContain('<option value="salaries" selected>');
  const [entry] = await page.web.audit.list();
  expect(entry).toMatchObject({
    act: 'access_changed',
    details: {
      whom: id,
      from: ['approver, all entities, all jobs'],
      to: ['approver, all entities, job salaries', 'viewer, all entities, all jobs, names and amounts hidden'],
    },
  });
  const own = (await called(page, 'Anna')).id;
  const without = await anna.post(`/people/${own}/access`, { role: [''], entity: [''], job: [''], details: ['shown'] });
  expect([without.status, (await called(page, 'Anna')).roles]).toEqual([409, ['administrator']]);
  // A role for everything, by the form of before.
  await anna.post(`/people/${id}/roles`, { role: ['viewer'] });
  expect((await called(page, 'Bea')).grants).toEqual([{ role: 'viewer', entity: null, job: null, details: true }]);
});

test('who is locked out while their password is being checked is not in either', async () => {
  const page = await openPage();
  await page.first('Anna');
  const bea = await page.person('Bea', ['viewer']);
  const { passwords, people } = page.web;
  const derive = passwords.passphrase.bind(passwords);
  passwords.passphrase = async (...given) => {
    await people.setLocked((await called(page, 'Bea')).id, true);
    return derive(...given);
  };
  expect((await bea.post('/sign-in', { name: 'Bea', password: PASSWORD })).status).toBe(303);
  expect((await bea.get('/me')).status).toBe(303);
});

test('the last administrator stays one', async () => {
  const page = await openPage();
  const anna = await page.first('Anna', ['preparer']);
  const { id } = await called(page, 'Anna');
  expect((await anna.post(`/people/${id}/lock`)).status).toBe(409);
  expect((await anna.post(`/people/${id}/roles`, { role: 'preparer' })).status).toBe(409);
  expect((await called(page, 'Anna')).roles).toEqual(['administrator', 'preparer']);
});

test.each(['', '   ', 'a'.repeat(65), 'Bea\u200b', 'bea@desk', 'ANNA', ' anna ', 'Ａｎｎａ'])(
  'nobody is invited as %j',
  async (name) => {
    const page = await openPage();
    const anna = await page.first('Anna');
    expect((await anna.post('/people', { name, role: 'viewer' })).status).toBe(422);
    expect(await page.web.people.list()).toHaveLength(1);
  },
);

test('a new password locks the same key, and everywhere else one is signed out', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const elsewhere = page.browser();
  await elsewhere.post('/sign-in', { name: 'Anna', password: PASSWORD });
  const before = await called(page, 'Anna');
  expect(await opensKey(page, 'Anna', anna)).toBe(true);
  const keyBefore = page.web.store.files.path('keys', before.keyFile ?? '');
  expect(statSync(keyBefore).mode & 0o777).toBe(0o600);

  const next = 'four quite other words';
  const wrong = await anna.post('/me/password', { current: 'not the password', password: next, again: next });
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Wrong password')]);
  const old = anna.cookie;
  expect((await anna.post('/me/password', { current: PASSWORD, password: next, again: next })).location).toBe(
    '/me?done=password',
  );
  expect(anna.cookie).not.toBe(old);
  const after = await called(page, 'Anna');
  expect(after.publicKey).toBe(before.publicKey);
  expect(existsSync(keyBefore)).toBe(false);
  expect(await opensKey(page, 'Anna', anna)).toBe(true);
  expect((await elsewhere.get('/me')).status).toBe(303);
  expect((await elsewhere.post('/sign-in', { name: 'Anna', password: PASSWORD })).status).toBe(401);
  expect((await elsewhere.post('/sign-in', { name: 'Anna', password: next })).status).toBe(303);
  expect(await opensKey(page, 'Anna', elsewhere)).toBe(true);
});

test('who has forgotten the password comes in by a new link, with another key and the same passkeys', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const bea = await page.person('Bea', ['approver']);
  const before = await called(page, 'Bea');
  const keyBefore = page.web.store.files.path('keys', before.keyFile ?? '');
  expect(existsSync(keyBefore)).toBe(true);
  const passkey = { id: 'AAAA', label: 'Phone', rpId: 'localhost', publicKey: 'AAAA', counter: 0, transports: [] };
  await page.web.passkeys.add(before.id, passkey);
  const scope = ['payments:read'];
  await bea.post('/me/tokens', { name: 'Script', scope, days: '30', current: PASSWORD });
  expect(await page.web.tokens.list(before.id)).toMatchObject([{ revokedAt: null }]);
  await anna.post(`/people/${before.id}/link`);
  const form = { token: (await linkShown(anna, before)) ?? '', password: `${PASSWORD} 2`, again: `${PASSWORD} 2` };
  const again = page.browser();
  expect((await again.post('/welcome/enter', form)).status).toBe(303);
  const after = await called(page, 'Bea');
  expect(after.publicKey).not.toBe(before.publicKey);
  expect(existsSync(keyBefore)).toBe(false);
  expect(await opensKey(page, 'Bea', again)).toBe(true);
  expect(await page.web.tokens.list(before.id)).toMatchObject([{ revokedAt: expect.any(Number) }]);
  expect((await bea.get('/me')).status).toBe(303);
  // Else whoever administers could take an approver's place, with a link for themself.
  expect(await page.web.passkeys.of(after.id)).toHaveLength(1);
});

test('what a person needs for a job is the line that their page shows, folded, to those who sign', async () => {
  const page = await openPage();
  const anna = await page.first('Anna "A" Novak', ['preparer']);
  const vera = await page.person('Vera', ['viewer']);
  const { publicKey } = await called(page, 'Anna "A" Novak');
  const { text } = await anna.get('/me');
  expect(text).toContain(`- {name: &quot;Anna \\&quot;A\\&quot; Novak&quot;, public_key: ${publicKey}}`);
  expect(text).toContain('<details class="card">\n<summary>Your signing key');
  expect((await vera.get('/me')).text).not.toContain('public_key');
});
