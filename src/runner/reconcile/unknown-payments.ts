import type { Transaction, TransactionWithDestination } from '../../client/wire.ts';
import { comparable, type PayoutOrder } from '../../domain/payee.ts';
import { CLAIM_KINDS, claimOf } from '../../domain/run/claims.ts';
import type { Journal } from '../../journal/journal.ts';
import { idOf } from '../provision/ensure.ts';
import { accountKey } from '../provision/payees.ts';
import type { RunContext } from '../run-context.ts';
import type { Relatives } from '../submit/retries.ts';
import { tokensIn } from '../submit/token.ts';
import { haltFor } from './listing.ts';

/**
 * Less those that any run of this journal sent: by the transaction, or by the token of any attempt. What was sent before
 * for a row that is retried, and has not failed, is none of those: it would be paid twice.
 */
export async function withoutKnown(
  journal: Journal,
  strangers: Transaction[],
  relatives: Relatives,
): Promise<Transaction[]> {
  const ids = new Set(strangers.map(({ id }) => id));
  const tokens = new Map<string, string>();
  for (const { id, metadata } of strangers) for (const token of tokensIn(metadata?.description)) tokens.set(token, id);
  for await (const page of journal.readKinds(CLAIM_KINDS))
    for (const { runId, entry } of page) {
      const claim = claimOf(entry);
      if (claim === null || (relatives.runs.has(runId) && relatives.rows.has(claim.row))) continue;
      ids.delete(claim.transactionId ?? tokens.get(claim.token ?? '') ?? '');
    }
  return strangers.filter(({ id }) => ids.has(id));
}

export type Where = { id: string | null; name: string | null; lastFour: string | null };

export async function whereItWent(context: RunContext, id: string): Promise<Where | null> {
  const result = await context.client.read('transaction.get', { id }, 'settle');
  if (!result.ok && (result.kind === 'rejected' || result.kind === 'unreadable')) return null;
  if (!result.ok) throw haltFor(result);
  return placeOf(result.data);
}

/** Whose account it paid, as far as the service shows it. */
export function placeOf(record: TransactionWithDestination): Where {
  const to = record.external_account_metadata;
  return { id: to?.id ?? null, name: to?.account_name ?? null, lastFour: to?.account_number?.slice(-4) ?? null };
}

/** Whether a record that a person names may have paid the row, by where its money went. */
export function mayHavePaid(context: RunContext, order: PayoutOrder, record: TransactionWithDestination): boolean {
  return isSameAccount(context, order, placeOf(record));
}

/**
 * By the ids of the accounts, where both are known. A name or a number is shown in other forms by other services, and by
 * the same one at another time, so that it proves no difference.
 */
export function isSameAccount(context: RunContext, order: PayoutOrder, where: Where | null): boolean {
  if (where === null || where.id === null) return true;
  const { destination } = order;
  const known =
    destination.kind === 'existing'
      ? destination.external_account_id
      : idOf(context, 'account', accountKey(order, destination));
  return known === null || known === where.id;
}

/** By what the service shows of the account too: enough to warn, and not to send. */
export function isShownAlike(context: RunContext, order: PayoutOrder, where: Where | null): boolean {
  const { destination } = order;
  if (!isSameAccount(context, order, where)) return false;
  if (where === null || destination.kind === 'existing') return true;
  const isKnown = idOf(context, 'account', accountKey(order, destination)) !== null;
  if (isKnown && where.id !== null) return true;
  const number = destination.fields.wallet_address || destination.fields.account_number;
  const isSameName = where.name === null || comparable(where.name) === comparable(destination.account_name);
  const isSameEnd = where.lastFour === null || number.toUpperCase().endsWith(where.lastFour.toUpperCase());
  return isSameName && isSameEnd;
}
