import { type EnsureState, ensureKey } from '../../domain/ensure.ts';
import type { EnsureTarget } from '../../domain/entry.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { RunState } from '../../domain/run/run-state.ts';
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
/** Rows and records that are named of each. */
const LISTED_MAX = 10;

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
  const named = open.slice(0, NAMED_MAX).map(describe);
  if (open.length > NAMED_MAX) named.push(`and ${open.length - NAMED_MAX} more`);
  const head = `${count(rows, 'row')} of ${count(open.length, 'payee')} wait${rows === 1 ? 's' : ''}: ${named.join('; ')}`;
  const states = new Set(open.map(({ ensure }) => ensure?.state));
  const advice: string[] = [];
  if (states.has('unresolved')) {
    advice.push('resume looks again, and with --resubmit-absent makes again what complete lists do not show');
  }
  if (states.has('ambiguous')) {
    advice.push(
      'to say which record it is, cancel the run and pay these rows from a file of their own, with its id in the column external_account_id (of a recipient: recipient_id)',
    );
  }
  const isParked = advice.length > 0;
  if (!isParked) advice.push('resume tries again');
  return new Halt(isParked ? 'person_needed' : 'outage', `${head}. ${advice.join('; ')}.`.replace(/\.$/, ''));
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

function describe({ target, name, ensure, rows }: OpenPayee): string {
  const what = `the ${target === 'recipient' ? 'recipient record' : 'account'} of ${name} (${rows.length === 1 ? 'row' : 'rows'} ${list(rows)})`;
  switch (ensure?.state) {
    case 'unresolved':
      return `whether ${what} was made is not known`;
    case 'ambiguous':
      return `${ensure.ids.length === 1 ? 'one record' : `${ensure.ids.length} records`} could be ${what}: ${list(ensure.ids)}`;
    default:
      return `${what} is not made yet`;
  }
}

function list(names: readonly (string | number)[]): string {
  const shown = names.slice(0, LISTED_MAX).join(', ');
  return names.length > LISTED_MAX ? `${shown} and ${names.length - LISTED_MAX} more` : shown;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
