import { expect, test } from 'vitest';
import { machineRandomness } from '../../src/platform/machine.ts';
import { Passwords } from '../../src/web/sign-in/passwords.ts';
import { openPage, PASSWORD } from './web-page.ts';

test('the first person comes in by the link that was printed, signs out, and signs in again', async () => {
  const page = await openPage();
  const anna = await page.first('Anna Novak', ['preparer']);
  expect((await anna.get('/')).text).toContain('Anna Novak');
  expect((await page.web.people.byName('anna  NOVAK'))?.roles).toEqual(['administrator', 'preparer']);

  const before = anna.cookie;
  expect((await anna.post('/sign-out')).location).toBe('/sign-in');
  expect(anna.cookie).toBe('');
  anna.cookie = before;
  expect((await anna.get('/')).location).toBe('/sign-in');

  const refused = await anna.post('/sign-in', { name: 'Anna Novak', password: 'incorrect horse battery' });
  expect(refused.status).toBe(401);
  expect(refused.text).toContain('Wrong name or password');
  const signedIn = await anna.post('/sign-in', { name: 'anna novak', password: PASSWORD, next: '/runs?page=2' });
  expect([signedIn.status, signedIn.location]).toEqual([303, '/runs?page=2']);
  expect((await anna.get('/')).status).toBe(200);
});

test('who mistypes the password as the first person keeps name and ticks; an administrator without a role is told the way', async () => {
  const page = await openPage();
  const token = (await page.firstUserLink())?.split('#')[1] ?? '';
  const form = { token, name: 'Anna', role: ['preparer'], password: PASSWORD };
  const again = await page.browser().post('/welcome/enter', { ...form, again: `${PASSWORD}r` });
  expect([again.status, again.text]).toEqual([422, expect.stringContaining('The passwords do not match.')]);
  expect(again.text).toMatch(/name="role" value="preparer" checked>/);
  expect(again.text).toMatch(/name="role" value="approver">/);
  expect(again.text).toContain('name="name" value="Anna"');
  const anna = await page.first('Anna');
  expect((await anna.get('/')).text).toContain('Give yourself one under <a href="/people">Team</a>');
  const gus = await page.person('Gus', []);
  expect((await gus.get('/')).text).toContain('Ask an administrator for one.');
});

test.each([
  [true, ' · TEST · payrun', '<body class="test">', 'REHEARSAL: no money moves', '/static/icon-test.svg'],
  [false, ' · LIVE · payrun', '<body class="live">', 'Real money moves', '/static/icon.svg'],
  [null, 'Sign in · payrun', '<body class="unknown">', 'The service has not answered yet'],
])('every page shows in its title, colour and words whether it is a rehearsal: %s', async (rehearsal, ...shown) => {
  const page = await openPage({ options: { rehearsal } });
  const { text } = await page.browser().get('/sign-in');
  for (const part of shown) expect(text).toContain(part);
});

test('a second first person there is not, however often the link is asked for', async () => {
  const page = await openPage();
  const old = (await page.firstUserLink())?.split('#')[1] ?? '';
  const browser = page.browser();
  const newer = (await page.firstUserLink())?.split('#')[1] ?? '';
  expect((await browser.post('/welcome', { token: old })).status).toBe(403);
  expect((await browser.post('/welcome', { token: `${page.origin}/welcome#${newer}` })).status).toBe(200);
  await page.first('Anna');
  expect(await page.firstUserLink()).toBeNull();
  expect((await browser.post('/welcome', { token: newer })).status).toBe(403);
});

test('a password is kept as argon2id with 64 MiB and three passes', async () => {
  const passwords = new Passwords(machineRandomness);
  const kept = await passwords.keep(PASSWORD);
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.isRight(PASSWORD, kept)).toBe(true);
  expect(await passwords.isRight(`${PASSWORD} `, kept)).toBe(false);
});

test('pages at two ports of one host keep their cookies apart, which browsers send to both', async () => {
  const names: (string | undefined)[] = [];
  for (const origin of ['http://localhost:8800', 'http://localhost:8801', 'https://a.test', 'https://a.test:8443']) {
    const anna = await (await openPage({ options: { origin } })).first('Anna');
    expect((await anna.get('/')).status).toBe(200);
    names.push(anna.cookie.split('=')[0], anna.device.split('=')[0]);
  }
  expect(new Set(names).size).toBe(names.length);
  expect(names.slice(0, 2)).toEqual(['payrun', 'payrun-device']);
  expect(names.slice(4, 6)).toEqual(['__Host-payrun', '__Host-payrun-device']);
});
