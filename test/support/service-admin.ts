import { request } from 'undici';
import { type Client, createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import { httpTransport } from '../../src/client/transport.ts';
import type { TransactionRecord } from '../../src/contract/shapes.ts';
import { rfc9421Signer } from '../../src/contract/signer.ts';
import { readKeyFile } from '../../src/keys/key-file.ts';
import { silentLog } from '../../src/platform/log.ts';
import { machineClock, machineRandomness } from '../../src/platform/machine.ts';
import type { ReadyService } from './payrun.ts';

/** One call of the service's admin port. Throws where it refuses. */
export async function admin(service: ReadyService, operation: string, body: object = {}): Promise<unknown> {
  const answer = await request(new URL(operation, service.admin_url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${operation}: ${answer.statusCode} ${text}`);
  return JSON.parse(text).data;
}

/** How often each operation was asked for. */
export async function arrivals(service: ReadyService): Promise<Record<string, number>> {
  return ((await admin(service, 'stats')) as { arrivals: Record<string, number> }).arrivals;
}

/** Less than a request takes at the pace of most tests; each look costs both sides some work. */
const LOOK_MS = 10;

/** Resolves when so many requests of these operations have arrived, or the command has ended that was to make them. */
export async function untilArrived(
  service: ReadyService,
  count: number,
  operations = /^transaction\.transfer$/,
  ended?: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  void ended?.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const meant = Object.entries(await arrivals(service)).filter(([name]) => operations.test(name));
    if (meant.reduce((sum, [, times]) => sum + times, 0) >= count) return;
    await machineClock.sleep(LOOK_MS);
  }
}

/** A client of its own, through the service's public door. */
function clientOf(service: ReadyService): Client {
  return createClient({
    transport: httpTransport({ baseUrl: service.base_url, connections: 1 }),
    queue: requestQueue({ rate: null, concurrency: 1, clock: machineClock }),
    signer: rfc9421Signer({ keyId: service.api_key, key: readKeyFile(service.signing_key_file) }),
    clock: machineClock,
    randomness: machineRandomness,
    log: silentLog,
    requestLifetimeMs: 30_000,
  });
}

/**
 * The same transfer as another request: what a service does that takes the same bytes twice, or after their deadline.
 * Gives the transaction's id.
 */
export async function transferAgain(service: ReadyService, body: string): Promise<string> {
  const client = clientOf(service);
  try {
    const outcome = await client.change('transaction.transfer', JSON.parse(body), async () => {});
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    return String(outcome.data);
  } finally {
    await client.close();
  }
}

/** Every transaction that the service holds, newest first, asked through its public door. */
export async function allTransactions(service: ReadyService): Promise<TransactionRecord[]> {
  const client = clientOf(service);
  try {
    const records: TransactionRecord[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await client.read('transaction.getMany', { limit: 500, ...(cursor ? { cursor } : {}) });
      if (!page.ok) throw new Error(page.kind);
      records.push(...page.data.transactions);
      cursor = page.data.next_cursor;
    } while (cursor);
    return records;
  } finally {
    await client.close();
  }
}
