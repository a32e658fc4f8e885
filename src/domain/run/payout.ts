// Over 250 lines: because the states of a payout and what follows each of them are read together.
import type { Note } from '../entries/note.ts';
import type {
  AboveCeiling,
  DoubtfulAnswer,
  EntryOf,
  Final,
  FirstCopy,
  Found,
  Intent,
  PayoutEntry,
  Resolved,
  RowProblem,
  Unresolved,
} from '../entry.ts';
import { Bug } from '../refusal.ts';

/**
 * What we know of one payout. The type is the whole truth: money can have moved in every state from `sending` on but
 * `rejected` and `not_submitted`.
 */
export type PayoutState =
  /** Nothing is at the service, as far as every answer goes; may be submitted. */
  | { state: 'waiting'; attempts: number }
  /** An intent is durable and no outcome is. Read back from a journal this is a doubt. */
  | ({ state: 'sending'; attempts: number } & Attempt)
  /** Sent, outcome unknown. */
  | ({
      state: 'in_doubt';
      attempts: number;
      reason: Note;
      answered: DoubtfulAnswer | null;
      drifted: boolean;
    } & Attempt &
      Looks &
      Evidence)
  | { state: 'accepted'; attempts: number; sent: Sent }
  | { state: 'completed'; attempts: number; sent: Sent; final: Final; finishedAt: number }
  | { state: 'failed'; attempts: number; sent: Sent; final: Final; finishedAt: number }
  | ({ state: 'rejected'; attempts: number; finishedAt: number; token: string | null } & Rejection)
  /** In doubt and parked for a person. */
  | ({
      state: 'unresolved';
      attempts: number;
      about: Unresolved['about'];
      /** Why it is not settled. */
      reason: Note;
      /** What became of the answer, as the journal noted it: why it was a doubt at all. */
      answer: Note;
      answered: DoubtfulAnswer | null;
      transactions: string[];
    } & Attempt &
      Looks &
      Evidence)
  /**
   * Not sent as far as this journal knows, but the service holds payments that look like it: the journal may be an old
   * copy. Parked for a person, and reported as unresolved.
   */
  | {
      state: 'suspected';
      attempts: number;
      reason: Note;
      transactions: string[];
      /** What it was before, where the service refused it: it is that again if the payments are others. */
      refused: Extract<PayoutState, { state: 'rejected' }> | null;
    }
  | ({ state: 'not_submitted'; attempts: number } & Unsubmitted);

/** Why a payout was rejected: `message` of the service, or because it would have cost too much (`above`). */
export type Rejection = { code: string; message: Note; above: AboveCeiling | null };

/** Why a payout is not submitted: for what is wrong with its row, or by a decision about its run. */
export type Unsubmitted = RowProblem | { code: string; message: Note };

/** The attempt that is open. `order` is its place among all intents of the run, which no clock can change. */
export type Attempt = { intent: Intent; intentAt: number; order: number };

/**
 * An attempt that is held to have had no effect: `absent` from complete listings or by a person's word, or refused with its
 * nonce `spent`. A network can deliver a request twice, so that after any other refusal another copy may take effect until
 * the deadline: where it was `refused` for its pace or its credentials, and where it was `rejected`.
 */
export type DeadAttempt = Attempt & { by: 'absent' | 'spent' | 'refused' | 'rejected'; drifted: boolean };

/** Whether another copy of it may have taken effect, as far as the service's answers go. */
export function mayHaveCopy({ by }: Pick<DeadAttempt, 'by'>): boolean {
  return by === 'refused' || by === 'rejected';
}

/** What the service answered that speaks against the attempt's absence, whatever its list shows. */
export type Evidence = {
  /** It had the request's bytes before. */
  replayed: { first: FirstCopy | null } | null;
  /** It accepted the payout as this transaction, and does not know it. */
  answeredId: string | null;
};

/** What was done to settle a doubt. `found` counts records of ours; `at` is Unix ms. */
type Looks = { looks: number; lastLook: { at: number; found: number; complete: boolean } | null };

/** What a request sends, where, and by which token it is known. */
export type SentFacts = NonNullable<Resolved['sent']>;

/** An accepted payout: the service holds this transaction. */
export type Sent = SentFacts & {
  transaction_id: string;
  attempt: number;
  submittedAt: number;
  /** Unix seconds: the deadline of its request. */
  expires: number;
  /** The place of its intent among all intents of the run. */
  order: number;
  /** How we know that it is ours. Where a person decided it, its description need not carry the token. */
  by: Found;
};

export const UNSENT: PayoutState = Object.freeze({ state: 'waiting', attempts: 0 });

/**
 * The state after one more entry. Pure. A transition that is not in the table is a bug and stops the process: payouts
 * have been paid ten times elsewhere because a state was allowed to fall back. `order` is the place of an intent.
 */
export function applyToPayout(before: PayoutState, entry: PayoutEntry, at: number, order = 0): PayoutState {
  const attempts = before.attempts;
  switch (entry.kind) {
    case 'intent':
      allow(before, entry, 'waiting');
      if (entry.attempt !== attempts + 1) throw new Bug(`row ${entry.row}: attempt ${entry.attempt} after ${attempts}`);
      return { state: 'sending', attempts: entry.attempt, intent: entry, intentAt: at, order };
    case 'accepted':
      return { state: 'accepted', attempts, sent: sentOf(doubtful(before, entry), entry.transaction_id, entry.by) };
    case 'no_effect':
      allow(before, entry, 'sending');
      return { state: 'waiting', attempts };
    case 'rejected': {
      const token = 'intent' in before ? before.intent.token : null;
      allow(before, entry, 'sending', 'waiting');
      return { state: 'rejected', attempts, ...rejectionOf(entry), finishedAt: at, token };
    }
    case 'doubt': {
      const open = doubtful(before, entry);
      const drifted = entry.drifted === true;
      const { reason, answer: answered = earlierAnswer(reason) } = entry;
      return { state: 'in_doubt', attempts, ...openOf(open), reason, answered, drifted };
    }
    case 'replayed': {
      allow(before, entry, 'in_doubt', 'unresolved');
      return { ...before, replayed: { first: entry.first ?? before.replayed?.first ?? null } };
    }
    case 'unknown_transaction': {
      allow(before, entry, 'accepted');
      const answeredId = entry.transaction_id;
      const reason = { code: 'unknown_answer' as const, transaction_id: answeredId };
      const open = openOf(attemptOfSent(before.sent, entry));
      return { state: 'in_doubt', attempts, ...open, answeredId, reason, answered: null, drifted: false };
    }
    case 'looked': {
      allow(before, entry, 'in_doubt', 'unresolved');
      return { ...before, looks: before.looks + 1, lastLook: { at, found: entry.found, complete: entry.complete } };
    }
    case 'absent':
      allow(before, entry, 'in_doubt', 'unresolved');
      return { state: 'waiting', attempts };
    case 'unresolved': {
      allow(before, entry, 'in_doubt', 'unresolved');
      const { about, reason, transactions } = entry;
      const answer = before.state === 'in_doubt' ? before.reason : before.answer;
      const { answered } = before;
      return { state: 'unresolved', attempts, about, reason, answer, answered, transactions, ...openOf(before) };
    }
    case 'suspected':
      allow(before, entry, 'waiting', 'suspected', 'rejected');
      return {
        state: 'suspected',
        attempts,
        reason: entry.reason,
        transactions: entry.transactions,
        refused: before.state === 'rejected' ? before : before.state === 'suspected' ? before.refused : null,
      };
    case 'resolved':
      allow(before, entry, 'unresolved', 'suspected');
      return resolved(before, entry, at);
    case 'surfaced':
      throw new Bug(`row ${entry.row}: the attempt that surfaced stands in the run, not in the payout`);
    case 'final':
      allow(before, entry, 'accepted');
      return ended(before, entry, at);
    case 'not_submitted':
      allow(before, entry, 'waiting');
      return { state: 'not_submitted', attempts, code: entry.code, message: entry.message };
  }
}

function rejectionOf({ code, message, above }: EntryOf<'rejected'>): Rejection {
  return { code, message, above: above ?? null };
}

function ended({ attempts, sent }: { attempts: number; sent: Sent }, final: Final, at: number): PayoutState {
  if (sent.transaction_id !== final.transaction_id)
    throw new Bug(`row ${final.row}: final state of ${final.transaction_id}, which is not its transaction`);
  return { state: final.status === 'COMPLETED' ? 'completed' : 'failed', attempts, sent, final, finishedAt: at };
}

/** The payout of an attempt that the service has after all. */
export function sentOf({ intent, intentAt, order }: Attempt, transactionId: string, by: Found): Sent {
  const { attempt, request } = intent;
  const { expires } = request;
  return { ...factsOf(intent), transaction_id: transactionId, attempt, submittedAt: intentAt, expires, order, by };
}

function factsOf(sent: SentFacts): SentFacts {
  const { token, external_account_id, recipient_id, amount_minor, currency, received } = sent;
  return { token, external_account_id, recipient_id, amount_minor, currency, received };
}

/** The attempt of an accepted payout, to be looked for again. Its bytes are not kept: they are never sent again. */
function attemptOfSent(sent: Sent, { row, attempt }: { row: number; attempt: number }): Attempt {
  const { submittedAt, expires, order } = sent;
  const created = Math.min(Math.floor(submittedAt / 1_000), expires);
  const request = { operation: 'transaction.transfer', body: '', created, expires, nonce: '' };
  return { intent: { kind: 'intent', row, attempt, ...factsOf(sent), request }, intentAt: submittedAt, order };
}

function resolved(
  before: Extract<PayoutState, { state: 'unresolved' | 'suspected' }>,
  entry: Resolved,
  at: number,
): PayoutState {
  const { attempts } = before;
  if (entry.verdict === 'not_sent') {
    const refused = before.state === 'suspected' ? before.refused : null;
    return refused ?? { state: 'waiting', attempts };
  }
  const id = entry.transaction_id;
  if (id === null) throw new Bug(`row ${entry.row}: sent, but as no transaction`);
  if (before.state === 'unresolved') return { state: 'accepted', attempts, sent: sentOf(before, id, 'person') };
  if (entry.sent === null) throw new Bug(`row ${entry.row}: sent, but nothing says what`);
  const sentAt = { submittedAt: at, expires: Math.floor(at / 1_000), order: 0 };
  const sent: Sent = { ...entry.sent, transaction_id: id, attempt: attempts, ...sentAt, by: 'person' };
  return { state: 'accepted', attempts, sent };
}

/** The open attempt, with what is known of it so far. */
function openOf(before: Attempt & Partial<Looks & Evidence>): Attempt & Looks & Evidence {
  const { intent, intentAt, order, looks = 0, lastLook = null, replayed = null, answeredId = null } = before;
  return { intent, intentAt, order, looks, lastLook, replayed, answeredId };
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

/**
 * What became of the answer, of a doubt that an earlier payrun noted in words alone: the one place where words of the
 * journal are read.
 */
function earlierAnswer(reason: Note): DoubtfulAnswer | null {
  if (typeof reason !== 'string') return null;
  if (reason.startsWith('the answer was lost')) return 'lost';
  const status = /^the service answered (\d{3})/.exec(reason)?.[1];
  return status === undefined ? null : Number(status);
}
