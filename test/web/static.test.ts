import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openPage } from './web-page.ts';

test.each([
  ['htmx.min.js', 'htmx.org/dist/htmx.min.js'],
  ['hx-sse.min.js', 'htmx.org/dist/ext/hx-sse.min.js'],
  ['LICENSE', 'htmx.org/LICENSE'],
])('%s is byte for byte that of the package', (name, inPackage) => {
  const own = readFileSync(new URL(`../../src/web/static/vendor/${name}`, import.meta.url));
  const manifest = fileURLToPath(import.meta.resolve('htmx.org/package.json'));
  const packaged = readFileSync(manifest.replace(/htmx\.org\/package\.json$/, inPackage));
  expect(own.equals(packaged)).toBe(true);
});

test.each(['index', 'ios-gesture', 'lazy-measurements', 'scroll-classifier', 'utils'])(
  'virtual-core/%s.js is byte for byte that of the package',
  (name) => {
    const own = readFileSync(new URL(`../../src/web/static/vendor/virtual-core/${name}.js`, import.meta.url));
    const entry = fileURLToPath(import.meta.resolve('@tanstack/virtual-core'));
    expect(own.equals(readFileSync(join(dirname(entry), `${name}.js`)))).toBe(true);
  },
);

test('style sheet and scripts are served as what they are, and not again where they are known', async () => {
  const browser = (await openPage()).browser();
  for (const [path, type] of [
    ['/static/page.css', 'text/css; charset=utf-8'],
    ['/static/page.js', 'text/javascript; charset=utf-8'],
    ['/static/icon.svg', 'image/svg+xml'],
    ['/static/icon-test.svg', 'image/svg+xml'],
    ['/static/icons.svg', 'image/svg+xml'],
    ['/static/vendor/htmx.min.js', 'text/javascript; charset=utf-8'],
    ['/static/vendor/hx-sse.min.js', 'text/javascript; charset=utf-8'],
    ['/static/vendor/virtual-core/index.js', 'text/javascript; charset=utf-8'],
    ['/static/review/review.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    const answer = await browser.get(path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type]);
    const again = await browser.get(path, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect([path, again.status, again.text]).toEqual([path, 304, '']);
  }
  expect((await browser.get('/static/page.css')).text).toContain('--surface:');
});

test('what is served is compressed for browsers that read it so', async () => {
  const page = await openPage();
  const get = (headers: Record<string, string>) =>
    page.app.fetch(new Request(new URL('/static/page.css', page.origin), { headers }), {});
  const [plain, zipped] = [await get({}), await get({ 'accept-encoding': 'gzip, br' })];
  expect([plain, zipped].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
  expect(zipped.headers.get('vary')).toBe('Accept-Encoding');
  const [text, bytes] = [await plain.text(), Buffer.from(await zipped.arrayBuffer())];
  expect(gunzipSync(bytes).toString()).toBe(text);
  expect(bytes.length * 3).toBeLessThan(text.length);
  const known = { 'accept-encoding': 'gzip', 'if-none-match': zipped.headers.get('etag') ?? '' };
  expect((await get(known)).status).toBe(304);
});
