import { Buffer } from 'node:buffer';
import decodeQr from 'qr/decode.js';
import { expect, test } from 'vitest';
import { base32, stepAt, totpCode } from '../../src/web/sign-in/totp.ts';
import { appKey } from './app-key.ts';
import { authenticator } from './authenticator.ts';
import { type Answer, type Browser, openPage, PASSWORD, type TestPage } from './web-page.ts';

const STEP_MS = 30_000;
const SECOND = '/sign-in/second-factor';

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('RFC 6238, appendix B: the code at second %i is %s', (seconds, code) => {
  const secret = Buffer.from('12345678901234567890');
  expect(totpCode(secret, stepAt(seconds * 1_000), 8)).toBe(code);
  expect(totpCode(secret, stepAt(seconds * 1_000))).toBe(code.slice(2));
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648, section 10: %j in Base32 is %s', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

/** What an app has from the text of a page that shows the key. */
function appOf({ clock }: TestPage, { text }: Answer) {
  const { shown, secret } = appKey(text);
  return { shown, code: (steps = 0) => totpCode(secret, stepAt(clock.wallMs()) + steps) };
}

/** What a camera reads. */
function pictured({ text }: Answer): string {
  const size = Number(/class="qr" viewBox="0 0 (\d+)/.exec(text)?.[1]);
  const scale = 4;
  const image = { width: size * scale, height: size * scale, data: new Uint8Array((size * scale) ** 2 * 4).fill(255) };
  for (const [, x, y] of text.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let at = 0; at < scale ** 2; at += 1) {
      const [column, row] = [Number(x) * scale + (at % scale), Number(y) * scale + Math.floor(at / scale)];
      image.data.fill(0, (row * image.width + column) * 4, (row * image.width + column) * 4 + 3);
    }
  return decodeQr(image);
}

const codesOf = ({ text }: Answer) => text.match(/[0-9a-z]{4}(-[0-9a-z]{4}){3}/g) ?? [];
const signIn = (browser: Browser, name: string, password = PASSWORD) => browser.post('/sign-in', { name, password });

/** Sets an app up in this browser, and goes on when its first code is over. */
async function withApp(page: TestPage, browser: Browser) {
  const app = appOf(page, await browser.get('/me/app'));
  const added = await browser.post('/me/app', { current: PASSWORD, code: app.code() });
  expect(added.status).toBe(200);
  await page.clock.pass(STEP_MS);
  return { ...app, codes: codesOf(added) };
}

test('with an app, a sign-in takes the password and a code, which counts once, or a recovery code; before that every page is shut', async () => {
  const page = await openPage();
  const anna = await page.first('Anna', ['preparer']);
  const shown = await anna.get('/me/app');
  expect(pictured(shown)).toBe(
    `otpauth://totp/payrun%3AAnna%20(localhost%3A8800)?secret=${appOf(page, shown).shown}&issuer=payrun&algorithm=SHA1&digits=6&period=30`,
  );
  const wrong = await anna.post('/me/app', { current: 'not it', code: appOf(page, shown).code() });
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Wrong password')]);
  const { codes, code, shown: key } = await withApp(page, anna);
  expect(codes).toHaveLength(10);
  const kept = JSON.stringify([
    await page.web.store.all('SELECT * FROM authenticator_app'),
    await page.web.store.all('SELECT * FROM recovery_code'),
  ]);
  for (const secret of [key, ...codes, ...codes.map((each) => each.replaceAll('-', ''))])
    expect(kept).not.toContain(secret);

  await anna.post('/sign-out');
  const half = await anna.post('/sign-in', { name: 'Anna', password: PASSWORD, next: '/runs' });
  expect(half.location).toBe(`${SECOND}?next=%2Fruns`);
  for (const path of ['/', '/me', '/me/app', '/people']) expect((await anna.get(path)).location).toContain('/sign-in');
  expect((await anna.post('/people', { name: 'Zed', role: 'approver' })).status).toBe(401);
  expect((await anna.post(SECOND, { code: '000000' })).status).toBe(401);
  const token = anna.cookie;
  const now = code();
  expect((await anna.post(SECOND, { code: now, next: '/runs' })).location).toBe('/runs');
  expect((await anna.get('/me')).status).toBe(200);
  // The half of a session is no session, and is over.
  expect(anna.cookie).not.toBe(token);
  const thief = page.browser();
  thief.cookie = token;
  expect((await thief.get(SECOND)).location).toContain('/sign-in?');

  await signIn(thief, 'Anna');
  // Somebody looked over her shoulder.
  expect((await thief.post(SECOND, { code: now })).status).toBe(401);
  expect((await thief.post(SECOND, { code: code(-2) })).status).toBe(401);
  await page.clock.pass(STEP_MS);
  const [first = ''] = codes;
  expect((await thief.post(SECOND, { code: first.toUpperCase() })).location).toBe('/');
  expect((await anna.get('/me')).text).toContain('9 recovery codes');
  await signIn(thief, 'Anna');
  expect((await thief.post(SECOND, { code: first })).status).toBe(401);
  await page.clock.pass(STEP_MS);
  // A phone whose clock goes half a minute wrong.
  expect((await thief.post(SECOND, { code: code(1) })).location).toBe('/');
  const log = (await anna.get('/audit')).text;
  for (const line of ['second factor recovery code', 'second factor app', 'entered a wrong second factor'])
    expect(log).toContain(line);
});

test('the app stays with a new password, and goes with a new link or by password and code', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const bea = await page.person('Bea', ['approver']);
  const app = await withApp(page, bea);
  const next = 'four quite other words';
  expect((await bea.post('/me/password', { current: PASSWORD, password: next, again: next })).status).toBe(303);
  await signIn(bea, 'Bea', next);
  expect((await bea.post(SECOND, { code: app.code() })).location).toBe('/');
  await page.clock.pass(STEP_MS);
  expect((await bea.post('/me/app/remove', { current: next, code: '123456' })).status).toBe(422);
  expect((await bea.post('/me/app/remove', { current: PASSWORD, code: app.code() })).status).toBe(422);
  expect((await bea.post('/me/app/remove', { current: next, code: app.code() })).location).toBe('/me?done=app_removed');
  expect((await signIn(bea, 'Bea', next)).location).toBe('/');

  const { id = '' } = (await page.web.people.byName('Bea')) ?? {};
  const again = appOf(page, await bea.get('/me/app'));
  await page.clock.pass(STEP_MS);
  expect((await bea.post('/me/app', { current: next, code: again.code() })).status).toBe(200);
  await anna.post(`/people/${id}/link`);
  const token = /\/welcome#([\w-]+)/.exec((await anna.get(`/people/${id}`)).text)?.[1] ?? '';
  expect((await bea.post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD })).location).toBe('/');
  expect(await page.web.store.all('SELECT * FROM recovery_code')).toEqual([]);
});

test('wrong codes are counted with wrong passwords: a right password forgives none, and a known browser has its own', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const app = await withApp(page, anna);
  await anna.post('/sign-out');
  const thief = page.browser({ address: '192.0.2.1' });
  const statuses: number[] = [];
  for (const _ of [1, 2, 3]) {
    statuses.push((await signIn(thief, 'Anna')).status);
    statuses.push((await thief.post(SECOND, { code: '000000' })).status);
  }
  expect(statuses).toEqual([303, 401, 303, 429, 429, 429]);
  const beside = page.browser({ address: '192.0.2.2' });
  expect((await signIn(beside, 'anna')).status).toBe(429);
  await signIn(anna, 'Anna');
  expect((await anna.post(SECOND, { code: app.code() })).location).toBe('/');
  const guesses: number[] = [];
  for (const _ of [1, 2, 3, 4])
    guesses.push((await anna.post('/me/app/remove', { current: PASSWORD, code: '000000' })).status);
  expect(guesses).toEqual([422, 422, 422, 429]);
});

test('where everybody needs a second factor, who has none sets one up before anything else, and who has one gives it', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  const bea = await page.person('Bea', ['approver']);
  const cid = await page.person('Cid', ['viewer']);
  const key = authenticator(page.origin);
  const options = await bea.post('/me/passkeys/options', { current: PASSWORD });
  await bea.post('/me/passkeys', { label: 'Key', credential: key.create(JSON.parse(options.text)) });
  expect((await bea.post('/people/second-factor', { required: 'yes' })).status).toBe(403);
  await anna.post('/people/second-factor', { required: 'yes' });
  const team = (await anna.get('/people')).text;
  expect(team).toContain('Everyone signs in with a second factor');
  expect(team).toContain('Without a second factor: Anna and Cid.');
  // Who is in stays in.
  expect((await cid.get('/me')).status).toBe(200);

  await signIn(cid, 'Cid');
  expect((await cid.get('/')).location).toContain('/sign-in');
  const seen = page.browser();
  await signIn(seen, 'Cid');
  const spied = appOf(page, await seen.get(SECOND));
  const app = appOf(page, await cid.get(SECOND));
  expect(app.shown).not.toBe(spied.shown);
  expect((await seen.post(`${SECOND}/app`, { code: spied.code() })).status).toBe(401);
  const again = appOf(page, await cid.get(SECOND));
  const added = await cid.post(`${SECOND}/app`, { code: again.code(), next: '/runs' });
  expect([codesOf(added).length, added.text]).toEqual([10, expect.stringContaining('href="/runs"')]);
  expect((await cid.get('/me')).status).toBe(200);

  // A password alone puts no factor of a thief's beside the passkey.
  const thief = page.browser();
  await signIn(thief, 'Bea');
  for (const path of ['/app', '/passkey', '/passkey/options'])
    expect((await thief.post(`${SECOND}${path}`, { code: '000000' })).location).toBe(SECOND);
  expect((await thief.get(SECOND)).text).not.toContain('The key as text');
  const asked = await thief.post(`${SECOND}/ask`);
  const forged = authenticator(page.origin).get(JSON.parse(asked.text));
  expect((await thief.post(SECOND, { credential: forged })).status).toBe(401);
  await signIn(bea, 'Bea');
  const credential = key.get(JSON.parse((await bea.post(`${SECOND}/ask`)).text));
  expect((await thief.post(SECOND, { credential })).status).not.toBe(303);
  expect((await bea.post(SECOND, { credential })).location).toBe('/');

  await anna.post('/people', { name: 'Dora', role: 'viewer' });
  const { id = '' } = (await page.web.people.byName('Dora')) ?? {};
  const token = /\/welcome#([\w-]+)/.exec((await anna.get(`/people/${id}`)).text)?.[1] ?? '';
  const dora = page.browser();
  expect((await dora.post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD })).location).toBe(SECOND);
  expect((await dora.get('/')).location).toContain('/sign-in');
  const made = await dora.post(`${SECOND}/passkey/options`);
  const own = authenticator(page.origin).create(JSON.parse(made.text));
  expect((await dora.post(`${SECOND}/passkey`, { credential: own })).location).toBe('/');
  expect((await dora.get('/')).status).toBe(200);
  await anna.post('/people/second-factor', { required: 'no' });
  expect((await signIn(dora, 'Dora')).location).toBe('/');
});

test('the half of a session lasts ten minutes, and ends none of its owner', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  await withApp(page, anna);
  const thief = page.browser();
  for (let n = 0; n < 25; n += 1) {
    expect((await signIn(thief, 'Anna')).location).toBe(SECOND);
    await page.web.store.run('DELETE FROM attempt');
  }
  expect((await anna.get('/me')).status).toBe(200);
  expect((await thief.get(SECOND)).status).toBe(200);
  await page.clock.pass(10 * 60_000 + 1);
  expect((await thief.get(SECOND)).location).toContain('/sign-in');
});
