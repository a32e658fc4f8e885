import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { expect } from 'vitest';
import type { ErrorBody } from '../../src/contract/operations.ts';
import { signRequest } from '../../src/contract/signature.ts';
import type { SigningKey } from '../../src/keys/ed25519.ts';
import { readKeyFile } from '../../src/keys/key-file.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Log } from '../../src/platform/log.ts';
import type { ServiceOptions } from '../../src/service/options.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import { verifyLedger } from '../../src/service/verify/verify.ts';

export const machineClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  soon: (work) => void setImmediate(work),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

export const randomness = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };

/** Keeps what was logged, so that a test can look at it. */
export function memoryLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (fields: Record<string, unknown>, message: string): void => {
      const { error, ...rest } = fields;
      lines.push(`${level} ${message} ${JSON.stringify(rest)} ${error instanceof Error ? error.stack : ''}`);
    };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'payrun-service-'));
}

export type Reply = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** `data` of a success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  data: any;
  error: ErrorBody | undefined;
};

/** What a signed request is made of; a test changes what it is about. */
export type Signing = {
  keyId: string;
  key: SigningKey;
  created: number;
  expires: number;
  nonce: string;
  authority: string;
  path: string;
  contentType: string;
};

export type TestService = {
  service: RunningService;
  dataDir: string;
  /** Signs and sends; the body may be text, for bodies that are no JSON. */
  call(operation: string, body: unknown, signing?: Partial<Signing>): Promise<Reply>;
  /** Calls and expects success. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  data(operation: string, body: unknown): Promise<any>;
  admin(operation: string, body?: unknown): Promise<Reply>;
  /** Headers and body of a signed request, for sending the same bytes twice. */
  sign(operation: string, body: unknown, signing?: Partial<Signing>): SignedBytes;
  send(request: SignedBytes): Promise<Reply>;
  /** Available minor units of a currency. */
  available(code: string, chain?: string): Promise<bigint>;
  /** Every balance, for showing that nothing moved. */
  balances(): Promise<string>;
  /** Stops, and proves the ledger from the file on disk. */
  close(): Promise<void>;
  /** The same without deleting the data, so that a service can be started on it again. */
  stop(): Promise<void>;
};

export type SignedBytes = { path: string; headers: Record<string, string>; body: string };

export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? temporaryDirectory();
  const service = await startService({
    dataDir,
    clock: machineClock,
    randomness,
    log: memoryLog(),
    port: 0,
    adminPort: 0,
    rateLimit: null,
    ...options,
  });
  return testClient(service, dataDir, options.clock);
}

/** A client of a service that runs already, in this process or in another. */
export async function testClient(
  service: RunningService,
  dataDir: string,
  clock: Clock = machineClock,
): Promise<TestService> {
  const pool = new Pool(service.baseUrl, { connections: 32, allowH2: false });
  const adminPool = new Pool(service.adminUrl ?? service.baseUrl, { connections: 4, allowH2: false });
  const key = readKeyFile(service.signingKeyFile);
  const authority = new URL(service.baseUrl).host;

  const sign: TestService['sign'] = (operation, body, signing = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const created = signing.created ?? Math.floor(clock.wallMs() / 1_000);
    const path = signing.path ?? `/v1/${operation}`;
    const headers = signRequest({
      method: 'POST',
      contentType: 'application/json',
      keyId: service.apiKey,
      key,
      created,
      expires: created + 60,
      nonce: randomBytes(16).toString('base64url'),
      authority,
      ...signing,
      path,
      body: text,
    });
    return { path, headers: { ...headers }, body: text };
  };
  const post = async (to: Pool, { path, headers, body }: SignedBytes): Promise<Reply> => {
    const answer = await to.request({ path, method: 'POST', headers, body });
    return replyOf(answer.statusCode, answer.headers, await answer.body.text());
  };
  const send = (request: SignedBytes): Promise<Reply> => post(pool, request);
  const call: TestService['call'] = (operation, body, signing) => send(sign(operation, body, signing));
  const data: TestService['data'] = async (operation, body) => {
    const reply = await call(operation, body);
    expect(reply.status, `${operation}: ${reply.text}`).toBe(200);
    return reply.data;
  };
  const admin: TestService['admin'] = async (operation, body = {}) => {
    const headers = { 'content-type': 'application/json' };
    return post(adminPool, { path: `/${operation}`, headers, body: JSON.stringify(body) });
  };
  const stop = async (): Promise<void> => {
    await Promise.all([pool.destroy(), adminPool.destroy()]);
    await service.stop();
    expect(ledgerFindings(dataDir)).toEqual([]);
  };
  return {
    service,
    dataDir,
    sign,
    send,
    call,
    data,
    admin,
    async available(code, chain) {
      const { balances } = await data('account.balance.getMany', {});
      const found = balances.find(
        (balance: { available: { code: string; chain?: string } }) =>
          balance.available.code === code && balance.available.chain === chain,
      );
      return BigInt(found.available.value);
    },
    async balances() {
      return JSON.stringify(await data('account.balance.getMany', {}));
    },
    stop,
    async close() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function replyOf(status: number, headers: Reply['headers'], text: string): Reply {
  const parsed = text === '' ? {} : JSON.parse(text);
  return { status, headers, text, data: parsed.data, error: parsed.error };
}

/** What is wrong with the books on disk. */
export function ledgerFindings(dataDir: string): string[] {
  const store = openDatabase(servicePaths(dataDir).database, { readOnly: true });
  try {
    return verifyLedger(store);
  } finally {
    store.close();
  }
}

/** Looks again until it is so. The end is the test's own time limit. */
export async function until<T>(look: () => Promise<T | undefined | false | null>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const GBP_ACCOUNT = {
  type: 'GBP_FPS',
  account_name: 'Ada Lovelace',
  account_number: '12345678',
  national_clearing_code: '20-00-00',
};

export const WALLET = {
  account_name: 'Vitalik',
  address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  chain: 'ethereum',
};

/** A payout in pounds of `pence`. */
export function gbpPayout(accountId: string, pence: number | string, more: object = {}): object {
  return {
    currency_out: { value: String(pence), code: 'GBP', decimals: 2 },
    external_accounts: { from: null, to: { id: accountId } },
    ...more,
  };
}

/** A recipient with one British account. */
export async function addPayee(
  service: TestService,
  name = 'Ada Lovelace',
): Promise<{ recipientId: string; accountId: string }> {
  const recipient = await service.data('account.recipient.create', { metadata: { name } });
  const account = await service.data('account.external.bank.add', {
    ...GBP_ACCOUNT,
    account_name: name,
    recipient_id: recipient.id,
  });
  return { recipientId: recipient.id, accountId: account.id };
}

/** Waits for a final status and gives the whole transaction. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export function settled(service: TestService, id: string): Promise<any> {
  return until(async () => {
    const transaction = await service.data('transaction.get', { id });
    return transaction.status === 'PENDING' ? null : transaction;
  });
}
