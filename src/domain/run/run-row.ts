import { PAYOUT_ENTRIES } from '../entries/payout.ts';
import type { Entry, PayoutEntry, Resolved } from '../entry.ts';
import { assert } from '../refusal.ts';
import { applyToPayout, type DeadAttempt, type PayoutState, sentOf } from './payout.ts';
import type { RunState } from './run-state.ts';

/** Applies an entry about one payout, and keeps what the run has to remember of its earlier attempts. */
export function applyToRow(run: RunState, entry: PayoutEntry, at: number): void {
  const before = run.payouts.get(entry.row);
  assert(before, `row ${entry.row} has an entry but is not in the run`);
  if (entry.kind === 'surfaced') {
    surface(run, before, entry);
    return;
  }
  if (entry.kind === 'intent') run.intents++;
  const deadBy = deathBy(entry);
  if (entry.kind === 'resolved') keepOthers(run, before, entry);
  if (deadBy !== null) {
    if ('intent' in before) {
      const { intent, intentAt, order } = before;
      const drifted = 'drifted' in before ? before.drifted : entry.kind === 'no_effect' && entry.drifted === true;
      run.dead.set(intent.token, { intent, intentAt, order, by: deadBy, drifted });
    }
    for (const id of dismissible(before)) run.dismissed.add(id);
  }
  const after = applyToPayout(before, entry, at, run.intents);
  const isUnpaid = after.state === 'waiting' || after.state === 'rejected';
  run.payouts.set(entry.row, (isUnpaid && paidBySurfaced(run, entry.row, after.attempts)) || after);
}

/**
 * Throws a `Bug` where the entries cannot follow what is known of their rows. Asked before they are durable: a journal
 * that nobody can read again would hold back all that it proves.
 */
export function requireApplicable({ payouts }: RunState, entries: readonly Entry[]): void {
  const changed = new Map<number, PayoutState>();
  for (const entry of entries) {
    if (!isInPayout(entry)) continue;
    const before = changed.get(entry.row) ?? payouts.get(entry.row);
    if (before !== undefined) changed.set(entry.row, applyToPayout(before, entry, 0));
  }
}

/** What stands in the payout alone: a `surfaced` entry stands in the run. */
function isInPayout(entry: Entry): entry is Exclude<PayoutEntry, { kind: 'surfaced' }> {
  return entry.kind !== 'surfaced' && Object.hasOwn(PAYOUT_ENTRIES, entry.kind);
}

/** Why the open attempt is held for dead after the entry; null where it is not, or never left this machine. */
function deathBy(entry: PayoutEntry): DeadAttempt['by'] | null {
  switch (entry.kind) {
    case 'absent':
      return 'absent';
    case 'resolved':
      return entry.verdict === 'not_sent' ? 'absent' : null;
    case 'rejected':
      return entry.spent === true ? 'spent' : 'rejected';
    case 'no_effect':
      if (!entry.answered) return null;
      return entry.spent === true ? 'spent' : 'refused';
    case 'intent':
    case 'accepted':
    case 'doubt':
    case 'replayed':
    case 'unknown_transaction':
    case 'looked':
    case 'unresolved':
    case 'suspected':
    case 'surfaced':
    case 'final':
    case 'not_submitted':
      return null;
  }
}

/** What a person who says "not sent" has looked at. A payment that only looks alike can still be another row's. */
function dismissible(before: PayoutState): string[] {
  const isAbout = before.state === 'suspected' || (before.state === 'unresolved' && before.about === 'mismatch');
  return isAbout ? before.transactions : [];
}

/** The last attempt paid nobody, but one before it has surfaced: the row is paid, by that one, and once. */
function paidBySurfaced(run: RunState, row: number, attempts: number): PayoutState | null {
  const found = run.surfaced.find((one) => one.row === row);
  if (!found?.sent) return null;
  run.surfaced.splice(run.surfaced.indexOf(found), 1);
  return { state: 'accepted', attempts, sent: found.sent };
}

/** Of several transactions with the row's token a person named one: the others paid it too. */
function keepOthers(run: RunState, before: PayoutState, entry: Resolved): void {
  if (before.state !== 'unresolved' || before.about !== 'twice' || entry.verdict !== 'sent') return;
  for (const id of before.transactions) {
    const { row, attempt } = entry;
    if (id !== entry.transaction_id) {
      run.surfaced.push({ row, attempt, transaction_id: id, sent: null, isDecided: true });
    }
  }
}

/** The row was paid by an attempt that was held for dead. Where another attempt paid it too, both are kept. */
function surface(run: RunState, before: PayoutState, entry: Extract<PayoutEntry, { kind: 'surfaced' }>): void {
  const { row, attempt, transaction_id } = entry;
  const dead = [...run.dead.values()].find(({ intent }) => intent.row === row && intent.attempt === attempt);
  if (!dead) {
    assert('sent' in before, `row ${row}: attempt ${attempt} surfaced, which was not given up`);
    run.surfaced.push({ row, attempt, transaction_id, sent: null, isDecided: false });
    return;
  }
  run.dead.delete(dead.intent.token);
  const sent = sentOf(dead, transaction_id, 'look');
  switch (before.state) {
    case 'waiting':
    case 'rejected':
    case 'not_submitted':
    case 'suspected':
      run.payouts.set(row, { state: 'accepted', attempts: before.attempts, sent });
      return;
    default:
      run.surfaced.push({ row, attempt, transaction_id, sent, isDecided: false });
  }
}
