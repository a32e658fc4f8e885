// The floor of `run`: the least that one durable payout costs, in a straight line and nothing else.
//   CSV row -> durable intent (in a group) -> signature -> POST -> durable result
// An intent is on disk before its request leaves; a payout counts when its result is on disk. One transaction carries the
// results of a group and the next intents. Usage: FILE PORT JOURNAL
import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse';
import { Pool } from 'undici';

const [file, port, journal] = process.argv.slice(2) as [string, string, string];
const GROUP = 64;
const CONCURRENCY = 64;

const { privateKey } = generateKeyPairSync('ed25519');
const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY, pipelining: 1, allowH2: false });
const database = new DatabaseSync(journal);
database.exec(`pragma journal_mode=WAL; pragma synchronous=FULL;
  create table journal(n integer primary key, row integer not null, kind text not null, at integer not null, data text not null) strict`);
const insert = database.prepare('insert into journal(row, kind, at, data) values(?, ?, ?, ?)');
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');

type Payout = { row: number; body: string; nonce: string; reply: string };

function write(results: Payout[], intents: Payout[]): void {
  if (results.length + intents.length === 0) return;
  const at = Date.now();
  begin.run();
  for (const { row, reply } of results) insert.run(row, 'result', at, reply);
  for (const { row, body } of intents) insert.run(row, 'intent', at, body);
  commit.run();
}

async function send(payout: Payout): Promise<void> {
  const digest = `sha-256=:${hash('sha256', payout.body, 'base64')}:`;
  const created = Math.floor(Date.now() / 1_000);
  const params = `("@method" "@authority" "@path" "content-type" "content-digest" "x-api-key");created=${created};expires=${created + 30};nonce="${payout.nonce}";keyid="key";alg="ed25519";tag="payout-v1"`;
  const base = `"@method": POST\n"@authority": 127.0.0.1:${port}\n"@path": /v1/transaction.transfer\n"content-type": application/json\n"content-digest": ${digest}\n"x-api-key": key\n"@signature-params": ${params}`;
  const signature = sign(null, Buffer.from(base), privateKey).toString('base64');
  const answer = await pool.request({
    path: '/v1/transaction.transfer',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'key',
      'content-digest': digest,
      'signature-input': `sig=${params}`,
      signature: `sig=:${signature}:`,
    },
    body: payout.body,
  });
  payout.reply = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`row ${payout.row}: ${answer.statusCode}`);
}

const records = createReadStream(file).pipe(parse({ bom: true }));
let header: string[] | null = null;
/** csv-parse gives many records at once, so most are taken without waiting. */
async function moreRecords(): Promise<boolean> {
  if (records.readableEnded) return false;
  await new Promise<void>((resolve) => {
    const more = (): void => {
      records.off('readable', more).off('end', more);
      resolve();
    };
    records.on('readable', more).on('end', more);
  });
  return true;
}
let row = 1;
async function nextPayouts(): Promise<Payout[]> {
  const payouts: Payout[] = [];
  while (payouts.length < GROUP) {
    const record = records.read() as string[] | null;
    if (record === null) {
      if (await moreRecords()) continue;
      break;
    }
    if (header === null) {
      header = record;
      continue;
    }
    row++;
    const value: Record<string, string> = {};
    for (let at = 0; at < header.length; at++) value[header[at] as string] = record[at] as string;
    const minor = String(BigInt((value.amount ?? '').replace('.', '')));
    const nonce = randomBytes(16).toString('base64url');
    const body = JSON.stringify({
      currency_out: { value: minor, code: value.currency, decimals: 2 },
      external_accounts: { from: null, to: { id: value.external_account_id } },
      metadata: { description: `${value.description} PR${nonce.slice(0, 13)}` },
    });
    payouts.push({ row, body, nonce, reply: '' });
  }
  return payouts;
}

let finished = 0;
let results: Payout[] = [];
const ready: Payout[] = [];
let head = 0;
let isExhausted = false;
let refill: Promise<void> | null = null;

/** Makes the results that are there and the next intents durable, with one fsync. */
async function cycle(): Promise<void> {
  const intents = isExhausted ? [] : await nextPayouts();
  if (intents.length < GROUP) isExhausted = true;
  const done = results;
  results = [];
  write(done, intents);
  finished += done.length;
  ready.push(...intents);
}

async function worker(): Promise<void> {
  for (;;) {
    while (head === ready.length) {
      if (isExhausted) return;
      refill ??= cycle().finally(() => {
        refill = null;
      });
      await refill;
    }
    const payout = ready[head++] as Payout;
    if (head === GROUP) {
      ready.splice(0, GROUP);
      head = 0;
    }
    await send(payout);
    results.push(payout);
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, worker));
write(results, []);
finished += results.length;
const { count } = database.prepare("select count(*) as count from journal where kind = 'result'").get() as {
  count: number;
};
if (count !== finished) throw new Error(`the journal holds ${count} results of ${finished}`);
process.stdout.write(`${finished}\n`);
database.close();
await pool.close();
