import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { peopleIn } from '../../../src/app/people/access.ts';
import { everywhere } from '../../../src/app/people/grants.ts';
import { MIGRATIONS } from '../../../src/app/people/store/sqlite-migrations.ts';
import { openSqliteStore } from '../../../src/app/people/store/sqlite-store.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { machineClock, machineRandomness } from '../../../src/platform/machine.ts';
import { temporaryFolder } from '../../support/payrun.ts';

const open = (dataDir: string) => openSqliteStore(dataDir, machineClock);

/** Why the store is not opened. */
async function refusalOf(dataDir: string): Promise<unknown> {
  try {
    await open(dataDir).close();
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'usage') return error.reason;
    throw error;
  }
  return 'opened';
}

test('what the page keeps can be read by its owner only, and is there again', async () => {
  const dataDir = temporaryFolder();
  const store = open(dataDir);
  await store.run("INSERT INTO person (id, name, name_key, created_at) VALUES ('a', 'Anna', 'anna', 1)");
  const folder = join(dataDir, 'web');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  await store.close();
  const again = open(dataDir);
  expect(await again.all('SELECT name FROM person')).toEqual([expect.objectContaining({ name: 'Anna' })]);
  await again.close();
});

test('a file of a newer payrun, of another program, or of none is refused and left as it is', async () => {
  const dataDir = temporaryFolder();
  await open(dataDir).close();
  const path = join(dataDir, 'web/web.db');
  const pragma = (sql: string) => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };
  pragma('PRAGMA user_version = 99');
  expect(await refusalOf(dataDir)).toMatchObject({
    code: 'page_store_unusable',
    path,
    why: 'newer',
    versions: { found: 99 },
  });
  pragma('PRAGMA user_version = 1; PRAGMA application_id = 7');
  expect(await refusalOf(dataDir)).toMatchObject({ code: 'page_store_unusable', why: 'another_program' });
  const other = temporaryFolder();
  await open(other).close();
  writeFileSync(join(other, 'web/web.db'), 'no database at all, but a text of some length');
  expect(await refusalOf(other)).toMatchObject({ code: 'page_store_unusable', why: 'unreadable' });
});

test('the roles of before are for everything, with names and amounts', async () => {
  const dataDir = temporaryFolder();
  await open(dataDir).close();
  const path = join(dataDir, 'web/web.db');
  rmSync(path);
  const database = new DatabaseSync(path);
  const before = MIGRATIONS.findIndex((sql) => sql.includes('CREATE TABLE person_grant'));
  for (const sql of MIGRATIONS.slice(0, before)) database.exec(sql);
  database.exec(`INSERT INTO person (id, name, name_key, created_at) VALUES ('a', 'Anna', 'anna', 1);
    INSERT INTO person_role VALUES ('a', 'viewer'), ('a', 'approver');
    PRAGMA user_version = ${before}; PRAGMA application_id = ${0x50617957}`);
  database.close();
  const store = open(dataDir);
  onTestFinished(() => store.close());
  const { people } = peopleIn({ store, clock: machineClock, randomness: machineRandomness });
  expect((await people.get('a'))?.grants).toEqual([everywhere('approver'), everywhere('viewer')]);
});
