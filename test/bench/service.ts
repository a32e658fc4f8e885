import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { signRequest } from '../../src/contract/signature.ts';
import { publicKeyTexts, type SigningKey } from '../../src/keys/ed25519.ts';
import { readKeyFile } from '../../src/keys/key-file.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import { verifyLedger } from '../../src/service/verify/verify.ts';
import { median } from './measure.ts';
import { sendAll } from './service-load.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (line: string) => process.stdout.write(`${line}\n`);

/** Requests of a round, by connections: about a second, so that the sides of a round see the same machine. */
const ROUND = new Map([
  [1, 600],
  [16, 2_500],
  [64, 3_500],
]);

/** After 8,000 requests, 8 % of the processor time was still the engine compiling the service. */
const WARM_UP = 20_000;

/** One of the servers that are compared, while it runs. */
type Side = {
  name: string;
  child: ChildProcess;
  port: number;
  keyId: string;
  accountId: string;
  /** Of every answer. */
  ids: string[];
  walls: number[];
  cpus: number[];
};

/**
 * Transfers a second of `payrun service` against a bare server that verifies the same signature and stores a double
 * entry (`service-floor.ts`). Payouts settle a day later: what is measured is the request.
 */
export async function benchService(folder: string, rounds: number): Promise<void> {
  const dataDir = join(folder, 'service-data');
  const { side: service, key } = await startShipped(dataDir);
  const floors = await Promise.all([startFloor(folder, 'main', key), startFloor(folder, 'pool', key)]);
  const sides = [...floors, service];
  // A service runs for hours: what is measured is code that the engine has compiled.
  for (const side of sides) await measureRound(side, key, 64, WARM_UP, false);
  print('service, transfers a second; median of rounds [least–most], CPU time of the process for each');
  for (const [connections, count] of ROUND) {
    for (const side of sides) Object.assign(side, { walls: [], cpus: [] });
    // The first round warms up and is not counted.
    for (let round = -1; round < rounds; round++) {
      for (const side of sides) await measureRound(side, key, connections, count, round >= 0);
    }
    report(connections, count, floors, service);
  }
  for (const { child } of sides) await stop(child);
  for (const [place, where] of ['main', 'pool'].entries()) checkFloor(floorFile(folder, where), floors[place] as Side);
  checkShipped(dataDir, service);
}

async function measureRound(side: Side, key: SigningKey, connections: number, count: number, isCounted: boolean) {
  const requests = Array.from({ length: count }, () => transferBytes(side, key));
  const cpuBefore = cpuMs(side.child);
  const { wallMs, ids } = await sendAll(side.port, connections, requests);
  side.ids.push(...ids);
  if (!isCounted) return;
  side.walls.push(wallMs);
  side.cpus.push(cpuMs(side.child) - cpuBefore);
}

function report(connections: number, count: number, floors: Side[], service: Side): void {
  const rate = ({ walls }: Side) => count / (median(walls) / 1_000);
  print(`  ${connections} connection${connections === 1 ? '' : 's'}`);
  for (const side of [...floors, service]) {
    const all = side.walls.map((wallMs) => Math.round(count / (wallMs / 1_000)));
    const cpu = Math.round((median(side.cpus) / count) * 1_000);
    print(`    ${side.name.padEnd(28)} ${Math.round(rate(side))} [${Math.min(...all)}–${Math.max(...all)}]  ${cpu} µs`);
  }
  // Each round's own ratio first: what else the machine does changes from round to round.
  const ratios = floors.map(({ walls }) => median(walls.map((wallMs, round) => wallMs / (service.walls[round] ?? 0))));
  print(`    ratio to the better floor    ${Math.min(...ratios).toFixed(2)}  (aim 0.6)`);
}

/** A signed transfer, whole, as it goes over the connection. */
function transferBytes({ port, keyId, accountId }: Side, key: SigningKey): Buffer {
  const body = JSON.stringify({
    currency_out: { value: '12345', code: 'GBP', decimals: 2 },
    external_accounts: { from: null, to: { id: accountId } },
    metadata: { description: `Salary for November 2026 PR${randomBytes(8).toString('hex')}` },
    reference: 'PAY-2026-11-0042',
  });
  const operation = 'transaction.transfer';
  const lines = Object.entries(signedHeaders(operation, body, port, keyId, key)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [
    `POST /v1/${operation} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...lines,
    `content-length: ${body.length}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function signedHeaders(operation: string, body: string, port: number, keyId: string, key: SigningKey) {
  const created = Math.floor(Date.now() / 1_000);
  return signRequest({
    method: 'POST',
    authority: `127.0.0.1:${port}`,
    path: `/v1/${operation}`,
    contentType: 'application/json',
    body,
    keyId,
    created,
    expires: created + 300,
    nonce: randomBytes(16).toString('base64url'),
    key,
  });
}

async function startFloor(folder: string, where: 'main' | 'pool', key: SigningKey): Promise<Side> {
  const args = [floorFile(folder, where), publicKeyTexts(key.publicKey).base64url, where];
  const child = fork(here('./service-floor.ts'), args, { execPath: process.execPath });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const name = where === 'main' ? 'floor, verifying itself' : 'floor, verifying in threads';
  return { name, child, port, keyId: 'key', accountId: 'acc_01jd2x3v9qk7m5p0h8rc', ids: [], walls: [], cpus: [] };
}

function floorFile(folder: string, where: string): string {
  return join(folder, `service-floor-${where}.db`);
}

/** `payrun service` as users start it, with a payee and enough money. */
async function startShipped(dataDir: string): Promise<{ side: Side; key: SigningKey }> {
  const options = ['--port', '0', '--admin-port', '0', '--rate-limit', '0', '--settle-after', '1d', '--json'];
  const args = [here('../../dist/cli/main.js'), 'service', ...options, '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const ready = JSON.parse(line) as Record<'base_url' | 'admin_url' | 'api_key' | 'signing_key_file', string>;
  const key = readKeyFile(ready.signing_key_file);
  const port = Number(new URL(ready.base_url).port);
  const bank = { type: 'GBP_FPS', account_name: 'Ada Lovelace', account_number: '12345678' };
  const body = JSON.stringify({ ...bank, national_clearing_code: '20-00-00' });
  const operation = 'account.external.bank.add';
  const headers = signedHeaders(operation, body, port, ready.api_key, key);
  const account = (await ask(`${ready.base_url}/v1/${operation}`, headers, body)) as { id: string };
  const json = { 'content-type': 'application/json' };
  await ask(`${ready.admin_url}/balance.set`, json, JSON.stringify({ code: 'GBP', value: `1${'0'.repeat(15)}` }));
  const name = 'payrun service';
  const side = { name, child, port, keyId: ready.api_key, accountId: account.id, ids: [], walls: [], cpus: [] };
  return { side, key };
}

async function ask(url: string, headers: Record<string, string>, body: string): Promise<unknown> {
  const answer = await request(url, { method: 'POST', headers, body });
  if (answer.statusCode !== 200) throw new Error(`${url}: ${await answer.body.text()}`);
  return ((await answer.body.json()) as { data: unknown }).data;
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  if (child.connected) child.disconnect();
  else child.kill('SIGTERM');
  await exit;
}

/** CPU time of all the process's threads so far, in ms. Zero where the system does not tell it in /proc. */
function cpuMs({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10;
}

/** Every answer has its transfer on disk, and every transfer its double entry. Else what was measured is nothing. */
function checkFloor(path: string, { ids }: Side): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const { transfers, entries, sum } = database
    .prepare('select count(distinct transfer) as transfers, count(*) as entries, sum(amount) as sum from entry')
    .get() as { transfers: number; entries: number; sum: number };
  database.close();
  const expected = new Set(ids).size;
  if (expected !== ids.length || transfers !== expected || entries !== 2 * expected || sum !== 0)
    throw new Error(`the floor stored ${transfers} transfers with ${entries} entries of ${ids.length}`);
}

function checkShipped(dataDir: string, { ids }: Side): void {
  const store = openDatabase(servicePaths(dataDir).database, { readOnly: true });
  const stored = new Set(store.all('SELECT id FROM transfer').map((row) => String(row.id)));
  const reserved = store.get("SELECT count(*) AS postings FROM posting WHERE kind = 'reserve'")?.postings;
  const findings = verifyLedger(store);
  store.close();
  const missing = ids.filter((id) => !stored.has(id)).length;
  // An amount and a fee each.
  if (missing > 0 || stored.size !== ids.length || reserved !== 2 * ids.length || findings.length > 0)
    throw new Error(`the service stored ${stored.size} of ${ids.length}, ${missing} missing. ${findings.join(' ')}`);
}
