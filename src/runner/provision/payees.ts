import { type Destination, type Payee, type PayoutOrder, payeeKey } from '../../domain/payee.ts';
import { fingerprint } from '../../domain/rails/fields/fingerprint.ts';
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
  for (const { order } of run.rows) {
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

/** How the run names the recipient of a row. */
export function recipientKey(order: PayoutOrder): string {
  return order.recipient_id === null ? payeeKey(order.payee) : `recipient:${order.recipient_id}`;
}

/** How the run names the account of a row that does not name one of the service's. */
export function accountKey(order: PayoutOrder, destination: Extract<Destination, { kind: 'account' }>): string {
  return `${recipientKey(order)}/${fingerprint(destination.rail, destination.fields)}`;
}

/** The fingerprint of the account that a key names. */
export function fingerprintIn(accountKey: string): string {
  return accountKey.slice(accountKey.lastIndexOf('/') + 1);
}

/** How many different accounts of the run, paid ones too, look the same, by what `looks` says of one. */
export function countByLooks(run: RunState, looks: (account: NeededAccount) => string): Map<string, number> {
  const accounts = new Map<string, Set<string>>();
  for (const { order } of run.rows) {
    if (order === null || order.destination.kind === 'existing') continue;
    const account = neededAccount(order, order.destination);
    const key = looks(account);
    const fingerprints = accounts.get(key);
    if (fingerprints) fingerprints.add(account.fingerprint);
    else accounts.set(key, new Set([account.fingerprint]));
  }
  return new Map([...accounts].map(([key, fingerprints]) => [key, fingerprints.size]));
}

function neededAccount(order: PayoutOrder, destination: Extract<Destination, { kind: 'account' }>): NeededAccount {
  const print = fingerprint(destination.rail, destination.fields);
  return { key: `${recipientKey(order)}/${print}`, fingerprint: print, destination };
}
