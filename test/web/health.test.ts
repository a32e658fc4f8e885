import { expect, test } from 'vitest';
import { openPage } from './web-page.ts';

test('a supervisor of the page is answered under any name: while it runs, and while it can be used', async () => {
  let isReady = true;
  const page = await openPage({ deps: { isReady: async () => isReady } });
  const ask = async (path: string, init?: RequestInit) => {
    const request = new Request(new URL(path, 'http://10.0.0.7:8800'), init);
    const { status, headers } = await page.app.fetch(request, { incoming: { socket: {} } } as never);
    return [status, headers.get('cache-control'), headers.get('set-cookie')];
  };
  expect(await ask('/livez')).toEqual([200, 'no-store', null]);
  expect(await ask('/readyz')).toEqual([200, 'no-store', null]);
  isReady = false;
  expect(await ask('/readyz')).toEqual([503, 'no-store', null]);
  expect(await ask('/livez')).toEqual([200, 'no-store', null]);
  isReady = true;
  await page.stop();
  expect(await ask('/readyz')).toEqual([503, 'no-store', null]);
  // Nothing else is answered under another name.
  expect((await ask('/sign-in'))[0]).toBe(403);
  expect((await ask('/livez', { method: 'POST' }))[0]).toBe(403);
});
