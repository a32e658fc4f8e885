import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import { generatePayroll } from '../support/generate-payroll.ts';
import { statements, urlOf } from '../support/postgres.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { measure, median } from './measure.ts';
import { type Peer, withPeer } from './peer-process.ts';

/**
 * A program that pays a file. `begin` creates fresh storage, and returns the command to start and the one to restart
 * after a kill.
 */
type Program = { name: string; begin(peer: Peer): Promise<{ first: string[]; again(): Promise<string[]> }> };

/** In the killed runs, one answer in this many is lost. */
const LOST_EACH = 100;

/**
 * Pays the same file with payrun and with what users would build instead. Measures speed, and after two kills and one
 * lost answer in a hundred, how many payees were paid twice or not at all.
 */
export async function benchPeers(folder: string, payrun: string, rows: number, rounds: number): Promise<string[]> {
  const path = join(folder, 'peers.csv');
  await generatePayroll({ rows, path, seed: 6, mode: 'existing_accounts' });
  const keyFile = join(folder, 'peers-key.pem');
  await measure([payrun, 'keys', 'new', keyFile]);
  const postgres = await startPostgres();
  const redis = await startRedis(folder);
  try {
    const programs = [
      ofPayrun(folder, payrun, path, keyFile),
      ofLoop(folder, path),
      ofBoss(postgres, path),
      ...(redis === null ? [] : [ofBull(redis.port, path)]),
    ];
    const speeds = new Map(programs.map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++)
      for (const { name, begin } of programs) {
        const { wallMs } = await withPeer(async (peer) => measure((await begin(peer)).first));
        speeds.get(name)?.push(rows / (wallMs / 1_000));
      }
    const lines = [`peers, ${rows.toLocaleString('en')} payouts; killed twice, and one answer of ${LOST_EACH} lost`];
    const own = median(speeds.values().next().value ?? []);
    for (const program of programs) {
      const speed = median(speeds.get(program.name) ?? []);
      const { twice, unpaid } = await withPeer((peer) => killedTwice(program, peer, rows), LOST_EACH);
      const share = `${Math.round(speed)} payouts/s, ${(speed / own).toFixed(2)} of payrun`;
      lines.push(`  ${program.name.padEnd(28)} ${share.padEnd(34)} ${twice} paid twice, ${unpaid} not paid`);
    }
    if (redis === null) lines.push('  BullMQ was left out: there is no redis-server (apt-get install redis-server)');
    return lines;
  } finally {
    redis?.child.kill();
    await postgres.end();
  }
}

/** Killed after one and two thirds of the payouts, and restarted each time. */
async function killedTwice({ begin }: Program, peer: Peer, rows: number): Promise<{ twice: number; unpaid: number }> {
  const { first, again } = await begin(peer);
  let args = first;
  for (const share of [1 / 3, 2 / 3]) {
    const child = start(args);
    const gone = once(child, 'exit');
    while ((await peer.transfers()) < rows * share)
      if (child.exitCode !== null) throw new Error(`${args[0]} has ended`);
    child.kill('SIGKILL');
    await gone;
    args = await again();
  }
  const [exit] = await once(start(args), 'exit');
  if (exit !== 0) throw new Error(`${args.join(' ')} exited ${exit}`);
  const [transfers, payees] = [await peer.transfers(), await peer.payees()];
  return { twice: transfers - payees, unpaid: rows - payees };
}

function start(args: string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: 'ignore' });
}

const here = (name: string) => fileURLToPath(new URL(`./peers/${name}.ts`, import.meta.url));

function ofPayrun(folder: string, payrun: string, path: string, keyFile: string): Program {
  let times = 0;
  return {
    name: 'payrun run, payrun resume',
    async begin({ port }) {
      const data = join(folder, `peers-data-${times++}`);
      const where = ['--data-dir', data, '--report-dir', join(data, 'reports'), '--quiet'];
      const service = ['--base-url', `http://127.0.0.1:${port}`, '--api-key', 'key', '--signing-key', keyFile];
      const pace = ['--rate', '0', '--concurrency', '64', '--poll-every', '100ms'];
      const again = async () => {
        const { stdout } = await measure([payrun, 'runs', '--json', '--data-dir', data], { peak: false });
        return [payrun, 'resume', JSON.parse(stdout).runs[0].run_id, ...where];
      };
      return { first: [payrun, 'run', path, '--yes', ...service, ...pace, ...where], again };
    },
  };
}

function ofLoop(folder: string, path: string): Program {
  let times = 0;
  return {
    name: 'a loop with fetch',
    async begin({ port }) {
      const first = [here('fetch-loop'), path, String(port), join(folder, `peers-done-${times++}`)];
      return { first, again: async () => first };
    },
  };
}

function ofBoss(server: PostgresServer, path: string): Program {
  let times = 0;
  return {
    name: 'one pg-boss job per payout',
    async begin({ port }) {
      const name = `peers_${times++}`;
      await statements(urlOf(server, 'postgres'), `CREATE DATABASE ${name}`);
      const first = [here('pg-boss'), path, String(port), urlOf(server, name)];
      return { first, again: async () => first };
    },
  };
}

function ofBull(redis: number, path: string): Program {
  return {
    name: 'one BullMQ job per payout',
    async begin({ port }) {
      execFileSync('redis-cli', ['-p', String(redis), 'flushall']);
      const first = [here('bullmq'), path, String(port), String(redis)];
      return { first, again: async () => first };
    },
  };
}

/** Syncs each write to disk before answering, as payouts need. Null if Redis is not installed. */
async function startRedis(folder: string): Promise<{ port: number; child: ChildProcess } | null> {
  const port = await freePort();
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--appendonly', 'yes', '--appendfsync', 'always', '--dir', folder],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const isThere = await Promise.race([
    once(child.stdout as NonNullable<typeof child.stdout>, 'data').then(() => true),
    once(child, 'error').then(() => false),
  ]);
  return isThere ? { port, child } : null;
}
