import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../src/contract/signature.ts';
import { readKeyFile } from '../../src/keys/key-file.ts';
import type { RunningService } from '../../src/service/start.ts';
import { programOf } from '../support/program.ts';
import { addPayee, gbpPayout, settled, startTestService, temporaryDirectory } from './harness.ts';

/** Kills of a real process, and requests in flight at each. */
const KILLS = 4;
const CONNECTIONS = 16;

/** Payouts, swaps and converting payouts, in turn. */
const SHAPES: ((accountId: string, minor: number) => object)[] = [
  gbpPayout,
  (_accountId, minor) => ({
    currency_out: { value: String(minor), code: 'GBP', decimals: 2 },
    currency_in: { value: '131', code: 'USD', decimals: 2 },
    external_accounts: { from: null, to: null },
  }),
  (accountId, minor) => ({
    currency_out: { value: String(minor), code: 'USD', decimals: 2 },
    currency_in: { value: '75', code: 'GBP', decimals: 2 },
    external_accounts: { from: null, to: { id: accountId } },
  }),
];

type Sent = { description: string; headers: Record<string, string>; body: string };

describe('a service that is killed under load', () => {
  it('has every acknowledged transfer once, none twice, and sound books', async () => {
    const dataDir = temporaryDirectory();
    const first = await startTestService({ dataDir, settleMs: 20 });
    const { accountId } = await addPayee(first);
    await first.stop();
    const acknowledged = new Map<string, string>();
    const attempted = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, service } = await startProcess(dataDir);
      await loadUntilKilled(child, service, accountId, attempted, acknowledged, 40 + 60 * kill);
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS);
    const after = await startTestService({ dataDir, settleMs: 20 });
    const seen = new Map<string, string[]>();
    let cursor: string | null = null;
    do {
      const page: { transactions: { id: string; metadata: { description: string } }[]; next_cursor: string | null } =
        await after.data('transaction.getMany', { limit: 500, ...(cursor ? { cursor } : {}) });
      for (const { id, metadata } of page.transactions)
        seen.set(metadata.description, [...(seen.get(metadata.description) ?? []), id]);
      cursor = page.next_cursor;
    } while (cursor !== null);
    for (const [description, id] of acknowledged) expect(seen.get(description)).toEqual([id]);
    for (const type of ['withdraw', 'sell'])
      expect((await after.data('transaction.getMany', { type })).totals.transfers).toBeGreaterThan(KILLS);
    for (const [description, found] of seen) {
      expect(found).toHaveLength(1);
      expect(attempted.has(description)).toBe(true);
    }
    // Settlement goes on where it was: nothing stays pending.
    for (const id of [...acknowledged.values()].slice(-50)) expect((await settled(after, id)).status).toBe('COMPLETED');
    await after.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

async function startProcess(dataDir: string): Promise<{ child: ChildProcess; service: RunningService }> {
  const child = fork(programOf('test/service/service-process.ts'), [dataDir]);
  const [service] = await once(child, 'message');
  return { child, service };
}

/** Sends transfers over many connections until `count` were acknowledged, then kills without warning. */
async function loadUntilKilled(
  child: ChildProcess,
  service: RunningService,
  accountId: string,
  attempted: Set<string>,
  acknowledged: Map<string, string>,
  count: number,
): Promise<void> {
  const pool = new Pool(service.baseUrl, { connections: CONNECTIONS, allowH2: false });
  const key = readKeyFile(service.signingKeyFile);
  const authority = new URL(service.baseUrl).host;
  const next = (): Sent => {
    const description = randomBytes(9).toString('base64url');
    const shape = SHAPES[attempted.size % SHAPES.length] ?? gbpPayout;
    const body = JSON.stringify({ ...shape(accountId, 100), metadata: { description } });
    const created = Math.floor(Date.now() / 1_000);
    const headers = signRequest({
      method: 'POST',
      authority,
      path: '/v1/transaction.transfer',
      contentType: 'application/json',
      body,
      keyId: service.apiKey,
      key,
      created,
      expires: created + 60,
      nonce: randomBytes(16).toString('base64url'),
    });
    return { description, headers: { ...headers }, body };
  };
  const until = acknowledged.size + count;
  const exited = once(child, 'exit');
  const send = async (): Promise<void> => {
    for (;;) {
      const { description, headers, body } = next();
      attempted.add(description);
      try {
        const answer = await pool.request({ path: '/v1/transaction.transfer', method: 'POST', headers, body });
        const { data } = (await answer.body.json()) as { data: string };
        acknowledged.set(description, data);
      } catch {
        return;
      }
      if (acknowledged.size >= until) child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  await exited;
  await pool.destroy();
}
