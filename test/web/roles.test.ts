import { expect, test } from 'vitest';
import { ROLES } from '../../src/app/people/grants.ts';
import { rolesOf } from '../../src/web/require-role.ts';
import { type Browser, openPage, type TestPage } from './web-page.ts';

/** Whoever has not signed in may ask for these, and for nothing else. */
const PUBLIC: ReadonlySet<string> = new Set([
  'GET /sign-in',
  'POST /sign-in',
  'GET /welcome',
  'POST /welcome',
  'POST /welcome/enter',
  'GET /static/page.css',
  'GET /static/page.js',
  'GET /static/icon.svg',
  'GET /static/icon-test.svg',
  'GET /static/icons.svg',
  'GET /static/vendor/htmx.min.js',
  'GET /static/vendor/hx-sse.min.js',
  ...['index', 'ios-gesture', 'lazy-measurements', 'scroll-classifier', 'utils'].map(
    (name) => `GET /static/vendor/virtual-core/${name}.js`,
  ),
  ...[
    'acts',
    'cell-panel',
    'clipboard',
    'grid',
    'head',
    'keys',
    'panels',
    'process',
    'recipients',
    'review',
    'row',
    'rows',
    'tip',
  ].map((name) => `GET /static/review/${name}.js`),
  'GET /static/states.svg',
  'GET /livez',
  'GET /readyz',
]);

/** Acts that change who may pay and what is paid: nobody else may ever do them. */
const ACTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(GET|POST) \/(people|settings)/, ['administrator']],
  [/^POST \/uploads/, ['preparer']],
  [/^POST \/runs\/:\w+\/approve/, ['approver']],
  [/^POST \/runs\/:\w+\/reject/, ['approver']],
  [/^POST \/runs\/:\w+\/(start|retry|recall)/, ['preparer']],
];

/** Every route with what it asks for: null where nobody is asked for anything. */
function routesOf({ app }: TestPage): Map<string, readonly string[] | null> {
  const routes = new Map<string, readonly string[] | null>();
  for (const { method, path, handler } of app.routes) {
    // The API asks for a token: its own tests hold that.
    if (method === 'ALL' || path.startsWith('/api/v1/')) continue;
    const route = `${method} ${path}`;
    routes.set(route, rolesOf(handler) ?? routes.get(route) ?? null);
  }
  return routes;
}

function ask(browser: Browser, route: string) {
  const [method = '', path = ''] = route.split(' ');
  const place = path.replaceAll(/:\w+/g, 'nothing').replaceAll('*', 'nothing');
  return method === 'GET' ? browser.get(place) : browser.post(place);
}

test('every route is public by the list, or asks for somebody who has signed in', async () => {
  const page = await openPage();
  const routes = routesOf(page);
  expect(routes.size).toBeGreaterThan(PUBLIC.size);
  const stranger = page.browser();
  for (const [route, roles] of routes) {
    expect([route, roles === null]).toEqual([route, PUBLIC.has(route)]);
    if (PUBLIC.has(route)) continue;
    const { status, location } = await ask(stranger, route);
    expect([route, status]).toEqual([route, route.startsWith('GET') ? 303 : 401]);
    if (status === 303) expect(location).toMatch(/^\/sign-in/);
  }
  for (const route of PUBLIC) expect([...routes.keys()]).toContain(route);
});

test('every route refuses whoever has none of its roles, and whoever has no role at all', async () => {
  const page = await openPage();
  const routes = routesOf(page);
  await page.first('Anna');
  const people = new Map<string, Browser>([['nobody', await page.person('Nobody', [])]]);
  for (const role of ROLES) people.set(role, await page.person(`Only ${role}`, [role]));
  for (const [route, roles] of routes) {
    if (roles === null || roles.length === 0) continue;
    for (const [role, browser] of people) {
      if (roles.includes(role)) continue;
      expect([route, role, (await ask(browser, route)).status]).toEqual([route, role, 403]);
    }
  }
});

test('what changes who may pay, and what is paid, has the role that it is about and no other', async () => {
  for (const [route, roles] of routesOf(await openPage())) {
    const act = ACTS.find(([pattern]) => pattern.test(route));
    if (act !== undefined) expect([route, roles]).toEqual([route, act[1]]);
  }
});
