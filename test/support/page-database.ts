import { openDataJournal } from '../../src/compose/data-dir.ts';
import { prepareQueue } from '../../src/queue/run-queue.ts';
import { newJournalDatabase, ROLES_SQL, type TestDatabase } from '../journal/postgres-place.ts';
import { sharedPostgres, statements, urlOf } from './postgres.ts';

/**
 * A database with the tables of journal and page, made by their owner, and permissions, as the guide has it; with the queue of
 * workers where it is asked for.
 */
export async function newPageDatabase({ hasQueue = false } = {}): Promise<TestDatabase> {
  const database = await newJournalDatabase();
  const owner = database.as('payrun_owner');
  await (await openDataJournal({ dataDir: '', database: owner })).close();
  const onTrouble = (cause: string) => {
    throw new Error(cause);
  };
  if (hasQueue) await prepareQueue({ database: owner, shown: database.name, onTrouble });
  await statements(database.admin, ROLES_SQL);
  return database;
}

export async function dropDatabase({ name }: TestDatabase): Promise<void> {
  await statements(urlOf(await sharedPostgres(), 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
}
