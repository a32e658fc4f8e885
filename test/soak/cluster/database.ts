import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT } from '../../support/payrun-process.ts';
import { statements, urlOf } from '../../support/postgres.ts';
import { type PostgresServer, startPostgres, startStandby } from '../../support/postgres-server.ts';
import { type Cut, type WireProxy, wireProxy } from '../../support/wire-proxy.ts';
import type { Run } from './cluster.ts';

const NAME = 'payrun';
const ROLES = readFileSync(join(PROJECT, 'samples/deploy/postgres-roles.sql'), 'utf8');

/** So that a standby that lags finds what it lacks, and one that was cut off comes back soon. */
const SETTINGS = ['wal_keep_size = 256MB', 'max_wal_senders = 10', 'wal_retrieve_retry_interval = 200ms'];

const REPLAY_ATTEMPTS_MAX = 600;
/** A server that does not start on a busy machine may do so the next time. */
const START_ATTEMPTS_MAX = 5;
const START_PAUSE_MS = 2_000;

/** One database behind an address that stays, whichever server has it: a primary, and a standby that follows it when it likes. */
export class SoakDatabase {
  readonly #proxy: WireProxy;
  readonly #to: { host: string; port: number };
  readonly #replication: WireProxy;
  readonly #replicationTo: { host: string; port: number };
  #primary: PostgresServer;
  #standby: PostgresServer | null = null;
  #cutIn = 0;
  #cut: { how: Cut; onCut: () => void } = { how: 'pass', onCut: () => {} };
  #isShut = false;

  private constructor(primary: PostgresServer, proxies: { to: WireProxy; replication: WireProxy }, to: Addresses) {
    this.#primary = primary;
    this.#proxy = proxies.to;
    this.#replication = proxies.replication;
    this.#to = to.to;
    this.#replicationTo = to.replication;
    this.#proxy.decide(() => this.#fate());
  }

  static async start(run: Run): Promise<SoakDatabase> {
    const primary = await startPostgres(SETTINGS);
    const to = { to: addressOf(primary), replication: addressOf(primary) };
    const proxies = { to: await wireProxy(to.to), replication: await wireProxy(to.replication) };
    const database = new SoakDatabase(primary, proxies, to);
    try {
      await database.#prepare(run);
    } catch (error) {
      await database.end(null);
      throw error;
    }
    return database;
  }

  /** Of a role, by way of the proxy. */
  as(user: string): string {
    return urlOf({ ...this.#primary, port: this.#proxy.port }, NAME, { user, password: this.#primary.password });
  }

  /** Of the superuser, straight to the primary. */
  get admin(): string {
    return urlOf(this.#primary, NAME);
  }

  /** The connection that sends the `n`th piece from now is cut. False where another one is to be cut yet. */
  cutIn(n: number, how: 'before' | 'after', onCut: () => void): boolean {
    if (this.#cutIn > 0) return false;
    this.#cutIn = n;
    this.#cut = { how, onCut };
    return true;
  }

  /** SIGKILL to the server, and some time later it is started again. */
  async crash(downMs: number): Promise<void> {
    const primary = this.#primary;
    await primary.kill();
    await sleep(downMs);
    await again(() => primary.restart());
  }

  /** In place of the one that there is, where one is. */
  async startStandby(): Promise<void> {
    const old = this.#standby;
    this.#standby = null;
    await old?.end();
    Object.assign(this.#replicationTo, addressOf(this.#primary));
    this.#replication.decide(() => 'pass');
    const by = { host: '127.0.0.1', port: this.#replication.port };
    this.#standby = await again(() => startStandby(this.#primary, by));
  }

  /**
   * The standby hears no more for some time; then the primary is killed, and the standby takes its place without what it missed.
   * Null where there is none that has followed so far: then there is a new one.
   */
  async failOver(lagMs: number): Promise<{ lostBytes: number } | null> {
    const standby = this.#standby;
    if (standby === null || !(await this.#hasFollowed(standby))) {
      await this.startStandby();
      return null;
    }
    this.#replication.decide(() => 'stall');
    await sleep(lagMs);
    const end = await lsn(this.admin, 'pg_current_wal_flush_lsn()');
    const old = this.#primary;
    await old.kill();
    const has = await lsn(urlOf(standby, 'postgres'), 'pg_last_wal_receive_lsn()');
    await statements(urlOf(standby, 'postgres'), 'SELECT pg_promote()');
    this.#primary = standby;
    this.#standby = null;
    Object.assign(this.#to, addressOf(standby));
    await old.end();
    return { lostBytes: end - has };
  }

  /** Whether the standby has, before long, all that the primary has now. */
  async #hasFollowed(standby: PostgresServer): Promise<boolean> {
    const wanted = await lsn(this.admin, 'pg_current_wal_flush_lsn()');
    for (let attempt = 0; attempt < REPLAY_ATTEMPTS_MAX; attempt++) {
      if ((await lsn(urlOf(standby, 'postgres'), 'pg_last_wal_replay_lsn()')) >= wanted) return true;
      await sleep(50);
    }
    return false;
  }

  /** `keptIn`: where its files are left, for those who want to look at them. */
  async end(keptIn: string | null): Promise<void> {
    this.#isShut = true;
    await this.#proxy.close();
    await this.#replication.close();
    await this.#standby?.end();
    if (keptIn !== null) {
      await this.#primary.kill();
      cpSync(this.#primary.data, keptIn, { recursive: true });
    }
    await this.#primary.end();
  }

  async #prepare(run: Run): Promise<void> {
    const { password } = this.#primary;
    const root = urlOf(this.#primary, 'postgres');
    await statements(root, `CREATE DATABASE ${NAME} ENCODING 'UTF8' TEMPLATE template0`);
    await statements(this.admin, ROLES);
    await statements(root, 'CREATE ROLE payrun_office LOGIN IN ROLE payrun_page, payrun_worker');
    for (const role of ['owner', 'worker', 'page', 'office'])
      await statements(root, `ALTER ROLE payrun_${role} PASSWORD '${password}'`);
    const folder = join(this.#primary.data, '..', 'prepared');
    const prepared = await run(['worker', '--prepare', '--database', this.as('payrun_owner'), '--data-dir', folder]);
    if (prepared.exit !== 0) throw new Error(`the database was not prepared: ${prepared.stderr}`);
    rmSync(folder, { recursive: true, force: true });
    await statements(this.admin, ROLES);
  }

  #fate(): Cut {
    if (this.#isShut || this.#cutIn === 0 || --this.#cutIn > 0) return 'pass';
    this.#cut.onCut();
    return this.#cut.how;
  }
}

type Addresses = { to: { host: string; port: number }; replication: { host: string; port: number } };

function addressOf({ host, port }: PostgresServer): { host: string; port: number } {
  return { host, port };
}

async function again<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt >= START_ATTEMPTS_MAX) throw error;
      await sleep(START_PAUSE_MS);
    }
  }
}

/** A place in the log, as a number of bytes. */
async function lsn(url: string, place: string): Promise<number> {
  const [row] = await statements(url, `SELECT (${place} - '0/0'::pg_lsn)::bigint AS bytes`);
  return Number(row?.bytes ?? 0);
}
