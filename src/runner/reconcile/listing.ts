import type { ReadFailure } from '../../client/client.ts';
import type { Priority } from '../../client/rate-limit.ts';
import type { RequestBody, Transaction } from '../../client/wire.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { parseIso } from '../../domain/time.ts';
import { stopText } from '../../messages/stop-words.ts';
import type { RunContext } from '../run-context.ts';
import { Halt } from '../submit/halt.ts';

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
  priority: Priority;
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
  options: ListOptions,
): Promise<Listing> {
  const hasCursor = promisesOf(context.run).cursor;
  const records: Transaction[] = [];
  let cursor: string | undefined;
  let serverMs: number | null = null;
  const counted = new Set<string>();
  let oldestMs = Number.POSITIVE_INFINITY;
  for (let page = 0; page < options.pagesMax; page++) {
    const request = { ...filter, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const result = await context.client.read('transaction.getMany', request, options.priority);
    if (!result.ok) throw haltFor(result);
    serverMs ??= result.serverMs;
    const { transactions, next_cursor, totals } = result.data;
    await context.noteEvidence(transactions);
    // The totals leave failed ones out. One that stands in two pages is one.
    for (const { id, status } of transactions) if (status !== 'FAILED') counted.add(id);
    const goOn = options.onPage ? options.onPage(transactions) : keep(records, transactions);
    oldestMs = oldestIfInOrder(transactions, oldestMs);
    if (options.untilMs !== undefined && oldestMs < options.untilMs) return { records, complete: true, serverMs };
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

function keep(records: Transaction[], page: Transaction[]): true {
  for (const record of page) records.push(record);
  return true;
}

/** The time of the page's last record; NaN, which is less than nothing, from the first record on that is out of order. */
function oldestIfInOrder(page: Transaction[], beforeMs: number): number {
  let oldestMs = beforeMs;
  for (const record of page) {
    const ms = timeOf(record);
    if (!(ms <= oldestMs)) return Number.NaN;
    oldestMs = ms;
  }
  return oldestMs;
}

/** Unix ms of a record's `created_at`; the far future where it is no ISO 8601 time, so that nothing is thought older. */
export function timeOf(record: Transaction): number {
  return parseIso(record.created_at) ?? Number.POSITIVE_INFINITY;
}

/** What a read that gave nothing means for the run: it stops, and goes on with `resume`. */
export function haltFor(failure: ReadFailure): Halt {
  switch (failure.kind) {
    case 'unreachable':
      return new Halt('outage', stopText({ code: 'service_trouble', trouble: failure.trouble }, 'command_line'), {
        why: { code: 'service_trouble', trouble: failure.trouble },
      });
    case 'refused_credentials':
      return new Halt('outage', `the service refuses our credentials: ${failure.message}`, {
        refusedCredentials: true,
      });
    case 'rejected':
      return new Halt('outage', `the service refuses to answer: ${failure.message}`);
    case 'unreadable':
      return new Halt('outage', failure.message);
  }
}
