import type { Transaction } from '../../client/wire.ts';
import type { Intent, Received, Unresolved } from '../../domain/entry.ts';
import type { RunContext } from '../run-context.ts';
import { hasToken } from '../submit/token.ts';
import { haltFor, listTransactions } from './listing.ts';

/** Pages of one look: half a million transactions. */
const PAGES_MAX = 1_000;

/**
 * What the service holds of one attempt. `mismatch`: a record carries the token and is not what we sent, so that sending
 * again would be wrong and adopting it too. `twice`: several carry it.
 */
export type Sight =
  | { kind: 'one'; id: string }
  | { kind: 'none' }
  | { kind: 'mismatch' | 'twice'; ids: string[]; why: string };

/** Searches by the token. `complete`: the answer holds everything that it was asked for. */
export async function search(context: RunContext, intent: Intent): Promise<{ sight: Sight; complete: boolean }> {
  const options = { priority: 'settle' as const, pagesMax: PAGES_MAX };
  const { records, complete } = await listTransactions(context, { search: intent.token }, options);
  return { sight: await sightOf(context, intent, records), complete };
}

/** Which of the records are the attempt's. */
export async function sightOf(context: RunContext, intent: Intent, records: Transaction[]): Promise<Sight> {
  const marked = records.filter((record) => mentions(record, intent.token));
  const ids = [...new Set(marked.map((record) => record.id))];
  const stranger = marked.find((record) => !isOurs(record, intent));
  if (stranger !== undefined) {
    const how = isAmountOf(stranger, intent) ? 'only as a part of another word' : 'with another amount or currency';
    return { kind: 'mismatch', ids, why: `${stranger.id} carries its token ${intent.token}, ${how}` };
  }
  if (ids.length === 0) return { kind: 'none' };
  const own: string[] = [];
  let why = '';
  for (const id of ids) {
    const other = await whyAnothers(context, intent, id);
    if (other === null) own.push(id);
    else why = other;
  }
  const [id] = own;
  if (id === undefined) return { kind: 'mismatch', ids, why };
  if (own.length === 1) return { kind: 'one', id };
  return {
    kind: 'twice',
    ids: own,
    why: `the service holds ${own.length} transactions with its token ${intent.token}`,
  };
}

/** Why a record with the attempt's token is not the attempt's; null where nothing says so. */
async function whyAnothers(context: RunContext, intent: Intent, id: string): Promise<string | null> {
  const owner = context.owners.get(id);
  if (owner !== undefined && owner !== intent.row) return `${id} carries its token and is row ${owner}'s`;
  const isElsewhere = await paysAnother(context, id, intent.external_account_id);
  if (isElsewhere) return `${id} carries its token and pays another account`;
  return isElsewhere === null ? mismatchBefore(context, intent.row) : null;
}

/** Why the row is parked for a record that is another's: one that cannot be read now takes nothing of that back. */
function mismatchBefore(context: RunContext, row: number): string | null {
  const payout = context.payout(row);
  return payout.state === 'unresolved' && payout.about === 'mismatch' ? payout.reason : null;
}

/**
 * A listing does not show where the money went; the single record may. Null where it cannot be read or does not say: that
 * must not hold up the others for ever.
 */
export async function paysAnother(context: RunContext, id: string, accountId: string): Promise<boolean | null> {
  const result = await context.client.read('transaction.get', { id }, 'settle');
  if (!result.ok && (result.kind === 'rejected' || result.kind === 'unreadable')) return null;
  if (!result.ok) throw haltFor(result);
  const account = result.data.external_account_metadata?.id;
  return account ? account !== accountId : null;
}

/** Anywhere in the description and in any case. A bank's return is no second payout, whatever it quotes. */
function mentions(record: Transaction, token: string): boolean {
  if (isReturn(record)) return false;
  return record.metadata?.description?.toUpperCase().includes(token) === true;
}

export function isReturn(record: Transaction): boolean {
  return record.external_reference_type === 'RETURN';
}

/** Ours: the token as a whole word, and the currencies and amounts of the intent. */
function isOurs(record: Transaction, intent: Intent): boolean {
  return hasToken(record.metadata?.description, intent.token) && isAmountOf(record, intent);
}

/** What was sent and, where that was converted, what the payee receives for it. */
export type AmountSent = Pick<Intent, 'amount_minor' | 'currency' | 'received'>;

export function isAmountOf(record: Transaction, sent: AmountSent): boolean {
  return isSide(record.currency_out, sent) && (sent.received === null || isSide(record.currency_in, sent.received));
}

/** Whether the payee receives the same, also where another amount was sent for it. */
export function isReceiptOf(record: Transaction, sent: AmountSent): boolean {
  return sent.received === null ? isSide(record.currency_out, sent) : isSide(record.currency_in, sent.received);
}

function isSide({ value, code, chain }: Transaction['currency_out'], { amount_minor, currency }: Received): boolean {
  const isSameChain = chain === undefined || chain === null || chain === currency.chain;
  return value === amount_minor && code === currency.code && isSameChain;
}

/** Parks a doubt for a person, unless it is parked for just that already. */
export async function park(
  context: RunContext,
  intent: Intent,
  about: Unresolved['about'],
  reason: string,
  transactions: string[] = [],
): Promise<void> {
  const { row, attempt } = intent;
  const payout = context.payout(row);
  const isSame =
    payout.state === 'unresolved' &&
    payout.about === about &&
    payout.reason === reason &&
    payout.transactions.toSorted().join() === transactions.toSorted().join();
  if (!isSame) await context.record({ kind: 'unresolved', row, attempt, about, reason, transactions });
}
