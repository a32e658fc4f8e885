import type { Priority } from '../../client/rate-limit.ts';
import type { RequestBody, Transaction, TransactionWithDestination } from '../../client/wire.ts';
import type { Intent, Received } from '../../domain/entry.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { parseIso } from '../../domain/time.ts';
import { haltFor } from '../halt.ts';
import type { RunContext } from '../run-context.ts';

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
