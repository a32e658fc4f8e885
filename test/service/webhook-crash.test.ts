import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { RunningService } from '../../src/service/start.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import { programOf } from '../support/program.ts';
import {
  addPayee,
  gbpPayout,
  ledgerFindings,
  settled,
  startTestService,
  type TestService,
  temporaryDirectory,
  testClient,
  until,
} from './harness.ts';
import { type Received, type Receiver, startReceiver } from './webhook-receiver.ts';

/** Kills of a real process, and payouts that wait for an answer at each. */
const KILLS = 3;
const CONNECTIONS = 8;

it('a service that is killed while it pays and tells loses no event, and tells it by the same id and bytes', async () => {
  const dataDir = temporaryDirectory();
  // Slow enough that at each kill some are committed and not sent, some sent and not answered, some answered and not
  // noted. A receiver has heard what it could answer: one that is cut off may not have read everything.
  const heard: Received[] = [];
  const receiver = await startReceiver(
    (response, delivery) =>
      void setTimeout(() => {
        if (!response.destroyed) heard.push(delivery);
        response.writeHead(204).end();
      }, 15),
  );
  const paid = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) await payUntilKilled(dataDir, receiver, paid, 20 * (kill + 1));
  const repeatedByKills = receiver.received.length - new Set(receiver.received.map(({ id }) => id)).size;
  expect(ledgerFindings(dataDir)).toEqual([]);

  const after = await startTestService({ dataDir, settleMs: 20, webhooks: { allowPrivate: true } });
  const ids = await everyTransaction(after);
  for (const id of paid) expect(ids).toContain(id);
  for (const id of ids) expect((await settled(after, id)).status).toBe('COMPLETED');
  await until(async () => pending(dataDir) === 0);
  await after.stop();
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });

  const told = new Map<string, Set<string>>();
  const contents = new Map<string, string>();
  for (const { id, event, bytes } of heard) {
    told.set(event.data.id, (told.get(event.data.id) ?? new Set()).add(`${id} ${event.type} ${event.data.status}`));
    const text = bytes.toString('hex');
    expect(contents.get(id) ?? text).toBe(text);
    contents.set(id, text);
  }
  for (const id of ids) {
    const kinds = [...(told.get(id) ?? [])].map((text) => text.slice(text.indexOf(' ') + 1)).sort();
    expect(kinds).toEqual(['transaction.created PENDING', 'transaction.updated COMPLETED']);
  }
  expect(told.size).toBe(ids.length);
  // What had been noted as delivered was not sent again: the kills repeat only what was on its way.
  expect(repeatedByKills).toBeLessThan(ids.length);
});

/** Pays over several connections until the receiver has been told so often in all, then kills without warning. */
async function payUntilKilled(dataDir: string, receiver: Receiver, paid: Set<string>, told: number): Promise<void> {
  const child = fork(programOf('test/service/service-process.ts'), [dataDir]);
  const service = await startedService(child);
  const client = await testClient({ ...service, stop: async () => {} }, dataDir);
  await client.admin('webhook.add', { url: receiver.url });
  const { accountId } = await addPayee(client);
  const exited = once(child, 'exit');
  const from = receiver.received.length;
  const pay = async (): Promise<void> => {
    while (child.exitCode === null && child.signalCode === null) {
      const reply = await client.call('transaction.transfer', gbpPayout(accountId, 100)).catch(() => null);
      if (reply === null) return;
      paid.add(reply.data);
    }
  };
  const paying = Promise.all(Array.from({ length: CONNECTIONS }, pay));
  await receiver.arrived(from + told);
  child.kill('SIGKILL');
  await Promise.all([exited, paying]);
}

async function startedService(child: ChildProcess): Promise<RunningService> {
  const [service] = await once(child, 'message');
  return service;
}

async function everyTransaction(service: TestService): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { transactions: { id: string }[]; next_cursor: string | null } = await service.data(
      'transaction.getMany',
      { limit: 500, ...(cursor ? { cursor } : {}) },
    );
    ids.push(...page.transactions.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

function pending(dataDir: string): number {
  const store = openDatabase(servicePaths(dataDir).database, { readOnly: true });
  const row = store.get('SELECT count(*) AS count FROM delivery WHERE due_at IS NOT NULL');
  store.close();
  return Number(row?.count);
}
