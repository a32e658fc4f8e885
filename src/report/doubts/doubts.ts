import { z } from 'zod';
import { currencyLabel } from '../../domain/currencies.ts';
import { count, text } from '../../domain/entries/members.ts';
import { unresolvedAbout } from '../../domain/entries/payout.ts';
import type { DoubtfulAnswer, RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { assert } from '../../domain/refusal.ts';
import { amount, currencyName, rowNumber, time } from '../../domain/result.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { accountText } from '../model/account-text.ts';
import { rowMasker } from '../model/identifiers.ts';

/**
 * Why a person should look at a payout. `open`: sent without an outcome, and not parked yet. `surfaced`: an attempt that
 * was held to have had no effect stands at the service, beside the one that paid the row.
 */
export const doubtAbout = z.enum([...unresolvedAbout.options, 'open', 'surfaced', 'refused']);
export type DoubtAbout = z.output<typeof doubtAbout>;

/**
 * What a person can do about a doubt: go on with the run, which looks again; record that it was sent, as which
 * `transaction` (null: the person names it), or that it was not; or send again whatever of the run is not listed.
 */
export type Choice = { act: 'resume' | 'sent' | 'not_sent' | 'resubmit_absent'; transaction: string | null };

/** Times are ISO 8601 in UTC; account numbers are masked everywhere. */
export const doubtFacts = z.strictObject({
  row: rowNumber,
  payee: text,
  amount,
  currency: currencyName,
  account: text.describe('The rail and the masked number.'),
  token: text
    .nullable()
    .describe(
      'Finds the payout at the service, in its description. Null where no attempt of this journal is in question.',
    ),
  sent_at: time.nullable(),
  answer: text.nullable().describe('What became of the answer, as the journal noted it.'),
  looks: count.describe('How often the service was looked at.'),
  last_look: z
    .strictObject({
      at: time,
      found: count.describe('Records of ours.'),
      complete: z.boolean().describe("Whether the service's list was."),
    })
    .nullable(),
  about: doubtAbout,
  reason: text.describe('Why it is not settled, as the journal noted it.'),
  candidates: z.array(text).describe('Transactions of the service that are to be looked at.'),
});

/** Everything that is known of a payout in doubt. */
export type Doubt = z.output<typeof doubtFacts> & {
  runId: string;
  isCancelled: boolean;
  answered: DoubtfulAnswer | null;
  choices: Choice[];
};

/** What differs between the states in which a payout is in doubt. */
type Facts = Pick<
  Doubt,
  'token' | 'sent_at' | 'answer' | 'answered' | 'looks' | 'last_look' | 'about' | 'reason' | 'candidates'
>;

/** Of what the service itself shows, nobody asks whether it was looked for. */
export function isLookedFor(about: DoubtAbout): boolean {
  return about !== 'surfaced' && about !== 'old_copy' && about !== 'refused';
}

/** The payouts of a run that are in doubt: those that were perhaps paid twice first, then by row. */
export function* doubtsOf(run: RunState): Generator<Doubt> {
  yield* surfacedDoubts(run);
  for (const row of run.rows) {
    const payout = run.payouts.get(row.row);
    const facts = payout ? factsOf(payout) : null;
    if (facts !== null) yield doubtOf(run, row, facts);
  }
}

/** The doubt about one row, or null where there is none. */
export function doubtAt(run: RunState, row: RunRow, payout: PayoutState): Doubt | null {
  const facts = factsOf(payout);
  return facts === null ? null : doubtOf(run, row, facts);
}

/** The payouts that were perhaps paid twice, one for each attempt that surfaced. */
export function* surfacedDoubts(run: RunState): Generator<Doubt> {
  for (const { row, transaction_id } of run.surfaced) {
    const payout = run.payouts.get(row);
    const paid = payout && 'sent' in payout ? [payout.sent.transaction_id] : [];
    yield doubtOf(run, rowOf(run, row), surfacedFacts([transaction_id, ...paid]));
  }
}

/** How many payouts are in doubt. */
export function countDoubts(run: RunState): number {
  let count = run.surfaced.length;
  for (const { state } of run.payouts.values()) if (DOUBTFUL.has(state)) count++;
  return count;
}

const DOUBTFUL: ReadonlySet<PayoutState['state']> = new Set(['sending', 'in_doubt', 'unresolved', 'suspected']);

function factsOf(payout: PayoutState): Facts | null {
  switch (payout.state) {
    case 'sending': {
      const reason = 'the process stopped before an answer was recorded';
      return { ...attemptFacts(payout, reason), about: 'open', reason, candidates: [] };
    }
    case 'in_doubt':
      return { ...attemptFacts(payout, payout.reason), about: 'open', reason: payout.reason, candidates: [] };
    case 'unresolved': {
      const { about, reason, transactions, answer } = payout;
      return { ...attemptFacts(payout, answer), about, reason, candidates: transactions };
    }
    case 'suspected': {
      const { reason, transactions: candidates, refused } = payout;
      if (refused === null) return { ...NO_ATTEMPT, about: 'old_copy', reason, candidates };
      return { ...NO_ATTEMPT, token: refused.token, answer: refused.message, about: 'refused', reason, candidates };
    }
    default:
      return null;
  }
}

const NO_ATTEMPT = { token: null, sent_at: null, answer: null, answered: null, looks: 0, last_look: null };

function attemptFacts(
  payout: Extract<PayoutState, { state: 'sending' | 'in_doubt' | 'unresolved' }>,
  answer: string,
): Omit<Facts, 'about' | 'reason' | 'candidates'> {
  const lastLook = 'lastLook' in payout ? payout.lastLook : null;
  return {
    token: payout.intent.token,
    sent_at: isoUtc(payout.intentAt),
    answer,
    answered: 'answered' in payout ? payout.answered : null,
    looks: 'looks' in payout ? payout.looks : 0,
    last_look: lastLook === null ? null : { ...lastLook, at: isoUtc(lastLook.at) },
  };
}

function surfacedFacts(candidates: string[]): Facts {
  const reason = 'an attempt that was held to have had no effect stands at the service, and a later one paid the row';
  return { ...NO_ATTEMPT, about: 'surfaced', reason, candidates };
}

function doubtOf(run: RunState, row: RunRow, facts: Facts): Doubt {
  assert(run.header !== null && row.order !== null, `row ${row.row} is in doubt and has nothing to pay`);
  const { order } = row;
  const isCancelled = run.cancelled;
  const { hide } = rowMasker(run.header.input)(row);
  const { token, sent_at, answer, answered, looks, last_look, about, reason, candidates } = facts;
  return {
    runId: run.header.run_id,
    isCancelled,
    row: row.row,
    payee: hide(order.payee.name),
    amount: formatMajor(BigInt(order.amount_minor), order.currency.decimals),
    currency: currencyLabel(order.currency),
    account: accountText(order.destination),
    token,
    sent_at,
    answer: answer === null ? null : hide(answer),
    answered,
    looks,
    last_look,
    about,
    reason: hide(reason),
    candidates,
    choices: choicesOf({ about, candidates, isCancelled }),
  };
}

function rowOf(run: RunState, number: number): RunRow {
  const row = run.rows.find((found) => found.row === number);
  assert(row, `row ${number} is in doubt and not in the run`);
  return row;
}

/** Transactions that each are a choice; where there are more, people put in the one they mean. */
const CHOICES_SENT_MAX = 3;

const RESUME: Choice = { act: 'resume', transaction: null };
const NOT_SENT: Choice = { act: 'not_sent', transaction: null };
const RESUBMIT_ABSENT: Choice = { act: 'resubmit_absent', transaction: null };

/** The choices there are, the harmless one first. */
function choicesOf(doubt: { about: DoubtAbout; candidates: readonly string[]; isCancelled: boolean }): Choice[] {
  const { about, candidates, isCancelled } = doubt;
  const isFew = candidates.length > 0 && candidates.length <= CHOICES_SENT_MAX;
  const sent = (isFew ? candidates : [null]).map((transaction): Choice => ({ act: 'sent', transaction }));
  switch (about) {
    case 'open':
      return [RESUME];
    case 'no_expiry':
    case 'no_canary':
      // Nothing of a cancelled run is sent again.
      return [RESUME, ...sent, NOT_SENT, ...(isCancelled ? [] : [RESUBMIT_ABSENT])];
    case 'incomplete':
    case 'candidate':
    case 'old_copy':
    case 'refused':
    case 'mismatch':
    case 'replayed':
    case 'unknown_id':
      return [RESUME, ...sent, NOT_SENT];
    case 'twice':
      return [RESUME, ...sent];
    case 'surfaced':
      return [];
  }
}
