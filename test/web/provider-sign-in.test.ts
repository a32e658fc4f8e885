import { expect, test } from 'vitest';
import { machineClock } from '../../src/platform/machine.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { startWeb } from '../support/web-process.ts';
import { openProvider } from './provider.ts';
import { type Answer, type Browser, openPage, PASSWORD } from './web-page.ts';

const ORIGIN = 'http://localhost:8800';
const PLACE = '/sign-in/provider/password';

/** A page whose people sign in at a provider too, and whose clock is `skewMs` ahead. */
async function office({ isInIdToken = true } = {}) {
  const accounts = new Map([
    ['u1', { name: 'Bea', groups: ['approvers', 'everybody'] }],
    ['u2', { name: 'Cid', groups: ['everybody'] }],
    ['u3', { name: 'Anna', groups: ['approvers', 'admins'] }],
    ['u4', { name: 'Bea', groups: ['approvers'] }],
  ]);
  const { issuer, signIn } = await openProvider(accounts, ORIGIN, isInIdToken);
  const time = { skewMs: 0 };
  const clock = { ...machineClock, wallMs: () => machineClock.wallMs() + time.skewMs };
  const provider = {
    issuer,
    clientId: 'payrun',
    clientSecret: 'a secret: of+the client/%',
    groupsClaim: 'groups',
    roles: new Map([
      ['approvers', ['approver', 'viewer'] as const],
      ['admins', ['administrator'] as const],
    ]),
  };
  const page = await openPage({ deps: { clock }, options: { origin: ORIGIN, provider } });
  /** What the page answers when the provider leads back to it. */
  const comeBack = async (browser: Browser, account: string, change = (url: string) => url): Promise<Answer> => {
    const begun = await browser.get('/sign-in/provider?next=/runs');
    expect(begun.location).toContain(`${issuer}/auth?`);
    const back = change(await signIn(begun.location ?? '', account));
    expect(back).toContain(`${ORIGIN}/sign-in/provider/callback?`);
    return browser.get(back.slice(ORIGIN.length));
  };
  return { page, accounts, time, comeBack, issuer };
}

test('groups and name are asked for where the ID token has none', async () => {
  const { page, accounts, comeBack } = await office({ isInIdToken: false });
  await page.first('Zoe');
  const bea = page.browser();
  expect(await comeBack(bea, 'u1')).toMatchObject({ status: 200, text: led });
  expect((await prove(bea)).location).toBe('/runs');
  expect((await page.web.people.byName('Bea'))?.roles).toEqual(['approver', 'viewer']);
  // Nobody is anything by a group that means nothing here.
  const cid = page.browser();
  expect((await comeBack(cid, 'u2')).text).toContain('Your groups give you no role here.');
  accounts.set('u1', { name: 'Bea', groups: [] });
  expect((await comeBack(bea, 'u1')).text).toContain('Your groups give you no role here.');
  expect((await page.web.people.byName('Bea'))?.roles).toEqual([]);
});

const prove = (browser: Browser, password = PASSWORD) =>
  browser.post(PLACE, { password, again: password, next: '/runs' });
const led = expect.stringContaining(`url=${PLACE}?next=%2Fruns`);

test('who signs in at the provider has the roles of their groups, chooses a password that opens their key, and signs out there', async () => {
  const { page, accounts, comeBack, issuer } = await office();
  await page.first('Zoe');
  const bea = page.browser();
  expect((await bea.get('/sign-in')).text).toContain(`Sign in with ${new URL(issuer).host}`);
  expect(await comeBack(bea, 'u1')).toMatchObject({ status: 200, text: led });
  // The provider alone opens nothing.
  for (const path of ['/', '/me', '/runs']) expect((await bea.get(path)).location).toContain('/sign-in');
  expect((await bea.get('/sign-in/second-factor')).location).toContain('/sign-in?');
  expect((await bea.get(PLACE)).text).toContain('Welcome, Bea');
  expect((await prove(bea, 'short')).status).toBe(422);
  expect((await prove(bea)).location).toBe('/runs');
  expect((await page.web.people.byName('Bea'))?.roles).toEqual(['approver', 'viewer']);
  expect((await bea.get('/me')).text).toContain('public_key');

  const out = await bea.post('/sign-out');
  const [, place = ''] = /href="([^"]+session\/end[^"]+)"/.exec(out.text) ?? [];
  const asked = new URL(place.replaceAll('&amp;', '&'));
  expect([asked.origin, asked.searchParams.get('post_logout_redirect_uri')]).toEqual([issuer, `${ORIGIN}/sign-in`]);
  expect((await fetch(asked)).status).toBe(200);
  expect((await bea.get('/me')).location).toContain('/sign-in');

  // The password alone signs nobody in who has an account there; with the provider it has to be theirs.
  const alone = await bea.post('/sign-in', { name: 'Bea', password: PASSWORD });
  expect([alone.status, bea.cookie]).toEqual([403, '']);
  accounts.set('u1', { name: 'Bea Ortiz', groups: ['admins'] });
  await comeBack(bea, 'u1');
  expect((await bea.get(PLACE)).text).toContain('says that you are Bea.');
  expect((await prove(bea, 'not the password')).status).toBe(401);
  expect((await prove(bea)).location).toBe('/runs');
  expect((await page.web.people.byName('Bea'))?.roles).toEqual(['administrator']);
  accounts.set('u1', { name: 'Bea', groups: [] });
  const gone = page.browser();
  expect(await comeBack(gone, 'u1')).toMatchObject({ status: 403, text: expect.stringContaining('no role here') });
  expect((await bea.get('/me')).location).toContain('/sign-in');
});

test('somebody who was here before connects the account by their password; nobody takes a name, or comes without a group', async () => {
  const { page, comeBack } = await office();
  const anna = await page.first('Anna', ['preparer']);
  const thief = page.browser();
  await comeBack(thief, 'u3');
  expect((await prove(thief, 'a guess of the thief')).status).toBe(401);
  expect((await thief.get('/me')).location).toContain('/sign-in');
  await comeBack(anna, 'u3');
  expect((await prove(anna)).location).toBe('/runs');
  expect((await page.web.people.byName('Anna'))?.roles).toEqual(['administrator', 'approver', 'viewer']);

  expect(await comeBack(page.browser(), 'u2')).toMatchObject({ status: 403, text: expect.stringContaining('no role') });
  expect(await page.web.people.byName('Cid')).toBeNull();
  const bea = page.browser();
  await comeBack(bea, 'u1');
  await prove(bea);
  expect(await comeBack(page.browser(), 'u4')).toMatchObject({
    status: 403,
    text: expect.stringContaining('Someone else with your name'),
  });
  // A link of an administrator gives a new password, and not the place of who signs in at the provider.
  const { id = '' } = (await page.web.people.byName('Bea')) ?? {};
  await anna.post(`/people/${id}/link`);
  const token = /\/welcome#([\w-]+)/.exec((await anna.get(`/people/${id}`)).text)?.[1] ?? '';
  const other = page.browser();
  const entered = await other.post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD });
  expect([entered.location, other.cookie]).toEqual(['/sign-in', '']);
});

test('an answer counts once, in the browser that asked, unchanged, and where the clocks are a minute apart at most', async () => {
  const { page, comeBack, time } = await office();
  await page.first('Zoe');
  const bea = page.browser();
  let seen = '';
  await comeBack(bea, 'u1', (url) => {
    seen = url.slice(ORIGIN.length);
    return url;
  });
  const thief = page.browser();
  for (const browser of [bea, thief]) expect((await browser.get(seen)).status).toBe(403);
  expect(await comeBack(thief, 'u1', (url) => url.replace(/state=[^&]+/, 'state=another'))).toMatchObject({
    status: 403,
  });
  expect(await comeBack(thief, 'u1', (url) => url.replace(/code=[^&]+/, 'code=another'))).toMatchObject({
    status: 403,
  });
  expect(await comeBack(thief, 'u1', (url) => url.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.test'))).toMatchObject({
    status: 403,
  });
  thief.cookie = '';
  // What another browser was sent with does not go with this answer.
  const begun = await thief.get('/sign-in/provider');
  expect(begun.status).toBe(303);
  expect((await thief.get(seen)).status).toBe(403);
  for (const [skewMs, status] of [
    [55_000, 200],
    [-55_000, 200],
    [75_000, 403],
    [-75_000, 403],
  ] as const) {
    time.skewMs = skewMs;
    expect([skewMs, (await comeBack(page.browser(), 'u1')).status]).toEqual([skewMs, status]);
  }
});

test('payrun web takes the provider by options, all or none of them, and its secret from where it is', async () => {
  const { issuer } = await openProvider(new Map(), ORIGIN);
  const dataDir = temporaryFolder();
  const all = ['--oidc-issuer', issuer, '--oidc-client', 'payrun', '--oidc-secret', 'env:OIDC_SECRET'];
  const refused = async (...args: string[]) =>
    (await payrun(['web', '--port', '0', '--data-dir', dataDir, ...args])).stderr;
  expect(await refused(...all)).toContain('Give --oidc-issuer, --oidc-client, --oidc-secret and --oidc-roles.');
  expect(await refused('--oidc-roles', 'Payroll=owner')).toContain('such as Payroll=preparer+viewer');
  expect(await refused('--oidc-issuer', 'http://login.example.com')).toContain('http on loopback only');
  expect(await refused(...all, '--oidc-roles', 'Payroll=preparer+viewer')).toContain('OIDC_SECRET');
  const args = [...all, '--oidc-roles', 'Payroll=preparer+viewer,Treasury=approver'];
  const { url } = await startWeb({ dataDir, args, env: { OIDC_SECRET: 'a secret' } });
  expect(await (await fetch(`${url}/sign-in`)).text()).toContain(`Sign in with ${new URL(issuer).host}`);
  const led = new URL((await fetch(`${url}/sign-in/provider`, { redirect: 'manual' })).headers.get('location') ?? '');
  expect([led.origin, led.searchParams.get('client_id'), led.searchParams.get('redirect_uri')]).toEqual([
    issuer,
    'payrun',
    `${url}/sign-in/provider/callback`,
  ]);
});
