// The floor of the service: the least that one durable transfer costs at a bare node:http server. It verifies the same
// signature over the same headers, and one double entry a transfer goes to the same kind of SQLite file (WAL,
// synchronous=FULL), with those that came together in one transaction; answers follow COMMIT.
// Usage: DATABASE PUBLIC_KEY(base64url) main|pool, where Ed25519 is verified.
import { createPublicKey, hash, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';

const [path, x, where] = process.argv.slice(2) as [string, string, 'main' | 'pool'];
const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
const database = new DatabaseSync(path);
database.exec(`pragma journal_mode=WAL; pragma synchronous=FULL; pragma foreign_keys=ON;
  create table account(id integer primary key, balance integer not null) strict;
  create table transfer(id integer primary key, nonce text not null unique, amount integer not null, body text not null) strict;
  create table entry(id integer primary key, transfer integer not null, account integer not null, amount integer not null) strict;
  with recursive c(i) as (select 1 union all select i + 1 from c where i < 1000) insert into account select i, 0 from c`);
const sql = {
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  transfer: database.prepare('insert into transfer(nonce, amount, body) values(?, ?, ?)'),
  entry: database.prepare('insert into entry(transfer, account, amount) values(?, ?, ?)'),
  move: database.prepare('update account set balance = balance + ? where id = ?'),
};

type Waiting = { response: ServerResponse; nonce: string; body: string; amount: number; id: number };

let waiting: Waiting[] = [];

function post(one: Waiting): void {
  one.id = Number(sql.transfer.run(one.nonce, one.amount, one.body).lastInsertRowid);
  const to = 2 + (one.id % 999);
  sql.entry.run(one.id, 1, -one.amount);
  sql.entry.run(one.id, to, one.amount);
  sql.move.run(-one.amount, 1);
  sql.move.run(one.amount, to);
}

function flush(): void {
  const batch = waiting;
  waiting = [];
  sql.begin.run();
  for (const one of batch) post(one);
  sql.commit.run();
  for (const { response, id } of batch) answer(response, 200, `{"data":"txn_${String(id).padStart(20, '0')}"}`);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function isSigned(base: Buffer, signature: Buffer): boolean | Promise<boolean> {
  if (where === 'main') return verify(null, base, publicKey, signature);
  return new Promise((resolve, reject) => {
    verify(null, base, publicKey, signature, (error, is) => (error ? reject(error) : resolve(is)));
  });
}

async function handle(request: IncomingMessage, bytes: Buffer, response: ServerResponse): Promise<void> {
  const { headers } = request;
  const digest = `sha-256=:${hash('sha256', bytes, 'base64')}:`;
  if (digest !== headers['content-digest']) return answer(response, 400, '{"error":"digest"}');
  const parameters = String(headers['signature-input']).slice('sig='.length);
  const base = Buffer.from(
    `"@method": ${request.method}\n"@authority": ${headers.host}\n"@path": ${request.url}\n` +
      `"content-type": ${headers['content-type']}\n"content-digest": ${digest}\n"x-api-key": ${headers['x-api-key']}\n` +
      `"@signature-params": ${parameters}`,
    'latin1',
  );
  const signature = Buffer.from(String(headers.signature).slice('sig=:'.length, -1), 'base64');
  const signed = isSigned(base, signature);
  if (!(typeof signed === 'boolean' ? signed : await signed)) return answer(response, 401, '{"error":"signature"}');
  const nonce = /;nonce="([^"]+)"/.exec(parameters)?.[1] ?? '';
  const body = bytes.toString();
  const amount = Number(JSON.parse(body).currency_out.value);
  waiting.push({ response, nonce, body, amount, id: 0 });
  if (waiting.length === 1) setImmediate(flush);
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    void handle(request, parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts), response);
  });
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', 1_024, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
