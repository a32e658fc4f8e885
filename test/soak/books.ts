import { type Client, createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import { httpTransport } from '../../src/client/transport.ts';
import type {
  ExternalAccountRecord,
  RecipientRecord,
  TransactionDetail,
  TransactionRecord,
} from '../../src/contract/shapes.ts';
import { rfc9421Signer } from '../../src/contract/signer.ts';
import { readKeyFile } from '../../src/keys/key-file.ts';
import { silentLog } from '../../src/platform/log.ts';
import { machineClock, machineRandomness } from '../../src/platform/machine.ts';
import type { ReadyService } from '../support/payrun.ts';
import { admin, allTransactions } from '../support/service-admin.ts';

const AT_ONCE = 8;

/** Everything that the service holds, asked through its public door, and what its own proof found. */
export type Books = {
  transactions: TransactionRecord[];
  details: Map<string, TransactionDetail>;
  recipients: RecipientRecord[];
  /** By recipient. */
  accounts: Map<string, ExternalAccountRecord[]>;
  findings: unknown;
};

export async function readBooks(service: ReadyService): Promise<Books> {
  const client = createClient({
    transport: httpTransport({ baseUrl: service.base_url, connections: AT_ONCE }),
    queue: requestQueue({ rate: null, concurrency: AT_ONCE, clock: machineClock }),
    signer: rfc9421Signer({ keyId: service.api_key, key: readKeyFile(service.signing_key_file) }),
    clock: machineClock,
    randomness: machineRandomness,
    log: silentLog,
    requestLifetimeMs: 30_000,
  });
  try {
    const transactions = await allTransactions(service);
    const details = await Promise.all(
      transactions.map(async ({ id }) => [id, given(await client.read('transaction.get', { id }))] as const),
    );
    const recipients = await allRecipients(client);
    const accounts = await Promise.all(recipients.map(async ({ id }) => [id, await accountsOf(client, id)] as const));
    const { findings } = (await admin(service, 'verify')) as { findings: unknown };
    return { transactions, details: new Map(details), recipients, accounts: new Map(accounts), findings };
  } finally {
    await client.close();
  }
}

async function allRecipients(client: Client): Promise<RecipientRecord[]> {
  const records: RecipientRecord[] = [];
  let cursor: string | null | undefined;
  do {
    const request = { limit: 500, ...(cursor ? { cursor } : {}) };
    const page = given(await client.read('account.recipient.getMany', request));
    records.push(...page.recipients);
    cursor = page.next_cursor;
  } while (cursor);
  return records;
}

async function accountsOf(client: Client, recipient_id: string): Promise<ExternalAccountRecord[]> {
  const banks = given(await client.read('account.external.bank.getAll', { recipient_id }));
  const wallets = given(await client.read('account.external.web3.getAll', { recipient_id }));
  return [...banks, ...wallets];
}

function given<Data>(result: { ok: true; data: Data } | { ok: false; kind: string }): Data {
  if (result.ok) return result.data;
  throw new Error(`the service gives no answer that can be read: ${JSON.stringify(result)}`);
}
