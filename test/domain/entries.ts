import type { Final, Intent, PayoutEntry, SignedRequest } from '../../src/domain/entry.ts';

export const AUD = { code: 'AUD', chain: null, decimals: 2 };
export const ROW = 7;
export const REQUEST: SignedRequest = {
  operation: 'transaction.transfer',
  body: '{}',
  created: 1_795_599_000,
  expires: 1_795_599_030,
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
};

/** An entry of each kind about one row, as it would be of this attempt. */
export function entryOf<Kind extends PayoutEntry['kind']>(kind: Kind, attempt: number): PayoutEntry & { kind: Kind };
export function entryOf(kind: PayoutEntry['kind'], attempt: number): PayoutEntry {
  const row = ROW;
  switch (kind) {
    case 'intent':
      return intentOf(attempt);
    case 'accepted':
      return { kind, row, attempt, transaction_id: `tx_${attempt}`, by: 'answer' };
    case 'no_effect':
      return { kind, row, attempt, reason: 'no connection was made', answered: false };
    case 'rejected':
      return { kind, row, attempt, code: 'NOT_PAYABLE', message: 'no' };
    case 'doubt':
      return { kind, row, attempt, reason: 'the answer was lost' };
    case 'replayed':
      return { kind, row, attempt, first: null };
    case 'unknown_transaction':
      return { kind, row, attempt, transaction_id: `tx_${attempt}` };
    case 'looked':
      return { kind, row, attempt, found: 0, complete: true };
    case 'absent':
      return { kind, row, attempt, witness: 'tx_9', listings: 1, by: 'listing' };
    case 'unresolved':
      return { kind, row, attempt, about: 'no_expiry', reason: 'absence proves nothing', transactions: [] };
    case 'suspected':
      return { kind, row, attempt, transactions: ['tx_8'], reason: 'a payment like it is there' };
    case 'resolved':
      return { kind, row, attempt, verdict: 'not_sent', transaction_id: null, by: 'ada', sent: null };
    case 'surfaced':
      return { kind, row, attempt, transaction_id: `tx_${attempt}` };
    case 'final':
      return finalOf(`tx_${attempt}`, 'COMPLETED');
    case 'not_submitted':
      return { kind, row, code: 'interrupted', message: 'no' };
    default:
      return kind satisfies never;
  }
}

export function finalOf(transactionId: string, status: Final['status']): Final {
  return {
    kind: 'final',
    row: ROW,
    transaction_id: transactionId,
    status,
    code: null,
    message: null,
    sent_minor: '1050',
    sent_currency: AUD,
    received_minor: '1050',
    received_currency: AUD,
    fees_minor: '0',
  };
}

function intentOf(attempt: number): Intent {
  return {
    kind: 'intent',
    row: ROW,
    attempt,
    token: `PR000000000000${attempt}`,
    external_account_id: 'acc_1',
    recipient_id: 'rec_1',
    amount_minor: '1050',
    currency: AUD,
    received: null,
    request: REQUEST,
  };
}
