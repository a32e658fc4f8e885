import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { dropDatabase, newPageDatabase } from '../support/page-database.ts';
import { type ReadyService, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';
import { type Fate, type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';
import { startWeb } from '../support/web-process.ts';
import { type Caller, comeIn, linkOn, type Reply } from './page-process.ts';
import { PASSWORD } from './web-page.ts';

// A real page with connections to real services, and people who administer, prepare and approve.

export const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
export const sheetOf = (name: string, amount = '12.50') =>
  `${HEADER}\nE1,${name},${amount},AUD,AUD_NPP,12345678,062-000\n`;

/** Takes away what the shipped service says of itself: what stands behind this proxy moves money, as far as payrun knows. */
const asReal: Fate = async ({ deliver, socket }) => {
  const text = (await deliver()).toString('latin1');
  socket.write(Buffer.from(text.replace(/^x-payrun-rehearsal: true\r\n/im, ''), 'latin1'));
};

export type Service = ReadyService & { url: string };

/** One behind a proxy, and what the proxy does to all that comes. */
type ProxiedService = Service & { proxy: TcpProxy; fate: Fate };

/** A service that moves money, as far as payrun knows, and one that rehearses. */
export async function services(folder: string): Promise<{ live: ProxiedService; sandbox: Service }> {
  const [one, other] = await Promise.all([
    startService({ dataDir: join(folder, 'live') }),
    startService({ dataDir: join(folder, 'sandbox') }),
  ]);
  const proxy = await tcpProxy(one.base_url);
  proxy.decide(() => asReal);
  return { live: { ...one, url: proxy.baseUrl, proxy, fate: asReal }, sandbox: { ...other, url: other.base_url } };
}

/** Puts a key where the page may use it, as who operates the host does. */
export function putKey(dataDir: string, name: string, from: string): void {
  mkdirSync(join(dataDir, 'keys'), { recursive: true });
  copyFileSync(from, join(dataDir, 'keys', name));
  chmodSync(join(dataDir, 'keys', name), 0o600);
}

export const PRIVATE = ['--allow-private-services', '--poll-every', '20ms'];

/** A real page, with Omar, who administers, Anna, who prepares, and Ben, who approves. */
export async function office({ args = PRIVATE, folder = temporaryFolder(), database = '' } = {}) {
  const dataDir = join(folder, 'data');
  const over = database === '' ? [] : ['--database', database];
  const open = () => startWeb({ dataDir, args: [...args, ...over], cwd: folder });
  let web = await open();
  const omar = await comeIn(web.url, web.firstUserUrl ?? '', { name: 'Omar' });
  const member = async (name: string, ...role: string[]) => {
    const { location } = await omar.post('/people', { name, role });
    return comeIn(web.url, await linkOn(omar, location));
  };
  const [anna, ben] = [await member('Anna', 'preparer'), await member('Ben', 'approver')];
  const journal = await openDataJournal({ dataDir, ...(database !== '' && { database }) });
  onTestFinished(async () => {
    await journal.close();
    web.started.child.kill('SIGINT');
    await web.started.ended;
  });
  const restart = async () => {
    web.started.child.kill('SIGKILL');
    await web.started.ended;
    web = await open();
    return web.url;
  };
  return { folder, dataDir, url: web.url, omar, anna, ben, journal, restart, member };
}

export type Fields = Record<string, string>;

export function addConnection(administrator: Caller, fields: Fields): Promise<Reply> {
  return administrator.post('/settings/connections', {
    ...{ entity: 'main', rate: '0', concurrency: '8', enforces_expiry: 'at_commit', replay_protection: 'yes' },
    ...{ current: PASSWORD },
    ...fields,
  });
}

export function reached({ url, api_key }: Service, signing_key_file: string): Fields {
  return { base_url: url, api_key, signing_key_file };
}

/** Both services as connections of the page. */
export async function connected(given: Parameters<typeof office>[0] = {}) {
  const desk = await office(given);
  const { live, sandbox } = await services(desk.folder);
  putKey(desk.dataDir, 'live.pem', live.signing_key_file);
  putKey(desk.dataDir, 'sandbox.pem', sandbox.signing_key_file);
  const added = await addConnection(desk.omar, { name: 'Northwind live', ...reached(live, 'live.pem') });
  expect(added.location).toBe('/settings/connections/northwind-live?done=added');
  await addConnection(desk.omar, { name: 'Northwind sandbox', ...reached(sandbox, 'sandbox.pem') });
  return { ...desk, live, sandbox };
}

export async function approve(ben: Caller, run: string, amount = '12.50'): Promise<void> {
  const seen = /name="connection_seen" value="([^"]*)"/.exec((await ben.get(`${run}/approve`)).text)?.[1] ?? '';
  const form = { total: `${amount} AUD`, password: PASSWORD, connection_seen: seen };
  expect((await ben.post(`${run}/approve`, form)).location).toBe(run);
}

export const count = async (service: ReadyService) => (await allTransactions(service)).length;

/** A database of its own, as its owner; empty for SQLite. */
export async function placeOf(kind: 'SQLite' | 'PostgreSQL'): Promise<string> {
  if (kind === 'SQLite') return '';
  const database = await newPageDatabase();
  onTestFinished(() => dropDatabase(database));
  return database.as('payrun_owner');
}

/** The form of `rotate`. */
export const keys = ({ api_key }: ReadyService, signing_key_file: string): Fields => ({
  ...{ api_key, signing_key_file },
  current: PASSWORD,
});

export async function headerOf(journal: Journal, path: string) {
  for await (const page of journal.readRun(path.split('/')[2] ?? ''))
    for (const { entry } of page) if (entry.kind === 'run_created') return entry;
  throw new Error(`${path} has no beginning`);
}
