import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { prepareQueue } from '../../src/queue/run-queue.ts';
import { newDatabase, newJournalDatabase, ROLES_SQL, type TestDatabase } from '../journal/postgres-place.ts';
import { payrun, type ReadyService, type Started, start, startService, temporaryFolder } from './payrun.ts';
import { sharedPostgres, statements, urlOf } from './postgres.ts';
import { atEnd } from './side-by-side.ts';
import { pass, type TcpProxy, tcpProxy } from './tcp-proxy.ts';

let prepared: Promise<TestDatabase> | null = null;

/**
 * A database with journal and queue, as the guide has it: tables by their owner, permissions for workers. It is dropped at the end of
 * the test. All are copies of one, which is a sixth of the work of making their tables; a journal takes them for the same database.
 */
export async function newWorkerDatabase(): Promise<TestDatabase> {
  prepared ??= preparedDatabase();
  const database = await newDatabase(undefined, (await prepared).name);
  atEnd(async () =>
    statements(urlOf(await sharedPostgres(), 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`),
  );
  return database;
}

/** Nobody is connected to it, so that it can be copied. It goes with the server. */
async function preparedDatabase(): Promise<TestDatabase> {
  const database = await newJournalDatabase();
  const trouble: string[] = [];
  const owner = database.as('payrun_owner');
  await prepareQueue({ database: owner, shown: database.name, onTrouble: (cause) => trouble.push(cause) });
  expect(trouble).toEqual([]);
  await statements(database.admin, ROLES_SQL);
  return database;
}

/** A folder in which runs are begun and workers are started, all at one database and one service. */
export type WorkerPlace = {
  folder: string;
  database: TestDatabase;
  service: ReadyService;
  /** With which a run names the service and its key. */
  options: readonly string[];
  /** How long a request lives: so long its answer is waited for. */
  lifetime: string;
  /** Requests a second; 0 for no limit. */
  rate: string;
};

export async function newWorkerPlace(args: string[] = []): Promise<WorkerPlace> {
  const folder = temporaryFolder();
  const service = startService({ dataDir: join(folder, 'service'), args });
  const [database, { options, ...ready }] = [await newWorkerDatabase(), await service];
  return { folder, database, service: { ...ready, options }, options, lifetime: '6s', rate: '0' };
}

/** The same place, where the service is reached by way of a proxy. */
type ProxiedPlace = WorkerPlace & { proxy: TcpProxy };

export async function newProxiedPlace(): Promise<ProxiedPlace> {
  const place = await newWorkerPlace();
  const { service } = place;
  const proxy = await tcpProxy(service.base_url);
  const options = [
    '--base-url',
    proxy.baseUrl,
    '--api-key',
    service.api_key,
    '--signing-key',
    service.signing_key_file,
  ];
  return { ...place, options, proxy };
}

/** The same place by way of a proxy that holds one payout, and with it the run, until it is let go on. */
export type HeldPlace = ProxiedPlace & {
  /** Resolves when the payout is on its way. */
  reached: Promise<void>;
  /** Takes it to the service. */
  letGo(): void;
};

/** Holds payout number `at` of those that reach the proxy, for as long as a request lives. */
export async function newHeldPlace(at: number, lifetime = '30s'): Promise<HeldPlace> {
  const place = await newProxiedPlace();
  const { proxy } = place;
  const [reached, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let payouts = 0;
  proxy.decide(({ operation }) => {
    if (operation !== 'transaction.transfer' || ++payouts !== at) return pass;
    return async (exchange) => {
      reached.resolve();
      await letGo.promise;
      await pass(exchange);
    };
  });
  return { ...place, lifetime, reached: reached.promise, letGo: () => letGo.resolve() };
}

/** One request at a time. */
const PROFILE = 'listing_lag: 0s\nconcurrency: 1\n';

/** Payees that differ in their amounts, from `firstAmount` on. */
export function payrollIn({ folder }: WorkerPlace, name: string, rows: number, firstAmount = 1): string {
  const file = join(folder, name);
  const lines = Array.from({ length: rows }, (_, at) => {
    const amount = firstAmount + at;
    return `Payee ${amount},${amount}.00,AUD,AUD_NPP,${10_000_000 + amount},062-000`;
  });
  writeFileSync(file, `name,amount,currency,rail,account_number,national_clearing_code\n${lines.join('\n')}\n`);
  return file;
}

/** The words of `payrun run FILE` at the place; its reports go to a folder of the caller's own. */
export function runWords(place: WorkerPlace, file: string, args: readonly string[] = []): string[] {
  const { folder, database, options, lifetime, rate } = place;
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, `${PROFILE}request_lifetime: ${lifetime}\n`);
  const where = ['--data-dir', join(folder, 'caller'), '--database', database.as('payrun_worker')];
  const pace = ['--rate', rate, '--poll-every', '100ms', '--report-dir', join(folder, 'reports-of-caller')];
  return ['run', file, '--yes', '--profile', profile, ...options, ...pace, ...where, ...args];
}

/** Leaves a run to workers. Returns its id. */
export async function leave(place: WorkerPlace, file: string, args: readonly string[] = []): Promise<string> {
  const left = await payrun([...runWords(place, file, args), '--detach', '--json']);
  expect(left, left.stderr).toMatchObject({ exit: 0 });
  const { run_id: runId, state } = JSON.parse(left.stdout);
  expect(state).toBe('queued');
  return runId;
}

/** The words of a command on a run of the place. */
export function on(place: WorkerPlace, command: string, ...args: string[]): string[] {
  const where = ['--data-dir', join(place.folder, 'caller'), '--database', place.database.as('payrun_worker')];
  return [command, ...args, ...where];
}

/** A worker of its own data directory, ready. `name` tells it from others. */
export async function startWorker(
  place: Pick<WorkerPlace, 'folder' | 'database'>,
  name: string,
  args: readonly string[] = [],
): Promise<Started> {
  const { folder, database } = place;
  const where = ['--data-dir', join(folder, name), '--report-dir', join(folder, `reports-of-${name}`)];
  const worker = start(['worker', '--json', ...where, '--database', database.as('payrun_worker'), ...args]);
  await worker.wrote('"event":"ready"');
  return worker;
}

type WorkerLine = { event: string; run_id?: string; exit?: number; report?: string[]; message?: string };

/** What a worker has reported so far. */
export function linesOf(worker: Started): WorkerLine[] {
  const lines = worker.stdout().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as WorkerLine);
}

/** The rows of a report in CSV. */
export function rowsOf(path: string | undefined): Record<string, string>[] {
  return parse(readFileSync(path ?? ''), { columns: true, bom: true });
}

/** Resolves with the line with which a worker ends a run. */
export async function ended(worker: Started, runId: string): Promise<WorkerLine> {
  await worker.wrote(`"event":"ended","run_id":"${runId}"`);
  const line = linesOf(worker).find(({ event, run_id }) => event === 'ended' && run_id === runId);
  if (line === undefined) throw new Error(`no end of ${runId} in ${worker.stdout()}`);
  return line;
}
