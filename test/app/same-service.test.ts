import { describe, expect, test } from 'vitest';
import { anotherService } from '../../src/app/service/at-service.ts';
import type { Client } from '../../src/client/client.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { AUD, exampleRun, payoutRow } from '../report/example-run.ts';

// The run began at the service inside the process, with no key; it goes on with a key, as after a key was replaced.

const WITH_ANOTHER_KEY = { ...DEFAULT_PROFILE, api_key: 'key-2' };

/** A run whose one payout a person said to be `tx_1`, which need not carry its token. */
const RUN: RunState = exampleRun(
  [payoutRow(2)],
  [
    { kind: 'suspected', row: 2, attempt: 0, transactions: ['tx_1'], reason: 'like it' },
    {
      kind: 'resolved',
      row: 2,
      attempt: 0,
      verdict: 'sent',
      transaction_id: 'tx_1',
      by: 'ada@desk',
      sent: {
        token: '',
        external_account_id: 'ea_2',
        recipient_id: null,
        amount_minor: '125000',
        currency: AUD,
        received: null,
      },
    },
  ],
);

function serviceWith(description: string, over: { value?: string; account?: string } = {}): Client {
  const value = { value: over.value ?? '125000', code: 'AUD', decimals: 2 };
  const data = {
    id: 'tx_1',
    created_at: '2026-11-25T09:00:00Z',
    status: 'COMPLETED',
    currency_in: value,
    currency_out: value,
    metadata: { description },
    external_account_metadata: { id: over.account ?? 'ea_2' },
  };
  return { read: async () => ({ ok: true, data, serverMs: null, isRehearsal: false }) } as unknown as Client;
}

describe('a run that goes on with another key', () => {
  test('is at its own service where a transaction of it is what was sent, though its description carries no token', async () => {
    expect(await anotherService(serviceWith('salary'), RUN, WITH_ANOTHER_KEY, false)).toBeNull();
  });

  test.each<[string, Client]>([
    ['another amount', serviceWith('salary', { value: '1' })],
    ['another account', serviceWith('salary', { account: 'ea_9' })],
  ])('is at another one where that transaction has %s', async (_, client) => {
    expect(await anotherService(client, RUN, WITH_ANOTHER_KEY, false)).toMatchObject({
      why: 'unknown_transaction',
      transactionId: 'tx_1',
    });
  });
});
