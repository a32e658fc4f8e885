import type { Currency } from './currencies.ts';
import type { Final, Intent, PayoutEntry } from './entry.ts';
import { Bug } from './refusal.ts';

/**
 * What we know of one payout. The type is the whole truth: money can have moved in every state from `sending` on but
 * `rejected` and `not_submitted`.
 */
export type PayoutState =
  /** Nothing is at the service, as far as every answer goes; may be submitted. */
  | { state: 'waiting'; attempts: number }
  /** An intent is durable and no outcome is. Read back from a journal this is a doubt. */
  | { state: 'sending'; attempts: number; intent: Intent; intentAt: number }
  /** Sent, outcome unknown. */
  | { state: 'in_doubt'; attempts: number; intent: Intent; intentAt: number; reason: string; looks: number }
  | { state: 'accepted'; attempts: number; sent: Sent }
  | { state: 'completed'; attempts: number; sent: Sent; final: Final; finishedAt: number }
  | { state: 'failed'; attempts: number; sent: Sent; final: Final; finishedAt: number }
  | { state: 'rejected'; attempts: number; code: string; message: string; finishedAt: number; token: string | null }
  /** In doubt and parked for a person. */
  | {
      state: 'unresolved';
      attempts: number;
      intent: Intent;
      intentAt: number;
      reason: string;
      looks: number;
    }
  | { state: 'not_submitted'; attempts: number; code: string; message: string };

/** An accepted payout: the service holds this transaction. */
export type Sent = {
  transaction_id: string;
  token: string;
  recipient_id: string | null;
  external_account_id: string;
  amount_minor: string;
  currency: Currency;
  submittedAt: number;
};

export const UNSENT: PayoutState = Object.freeze({ state: 'waiting', attempts: 0 });

/** Whether the run is done with this payout. `unresolved` is: it is parked, loudly. */
export function isSettled(payout: PayoutState): boolean {
  switch (payout.state) {
    case 'completed':
    case 'failed':
    case 'rejected':
    case 'unresolved':
    case 'not_submitted':
      return true;
    case 'waiting':
    case 'sending':
    case 'in_doubt':
    case 'accepted':
      return false;
  }
}

/**
 * The state after one more entry. Pure. A transition that is not in the table is a bug and stops the process: payouts
 * have been paid ten times elsewhere because a state was allowed to fall back.
 */
export function applyToPayout(before: PayoutState, entry: PayoutEntry, at: number): PayoutState {
  const attempts = before.attempts;
  switch (entry.kind) {
    case 'intent':
      allow(before, entry, 'waiting');
      if (entry.attempt !== attempts + 1) throw new Bug(`row ${entry.row}: attempt ${entry.attempt} after ${attempts}`);
      return { state: 'sending', attempts: entry.attempt, intent: entry, intentAt: at };
    case 'accepted': {
      const open = doubtful(before, entry);
      return { state: 'accepted', attempts, sent: sentOf(open.intent, entry.transaction_id, open.intentAt) };
    }
    case 'no_effect':
      allow(before, entry, 'sending');
      return { state: 'waiting', attempts };
    case 'rejected': {
      const token = before.state === 'sending' ? before.intent.token : null;
      allow(before, entry, 'sending', 'waiting');
      return { state: 'rejected', attempts, code: entry.code, message: entry.message, finishedAt: at, token };
    }
    case 'doubt': {
      const { intent, intentAt } = doubtful(before, entry);
      const looks = 'looks' in before ? before.looks : 0;
      return { state: 'in_doubt', attempts, intent, intentAt, reason: entry.reason, looks };
    }
    case 'looked': {
      allow(before, entry, 'in_doubt', 'unresolved');
      return { ...before, looks: before.looks + 1 };
    }
    case 'absent':
      allow(before, entry, 'in_doubt', 'unresolved');
      return { state: 'waiting', attempts };
    case 'unresolved':
      allow(before, entry, 'in_doubt');
      return { ...before, state: 'unresolved', reason: entry.reason };
    case 'final':
      allow(before, entry, 'accepted');
      if (before.sent.transaction_id !== entry.transaction_id)
        throw new Bug(`row ${entry.row}: final state of ${entry.transaction_id}, which is not its transaction`);
      return {
        state: entry.status === 'COMPLETED' ? 'completed' : 'failed',
        attempts,
        sent: before.sent,
        final: entry,
        finishedAt: at,
      };
    case 'not_submitted':
      allow(before, entry, 'waiting');
      return { state: 'not_submitted', attempts, code: entry.code, message: entry.message };
  }
}

function sentOf(intent: Intent, transactionId: string, submittedAt: number): Sent {
  return {
    transaction_id: transactionId,
    token: intent.token,
    recipient_id: intent.recipient_id,
    external_account_id: intent.external_account_id,
    amount_minor: intent.amount_minor,
    currency: intent.currency,
    submittedAt,
  };
}

function doubtful(
  before: PayoutState,
  entry: PayoutEntry,
): Extract<PayoutState, { state: 'sending' | 'in_doubt' | 'unresolved' }> {
  allow(before, entry, 'sending', 'in_doubt', 'unresolved');
  return before;
}

function allow<S extends PayoutState['state']>(
  before: PayoutState,
  entry: PayoutEntry,
  ...states: S[]
): asserts before is Extract<PayoutState, { state: S }> {
  if (!(states as string[]).includes(before.state))
    throw new Bug(`row ${entry.row}: ${entry.kind} cannot follow the state ${before.state}`);
  if ('attempt' in entry && entry.kind !== 'intent' && entry.attempt !== before.attempts)
    throw new Bug(`row ${entry.row}: ${entry.kind} of attempt ${entry.attempt}, but ${before.attempts} is the last`);
}
