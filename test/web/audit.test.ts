import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openPage, PASSWORD } from './web-page.ts';

test('what people do is in the audit log, and nothing that opens anything', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  await anna.post('/people', { name: 'Bea', role: 'viewer' });
  const bea = (await page.web.people.byName('Bea'))?.id ?? '';
  await anna.post(`/people/${bea}/roles`, { role: 'approver' });
  await anna.post(`/people/${bea}/link`);
  await anna.post(`/people/${bea}/lock`);
  await anna.post(`/people/${bea}/unlock`);
  await page.browser({ address: '192.0.2.9' }).post('/sign-in', { name: 'Anna', password: 'a wrong password' });
  await page.browser().post('/sign-in', { name: 'my password in the wrong field', password: 'x' });
  await anna.post('/sign-out');
  const entries = await page.web.audit.list();
  expect(entries.map(({ act }) => act).reverse()).toEqual([
    'first_person_came_in',
    'invited',
    'roles_changed',
    'link_made',
    'locked_out',
    'let_in_again',
    'sign_in_refused',
    'sign_in_refused',
    'signed_out',
  ]);
  const id = (await page.web.people.byName('Anna'))?.id;
  const byAnna = [...Array(6).fill(true), false, false, true];
  expect(entries.map(({ person }) => person === id).reverse()).toEqual(byAnna);
  expect(entries.filter(({ act }) => act === 'sign_in_refused').map(({ details }) => details.whom)).toEqual([null, id]);
  const text = JSON.stringify(entries);
  expect(text).toContain('192.0.2.9');
  for (const secret of [PASSWORD, 'a wrong password', 'wrong field', '/welcome#']) expect(text).not.toContain(secret);
  expect(await page.web.audit.verify()).toMatchObject({ ok: true, entries: 9 });
});

test.each([
  ['changed', "UPDATE audit SET details = '{}' WHERE n = 2", 2],
  ['given to somebody else', "UPDATE audit SET person = 'bea' WHERE n = 2", 2],
  ['dated back', 'UPDATE audit SET at = at - 1 WHERE n = 2', 2],
  ['removed', 'DELETE FROM audit WHERE n = 2', 2],
  ['cut off the end', 'DELETE FROM audit WHERE n = 4', 4],
  ['cut off altogether', 'DELETE FROM audit', 1],
  [
    'exchanged',
    'UPDATE audit SET n = 9 WHERE n = 2; UPDATE audit SET n = 2 WHERE n = 3; UPDATE audit SET n = 3 WHERE n = 9',
    2,
  ],
  ['added without its hash', "INSERT INTO audit VALUES (5, 1, NULL, 'x', NULL, '{}', 'a', 'b')", 5],
])('an entry that was %s is found', async (_how, sql, n) => {
  const page = await openPage();
  for (const act of ['one', 'two', 'three', 'four'])
    await page.web.audit.append({ person: 'anna', act, details: { act } });
  expect(await page.web.audit.verify()).toMatchObject({ ok: true, entries: 4 });
  const database = new DatabaseSync(join(page.dataDir, 'web/web.db'));
  database.exec(sql);
  database.close();
  expect(await page.web.audit.verify()).toMatchObject({ ok: false, n });
});

test('the log is read from its newest entry, in parts, and that of one run by itself', async () => {
  const { audit, store } = (await openPage()).web;
  await store.transaction(async () => {
    for (let n = 1; n <= 2_500; n += 1)
      await audit.append({ person: null, act: 'act', runId: n % 1_000 === 0 ? 'R1' : null });
  });
  expect(await audit.verify()).toMatchObject({ ok: true, entries: 2_500 });
  expect((await audit.list({ limit: 2 })).map(({ n }) => n)).toEqual([2_500, 2_499]);
  expect((await audit.list({ limit: 2, before: 2_499 })).map(({ n }) => n)).toEqual([2_498, 2_497]);
  expect((await audit.list({ runId: 'R1' })).map(({ n }) => n)).toEqual([2_000, 1_000]);
  expect((await audit.list({ before: 8, limit: 1 }))[0]?.act).toBe('act');
});
