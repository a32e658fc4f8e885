import { expect, test, vi } from 'vitest';
import { Refusal } from '../../src/domain/refusal.ts';
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

test('where the database goes while a page is made, the page says so to who has signed in', async () => {
  const page = await openPage();
  const anna = await page.first('Anna', ['viewer']);
  const { deps, notices } = page.web;
  const away = new Refusal({ code: 'page_database_away', cause: 'cut' });
  // Who asks was found before it went.
  vi.spyOn(notices.inbox, 'unread').mockRejectedValue(away);
  vi.spyOn(deps.reads, 'history').mockRejectedValue(away);
  const reply = await anna.get('/runs');
  expect([reply.status, reply.text.includes('<h1>Not now</h1>')]).toEqual([503, true]);
});
