import { type EnsureState, ensureKey } from '../../domain/ensure.ts';
import type { EnsureTarget } from '../../domain/entry.ts';
import type { StoppedPayee, StopWhy } from '../../domain/outcomes/stop-why.ts';
import { type Destination, type Payee, type PayoutOrder, payeeKey } from '../../domain/payee.ts';
import { fingerprint } from '../../domain/rails/fields/digits.ts';
import { rowsToAccounts } from '../../domain/run/run-rows.ts';
import type { RunState } from '../../domain/run/run-state.ts';

/** A recipient that the run needs, and the rows that share it. `id` where the input names the service's record. */
export type NeededRecipient = { key: string; id: string | null; payee: Payee; accounts: Map<string, NeededAccount> };

/** An account that the run needs. `key` is unique in the run: the recipient's key and the account's fingerprint. */
export type NeededAccount = {
  key: string;
  fingerprint: string;
  destination: Extract<Destination, { kind: 'account' }>;
};

/**
 * Which recipients and accounts the payable rows need, each once however many rows share it. Rows that name an
 * `external_account_id` need none.
 */
export function neededRecipients(run: RunState): Map<string, NeededRecipient> {
  const needed = new Map<string, NeededRecipient>();
  for (const { order } of rowsToAccounts(run.rows)) {
    if (order === null || order.destination.kind === 'existing') continue;
    if (run.payouts.get(order.row)?.state !== 'waiting') continue;
    const key = recipientKey(order);
    let recipient = needed.get(key);
    if (!recipient) {
      recipient = { key, id: order.recipient_id, payee: order.payee, accounts: new Map() };
      needed.set(key, recipient);
    }
    const account = neededAccount(order, order.destination);
    if (!recipient.accounts.has(account.key)) recipient.accounts.set(account.key, account);
  }
  return needed;
}

/** How many different accounts of the run, paid ones too, look the same, by what `looks` gives for one. */
export function countByLooks(run: RunState, looks: (account: NeededAccount) => string): Map<string, number> {
  const accounts = new Map<string, Set<string>>();
  for (const { order } of rowsToAccounts(run.rows)) {
    if (order === null || order.destination.kind === 'existing') continue;
    const account = neededAccount(order, order.destination);
    const key = looks(account);
    const fingerprints = accounts.get(key);
    if (fingerprints) fingerprints.add(account.fingerprint);
    else accounts.set(key, new Set([account.fingerprint]));
  }
  return new Map([...accounts].map(([key, fingerprints]) => [key, fingerprints.size]));
}

function neededAccount(order: PayoutOrder, destination: NeededAccount['destination']): NeededAccount {
  const print = fingerprint(destination.rail, destination.fields);
  return { key: `${recipientKey(order)}/${print}`, fingerprint: print, destination };
}

/** How the run names the recipient of a row. */
export function recipientKey(order: PayoutOrder): string {
  return order.recipient_id === null ? payeeKey(order.payee) : `recipient:${order.recipient_id}`;
}

/** How the run names the account of a row that does not name one of the service's. */
export function accountKey(order: PayoutOrder, destination: NeededAccount['destination']): string {
  return neededAccount(order, destination).key;
}

/** The fingerprint of the account that a key names. */
export function fingerprintIn(accountKey: string): string {
  return accountKey.slice(accountKey.lastIndexOf('/') + 1);
}

/** The id of a record that is ensured, or null. */
export function idOf(run: RunState, target: EnsureTarget, key: string): string | null {
  const ensure = run.ensures.get(ensureKey(target, key));
  return ensure?.state === 'ensured' ? ensure.id : null;
}

export type Refused = { code: string; message: string };

/** Why the service refused a record, or null. */
export function refusalOf(run: RunState, target: EnsureTarget, key: string): Refused | null {
  const ensure = run.ensures.get(ensureKey(target, key));
  return ensure?.state === 'rejected' ? ensure : null;
}

/** The account that the row's money goes to, as far as the run knows it. */
export function accountIdOf(run: RunState, order: PayoutOrder): string | null {
  const { destination } = order;
  if (destination.kind === 'existing') return destination.external_account_id;
  return idOf(run, 'account', accountKey(order, destination));
}

/** Where a payout goes. */
export type PayoutDestination = { external_account_id: string; recipient_id: string | null };

/** Where the row's money goes, or why the service refused a record for it. Null where the run stopped before asking. */
export function destinationOf(run: RunState, order: PayoutOrder): PayoutDestination | Refused | null {
  const { destination } = order;
  const recipient = recipientKey(order);
  if (destination.kind === 'account') {
    const account = accountKey(order, destination);
    const refused = refusalOf(run, 'recipient', recipient) ?? refusalOf(run, 'account', account);
    if (refused !== null) return refused;
  }
  const external_account_id = accountIdOf(run, order);
  if (external_account_id === null) return null;
  const recipient_id = order.recipient_id ?? idOf(run, 'recipient', recipient);
  return { external_account_id, recipient_id };
}

/** A payee whose recipient or account is not there, and the rows that wait for it. */
export type OpenPayee = {
  target: EnsureTarget;
  key: string;
  name: string;
  /** `unresolved` and `ambiguous` are parked for a person; anything else is tried again by `resume`. */
  ensure: EnsureState | undefined;
  rows: number[];
};

/** Which waiting rows wait for what, in the order of the input. */
export function openPayees(run: RunState): OpenPayee[] {
  const open = new Map<string, OpenPayee>();
  for (const { order } of rowsToAccounts(run.rows)) {
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

function missingOf(run: RunState, order: PayoutOrder): { target: EnsureTarget; key: string } | null {
  if (order.destination.kind === 'existing') return null;
  const stateOf = (target: EnsureTarget, key: string) => run.ensures.get(ensureKey(target, key))?.state;
  const recipient = recipientKey(order);
  if (order.recipient_id === null) {
    const state = stateOf('recipient', recipient);
    if (state === 'rejected') return null;
    if (state !== 'ensured') return { target: 'recipient', key: recipient };
  }
  const account = accountKey(order, order.destination);
  const state = stateOf('account', account);
  return state === 'ensured' || state === 'rejected' ? null : { target: 'account', key: account };
}

/** Payees that a message names; the others are counted. */
const NAMED_MAX = 5;
const STATES = ['unresolved', 'ambiguous', 'not_made'] as const;

/** Why the run cannot end: the payees that wait, counted and named. Null for none. */
export function whyPayeesOpen(run: RunState): StopWhy | null {
  const open = openPayees(run);
  if (open.length === 0) return null;
  const payees = open.map(stoppedPayee);
  const states = new Set(payees.map(({ state }) => state));
  return {
    code: 'open_payees',
    rows: open.reduce((sum, { rows }) => sum + rows.length, 0),
    count: open.length,
    payees: payees.slice(0, NAMED_MAX),
    states: STATES.filter((state) => states.has(state)),
  };
}

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
