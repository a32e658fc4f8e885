import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/platform/log.ts';
import { type Browser, openPage, PASSWORD, type TestPage } from './web-page.ts';

const SIGN_IN = { name: 'Anna', password: PASSWORD };

async function statusesOf(asks: readonly (() => Promise<{ status: number }>)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const ask of asks) statuses.push((await ask()).status);
  return statuses;
}

describe('another host', () => {
  const HOSTS = [
    'evil.test',
    'evil.test:8800',
    'localhost',
    'localhost:8801',
    'localhost.evil.test:8800',
    '127.0.0.1:80',
  ];

  test.each(HOSTS)(
    'that is rebound to us (%s) reads nothing and writes nothing, though its Origin is its own',
    async (host) => {
      const page = await openPage();
      const anna = await page.first('Anna');
      const worked = page.web.passwords.hashed;
      const at = (path: string) => `http://${host}${path}`;
      const headers = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      const statuses = await statusesOf([
        () => anna.get(at('/')),
        () => anna.get(at('/static/page.js')),
        () => anna.post(at('/sign-in'), SIGN_IN, headers),
        () => anna.post(at('/people'), { name: 'Mallory', role: 'approver' }, headers),
      ]);
      expect(statuses).toEqual([403, 403, 403, 403]);
      expect(await page.web.people.list()).toHaveLength(1);
      expect(page.web.passwords.hashed).toBe(worked);
    },
  );

  test('that differs from the one in the request line is refused', async () => {
    const { browser } = await openPage();
    expect((await browser().get('/sign-in', { host: 'evil.test' })).status).toBe(403);
    expect((await browser().get('http://evil.test/sign-in', { host: 'localhost:8800' })).status).toBe(403);
  });

  test('that is this machine too leads to the one name of the page, and takes no passwords', async () => {
    const page = await openPage();
    const anna = page.browser();
    const led = await anna.get('http://127.0.0.1:8800/runs?page=2');
    expect([led.status, led.location]).toEqual([307, 'http://localhost:8800/runs?page=2']);
    expect((await anna.get('http://127.0.0.1:8800//evil.test/x')).location).toBe('http://localhost:8800/evil.test/x');
    const headers = { origin: 'http://127.0.0.1:8800' };
    expect((await anna.post('http://127.0.0.1:8800/sign-in', SIGN_IN, headers)).status).toBe(403);
  });
});

describe('another page', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    ['another site, without Sec-Fetch-Site', { origin: 'https://evil.test' }],
    ['another port of this host', { origin: 'http://localhost:9999', 'sec-fetch-site': 'same-site' }],
    ['the same host by another scheme', { origin: 'https://localhost:8800', 'sec-fetch-site': 'cross-site' }],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a page that hides where it is', { origin: 'null' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
    ['our own page, as its Origin alone says', { origin: 'http://localhost:8800', 'sec-fetch-site': 'cross-site' }],
    ['nowhere', { origin: '' }],
  ])('posts nothing: %s', async (_what, headers) => {
    const page = await openPage();
    const anna = await page.first('Anna');
    const bare: Record<string, string> = { 'sec-fetch-site': '', ...headers };
    const invite = { name: 'Mallory', role: 'approver' };
    const answers = await statusesOf([
      () => anna.post('/people', invite, bare),
      () => anna.post('/people', invite, { ...bare, 'content-type': 'text/plain' }),
      () => anna.post('/sign-out', {}, bare),
    ]);
    expect(answers).toEqual([403, 403, 403]);
    expect(await page.web.people.list()).toHaveLength(1);
    expect((await anna.get('/me')).status).toBe(200);
  });

  test('shows, loads and runs nothing of ours, and may lead here', async () => {
    const page = await openPage();
    const anna = await page.first('Anna');
    const from = (mode: string, dest: string) => ({
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': mode,
      'sec-fetch-dest': dest,
    });
    expect((await anna.get('/people', from('no-cors', 'image'))).status).toBe(403);
    expect((await anna.get('/people', from('cors', 'empty'))).status).toBe(403);
    expect((await anna.get('/people', from('navigate', 'iframe'))).status).toBe(403);
    expect((await anna.get('/people', from('navigate', 'document'))).status).toBe(200);
    // The browser leaves the cookie out then, and brings it when our own page asks.
    const led = await page.browser().get('/people', from('navigate', 'document'));
    expect([led.status, led.text]).toEqual([200, expect.stringContaining('http-equiv="refresh"')]);
    const again = await page.browser().get('/people', { 'sec-fetch-site': 'same-origin' });
    expect(again.location).toBe('/sign-in?next=%2Fpeople');
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('does nothing by %s', async (method) => {
    const { app, origin } = await openPage();
    const answer = await app.request(`${origin}/people`, { method, headers: { origin } });
    expect(answer.status).toBe(405);
  });

  test('a form cannot be another method than it is', async () => {
    const page = await openPage();
    const anna = await page.first('Anna');
    const override = { 'x-http-method-override': 'POST', 'x-method-override': 'POST' };
    await anna.get('/people?_method=POST&name=Mallory&role=approver', override);
    expect(await page.web.people.list()).toHaveLength(1);
    expect((await anna.post('/me', { _method: 'GET' }, { 'x-http-method-override': 'GET' })).status).toBe(404);
  });
});

describe('a session', () => {
  const MINUTE = 60_000;
  const isIn = async (browser: Browser) => (await browser.get('/me')).status === 200;

  test.each([
    [
      'http://localhost:8800',
      /^payrun(?:-device=[\w-]{43}; Max-Age=34560000|=[\w-]{43}); Path=\/; HttpOnly; SameSite=Strict$/,
    ],
    [
      'https://pay.example.com',
      /^__Host-payrun(?:-device=[\w-]{43}; Max-Age=34560000|=[\w-]{43}); Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ],
  ])('is a cookie that only our pages at %s send, and no script reads', async (origin, flags) => {
    const page = await openPage({ options: { origin } });
    await page.first('Anna');
    const answer = await page.browser().post('/sign-in', SIGN_IN);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.includes('-device='))).toEqual([false, true]);
    for (const cookie of cookies) expect(cookie).toMatch(flags);
    expect(answer.headers.get('strict-transport-security')).toBe(
      origin.startsWith('https') ? 'max-age=31536000' : null,
    );
  });

  test('is never the one that a browser brings', async () => {
    const page = await openPage();
    const anna = await page.first('Anna');
    const victim = page.browser();
    victim.cookie = `payrun=${'A'.repeat(43)}`;
    await victim.post('/sign-in', SIGN_IN);
    expect(victim.cookie).not.toContain('AAAA');
    const fixed = page.browser();
    fixed.cookie = `payrun=${'A'.repeat(43)}`;
    expect(await isIn(fixed)).toBe(false);
    // Signing in again in a browser ends what was in it.
    const old = anna.cookie;
    await anna.post('/sign-in', SIGN_IN);
    expect(anna.cookie).not.toBe(old);
    fixed.cookie = old;
    expect([await isIn(fixed), await isIn(anna)]).toEqual([false, true]);
  });

  test('ends after half an hour in which nobody does anything', async () => {
    const page = await openPage();
    const anna = await page.first('Anna');
    await page.clock.pass(30 * MINUTE);
    expect(await isIn(anna)).toBe(true);
    await page.clock.pass(30 * MINUTE + 1);
    expect(await isIn(anna)).toBe(false);
  });

  test('is not kept by what the page asks by itself', async () => {
    const page = await openPage();
    const anna = await page.first('Anna');
    for (let minutes = 0; minutes < 30; minutes += 10) {
      await page.clock.pass(10 * MINUTE);
      await anna.get('/runs/R1/events');
      await anna.get('/me', { 'x-refresh': 'true' });
    }
    await page.clock.pass(1);
    expect(await isIn(anna)).toBe(false);
  });

  test('ends after twelve hours in any case, and where a machine slept through them', async () => {
    const page = await openPage();
    const anna = await page.first('Anna');
    for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
      expect([minutes, await isIn(anna)]).toEqual([minutes, true]);
      await page.clock.pass(20 * MINUTE);
    }
    await page.clock.pass(1);
    expect(await isIn(anna)).toBe(false);
    await anna.post('/sign-in', SIGN_IN);
    page.clock.setWallBy(31 * MINUTE);
    expect(await isIn(anna)).toBe(false);
  });

  test('belongs to nobody else on this machine, and a restart ends it', async () => {
    const page = await openPage();
    const anna = await page.first('Anna');
    const other = page.browser();
    expect((await other.get('/people')).location).toBe('/sign-in?next=%2Fpeople');
    expect((await other.post('/people', { name: 'Mallory', role: 'approver' })).status).toBe(401);
    const asked = await other.get('/people', { 'hx-request': 'true' });
    expect([asked.status, asked.headers.get('hx-redirect')]).toEqual([401, '/sign-in?next=%2Fpeople']);
    other.cookie = `${anna.cookie.slice(0, -1)}x`;
    expect((await other.get('/people')).status).toBe(303);
  });
});

describe('guessing a password', () => {
  const guess = (browser: Browser, name = 'Anna') => browser.post('/sign-in', { name, password: 'not the password' });

  test('has pauses that double, for the name and from wherever it is tried; the right one has to wait too', async () => {
    const page = await openPage();
    await page.first('Anna');
    await page.person('Bea', ['viewer']);
    const attacker = page.browser({ address: '192.0.2.1' });
    for (let n = 0; n < 3; n += 1) expect((await guess(attacker)).status).toBe(401);
    const pauses: number[] = [];
    const worked = page.web.passwords.hashed;
    for (let n = 0; n < 13; n += 1) {
      const refused = await page.browser({ address: `192.0.2.${n + 2}` }).post('/sign-in', SIGN_IN);
      expect(refused.status).toBe(429);
      const seconds = Number(refused.headers.get('retry-after'));
      pauses.push(seconds);
      await page.clock.pass(seconds * 1_000);
      expect((await guess(attacker)).status).toBe(401);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    // Nothing was worked out for those that came too soon.
    expect(page.web.passwords.hashed - worked).toBe(13);
    expect((await page.browser().post('/sign-in', { name: 'Bea', password: PASSWORD })).status).toBe(303);
    await page.clock.pass(900_000);
    expect((await page.browser().post('/sign-in', SIGN_IN)).status).toBe(303);
    expect((await guess(attacker)).status).toBe(401);
  });

  test('is no faster many at once, nor under many names from one address', async () => {
    const page = await openPage();
    await page.first('Anna');
    const one = page.browser({ address: '192.0.2.1' });
    const before = page.web.passwords.hashed;
    const atOnce = await Promise.all(Array.from({ length: 20 }, () => guess(one)));
    expect(atOnce.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(page.web.passwords.hashed - before).toBe(3);
    const names = await statusesOf(Array.from({ length: 30 }, (_, n) => () => guess(one, `name ${n}`)));
    expect(names.filter((status) => status === 401)).toHaveLength(17);
    expect(
      (await page.browser({ address: '192.0.2.2' }).post('/sign-in', { name: 'somebody', password: 'x' })).status,
    ).toBe(401);
  });

  test('behind a proxy it is the address that the proxy says, not what the guesser writes', async () => {
    const page = await openPage({ options: { origin: 'https://pay.example.com', isBehindProxy: true } });
    await page.first('Anna');
    const proxy = page.browser({ address: '127.0.0.1' });
    const from = (chain: string, n: number) =>
      proxy.post('/sign-in', { name: `name ${n}`, password: 'x' }, { 'x-forwarded-for': chain });
    for (let n = 0; n < 20; n += 1) await from(`10.9.9.${n}, 198.51.100.7`, n);
    expect((await from('10.1.1.1, 198.51.100.7', 21)).status).toBe(429);
    expect((await from('198.51.100.7, 198.51.100.8', 22)).status).toBe(401);
    // Where no proxy is named, what is written is nothing.
    const direct = await openPage();
    const guesser = direct.browser({ address: '192.0.2.1' });
    for (let n = 0; n < 20; n += 1)
      await guesser.post('/sign-in', { name: `name ${n}`, password: 'x' }, { 'x-forwarded-for': `10.9.9.${n}` });
    expect(
      (await guesser.post('/sign-in', { name: 'a', password: 'x' }, { 'x-forwarded-for': '10.1.1.1' })).status,
    ).toBe(429);
  });

  test('says and costs the same whether there is such a person, a locked one, an invited one, or nobody', async () => {
    const page = await openPage();
    await page.first('Anna');
    await page.person('Locked', ['viewer']);
    await page.web.people.setLocked((await page.web.people.byName('Locked'))?.id ?? '', true);
    await page.web.people.add('Invited', ['viewer']);
    const told: unknown[] = [];
    for (const [n, name] of ['Anna', 'Locked', 'Invited', 'Nobody'].entries()) {
      const before = page.web.passwords.hashed;
      const { status, text } = await guess(page.browser({ address: `192.0.2.${n}` }), name);
      told.push([status, text.replaceAll(name, 'NAME'), page.web.passwords.hashed - before]);
    }
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
  });
});

describe('what is written on a page', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    '{{7*7}}',
    '</title><svg onload=alert(1)>',
  ];

  test.each(HOSTILE)('is text, whoever is called %s', async (name) => {
    const page = await openPage();
    const anna = await page.first(name);
    await anna.post('/people', { name: `${name}2`, role: 'viewer' });
    const id = (await page.web.people.byName(`${name}2`))?.id;
    const wrong = await page.browser().post('/sign-in', { name, password: 'x', next: `/${name}` });
    for (const { text } of [
      await anna.get('/'),
      await anna.get('/me'),
      await anna.get('/people'),
      await anna.get(`/people/${id}`),
      wrong,
    ]) {
      expect(text).not.toMatch(/<script>|<img|<svg o|onerror=alert\(1\)>/);
      expect(text).not.toContain(name.includes('<') || name.includes('"') ? name : '\u0000');
    }
  });

  test.each([
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/static/../../package.json',
    '/static/%2e%2e/page.js',
    '/static/..%2fguard.ts',
    '/static/vendor/LICENSE',
    '/static//etc/passwd',
    '/static/page.css%00.js',
    '/people/..%2f..',
    '/people/%00',
    '/people/a%0d%0ax',
    '/people/%E0%A4%A',
  ])('is no file of the machine: %s', async (path) => {
    const page = await openPage();
    const anna = await page.first('Anna');
    const { status, text } = await anna.get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toMatch(/daemon:|import |"name": "payrun"/);
  });

  test('is nothing of how the program looks inside, and has every header', async () => {
    const logged: string[] = [];
    const page = await openPage({
      deps: { log: { ...silentLog, error: ({ error }) => void logged.push(String(error)) } },
    });
    page.app.get('/broken', () => {
      throw new Error('SQLITE_CORRUPT in /secret/place');
    });
    const anna = await page.first('Anna');
    const known = await anna.get('/static/page.css');
    const etag = known.headers.get('etag') ?? '';
    const evil = { origin: 'https://evil.test' };
    const answers: [number, () => ReturnType<Browser['get']>][] = [
      [200, () => anna.get('/')],
      [200, () => page.browser().get('/sign-in')],
      [200, () => anna.get('/static/page.css')],
      [303, () => page.browser().get('/')],
      [304, () => anna.get('/static/page.css', { 'if-none-match': etag })],
      [307, () => anna.get('http://127.0.0.1:8800/')],
      [401, () => page.browser().post('/people')],
      [403, () => anna.post('/people', {}, evil)],
      [403, () => anna.get('http://evil.test/')],
      [404, () => anna.get('/no-such-page')],
      [413, () => anna.post('/people', { name: 'x'.repeat(300_000) })],
      [422, () => anna.post('/people', { name: '' })],
      [500, () => anna.get('/broken')],
    ];
    for (const [status, ask] of answers) {
      const { headers, text, ...answer } = await ask();
      expect(answer.status).toBe(status);
      expect([status, Object.fromEntries(headers)]).toEqual([status, expect.objectContaining(SECURITY)]);
      expect([status, headers.get('cache-control')]).toEqual([status, headers.has('etag') ? 'no-cache' : 'no-store']);
      expect(text).not.toMatch(/\bat .*\.ts:|SQLITE|secret|node_modules/);
      // A line of script or style that stands in a page would not run, and is a mistake.
      expect(text).not.toMatch(/<script>|<style| style="| on\w+="|javascript:|data:/);
    }
    // The log has what the page does not tell.
    expect(logged).toEqual(['Error: SQLITE_CORRUPT in /secret/place']);
  });

  const SECURITY = {
    'content-security-policy':
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
});

test.each([
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  '/%0d%0aset-cookie:a=b',
  '/\r\nset-cookie: a=b',
  '/\t/evil.test',
  'javascript:alert(1)',
  '/a@evil.test',
  '/.//evil.test',
  '/..//evil.test',
])('signing in leads to no other place: %j', async (next) => {
  const page: TestPage = await openPage();
  const anna = await page.first('Anna');
  const { location, headers } = await page.browser().post('/sign-in', { ...SIGN_IN, next });
  expect(new URL(location ?? '', page.origin).origin).toBe(page.origin);
  expect(location).not.toMatch(/^\/[/\\]/);
  expect(headers.getSetCookie().map((line) => line.split('=')[0])).toEqual(['payrun', 'payrun-device']);
  const there = await anna.get(`/sign-in?next=${encodeURIComponent(next)}`);
  expect(there.location).not.toMatch(/^\/[/\\]|evil\.test$/);
});
