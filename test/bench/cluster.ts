import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatePayroll } from '../support/generate-payroll.ts';
import { type Started, spawnPayrun } from '../support/payrun-process.ts';
import { statements, urlOf } from '../support/postgres.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { readyServiceOf } from '../support/ready-service.ts';
import { type Measured, measure, median } from './measure.ts';
import { type Peer, withPeer } from './peer-process.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (line: string) => process.stdout.write(`${line}\n`);

const PACE = ['--rate', '0', '--concurrency', '64', '--poll-every', '100ms'];

/**
 * Payouts a second of one process whose journal is in PostgreSQL (fsync on, on this machine) and in a file, and of a worker to
 * which the run was left, in interleaved rounds; the share of journal, driver, queue and limit in a worker's processor time; and
 * how long a run lies after its worker was killed.
 */
export async function benchCluster(folder: string, payrun: string, rows: number, rounds: number): Promise<void> {
  const path = join(folder, `cluster-${rows}.csv`);
  const keyFile = join(folder, 'cluster-key.pem');
  await generatePayroll({ rows, path, seed: 2, mode: 'existing_accounts' });
  await measure([payrun, 'keys', 'new', keyFile]);
  const server = await startPostgres();
  try {
    const run = (main: string, database: string | null) =>
      withPeer((peer) => paid(peer, rows, [main, 'run', path, ...wordsAt(peer, folder, keyFile), ...at(database)]));
    const byWorker = (program: string[], name: string) =>
      withPeer(async (peer) => {
        const words = wordsAt(peer, folder, keyFile);
        const speed = await speedOfWorker(rows, program, ['run', path, ...words], await newDatabase(server, name));
        if ((await peer.transfers()) !== rows) throw new Error('the worker did not send each payout once');
        return speed;
      });
    const sides: Sides = { sqlite: [], postgres: [], workers: [] };
    for (let round = 0; round < rounds; round++) {
      sides.sqlite.push(await run(payrun, null));
      sides.postgres.push(await run(payrun, await newDatabase(server, `bench_${round}`)));
      sides.workers.push(await byWorker([payrun], `worker_${round}`));
    }
    report(rows, sides);
    const profiles = mkdtempSync(join(folder, 'profiles-'));
    await byWorker(['--cpu-prof', `--cpu-prof-dir=${profiles}`, here('../../src/cli/main.ts')], 'profiled');
    print(`  of a worker's processor time         ${sharesText(largestIn(profiles))}`);
    print(`  taken over after                     ${(await takeoverMs(folder, server)).map(Math.round).join(', ')} ms`);
  } finally {
    await server.end();
  }
}

/**
 * Leaves a run to a worker that is ready and waits for it. Payouts a second from the worker's taking the run to its end.
 * `program`: Node's flags, and the main file.
 */
async function speedOfWorker(rows: number, program: string[], run: string[], database: string): Promise<number> {
  const place = mkdtempSync(join(tmpdir(), 'payrun-bench-worker-'));
  const start = (args: string[], name: string) =>
    spawnPayrun([...args, '--json', '--database', database, '--data-dir', join(place, name)], { program });
  const succeeded = async (args: string[], name: string) => {
    const { exit, stderr } = await start(args, name).ended;
    if (exit !== 0) throw new Error(stderr);
  };
  await succeeded(['worker', '--prepare'], 'owner');
  const worker = start(['worker', '--rate', '0', '--poll-every', '100ms', '--report-dir', place], 'worker');
  await worker.wrote('"event":"ready"');
  await succeeded([...run, '--detach'], 'caller');
  await worker.wrote('"event":"taken"');
  const takenMs = performance.now();
  await worker.wrote('"event":"ended"');
  const wallMs = performance.now() - takenMs;
  worker.child.kill('SIGTERM');
  const { exit, stderr } = await worker.ended;
  if (exit !== 0) throw new Error(stderr);
  rmSync(place, { recursive: true });
  return rows / (wallMs / 1_000);
}

async function paid(peer: Peer, rows: number, args: string[]): Promise<Measured> {
  const measured = await measure(args);
  if ((await peer.transfers()) !== rows) throw new Error('the run did not send each payout once');
  return measured;
}

function wordsAt({ port }: Peer, folder: string, keyFile: string): string[] {
  const data = mkdtempSync(join(folder, 'cluster-data-'));
  const service = ['--base-url', `http://127.0.0.1:${port}`, '--api-key', 'key', '--signing-key', keyFile];
  return ['--yes', '--json', '--quiet', ...service, ...PACE, '--data-dir', data, '--report-dir', join(data, 'reports')];
}

function at(database: string | null): string[] {
  return database === null ? [] : ['--database', database];
}

async function newDatabase(server: PostgresServer, name: string): Promise<string> {
  await statements(urlOf(server, 'postgres'), `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  return urlOf(server, name);
}

type Sides = { sqlite: Measured[]; postgres: Measured[]; workers: number[] };

function report(rows: number, sides: Sides): void {
  const perSecond = ({ wallMs }: Measured) => rows / (wallMs / 1_000);
  const line = (name: string, speeds: number[], runs: Measured[]) => {
    const range = `${Math.round(Math.min(...speeds))}–${Math.round(Math.max(...speeds))}`;
    const cpu = runs.map(({ cpuMs }) => cpuMs / 1_000);
    const processor = cpu.length === 0 ? '' : `, ${median(cpu).toFixed(1)} s of processor`;
    print(`  ${name.padEnd(36)} ${Math.round(median(speeds))} payouts/s [${range}]${processor}`);
  };
  const ratio = (speeds: number[]) =>
    median(speeds.map((speed, round) => speed / perSecond(sides.sqlite[round] as Measured))).toFixed(2);
  print(`cluster, ${rows.toLocaleString('en')} payouts without a rate limit`);
  line('journal in a file', sides.sqlite.map(perSecond), sides.sqlite);
  line('journal in PostgreSQL', sides.postgres.map(perSecond), sides.postgres);
  line('a worker, without its start', sides.workers, []);
  print(`  PostgreSQL to file                   ${ratio(sides.postgres.map(perSecond))}  (aim 0.5)`);
  print(`  worker to file                       ${ratio(sides.workers)}`);
}

type Profile = {
  nodes: { id: number; callFrame: { url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

/** What is counted: where a sample's stack, from its innermost frame on, first meets one of these. */
const PARTS: [string, RegExp][] = [
  ['journal', /\/src\/journal\//],
  ['pg', /\/node_modules\/(?:pg|pg-[a-z]+|postgres-[a-z]+)\//],
  ['queue', /\/src\/queue\/|\/node_modules\/pg-boss\//],
  ['rate limit', /\/src\/client\/(?:rate-limit|gate|places|shared-places|slots|clock-offset)\.ts/],
];

/** The profile of the process that did most: those that prepare the tables and leave the run write one too. */
function largestIn(folder: string): Profile {
  const profiles = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile);
  return profiles.reduce((largest, one) => (one.samples.length > largest.samples.length ? one : largest));
}

function sharesText(profile: Profile): string {
  const ms = new Map<string, number>();
  addProfile(profile, ms);
  const whole = [...ms.values()].reduce((sum, one) => sum + one, 0);
  return PARTS.map(([part]) => `${part} ${(((ms.get(part) ?? 0) / whole) * 100).toFixed(0)} %`).join(', ');
}

function addProfile({ nodes, samples, timeDeltas }: Profile, ms: Map<string, number>): void {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const partOf = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const url = byId.get(at)?.callFrame.url ?? '';
      const part = PARTS.find(([, is]) => is.test(url));
      if (part) return part[0];
    }
    return 'else';
  };
  const idle = new Set(
    nodes
      .filter(({ callFrame }) => 'functionName' in callFrame && callFrame.functionName === '(idle)')
      .map(({ id }) => id),
  );
  samples.forEach((id, at) => {
    if (!idle.has(id)) ms.set(partOf(id), (ms.get(partOf(id)) ?? 0) + (timeDeltas[at] ?? 0) / 1_000);
  });
}

const TAKEOVERS = 3;

/** Of two workers the one that pays is killed, again and again: the time until the other one has the run. */
async function takeoverMs(folder: string, server: PostgresServer): Promise<number[]> {
  const place = mkdtempSync(join(folder, 'takeover-'));
  const database = await newDatabase(server, 'takeover');
  const service = spawnPayrun([
    'service',
    '--json',
    '--port',
    '0',
    '--admin-port',
    '0',
    '--data-dir',
    join(place, 'service'),
  ]);
  const ready = await readyServiceOf(service);
  const where = (name: string) => ['--database', database, '--data-dir', join(place, name)];
  const prepared = await spawnPayrun(['worker', '--prepare', ...where('owner')]).ended;
  if (prepared.exit !== 0) throw new Error(prepared.stderr);
  const file = join(place, 'long.csv');
  const rows = Array.from({ length: 400 }, (_, n) => `Payee ${n},${n + 1}.00,AUD,AUD_NPP,${10_000_000 + n},062-000`);
  writeFileSync(file, `name,amount,currency,rail,account_number,national_clearing_code\n${rows.join('\n')}\n`);
  const left = await spawnPayrun(['run', file, '--yes', '--detach', '--json', ...ready.options, ...where('caller')])
    .ended;
  if (left.exit !== 0) throw new Error(left.stderr);
  const worker = async (n: number): Promise<Started> => {
    const started = spawnPayrun(['worker', '--json', '--report-dir', join(place, 'reports'), ...where(`worker-${n}`)]);
    started.ended.catch(() => {});
    await started.wrote('"event":"ready"');
    return started;
  };
  const took: number[] = [];
  let pays = await worker(0);
  for (let n = 1; n <= TAKEOVERS; n++) {
    await pays.wrote('"event":"taken"');
    const next = await worker(n);
    const killedMs = performance.now();
    pays.child.kill('SIGKILL');
    await next.wrote('"event":"taken"');
    took.push(performance.now() - killedMs);
    pays = next;
  }
  pays.child.kill('SIGKILL');
  service.child.kill('SIGTERM');
  await service.ended;
  return took;
}
