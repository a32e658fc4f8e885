import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openWebStore } from '../../../src/app/people/page-store.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { temporaryFolder } from '../../support/payrun.ts';

/** Why the store is not opened. */
function refusalOf(dataDir: string): unknown {
  try {
    openWebStore(dataDir).close();
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'usage') return error.reason;
    throw error;
  }
  return 'opened';
}

test('what the page keeps can be read by its owner only, and is there again', () => {
  const dataDir = temporaryFolder();
  const store = openWebStore(dataDir);
  store.run("INSERT INTO person (id, name, name_key, created_at) VALUES ('a', 'Anna', 'anna', 1)");
  const folder = join(dataDir, 'web');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  store.close();
  const again = openWebStore(dataDir);
  expect(again.all('SELECT name FROM person')).toEqual([expect.objectContaining({ name: 'Anna' })]);
  again.close();
});

test('of a transaction that fails nothing is kept, also not of one inside it', () => {
  const store = openWebStore(temporaryFolder());
  const add = (id: string) =>
    store.run('INSERT INTO person (id, name, name_key, created_at) VALUES (?, ?, ?, 1)', id, id, id);
  expect(() =>
    store.transaction(() => {
      add('a');
      store.transaction(() => add('b'));
      throw new Error('in the middle');
    }),
  ).toThrow('in the middle');
  store.transaction(() => add('c'));
  expect(store.all('SELECT id FROM person').map(({ id }) => id)).toEqual(['c']);
  store.close();
});

test('a file of a newer payrun, of another program, or of none is refused and left as it is', () => {
  const dataDir = temporaryFolder();
  openWebStore(dataDir).close();
  const path = join(dataDir, 'web/web.db');
  const pragma = (sql: string) => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };
  pragma('PRAGMA user_version = 99');
  expect(refusalOf(dataDir)).toMatchObject({
    code: 'page_store_unusable',
    path,
    why: 'newer',
    versions: { found: 99 },
  });
  pragma('PRAGMA user_version = 1; PRAGMA application_id = 7');
  expect(refusalOf(dataDir)).toMatchObject({ code: 'page_store_unusable', why: 'another_program' });
  const other = temporaryFolder();
  openWebStore(other).close();
  writeFileSync(join(other, 'web/web.db'), 'no database at all, but a text of some length');
  expect(refusalOf(other)).toMatchObject({ code: 'page_store_unusable', why: 'unreadable' });
});
