import { type EnsureState, ensureKey } from '../../domain/ensure.ts';
import type { EnsureTarget } from '../../domain/entry.ts';
import type { StoppedPayee, StopWhy } from '../../domain/outcomes/stop-why.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { stopText } from '../../messages/stop-words.ts';
import type { RunContext } from '../run-context.ts';
import { Halt } from '../submit/halt.ts';
import { accountKey, recipientKey } from './payees.ts';

/** A payee whose recipient or account is not there, and the rows that wait for it. */
export type OpenPayee = {
  target: EnsureTarget;
  key: string;
  name: string;
  /** `unresolved` and `ambiguous` are parked for a person; anything else is tried again by `resume`. */
  ensure: EnsureState | undefined;
  rows: number[];
};

/** Payees that a message names; the others are counted. */
const NAMED_MAX = 5;

/** Which waiting rows wait for what, in the order of the input. */
export function openPayees(run: RunState): OpenPayee[] {
  const open = new Map<string, OpenPayee>();
  for (const { order } of run.rows) {
    if (order === null || run.payouts.get(order.row)?.state !== 'waiting') continue;
    const missing = missingOf(run, order);
    if (missing === null) continue;
    const { target, key } = missing;
    const name = ensureKey(target, key);
    const payee = open.get(name);
    if (payee) payee.rows.push(order.row);
    else open.set(name, { target, key, name: order.payee.name, ensure: run.ensures.get(name), rows: [order.row] });
  }
  return [...open.values()];
}

/** Why the run cannot end: the payees that wait, counted and named, with what to do about each kind. Null for none. */
export function haltForOpenPayees({ run }: RunContext): Halt | null {
  const open = openPayees(run);
  if (open.length === 0) return null;
  const rows = open.reduce((sum, payee) => sum + payee.rows.length, 0);
  const states = new Set(open.map((payee) => stoppedPayee(payee).state));
  const why: StopWhy = {
    code: 'open_payees',
    rows,
    count: open.length,
    payees: open.slice(0, NAMED_MAX).map(stoppedPayee),
    states: STATES.filter((state) => states.has(state)),
  };
  const isParked = states.has('unresolved') || states.has('ambiguous');
  return new Halt(isParked ? 'person_needed' : 'outage', stopText(why, 'command_line'), { why });
}

const STATES = ['unresolved', 'ambiguous', 'not_made'] as const;

function stoppedPayee({ target, name, ensure, rows }: OpenPayee): StoppedPayee {
  switch (ensure?.state) {
    case 'unresolved':
      return { state: 'unresolved', target, name, rows };
    case 'ambiguous':
      return { state: 'ambiguous', target, name, rows, ids: ensure.ids };
    default:
      return { state: 'not_made', target, name, rows };
  }
}

function missingOf(run: RunState, order: PayoutOrder): { target: EnsureTarget; key: string } | null {
  if (order.destination.kind === 'existing') return null;
  const isDone = (target: EnsureTarget, key: string): boolean =>
    ['ensured', 'rejected'].includes(run.ensures.get(ensureKey(target, key))?.state ?? 'waiting');
  const recipient = recipientKey(order);
  if (order.recipient_id === null) {
    if (!isDone('recipient', recipient)) return { target: 'recipient', key: recipient };
    if (run.ensures.get(ensureKey('recipient', recipient))?.state === 'rejected') return null;
  }
  const account = accountKey(order, order.destination);
  return isDone('account', account) ? null : { target: 'account', key: account };
}
