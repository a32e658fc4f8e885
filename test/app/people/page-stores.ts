import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openPageStore } from '../../../src/app/people/store/open-page-store.ts';
import type { PageStore } from '../../../src/app/people/store/page-store.ts';
import { machineClock, machineRandomness } from '../../../src/platform/machine.ts';
import type { TestDatabase } from '../../journal/postgres-place.ts';
import { dropDatabase, newPageDatabase } from '../../support/page-database.ts';
import { temporaryFolder } from '../../support/payrun.ts';
import { statements } from '../../support/postgres.ts';

/** What a host works with. */
export type Host = { store: PageStore; clock: typeof machineClock; randomness: typeof machineRandomness };

/** Empty tables as two hosts open them; the same one twice where they cannot be shared. */
export type Hosts = { one: Host; other: Host; tamper(sql: string): Promise<void> };

function hostOf(store: PageStore): Host {
  return { store, clock: machineClock, randomness: machineRandomness };
}

async function sqliteHosts(): Promise<Hosts> {
  const store = await openPageStore({ dataDir: temporaryFolder() }, machineClock);
  onTestFinished(() => store.close());
  return {
    one: hostOf(store),
    other: hostOf(store),
    tamper: async (sql) => {
      for (const each of sql.split(';')) await store.run(each);
    },
  };
}

const EMPTY = [
  ...['attempt', 'access_change', 'audit', 'audit_head', 'header_set', 'invitation', 'kept_file', 'known_device'],
  ...[
    'notice',
    'notice_choice',
    'page_notice',
    'page_notice_choice',
    'passkey',
    'person',
    'person_grant',
    'planning',
    'refused_act',
    'session',
    'started_run',
    'upload',
    'upload_edit',
    'work',
    'file_part',
    'api_answer',
    'api_token',
    'webhook_delivery',
    'webhook_endpoint',
  ],
  ...['authenticator_app', 'recovery_code', 'page_setting', 'provider_account', 'connection', 'entity', 'person_view'],
  'payee_tag',
  'file_layout',
].map((table) => `payrun_page.${table}`);

/** The entity that each page has from the start. */
const MAIN = `INSERT INTO payrun_page.entity (id, name, name_key, created_at) VALUES ('main', 'Main', 'main', 0)`;

function postgresHosts(database: () => TestDatabase): () => Promise<Hosts> {
  return async () => {
    const { admin, as } = database();
    await statements(admin, `TRUNCATE ${EMPTY.join(', ')} RESTART IDENTITY`, MAIN);
    const open = async () => {
      const place = { dataDir: temporaryFolder(), database: as('payrun_page') };
      const store = await openPageStore(place, machineClock);
      onTestFinished(() => store.close());
      return hostOf(store);
    };
    const tamper = async (sql: string) => {
      const asOwner = sql.split(';').map((each) => each.replace(/\b(UPDATE|FROM|INTO) /, '$1 payrun_page.'));
      await statements(admin, 'SET session_replication_role = replica', ...asOwner);
    };
    return { one: await open(), other: await open(), tamper };
  };
}

/** Both kinds of stores, for a suite that holds both to the same. */
export function bothStores(): [name: string, hosts: () => Promise<Hosts>][] {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newPageDatabase();
  });
  afterAll(() => dropDatabase(database));
  return [
    ['SQLite', sqliteHosts],
    ['PostgreSQL', postgresHosts(() => database)],
  ];
}
