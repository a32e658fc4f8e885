import type { Priority } from '../../client/line.ts';
import type { RequestBody, Transaction, TransactionWithDestination } from '../../client/wire.ts';
import type { Note } from '../../domain/entries/note.ts';
import type { Intent, Received } from '../../domain/entry.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { parseIso } from '../../domain/time.ts';
import { haltFor } from '../halt.ts';
import type { RunContext } from '../run-context.ts';
import { hasToken } from '../token.ts';

/** Transactions on a page: the most that the contract allows. */
export const PAGE_SIZE = 500;

export type Listing = {
  records: Transaction[];
  /** Whether the listing holds everything that it was asked for: no page was cut off. */
  complete: boolean;
  /** The `Date` of the oldest answer in it, Unix ms. */
  serverMs: number | null;
};

type ListOptions = {
  priority?: Priority;
  pagesMax: number;
  /** Stop where the records become older than this (Unix ms): the listing is complete for all that is younger. */
  untilMs?: number;
  /** Takes the records instead of the listing, so that a long one need not fit into memory; false stops. */
  onPage?: (page: Transaction[]) => boolean;
};

/**
 * Reads `transaction.getMany` newest first, paged to the end where there is a cursor. It is complete only where the
 * service says so: by a cursor that ends in null, or by a page that is not full; and by totals that count no more than it
 * has. A full page without a cursor is not a complete answer.
 */
export async function listTransactions(
  context: RunContext,
  filter: Pick<RequestBody<'transaction.getMany'>, 'search'>,
  { priority = 'settle', pagesMax, untilMs, onPage }: ListOptions,
): Promise<Listing> {
  const hasCursor = promisesOf(context.run).cursor;
  const records: Transaction[] = [];
  let cursor: string | undefined;
  let serverMs: number | null = null;
  const counted = new Set<string>();
  let oldestMs = Number.POSITIVE_INFINITY;
  for (let page = 0; page < pagesMax; page++) {
    const request = { ...filter, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const result = await context.client.read('transaction.getMany', request, priority);
    if (!result.ok) throw haltFor(result);
    serverMs ??= result.serverMs;
    const { transactions, next_cursor, totals } = result.data;
    await context.noteEvidence(transactions);
    // The totals leave failed ones out. One that stands in two pages is one.
    for (const { id, status } of transactions) if (status !== 'FAILED') counted.add(id);
    const goOn = onPage === undefined || onPage(transactions);
    if (onPage === undefined) for (const record of transactions) records.push(record);
    oldestMs = oldestIfInOrder(transactions.map(timeOf), oldestMs);
    if (untilMs !== undefined && oldestMs < untilMs) return { records, complete: true, serverMs };
    if (!next_cursor) {
      const isLast = hasCursor && next_cursor === null;
      const complete = (isLast || transactions.length < PAGE_SIZE) && totals.transfers <= counted.size;
      return { records, complete, serverMs };
    }
    if (!goOn || !hasCursor) return { records, complete: false, serverMs };
    cursor = next_cursor;
  }
  return { records, complete: false, serverMs };
}

/**
 * The last of a page's times, which follow `beforeMs`; NaN, which is less than nothing, from the first that is out of
 * order.
 */
export function oldestIfInOrder(timesMs: readonly number[], beforeMs: number): number {
  let oldestMs = beforeMs;
  for (const ms of timesMs) {
    if (!(ms <= oldestMs)) return Number.NaN;
    oldestMs = ms;
  }
  return oldestMs;
}

/** One transaction with its destination; null where it cannot be read, which must not hold up the others for ever. */
export async function readTransaction(context: RunContext, id: string): Promise<TransactionWithDestination | null> {
  const result = await context.client.read('transaction.get', { id }, 'settle');
  if (result.ok) return result.data;
  if (result.kind === 'rejected' || result.kind === 'unreadable') return null;
  throw haltFor(result);
}

/** Unix ms of a record's `created_at`; the far future where it is no ISO 8601 time, so that nothing is thought older. */
export function timeOf(record: Transaction): number {
  return parseIso(record.created_at) ?? Number.POSITIVE_INFINITY;
}

/** A bank's return is no payment, whatever it quotes. */
export function isReturn(record: Transaction): boolean {
  return record.external_reference_type === 'RETURN';
}

/** Whether it moved or may move money to a payee. */
export function isPayment(record: Transaction): boolean {
  return record.status !== 'FAILED' && !isReturn(record);
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

/** Whether one side of a record is that amount. Not every service shows the chain. */
export function isSide(
  { value, code, chain }: Transaction['currency_out'],
  { amount_minor, currency }: Received,
): boolean {
  const isSameChain = chain === undefined || chain === null || chain === currency.chain;
  return value === amount_minor && code === currency.code && isSameChain;
}

/** Pages of one search: half a million transactions. */
const PAGES_MAX = 1_000;

/**
 * What the service holds of one attempt. `mismatch`: a record carries the token and is not what we sent, so that sending
 * again would be wrong and adopting it too. `twice`: several carry it.
 */
export type Match =
  | { kind: 'one'; id: string }
  | { kind: 'none' }
  | { kind: 'mismatch' | 'twice'; ids: string[]; why: Note };

/** Searches by the token. `complete`: the answer holds everything that it was asked for. */
export async function search(context: RunContext, intent: Intent): Promise<{ match: Match; complete: boolean }> {
  const { records, complete } = await listTransactions(context, { search: intent.token }, { pagesMax: PAGES_MAX });
  return { match: await matchOf(context, intent, records), complete };
}

/** Which of the records are the attempt's. */
export async function matchOf(context: RunContext, intent: Intent, records: readonly Transaction[]): Promise<Match> {
  const marked = records.filter((record) => mentions(record, intent.token));
  const ids = [...new Set(marked.map((record) => record.id))];
  const stranger = marked.find((record) => !isOurs(record, intent));
  if (stranger !== undefined) {
    const code = isAmountOf(stranger, intent) ? 'token_in_word' : 'other_amount';
    return { kind: 'mismatch', ids, why: { code, transaction_id: stranger.id, token: intent.token } };
  }
  const own: string[] = [];
  let why: Note = '';
  for (const id of ids) {
    const other = await whyAnothers(context, intent, id);
    if (other === null) own.push(id);
    else why = other;
  }
  const [id] = own;
  if (id === undefined) return ids.length === 0 ? { kind: 'none' } : { kind: 'mismatch', ids, why };
  if (own.length === 1) return { kind: 'one', id };
  return {
    kind: 'twice',
    ids: own,
    why: { code: 'several_transactions', transactions: own.length, token: intent.token },
  };
}

/** Anywhere in the description and in any case. */
function mentions(record: Transaction, token: string): boolean {
  return !isReturn(record) && record.metadata?.description?.toUpperCase().includes(token) === true;
}

/** Ours: the token as a whole word, and the currencies and amounts of the intent. */
function isOurs(record: Transaction, intent: Intent): boolean {
  return hasToken(record.metadata?.description, intent.token) && isAmountOf(record, intent);
}

/** Why a record with the attempt's token is not the attempt's; null where nothing shows that. */
async function whyAnothers(context: RunContext, intent: Intent, id: string): Promise<Note | null> {
  const owner = context.owners.get(id);
  if (owner !== undefined && owner !== intent.row) return { code: 'token_of_row', transaction_id: id, row: owner };
  const isElsewhere = await paysAnother(context, id, intent.external_account_id);
  if (isElsewhere !== null) return isElsewhere ? { code: 'other_account', transaction_id: id } : null;
  // A record that cannot be read now takes nothing back of a mismatch that was seen before.
  const payout = context.payout(intent.row);
  return payout.state === 'unresolved' && payout.about === 'mismatch' ? payout.reason : null;
}

/** A listing does not show where the money went; the single record may. Null where it does not, or cannot be read. */
export async function paysAnother(context: RunContext, id: string, accountId: string): Promise<boolean | null> {
  const account = (await readTransaction(context, id))?.external_account_metadata?.id;
  return account ? account !== accountId : null;
}
