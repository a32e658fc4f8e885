// The peer of the payout bench: a bare node:http server in a process of its own. It checks nothing and stores what it is
// sent, so that what is measured is the client. It answers as much of the contract as a run needs.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

type Stored = { id: string; at: number; body: string };

const stored: Stored[] = [];
/** Every n-th transfer goes unanswered; 0 for none. */
const LOST_EACH = Number(process.argv[2] ?? 0);
const PAGE_MAX = 500;

function answer(response: ServerResponse, data: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) });
  response.end(data);
}

function record({ id, at, body }: Stored): object {
  const { currency_out, metadata } = JSON.parse(body);
  return {
    id,
    created_at: new Date(at).toISOString(),
    status: 'COMPLETED',
    currency_in: currency_out,
    currency_out,
    fees: [],
    metadata: { description: metadata.description },
  };
}

/** The payee: each payout of a bench has its own account. */
function payeeOf({ body }: Stored): string {
  return JSON.parse(body).external_accounts.to.id;
}

function list(body: string): string {
  const { search, cursor, limit = 50 } = JSON.parse(body);
  if (search) {
    const transactions = stored.filter((one) => one.body.includes(search)).map(record);
    const totals = { transfers: transactions.length, fiatAmount: 0 };
    return JSON.stringify({ data: { transactions, totals, next_cursor: null } });
  }
  const totals = { transfers: stored.length, fiatAmount: 0 };
  const end = cursor === undefined ? stored.length : Number(cursor);
  const start = Math.max(0, end - Math.min(limit, PAGE_MAX));
  const transactions = stored.slice(start, end).reverse().map(record);
  return JSON.stringify({ data: { transactions, totals, next_cursor: start > 0 ? String(start) : null } });
}

const CODES = ['AUD', 'USD', 'GBP', 'EUR', 'INR', 'MXN', 'BRL', 'SGD', 'HKD', 'CNY', 'COP', 'AED', 'IDR'];

function balances(): string {
  const amount = (code: string) => ({ value: `1${'0'.repeat(30)}`, code, decimals: 2 });
  const crypto = ['USDC', 'USDT'].flatMap((code) =>
    ['ethereum', 'polygon', 'arbitrum'].map((chain) => ({ value: `1${'0'.repeat(30)}`, code, decimals: 6, chain })),
  );
  const held = [...CODES.map(amount), ...crypto];
  return JSON.stringify({
    data: { balances: held.map((available) => ({ available, pending: { ...available, value: '0' } })) },
  });
}

function dataFor(path: string, body: string): string | null {
  switch (path) {
    case '/v1/transaction.transfer': {
      const id = `txn_${String(stored.length).padStart(12, '0')}`;
      stored.push({ id, at: Date.now(), body });
      return `{"data":"${id}"}`;
    }
    case '/v1/transaction.getMany':
      return list(body);
    case '/v1/transaction.get': {
      const found = stored[Number(JSON.parse(body).id.slice(4))];
      return JSON.stringify({ data: found ? record(found) : null });
    }
    case '/v1/account.balance.getMany':
      return balances();
    default:
      return null;
  }
}

let requests = 0;

function handle(path: string, body: string, response: ServerResponse): void {
  requests++;
  const data = dataFor(path, body);
  if (path === '/v1/transaction.transfer' && LOST_EACH > 0 && stored.length % LOST_EACH === 0) {
    response.socket?.destroy();
    return;
  }
  if (data === null) response.writeHead(404).end('{"error":{"code":"NOT_FOUND","message":"not of this peer"}}');
  else answer(response, data);
}

const server = createServer((request: IncomingMessage, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    handle(request.url ?? '', bytes.toString(), response);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 1_024, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () =>
  process.send?.({ transfers: stored.length, requests, payees: new Set(stored.map(payeeOf)).size }),
);
process.on('disconnect', () => process.exit(0));
