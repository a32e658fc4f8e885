import { z } from 'zod';
import { currencyLabel } from '../../domain/currencies.ts';
import { text } from '../../domain/entries/members.ts';
import { type Note, noteWith } from '../../domain/entries/note.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { type Choice, type Doubt, type DoubtAbout, doubtFacts } from '../../domain/outcomes/doubt.ts';
import { assert } from '../../domain/refusal.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import { rowNumbered } from '../../domain/run/run-rows.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { accountText, rowMasker } from './identifiers.ts';

/** What differs between the states in which a payout is in doubt. */
type Facts = Pick<
  Doubt,
  'token' | 'sent_at' | 'answer' | 'answered' | 'looks' | 'last_look' | 'about' | 'reason' | 'candidates'
>;

/** The payouts of a run that are in doubt: those that were perhaps paid twice first, then by row. */
export function* doubtsOf(run: RunState): Generator<Doubt> {
  yield* surfacedDoubts(run);
  // Of nearly every run none, and its rows are not unpacked then.
  if (!run.payouts.values().some(isDoubtful)) return;
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
    const candidates = [transaction_id, ...paid];
    yield doubtOf(run, rowOf(run, row), {
      ...NO_ATTEMPT,
      about: 'surfaced',
      reason: { code: 'attempt_surfaced' },
      candidates,
    });
  }
}

/** How many payouts are in doubt. */
export function countDoubts(run: RunState): number {
  let count = run.surfaced.length;
  for (const payout of run.payouts.values()) if (isDoubtful(payout)) count++;
  return count;
}

const DOUBTFUL: ReadonlySet<PayoutState['state']> = new Set(['sending', 'in_doubt', 'unresolved', 'suspected']);

function isDoubtful({ state }: PayoutState): boolean {
  return DOUBTFUL.has(state);
}

function factsOf(payout: PayoutState): Facts | null {
  switch (payout.state) {
    case 'sending': {
      const reason = { code: 'no_outcome_recorded' as const };
      return { ...attemptFacts(payout, reason), about: 'open', reason, candidates: [] };
    }
    case 'in_doubt': {
      const { reason } = payout;
      return { ...attemptFacts(payout, reason), about: 'open', reason, candidates: [] };
    }
    case 'unresolved': {
      const { about, reason, transactions, answer } = payout;
      return {
        ...attemptFacts(payout, answer),
        about,
        reason,
        candidates: transactions,
      };
    }
    case 'suspected': {
      const { transactions: candidates, refused, reason } = payout;
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
  answer: Note,
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

function doubtOf(run: RunState, row: RunRow, facts: Facts): Doubt {
  assert(run.header !== null && row.order !== null, `row ${row.row} is in doubt and has nothing to pay`);
  const { order } = row;
  const { hide } = rowMasker(run.header.input)(row);
  const { about, candidates } = facts;
  const isCancelled = run.cancelled;
  return {
    ...facts,
    runId: run.header.run_id,
    isCancelled,
    row: row.row,
    payee: hide(order.payee.name),
    amount: formatMajor(BigInt(order.amount_minor), order.currency.decimals),
    currency: currencyLabel(order.currency),
    account: accountText(order.destination),
    answer: facts.answer && noteWith(facts.answer, hide),
    reason: noteWith(facts.reason, hide),
    choices: choicesOf({ about, candidates, isCancelled }),
  };
}

function rowOf(run: RunState, number: number): RunRow {
  const row = rowNumbered(run.rows, number);
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

export const choiceText = z.strictObject({ command: text, does: text, risk: text });

/** A doubt as programs read it, in the order in which its members are written. */
export const doubtResult = doubtFacts.extend({
  choices: z.array(choiceText).describe('What a person can do about it, the harmless first.'),
});

export function doubtJson(doubt: Doubt, command: CommandLine): z.output<typeof doubtResult> {
  const { row, payee, amount, currency, account, token, sent_at, answer, looks, last_look, about, candidates } = doubt;
  return {
    ...{ row, payee, amount, currency, account, token, sent_at },
    answer: answer && messages.notes.noteText(answer),
    ...{ looks, last_look, about, reason: messages.notes.noteText(doubt.reason), candidates },
    choices: messages.doubts.choiceTexts(doubt, command),
  };
}
