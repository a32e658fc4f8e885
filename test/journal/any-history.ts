import fc from 'fast-check';
import type { Entry } from '../../src/domain/entry.ts';
import type { PayoutState } from '../../src/domain/run/payout.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import { isPlannedOnly } from '../../src/domain/run/run-state.ts';
import { sampleIntent, sampleRequest } from './samples.ts';

/** One step of a history: which row it is about, and which of the entries that may follow it takes. */
export type Step = { row: number; pick: number; answered: boolean; spent: boolean; next: Next };

/** What happens after a step: nothing yet, what is given so far is appended, or another process goes on. */
export type Next = 'nothing' | 'append' | 'commit' | 'reopen' | 'take_over' | 'stale_writer' | 'read';

export const anyHistory: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    row: fc.nat({ max: 100 }),
    pick: fc.nat({ max: 1_000 }),
    answered: fc.boolean(),
    spent: fc.boolean(),
    next: fc.oneof(
      { arbitrary: fc.constant<Next>('nothing'), weight: 12 },
      { arbitrary: fc.constantFrom<Next>('append', 'commit'), weight: 3 },
      { arbitrary: fc.constantFrom<Next>('reopen', 'take_over', 'stale_writer', 'read'), weight: 1 },
    ),
  }),
  { minLength: 30, maxLength: 120 },
);

/** An entry that may follow in the run; null where the step finds none. */
export function nextEntry(run: RunState, step: Step): Entry | null {
  const rows = [...run.payouts.keys()];
  const row = rows[step.row % rows.length] ?? 0;
  const payout = run.payouts.get(row);
  const choices =
    payout === undefined || isPlannedOnly(run)
      ? ofPlan(run)
      : [...(step.pick % 6 === 0 ? ofRun(run) : []), ...ofPayout(run, row, payout, step)];
  return choices[step.pick % choices.length] ?? null;
}

function ofPlan(run: RunState): Entry[] {
  const started: Entry[] = run.cancelled
    ? []
    : [
        { kind: 'started', by: 'ana' },
        { kind: 'started', by: 'ben' },
      ];
  return [...started, { kind: 'notified', event: 'finished', of: 'x' }, { kind: 'cancelled', by: 'ana' }];
}

const NO_COUNTS = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };

function ofRun({ ensures }: RunState): Entry[] {
  return [
    { kind: 'finished', counts: NO_COUNTS },
    { kind: 'stopped', reason: 'interrupted' },
    { kind: 'lag_seen', transaction_id: 't', lag_ms: 5 },
    { kind: 'ensured', target: 'recipient', key: String(ensures.size), id: 'r1', by: 'created', scope: 's' },
  ];
}

const AUD = { code: 'AUD', chain: null, decimals: 2 };

function ofPayout(run: RunState, row: number, payout: PayoutState, { answered, spent, pick }: Step): Entry[] {
  const attempt = { row, attempt: payout.attempts };
  const id = `tx_${row}_${payout.attempts}`;
  const surfaced = surfacing(run, row, payout);
  const looks: Entry[] = [
    { kind: 'looked', ...attempt, found: 0, complete: true },
    { kind: 'replayed', ...attempt, first: null },
    { kind: 'doubt', ...attempt, reason: 'lost' },
    { kind: 'accepted', ...attempt, transaction_id: id, by: 'look' },
    { kind: 'absent', ...attempt, witness: null, listings: 2, by: 'listing' },
    { kind: 'unresolved', ...attempt, about: 'twice', reason: 'two', transactions: [id, `${id}_b`] },
  ];
  const reject: Entry = { kind: 'rejected', ...attempt, code: 'X', message: 'no', ...(spent && { spent }) };
  const suspect: Entry = { kind: 'suspected', ...attempt, transactions: [id], reason: 'alike' };
  const resolve = { kind: 'resolved' as const, ...attempt, by: 'ana' };
  const notSent: Entry = { ...resolve, verdict: 'not_sent', transaction_id: null, sent: null };
  switch (payout.state) {
    case 'waiting': {
      const intent = { ...(sampleIntent(row, payout.attempts + 1) as Extract<Entry, { kind: 'intent' }>) };
      const sending: Entry = { ...intent, token: `PR${row}_${payout.attempts + 1}` };
      const unsent: Entry = { kind: 'not_submitted', row, code: 'cancelled', message: '' };
      return [sending, sending, sending, ...(pick % 7 === 0 ? [unsent, suspect, reject] : []), ...surfaced];
    }
    case 'sending':
      return [
        ...looks.slice(2, 4),
        { kind: 'no_effect', ...attempt, reason: '429', answered, ...(spent && { spent }) },
        reject,
      ];
    case 'in_doubt':
      return looks;
    case 'accepted':
      return [
        final(row, payout.sent.transaction_id, answered),
        { kind: 'unknown_transaction', ...attempt, transaction_id: id },
      ];
    case 'unresolved':
      return [...looks, notSent, { ...resolve, verdict: 'sent', transaction_id: id, sent: null }];
    case 'suspected':
      return [suspect, notSent, { ...resolve, verdict: 'sent', transaction_id: id, sent: sentBefore() }, ...surfaced];
    case 'rejected':
      return [suspect, ...surfaced];
    case 'completed':
    case 'failed':
    case 'not_submitted':
      return surfaced;
  }
}

/** An attempt that was held for dead, or a second transaction of the one that counts. */
function surfacing(run: RunState, row: number, payout: PayoutState): Entry[] {
  const dead = [...run.dead.values()].filter(({ intent }) => intent.row === row);
  const attempts = dead.map(({ intent }) => intent.attempt);
  if (attempts.length === 0 && 'sent' in payout) attempts.push(payout.attempts);
  return attempts.map((attempt) => ({ kind: 'surfaced', row, attempt, transaction_id: `tx_late_${row}_${attempt}` }));
}

function final(row: number, transaction_id: string, isCompleted: boolean): Entry {
  const amounts = { sent_minor: '1', sent_currency: AUD, received_minor: '1', received_currency: AUD, fees_minor: '0' };
  const status = isCompleted ? 'COMPLETED' : 'FAILED';
  return { kind: 'final', row, transaction_id, status, code: null, message: null, ...amounts };
}

function sentBefore() {
  const { request: _, ...sent } = { ...sampleIntent(1), request: sampleRequest() } as Extract<
    Entry,
    { kind: 'intent' }
  >;
  const { token, external_account_id, recipient_id, amount_minor, currency, received } = sent;
  return { token, external_account_id, recipient_id, amount_minor, currency, received };
}
